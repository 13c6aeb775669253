"""What becomes of the virtual machines when the process forks, and of untold failures when it ends."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Protocol
from weakref import WeakSet

from tritonflow.vm.instruction import Failure


class _Forks(Protocol):
    def before_fork(self) -> None: ...

    def after_fork_in_parent(self) -> None: ...

    def after_fork_in_child(self) -> None: ...


machines: WeakSet[_Forks] = WeakSet()


def _each(method: str) -> Callable[[], None]:
    def call() -> None:
        for machine in list(machines):
            getattr(machine, method)()

    return call


os.register_at_fork(
    before=_each("before_fork"),
    after_in_parent=_each("after_fork_in_parent"),
    after_in_child=_each("after_fork_in_child"),
)


def report(failures: Sequence[Failure]) -> None:
    """Print the failures that nobody has been told of: at exit, nobody will ask any more."""
    for failure in failures:
        if not failure.told:
            failure.told = True
            print("tritonflow: an instruction failed, and nobody has waited for its result:", file=sys.stderr)
            traceback.print_exception(type(failure.error), failure.error, failure.traceback)
