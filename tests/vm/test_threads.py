"""Several Python threads issue at once, some of them on the same stream and the same blocks."""

from __future__ import annotations

import sys
import threading
import time

import pytest

from tests.vm.fakes import FakeAsyncStream, FakeBlock, FakeGpu, inline, until, worker


@pytest.fixture(autouse=True)
def switch_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def run_threads(*targets):
    errors = []

    def guarded(target):
        try:
            target()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(target,)) for target in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    assert not errors, errors


def increment(block, times):
    """A kernel that others can be seen to interfere with: it reads, lets others run, and writes."""

    def run():
        value = block.value
        for _ in range(times):
            pass
        block.value = value + 1

    return run


@pytest.mark.parametrize("kind", ["inline", "worker"])
def test_one_block_many_threads(vm, kind):
    stream = inline() if kind == "inline" else worker()
    x = FakeBlock(stream, 0)

    def many():
        for _ in range(300):
            vm.issue(stream, increment(x, 50), (x,), (x,), atomic=False)

    run_threads(many, many, many)
    assert vm.access((x,), (), lambda: x.value) == 900


def test_one_block_many_streams_and_accesses(vm):
    x = FakeBlock(inline(), 0)
    streams = [inline("i"), worker("s"), worker("t")]

    def many(stream):
        for _ in range(200):
            vm.issue(stream, increment(x, 50), (x,), (x,), atomic=False)

    def host():
        for _ in range(200):
            vm.access((x,), (x,), increment(x, 50), atomic=False)

    run_threads(*[lambda s=s: many(s) for s in streams], host)
    assert vm.access((x,), (), lambda: x.value) == 800


def test_a_large_kernel_keeps_others_off_its_operands(vm, gate):
    """It runs without the interpreter's lock: another thread misses the fast path and waits for it."""
    home = inline()
    x, y = FakeBlock(home, 0), FakeBlock(home, 0)
    order = []

    def large():
        gate()
        order.append("large")

    thread = threading.Thread(target=lambda: vm.issue(home, large, (), (x,), atomic=False))
    thread.start()
    assert gate.reached.wait(10)
    vm.issue(home, lambda: order.append("beside"), (y,), ())
    assert order == ["beside"], "what it does not use is free"
    threading.Timer(0.05, gate.open).start()
    vm.issue(home, lambda: order.append("small"), (x,), ())
    thread.join(10)
    assert order == ["beside", "large", "small"]
    assert x.stream is home and home.immediate


def test_other_streams_wait_for_the_operands_of_a_large_kernel_alone(vm, gate):
    home, other = inline(), worker()
    x, y = FakeBlock(home, 0), FakeBlock(home, 0)
    order = []
    thread = threading.Thread(
        target=lambda: vm.issue(home, lambda: (gate(), order.append("large")), (x,), (), atomic=False)
    )
    thread.start()
    assert gate.reached.wait(10)
    vm.issue(other, lambda: order.append("free"), (), (y,))
    until(lambda: order == ["free"])
    threading.Timer(0.05, gate.open).start()
    assert vm.access((), (x,), lambda: list(order)) == ["free", "large"]
    thread.join(10)
    vm.sync()
    assert x.stream is home and x.dependence is None


def test_a_large_kernel_that_fails_leaves_its_operands_free(vm):
    home = inline()
    x = FakeBlock(home, 0)

    def fails():
        raise ValueError("large")

    for _ in range(2):
        with pytest.raises(ValueError, match="large"):
            vm.issue(home, fails, (x,), (x,), atomic=False)
        assert home.immediate and home.claim is None and home.reached == home.issued and x.stream is home


def test_a_workers_reader_waits_for_a_large_kernel_of_another_thread(vm, gate):
    home, t = inline(), worker()
    x = FakeBlock(home, 0)
    thread = threading.Thread(
        target=lambda: vm.issue(home, lambda: (gate(), setattr(x, "value", 1)), (), (x,), atomic=False)
    )
    thread.start()
    assert gate.reached.wait(10)
    seen = []
    vm.issue(t, lambda: seen.append(x.value), (x,), ())
    gate.open()
    vm.sync()
    thread.join(10)
    assert seen == [1]


def test_a_workers_writer_waits_for_a_host_access_of_another_thread(vm, gate):
    t = worker()
    x = FakeBlock(inline(), 0)
    order = []
    thread = threading.Thread(target=lambda: vm.access((x,), (), lambda: (gate(), order.append("read"))))
    thread.start()
    assert gate.reached.wait(10)
    vm.issue(t, lambda: order.append("write"), (), (x,))
    until(lambda: t.worker._parked)
    gate.open()
    until(lambda: order == ["read", "write"], seconds=3)  # an idle worker looks by itself after five
    thread.join(10)


def test_what_is_issued_inside_an_instruction_waits_for_its_end(vm, gate):
    """As a finalizer may do. It is deferred here, and its worker must not overtake what issued it."""
    home, other = inline(), worker()
    x = FakeBlock(home)
    order = []

    def outer():
        vm.issue(other, gate, (), (x,))
        vm.issue(home, lambda: order.append("inner"), (x,), ())
        gate.open()
        until(lambda: other.reached == 1 and home.worker is not None)
        time.sleep(0.02)
        order.append("outer")

    vm.issue(home, outer, (), (FakeBlock(home),), atomic=False)
    vm.sync()
    assert order == ["outer", "inner"] and home.immediate


def test_instructions_of_one_thread_stay_in_order(vm):
    stream, ran = inline(), []
    blocked = worker("other")
    x, y = FakeBlock(stream), FakeBlock(stream)

    def one():
        for i in range(300):
            if i % 10 == 0:
                vm.issue(blocked, lambda: None, (), (x,))
            vm.issue(stream, lambda i=i: ran.append(("a", i)), (x,) if i % 10 == 0 else (), ())

    def two():
        for i in range(300):
            vm.issue(stream, lambda i=i: ran.append(("b", i)), (y,), (), atomic=i % 3 > 0)

    run_threads(one, two)
    vm.sync()
    for name in "ab":
        assert [i for n, i in ran if n == name] == list(range(300))


def test_two_threads_launch_on_one_device(vm):
    gpu = FakeGpu()
    s, t = FakeAsyncStream(gpu, "s"), FakeAsyncStream(gpu, "t")
    x = FakeBlock(s, 0)

    def many(stream):
        for _ in range(100):
            vm.issue(stream, lambda: stream.launch(increment(x, 0)), (x,), (x,))

    run_threads(lambda: many(s), lambda: many(t))
    assert vm.access((x,), (), lambda: x.value) == 200


def test_releases_from_many_threads(vm):
    home, t = inline(), worker()
    blocks = [FakeBlock(home) for _ in range(300)]

    def use(part):
        for block in part:
            vm.issue(t, lambda: None, (block,), ())
            vm.release(block)

    run_threads(lambda: use(blocks[:150]), lambda: use(blocks[150:]))
    vm.sync()
    assert all(block.free == [block] and block.stream is home for block in blocks)
