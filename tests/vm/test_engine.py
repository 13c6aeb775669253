"""The engine alone, by hand: no machine, no thread."""

from __future__ import annotations

from tests.vm.fakes import FakeAsyncStream, FakeBlock, FakeGpu, inline, worker
from tritonflow.device.stream import Lane
from tritonflow.vm.engine import Engine
from tritonflow.vm.instruction import Instruction


def step(engine, stream):
    """What a worker does once: run the head of the queue if it may. Says whether it did."""
    if not stream.queue or not engine.ready(stream.queue[0]):
        return False
    instruction = stream.queue[0]
    for event in engine.order_device(instruction):
        event.synchronize()
    engine.run(instruction)
    engine.finish(instruction)
    return True


def nothing():
    pass


def test_one_stream_is_in_order():
    engine, stream, ran = Engine(), worker(), []
    for i in range(3):
        engine.enqueue(stream, lambda i=i: ran.append(i))
    assert [i.number for i in stream.queue] == [1, 2, 3]
    while step(engine, stream):
        pass
    assert ran == [0, 1, 2] and stream.reached == stream.issued == 3


def test_read_after_write_waits():
    engine, s, t = Engine(), worker("s"), worker("t")
    x = FakeBlock(s)
    engine.enqueue(s, nothing, mut=(x,))
    engine.enqueue(t, nothing, const=(x,))
    assert not step(engine, t)
    assert step(engine, s)
    assert step(engine, t)


def test_write_after_read_waits_for_every_reader():
    engine, s, t, u = Engine(), worker("s"), worker("t"), worker("u")
    x = FakeBlock(inline())
    engine.enqueue(s, nothing, const=(x,))
    engine.enqueue(t, nothing, const=(x,))
    engine.enqueue(u, nothing, mut=(x,))
    assert not step(engine, u)
    assert step(engine, s) and not step(engine, u)
    assert step(engine, t) and step(engine, u)


def test_write_after_write_waits():
    engine, s, t = Engine(), worker("s"), worker("t")
    x = FakeBlock(s)
    engine.enqueue(s, nothing, mut=(x,))
    engine.enqueue(t, nothing, mut=(x,))
    assert not step(engine, t)
    assert step(engine, s) and step(engine, t)


def test_reads_and_strangers_do_not_wait():
    engine, s, t = Engine(), worker("s"), worker("t")
    x, y, z = (FakeBlock(inline()) for _ in range(3))
    engine.enqueue(s, nothing, const=(x,), mut=(y,))
    engine.enqueue(t, nothing, const=(x,), mut=(z,))
    assert step(engine, t) and step(engine, s)


def test_a_blocked_head_blocks_its_stream():
    engine, s, t = Engine(), worker("s"), worker("t")
    x, y = FakeBlock(s), FakeBlock(t)
    engine.enqueue(s, nothing, mut=(x,))
    engine.enqueue(t, nothing, const=(x,))
    engine.enqueue(t, nothing, mut=(y,))
    assert not step(engine, t)
    step(engine, s)
    assert step(engine, t) and step(engine, t)


def test_finishing_wakes_the_stream_that_waits():
    woken = []
    engine, s, t = Engine(woken.append), worker("s"), worker("t")
    x = FakeBlock(s)
    engine.enqueue(s, nothing, mut=(x,))
    engine.enqueue(s, nothing)
    engine.enqueue(t, nothing, const=(x,))
    step(engine, t)
    assert len(s.waiters) == 1
    step(engine, t)
    assert len(s.waiters) == 1, "entered as a waiter once"
    step(engine, s)
    assert woken == [t] and not s.waiters


def test_a_lane_that_goes_on_while_a_waiter_is_entered_is_seen():
    """A worker's stream finishes instructions without the lock: it may have missed the new waiter."""
    engine, s, t = Engine(), worker("s"), worker("t")

    class Late(list):
        def append(self, waiter):
            super().append(waiter)
            s.reached = 1

    x = FakeBlock(s)
    engine.enqueue(s, nothing, mut=(x,))
    engine.enqueue(t, nothing, const=(x,))
    s.waiters = Late()
    assert engine.ready(t.queue[0])


def test_a_finished_instruction_keeps_nothing():
    engine, s = Engine(), worker()
    x = FakeBlock(s)
    instruction = engine.enqueue(s, nothing, const=(x,), mut=(x,), name="op")
    step(engine, s)
    assert instruction.done and instruction.compute is None
    assert instruction.reads == instruction.writes == () and instruction.waits == []
    assert x.dependence.writer is s, "streams and numbers are all that is left"


def test_readers_of_a_parameter_are_pruned():
    engine = Engine()
    x = FakeBlock(inline())
    for _ in range(100):
        stream = worker()
        engine.enqueue(stream, nothing, const=(x,))
        step(engine, stream)
    assert len(x.dependence.readers) <= 5
    s = worker()
    for _ in range(100):
        engine.enqueue(s, nothing, const=(x,))
    assert len(x.dependence.readers) <= 5, "the last read of a stream stands for all of them"


def test_a_number_that_was_never_issued_blocks_nobody():
    """Ctrl-C between entering an access and taking its number."""
    engine, s, t = Engine(), worker("s"), worker("t")
    x = FakeBlock(s)
    engine.enqueue(s, nothing)
    x.stream, x.dependence = None, None
    engine.enqueue(t, nothing, const=(x,))
    x.dependence.write(s, 2)  # number 2 of s does not come
    engine.enqueue(t, nothing, const=(x,))
    step(engine, t)
    assert not step(engine, t)
    step(engine, s)
    assert step(engine, t)


def test_numbers_are_not_doubled_by_a_finalizer_that_issues():
    engine, s = Engine(), worker()

    class Collected(FakeBlock):
        """Stands for a garbage collection in the middle: something is issued while this is entered."""

        @property
        def dependence(self):
            if not done:
                done.append(engine.enqueue(s, nothing))
            return self._dependence

        @dependence.setter
        def dependence(self, value):
            self._dependence = value

    done = []
    x = Collected(s)
    x.stream = None
    outer = engine.enqueue(s, nothing, mut=(x,), waits={})
    assert done
    assert [i.number for i in s.queue] == [1, 2] and x.dependence.written == outer.number


def test_poison_passes_on_and_is_healed_by_a_write():
    engine, s = Engine(), worker()
    x, y, z = (FakeBlock(s) for _ in range(3))
    ran = []

    def fail():
        raise ValueError("broken")

    engine.enqueue(s, fail, mut=(x,), name="bad")
    engine.enqueue(s, lambda: ran.append("y"), const=(x,), mut=(y,))
    engine.enqueue(s, lambda: ran.append("z"), const=(y,), mut=(z,))
    engine.enqueue(s, lambda: ran.append("x"), mut=(x,))
    while step(engine, s):
        pass
    assert ran == ["x"]
    assert len(engine.failures) == 1
    assert x.dependence.failure is None
    assert y.dependence.failure is z.dependence.failure is engine.failures[0]
    assert engine.poison((x, y)) is engine.failures[0] and engine.poison((x,)) is None


def test_only_so_many_failures_are_kept():
    engine, s = Engine(), worker()

    def fail():
        raise ValueError

    for _ in range(150):
        engine.enqueue(s, fail)
        step(engine, s)
    assert len(engine.failures) == 100


def test_an_instruction_without_stream_runs_when_it_may():
    engine, s, ran = Engine(), worker(), []
    engine.enqueue(s, nothing)
    engine.start(Instruction(None, lambda: ran.append(1), {s: 1}))
    assert not ran
    step(engine, s)
    assert ran == [1]


def test_release_goes_back_after_the_last_access():
    engine, home, t, u = Engine(), inline(), worker("t"), worker("u")
    x = FakeBlock(home)
    engine.enqueue(t, nothing, mut=(x,))
    engine.enqueue(u, nothing, const=(x,))
    engine.released.append(x)
    engine.drain()
    assert not x.free
    step(engine, t)
    assert not x.free
    step(engine, u)
    assert x.free == [x] and x.stream is home and x.dependence is None


def test_release_on_a_workers_stream_is_at_once():
    """What comes next on that stream is queued behind what uses the block."""
    engine, home = Engine(), worker()
    x = FakeBlock(home)
    engine.enqueue(home, nothing, mut=(x,))
    engine.released.append(x)
    engine.drain()
    assert x.free == [x]
    assert (x.dependence.writer, x.dependence.written) == (home, 1), "and its next user elsewhere waits for it"


def test_release_behind_a_device_is_polled():
    engine, gpu = Engine(), FakeGpu()
    home, other = FakeAsyncStream(gpu, "home"), FakeAsyncStream(gpu, "other")
    x = FakeBlock(home)
    gpu.held = True
    engine.enter(other, (x,), ())
    other.launch(nothing)
    other.reached = other.issued
    engine.released.append(x)
    engine.drain()
    engine.poll()
    assert not x.free
    gpu.held = False
    gpu.finish()
    engine.poll()
    assert x.free == [x] and x.stream is home


def test_a_device_stream_waits_on_the_device():
    engine, gpu = Engine(), FakeGpu()
    s, t = FakeAsyncStream(gpu, "s"), FakeAsyncStream(gpu, "t")
    x = FakeBlock(s)
    waits = engine.collect(t, (x,), ())
    assert waits == {s: 1} and engine.startable(t, waits) and not engine.startable(worker(), waits)
    t.wait_for(s, waits[s])
    t.wait_for(s, waits[s])
    assert (s.events, t.waits) == (1, 1)
    assert engine.collect(t, (x,), ()) == {}, "a wait that was made covers it"


def test_what_an_idle_inline_stream_owns_needs_no_wait():
    engine, s, t = Engine(), inline(), worker()
    assert engine.collect(t, (FakeBlock(s),), (FakeBlock(s),)) == {}
    assert engine.collect(Lane(), (), (FakeBlock(s),)) == {}


def test_an_inline_stream_is_immediate_again_when_its_queue_is_empty():
    engine, s = Engine(), inline()
    engine.enqueue(s, nothing)
    engine.enqueue(s, nothing)
    assert not s.immediate
    step(engine, s)
    assert not s.immediate
    step(engine, s)
    assert s.immediate
