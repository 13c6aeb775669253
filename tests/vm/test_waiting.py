"""Waiting: sync, back-pressure, the watchdog, Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from tests.vm.fakes import FakeAsyncStream, FakeBlock, FakeGpu, inline, until, worker
from tritonflow.errors import WatchdogError
from tritonflow.vm.machine import Machine


@pytest.fixture(autouse=True)
def ctrl_c_raises():
    """As in a terminal: a shell starts what runs in the background with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def impatient():
    machine = Machine(watchdog=0.2, sync=False)
    yield machine
    machine.close()


def test_sync_waits_for_everything(vm):
    done = []
    for name in "stu":
        s = worker(name)
        for _ in range(50):
            vm.issue(s, lambda: done.append(1))
    vm.sync()
    assert len(done) == 150


def test_sync_waits_for_the_device_and_for_other_threads(vm, gate):
    gpu = FakeGpu()
    s, home = FakeAsyncStream(gpu, "s"), inline()
    s.machine = vm
    done = []
    vm.issue(s, lambda: s.launch(lambda: done.append("device")))
    thread = threading.Thread(
        target=lambda: vm.issue(home, lambda: (gate(), done.append("thread")), (), (FakeBlock(home),), atomic=False)
    )
    thread.start()
    assert gate.reached.wait(10)
    threading.Timer(0.05, gate.open).start()
    vm.sync()
    assert sorted(done) == ["device", "thread"]
    thread.join()


def test_global_sync_meets_the_others_last(vm):
    order = []
    vm.issue(worker(), lambda: order.append("here"))
    vm.global_sync(lambda: order.append("there"))
    assert order == ["here", "there"]


def test_writes_to_memory_that_the_host_sees_are_over_at_once(vm):
    """A numpy array over the block shows the value as soon as the call returns."""
    s = worker()
    x, y = FakeBlock(s, 0), FakeBlock(s, 0)
    vm.share(x)
    for block, done in ((x, True), (y, False)):
        go = threading.Event()
        threading.Timer(0.05, go.set).start()
        instruction = vm.issue(s, lambda go=go: go.wait(10), (), (block,))
        assert instruction.done is done
    vm.sync()


def test_back_pressure_waits_for_half(gate):
    vm = Machine(watchdog=20.0, max_in_flight=10, sync=False)
    s = worker()
    issued = []

    def produce():
        vm.issue(s, gate)
        for i in range(30):
            vm.issue(s, lambda: None)
            issued.append(i)

    producer = threading.Thread(target=produce)
    producer.start()
    until(lambda: len(issued) == 9)
    time.sleep(0.05)
    assert len(issued) == 9 and len(s.queue) == 11
    gate.open()
    producer.join(10)
    assert len(issued) == 30
    vm.close()


def test_instructions_that_issue_are_not_held_back(gate):
    """A worker that waited for its own queue to shrink would wait for ever."""
    vm = Machine(watchdog=5.0, max_in_flight=2, sync=False)
    s, ran = worker(), []

    def many():
        for i in range(10):
            vm.issue(s, lambda i=i: ran.append(i))

    vm.issue(s, many)
    until(lambda: len(ran) == 10)
    assert ran == list(range(10))
    vm.close()


def test_the_watchdog_names_what_it_waits_for(impatient, gate):
    s, t = worker("copies"), worker("collectives")
    x = FakeBlock(s)
    impatient.issue(s, gate, (), (x,), name="stuck")
    impatient.issue(t, lambda: None, (x,), (), name="behind")
    with pytest.raises(WatchdogError) as error:
        impatient.sync()
    text = str(error.value)
    assert "instructions in flight (2)" in text
    assert "'stuck' (number 1 on cpu 'copies')" in text and "running" in text
    assert "'behind'" in text and "waits for number 1 on <WorkerStream 'copies'" in text
    assert "test_waiting.py" in text, "and the lines that issued them"
    gate.open()
    impatient.sync()


def test_the_watchdog_is_quiet_while_things_move(impatient):
    s = worker()
    for _ in range(12):
        impatient.issue(s, lambda: time.sleep(0.05))
    impatient.sync()


def test_the_watchdog_watches_devices(impatient):
    gpu = FakeGpu()
    gpu.held = True
    s = FakeAsyncStream(gpu, "s")
    s.machine = impatient
    impatient.issue(s, lambda: s.launch(lambda: None))
    with pytest.raises(WatchdogError, match="the device"):
        impatient.sync()
    gpu.held = False


def test_the_watchdog_watches_other_threads(impatient, gate):
    home = inline()
    x = FakeBlock(home)
    thread = threading.Thread(target=lambda: impatient.issue(home, gate, (), (x,), atomic=False))
    thread.start()
    assert gate.reached.wait(10)
    with pytest.raises(WatchdogError, match="another thread"):
        impatient.issue(home, lambda: None, (x,), ())
    gate.open()
    thread.join()


def test_an_instruction_cannot_wait_for_itself(vm):
    s = worker()
    vm.issue(s, vm.sync)
    with pytest.raises(RuntimeError, match="would wait for that instruction itself"):
        vm.sync()


def interrupt_when(reached):
    def send():
        assert reached.wait(10)
        time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send).start()


def test_ctrl_c_while_syncing(vm, gate):
    s = worker()
    x = FakeBlock(s, 1)
    vm.issue(s, lambda: (gate(), setattr(x, "value", 2)), (), (x,))
    interrupt_when(gate.reached)
    with pytest.raises(KeyboardInterrupt):
        vm.sync()
    gate.open()
    vm.sync()
    assert vm.access((x,), (), lambda: x.value) == 2


def test_ctrl_c_while_accessing_keeps_the_order(vm, gate):
    """The write that was given up still stands between what came before it and what comes after."""
    s, t = worker("s"), worker("t")
    x = FakeBlock(s, 0)
    order = []
    vm.issue(s, lambda: (gate(), order.append("before")), (), (x,))
    interrupt_when(gate.reached)
    with pytest.raises(KeyboardInterrupt):
        vm.access((), (x,), lambda: order.append("never"))
    vm.issue(t, lambda: order.append("after"), (x,), ())
    time.sleep(0.02)
    assert order == []
    gate.open()
    vm.sync()
    assert order == ["before", "after"]


def test_ctrl_c_during_back_pressure(gate):
    vm = Machine(watchdog=20.0, max_in_flight=4, sync=False)
    s, ran = worker(), []
    vm.issue(s, gate)
    interrupt_when(gate.reached)
    with pytest.raises(KeyboardInterrupt):
        for i in range(100):
            vm.issue(s, lambda i=i: ran.append(i))
    gate.open()
    vm.sync()
    assert ran == list(range(len(ran)))
    vm.close()


def test_ctrl_c_inside_a_kernel_on_the_inline_stream(vm):
    home = inline()
    x = FakeBlock(home)

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        vm.issue(home, interrupted, (x,), (x,), atomic=False)
    assert x.stream is home and home.reached == home.issued
    vm.sync()
