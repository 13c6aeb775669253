"""Release: a block returns to its free list after its last access, whoever drops it, wherever."""

from __future__ import annotations

import gc
import threading
import weakref

from tests.vm.fakes import FakeAsyncStream, FakeBlock, FakeGpu, inline, until, worker
from tritonflow.vm.machine import Machine


def nothing():
    pass


def test_a_settled_block_goes_back_at_once(vm):
    x = FakeBlock(inline())
    vm.release(x)
    assert x.free == [x]


def test_after_the_last_reader(vm, gate):
    home = inline()
    x = FakeBlock(home)
    vm.issue(worker("s"), nothing, (x,), ())
    vm.issue(worker("t"), gate, (x,), ())
    vm.release(x)
    assert gate.reached.wait(10)
    assert x.free == []
    gate.open()
    until(lambda: x.free == [x])
    assert x.stream is home and x.dependence is None


def test_deferred_use_on_its_own_inline_stream_counts(vm, gate):
    """The fast path may take the block as soon as it is free, so it is free only when nothing is queued for it."""
    home, t = inline(), worker()
    x, y = FakeBlock(home), FakeBlock(home)
    vm.issue(t, gate, (), (y,))
    vm.issue(home, nothing, (y,), (x,))
    vm.release(x)
    assert x.free == []
    gate.open()
    until(lambda: x.free == [x])


def test_at_once_where_the_next_user_is_queued_behind(vm, gate):
    home = worker()
    x = FakeBlock(home)
    vm.issue(home, gate, (), (x,))
    vm.release(x)
    assert x.free == [x]


def test_a_late_failure_does_not_poison_the_blocks_next_life(vm, gate):
    home = worker()
    x = FakeBlock(home)

    def fail():
        gate()
        raise ValueError("late")

    vm.issue(home, fail, (), (x,))
    vm.release(x)
    again = x.free.pop()
    vm.issue(home, lambda: setattr(again, "value", 3), (), (again,))
    gate.open()
    assert vm.access((again,), (), lambda: again.value) == 3


def test_behind_another_streams_device(vm):
    gpu = FakeGpu()
    home, side = FakeAsyncStream(gpu, "home"), FakeAsyncStream(gpu, "side")
    x = FakeBlock(home)
    vm.issue(side, lambda: side.launch(nothing), (x,), ())
    gpu.held = True
    vm.release(x)
    vm.reclaim()
    assert x.free == []
    gpu.held = False
    gpu.finish()
    vm.reclaim()
    assert x.free == [x] and x.stream is home


def test_memory_of_the_outside_is_kept_until_the_last_access(vm, gate):
    """Foreign memory has no free list to go to; dropping the block frees it, and that must wait as well."""

    class Discard:
        def append(self, block):
            dropped.append(block)

    dropped = []
    x = FakeBlock(inline())
    x.free, x.stream = Discard(), None
    vm.issue(worker(), gate, (x,), ())
    vm.release(x)
    assert dropped == []
    gate.open()
    until(lambda: dropped == [x])


def test_from_garbage_collection_in_the_middle_of_the_engine(vm):
    """The collector may run a destructor while this very thread holds the engine's lock."""
    home = inline()
    x = FakeBlock(home)

    class Storage:
        def __init__(self):
            self.cycle = self

        def __del__(self):
            vm.release(x)

    with vm.engine.lock:
        Storage()
        gc.collect()
    assert x.free == [x]


def test_never_waits_for_another_thread_that_holds_the_engine(vm):
    held, go = threading.Event(), threading.Event()

    def hold():
        with vm.engine.lock:
            held.set()
            go.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(10)
    x = FakeBlock(inline())
    vm.release(x)
    assert x.free == []
    go.set()
    thread.join()
    vm.reclaim()
    assert x.free == [x]


def test_instructions_drop_what_they_hold(vm):
    class Captured:
        pass

    captured = Captured()
    gone = weakref.ref(captured)
    t = worker()
    instruction = vm.issue(t, lambda held=captured: held, (), (FakeBlock(t),))
    del captured
    vm.sync()
    gc.collect()
    assert gone() is None and instruction.done


def test_nothing_grows():
    """Thousands of instructions over two streams leave no instruction, waiter or reader behind."""
    vm = Machine(watchdog=20.0, sync=False)
    s, t = worker("s"), worker("t")
    parameter, x, y = FakeBlock(inline()), FakeBlock(s), FakeBlock(t)

    def run(n):
        for _ in range(n):
            vm.issue(s, nothing, (parameter, y), (x,))
            vm.issue(t, nothing, (parameter, x), (y,))
            vm.access((parameter,), (), nothing)
        vm.sync()
        gc.collect()
        return len(gc.get_objects())

    run(100)
    before = run(100)
    after = run(500)
    assert after - before < 50
    assert not s.waiters and not t.waiters and len(parameter.dependence.readers) <= 5
    vm.close()
