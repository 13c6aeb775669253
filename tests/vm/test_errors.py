"""Failures of deferred instructions: they poison, surface at the next synchronisation, and name the issuing line."""

from __future__ import annotations

import subprocess
import sys
import traceback

import pytest

from tests.vm.fakes import FakeAsyncStream, FakeBlock, FakeGpu, inline, worker


class Broken(Exception):
    pass


def fail():
    raise Broken("no such luck")


def notes(error):
    return "".join(traceback.format_exception(error.type, error.value, error.tb))


def test_sync_raises_the_original_with_the_issuing_line(vm):
    s = worker()
    vm.issue(s, fail, (), (FakeBlock(s),), name="relu")  # issued here
    with pytest.raises(Broken, match="no such luck") as error:
        vm.sync()
    text = notes(error)
    line = next(i for i, t in enumerate(open(__file__), 1) if "# issued here" in t and "relu" in t)
    assert "'relu'" in text and f"{__file__}:{line}, in test_sync_raises" in text
    assert "in fail" in text, "the traceback goes to where it happened"


def test_once_raised_it_is_cleared(vm):
    s = worker()
    vm.issue(s, fail)
    with pytest.raises(Broken):
        vm.sync()
    vm.sync()


def test_access_to_what_is_poisoned_raises_every_time(vm):
    s = worker()
    x = FakeBlock(s)
    vm.issue(s, fail, (), (x,))
    for _ in range(3):
        with pytest.raises(Broken) as error:
            vm.access((x,), (), lambda: x.value)
    assert len(traceback.extract_tb(error.tb)) < 10, "the traceback does not grow"
    vm.sync()  # it has been told


def test_dependents_do_not_run_and_are_poisoned(vm):
    s, t, home = worker("s"), worker("t"), inline()
    x, y, z = FakeBlock(s), FakeBlock(t), FakeBlock(home)
    ran = []
    vm.issue(s, fail, (), (x,))
    vm.issue(t, lambda: ran.append("y"), (x,), (y,))
    vm.issue(home, lambda: ran.append("z"), (y,), (z,))
    with pytest.raises(Broken):
        vm.access((z,), (), lambda: ran.append("read"))
    assert ran == []


def test_an_inline_dependent_is_poisoned_as_well(vm):
    """Whether an instruction was deferred does not decide what becomes of it."""
    s, home = worker(), inline()
    x, y = FakeBlock(home), FakeBlock(home)
    vm.issue(s, fail, (), (x,))
    with pytest.raises(Broken):
        vm.sync()
    ran = []
    vm.issue(home, lambda: ran.append(1), (x,), (y,))
    vm.issue(home, lambda: ran.append(2), (y,), (y,))
    assert ran == []
    with pytest.raises(Broken):
        vm.access((y,), (), lambda: None)


def test_strangers_go_on(vm):
    s = worker()
    x, y = FakeBlock(s), FakeBlock(s)
    vm.issue(s, fail, (), (x,))
    vm.issue(s, lambda: setattr(y, "value", 1), (), (y,))
    assert vm.access((y,), (), lambda: y.value) == 1
    with pytest.raises(Broken):
        vm.sync()


def test_what_is_overwritten_is_healed(vm):
    s, home = worker(), inline()
    x = FakeBlock(home)
    for overwrite in (
        lambda: vm.issue(s, lambda: None, (), (x,)),
        lambda: vm.issue(home, lambda: None, (), (x,)),
        lambda: vm.issue(home, lambda: None, (), (x,), atomic=False),
        lambda: vm.access((), (x,), lambda: None),
    ):
        vm.issue(s, fail, (), (x,))
        with pytest.raises(Broken):
            vm.sync()
        overwrite()
        vm.access((x,), (), lambda: None)


def test_in_place_is_a_read_too(vm):
    s = worker()
    x = FakeBlock(s)
    vm.issue(s, fail, (), (x,))
    vm.issue(s, lambda: None, (x,), (x,))
    with pytest.raises(Broken):
        vm.access((x,), (), lambda: None)


def test_several_failures_raise_the_first_and_say_so(vm):
    s = worker()
    for _ in range(3):
        vm.issue(s, fail)
    with pytest.raises(Broken) as error:
        vm.sync()
    assert "the first of 3 failures" in notes(error)


def test_what_fails_at_once_raises_at_the_call(vm):
    home = inline()
    x = FakeBlock(home)
    for atomic in (True, False):
        with pytest.raises(Broken):
            vm.issue(home, fail, (), (x,), atomic=atomic)
        assert x.stream is home
    vm.sync()
    vm.issue(home, lambda: None, (x,), (x,), atomic=False)
    assert x.stream is home and home.immediate


def test_a_failed_access_leaves_the_block_usable(vm):
    s = worker()
    x = FakeBlock(s)
    vm.issue(s, lambda: None, (), (x,))
    with pytest.raises(Broken):
        vm.access((x,), (x,), fail)
    vm.issue(s, lambda: None, (x,), (x,))
    vm.sync()


def test_exceptions_that_are_no_errors_stop_no_worker(vm):
    s = worker()

    def leave():
        sys.exit(3)

    vm.issue(s, leave)
    with pytest.raises(SystemExit):
        vm.sync()
    ran = []
    vm.issue(s, lambda: ran.append(1))
    vm.sync()
    assert ran == [1]


def test_a_deferred_launch_on_a_device_fails_likewise(vm, gate):
    gpu = FakeGpu()
    s, t = worker(), FakeAsyncStream(gpu, "t")
    x, y = FakeBlock(s), FakeBlock(t)
    vm.issue(s, gate, (), (x,))
    vm.issue(t, fail, (x,), (y,))
    gate.open()
    with pytest.raises(Broken):
        vm.access((y,), (), lambda: None)
    assert t.activations == 1


def test_untold_failures_are_printed_at_exit():
    program = """
from tests.vm.fakes import worker
from tritonflow.vm.machine import machine
def fail(): raise ValueError("nobody asked")
machine.issue(worker(), fail, name="lost")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment(), timeout=60
    )
    assert done.returncode == 0
    assert "nobody has waited" in done.stderr and "nobody asked" in done.stderr and "'lost'" in done.stderr


def environment():
    import os
    from pathlib import Path

    root = Path(__file__).resolve().parents[2]
    return {**os.environ, "PYTHONPATH": f"{root}:{root / 'tests'}"}
