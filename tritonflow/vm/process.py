"""What the virtual machines do when the process forks, and how failures that nobody has asked for are printed when it ends."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from weakref import WeakSet

from tritonflow.vm.failure import Failure
from tritonflow.vm.worker import working

if TYPE_CHECKING:
    from tritonflow.vm.machine import Machine


machines: WeakSet[Machine] = WeakSet()


def _before_fork(machine: Machine) -> None:
    """Let all threads come to rest until the fork is done, so that the child gets memory that no thread is writing."""
    machine.fork_lock.acquire()
    machine.forking = True
    lock = machine.engine.lock
    try:
        for _ in range(100):
            if working.stream is None and not machine.alone:
                machine.drain("fork", machine.streams())
            lock.acquire()
            if not any(stream.queue for stream in machine.streams()):
                return
            lock.release()
    except BaseException:  # Python prints it, and forks nevertheless
        lock.acquire()
        raise
    lock.acquire()


def _after_fork_in_parent(machine: Machine) -> None:
    """Let the other threads go on."""
    machine.engine.lock.release()
    machine.forking = False
    machine.fork_lock.release()


def _for_each(step: Callable[[Machine], None]) -> Callable[[], None]:
    def call() -> None:
        errors = []
        for machine in sorted(machines, key=id):
            try:
                step(machine)
            except BaseException as error:
                errors.append(error)
        if errors:
            raise errors[0]

    return call


os.register_at_fork(
    before=_for_each(_before_fork),
    after_in_parent=_for_each(_after_fork_in_parent),
    after_in_child=_for_each(lambda machine: machine.restart()),
)


def report(failures: Sequence[Failure]) -> None:
    """Print the failures that no caller has got: at exit, nobody will wait any more."""
    for failure in failures:
        if not failure.told:
            failure.told = True
            print("tritonflow: an instruction failed, and nobody has waited for its result:", file=sys.stderr)
            traceback.print_exception(type(failure.error), failure.error, failure.traceback)


def report_unread(looks: Sequence[Callable[[], None]]) -> None:
    """Print what each raises: an op on a device failed, and no synchronisation has told so."""
    for look in looks:
        try:
            look()
        except Exception as error:
            print("tritonflow: an op failed, and nobody has waited for its result:", file=sys.stderr)
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
