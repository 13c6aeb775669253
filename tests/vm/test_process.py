"""Modes and the process around: sync mode, threaded mode, fork, exit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.vm.fakes import FakeAsyncStream, FakeBlock, FakeGpu, inline, worker
from tritonflow.errors import ForkError
from tritonflow.thread_state import slow_path
from tritonflow.vm.machine import Machine

ROOT = Path(__file__).parents[2]


def run(program, **environment):
    """Run a program in a fresh process; says what it printed."""
    path = {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **path, **environment},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.split()


def in_child(check):
    """Fork; the child runs `check` and says by its exit status whether it held."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            signal.alarm(20)
            check()
            status = 0
        except BaseException as error:
            print("in the child:", repr(error), file=sys.stderr)
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0


# ---------------------------------------------------------------------------------------------- modes


def test_inline_mode_starts_no_thread(vm):
    home = inline()
    x = FakeBlock(home)
    before = threading.active_count()
    for atomic in (True, False):
        assert vm.issue(home, lambda: None, (x,), (x,), atomic=atomic).done
    vm.access((x,), (x,), lambda: None)
    vm.release(x)
    assert threading.active_count() == before and home.worker is None


def test_sync_mode_runs_everything_at_the_call():
    vm = Machine(sync=True, watchdog=20.0)
    try:
        s, gpu, ran = worker(), FakeGpu(), []
        t = FakeAsyncStream(gpu, "t")
        x = FakeBlock(s)

        def fail():
            raise ValueError("here")

        vm.issue(s, lambda: ran.append(threading.current_thread()), (), (x,))
        assert ran == [threading.current_thread()] and s.worker is None
        vm.issue(t, lambda: t.launch(lambda: ran.append("device")), (x,), ())
        assert ran[1:] == ["device"]
        with pytest.raises(ValueError, match="here"):
            vm.issue(s, fail, (x,), (x,))
    finally:
        vm.set_sync(False)
    assert slow_path.count == 0
    vm.issue(s, lambda: ran.append(threading.current_thread()), (x,), (x,))
    vm.sync()
    assert ran[-1] is not threading.current_thread()
    vm.close()


def test_the_variable_switches_sync_mode_on():
    program = """
from tests.vm.fakes import worker, FakeBlock
from tritonflow.vm.machine import machine
s = worker()
print(machine.issue(s, lambda: None, (), (FakeBlock(s),)).name, s.worker)
"""
    assert run(program, TRITONFLOW_SYNC="1") == ["finished", "None"]


# ---------------------------------------------------------------------------------------------- fork


def test_fork_waits_and_the_child_runs_inline(vm):
    s, home = worker(), inline()
    x, y = FakeBlock(s, 0), FakeBlock(home, 0)
    for _ in range(100):
        vm.issue(s, lambda: setattr(x, "value", x.value + 1), (x,), (x,))

    def check():
        assert x.value == 100 and not s.queue
        ran = []
        vm.issue(s, lambda: ran.append(threading.current_thread()), (x,), (y,))
        assert ran == [threading.main_thread()] and threading.active_count() == 1
        assert vm.access((x, y), (x,), lambda: x.value) == 100
        vm.sync()
        vm.release(x)
        assert x.free == [x]

    in_child(check)
    vm.issue(s, lambda: setattr(x, "value", 7), (x,), (x,))
    assert vm.access((x,), (), lambda: x.value) == 7, "the parent goes on with its threads"


def test_a_forked_child_refuses_the_device(vm):
    gpu = FakeGpu()
    t = FakeAsyncStream(gpu, "t")
    t.machine = vm
    x = FakeBlock(t)
    vm.issue(t, lambda: t.launch(lambda: None), (), (x,))
    events = t.events

    def check():
        with pytest.raises(ForkError, match="spawn"):
            vm.issue(t, lambda: None, (x,), ())
        vm.release(x)
        assert x.free == [x] and t.events == events + 1, "no call to the device, except before the fork"

    in_child(check)


def test_a_stuck_instruction_does_not_keep_the_process_from_forking(gate):
    vm = Machine(watchdog=0.1, sync=False)
    s, home = worker(), inline()
    x = FakeBlock(home)
    vm.issue(s, gate, (), (x,), name="stuck")
    ignored = []
    before, sys.unraisablehook = sys.unraisablehook, ignored.append
    try:
        in_child(lambda: vm.issue(home, lambda: None, (x,), (x,)))
    finally:
        sys.unraisablehook = before
    assert [type(each.exc_value).__name__ for each in ignored] == ["WatchdogError"]
    gate.open()
    vm.issue(home, lambda: None, (x,), (x,))
    vm.close()


def test_fork_while_other_threads_issue(vm):
    s, home = worker(), inline()
    x = FakeBlock(home, 0)
    stop = threading.Event()

    def busy():
        while not stop.is_set():
            vm.issue(s, lambda: None, (x,), ())
            vm.issue(home, lambda: None, (), (x,), atomic=False)

    thread = threading.Thread(target=busy)
    thread.start()

    def check():
        vm.issue(home, lambda: None, (x,), (x,), atomic=False)
        vm.issue(s, lambda: None, (x,), (x,))
        vm.access((x,), (x,), lambda: None)
        vm.sync()

    try:
        for _ in range(5):
            in_child(check)
    finally:
        stop.set()
        thread.join(10)


def test_a_child_is_not_kept_by_what_other_threads_were_doing(vm, gate):
    """A large kernel and a host access of other threads do not go on in the child."""
    home = inline()
    x, y = FakeBlock(home), FakeBlock(home)
    reading, go = threading.Event(), threading.Event()

    def read():
        reading.set()
        go.wait(10)

    threads = [
        threading.Thread(target=lambda: vm.issue(home, gate, (), (x,), atomic=False)),
        threading.Thread(target=lambda: vm.access((y,), (), read, atomic=False)),
    ]
    y.stream = None  # tracked, so that the access is entered
    for thread in threads:
        thread.start()
    assert gate.reached.wait(10) and reading.wait(10)
    threading.Timer(0.1, gate.open).start()

    def check():
        vm.issue(home, lambda: None, (x,), (x, y), atomic=False)

    in_child(check)
    go.set()
    for thread in threads:
        thread.join(10)


# ---------------------------------------------------------------------------------------------- exit


def test_exit_finishes_what_is_queued():
    program = """
import time
from tests.vm.fakes import worker
from tritonflow.vm.machine import machine
s = worker()
for i in range(5):
    machine.issue(s, lambda i=i: (time.sleep(0.01), print(i, flush=True)))
"""
    assert run(program) == ["0", "1", "2", "3", "4"]


def test_destructors_during_shutdown_are_harmless():
    program = """
from tests.vm.fakes import worker, FakeBlock
from tritonflow.vm.machine import machine
class Storage:
    def __init__(self):
        self.block, self.release, self.cycle = FakeBlock(s), machine.release, self
        machine.issue(s, lambda: None, (), (self.block,))
        self.block.stream_ = machine
    def __del__(self):
        self.release(self.block)
s = worker()
kept = [Storage() for _ in range(5)]
import builtins
builtins.kept = kept
print("ok")
"""
    assert run(program) == ["ok"]


def test_late_instructions_run_where_they_are_issued():
    program = """
import atexit
from tests.vm.fakes import worker
def late():
    machine.issue(s, lambda: print("late"))
atexit.register(late)       # runs after the machine has closed
from tritonflow.vm.machine import machine
s = worker()
machine.issue(s, lambda: print("early"))
"""
    assert run(program) == ["early", "late"]


def test_close_ends_the_threads():
    vm = Machine(watchdog=20.0, sync=False)
    s = worker()
    vm.issue(s, lambda: None)
    thread = s.worker.thread
    vm.close()
    vm.close()
    assert not thread.is_alive() and s.worker is None


def test_an_idle_worker_ends_and_another_one_starts(vm, monkeypatch):
    monkeypatch.setattr("tritonflow.vm.worker._IDLE_SECONDS", 0.01)
    s, ran = worker(), []
    vm.issue(s, lambda: ran.append(1))
    s.worker.thread.join(10)
    assert s.worker is None
    vm.issue(s, lambda: ran.append(2))
    vm.sync()
    assert ran == [1, 2]
