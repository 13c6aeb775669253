"""What a captured program has been found to depend on while it ran: run-time scalars, and states of objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.layout_guards import LayoutGuard
from tritonflow.graph.watch.contents import alike
from tritonflow.observer import Observer
from tritonflow.thread_state import thread_state


class Guard(NamedTuple):
    """The program is right while `read()` gives what is `expected`, which `owner` gave when it was first met."""

    owner: Any
    read: Callable[[], Any]
    expected: Any


class ArgumentGuard(NamedTuple):
    """What the program has read of a tensor among its arguments, as Python sees it.

    Attributes:
        position: of the argument.
        read: a function of the tensor.
        expected: what it gave in the capture.
    """

    position: int
    read: Callable[[Tensor], Any]
    expected: Any

    def holds(self, given: Sequence[Tensor]) -> bool:
        """Whether it is what it was."""
        return alike(self.read(given[self.position]), self.expected)


class Guards:
    """The guards of a capture.

    Attributes:
        scalars: run-time scalars for whose present values alone the program is right.
        layouts: what it needs of how its arguments lie in memory.
        arguments: what it has read of their classes and attributes.
        objects: the others.
    """

    def __init__(self) -> None:
        self.scalars: list[RuntimeScalar] = []
        self.layouts: set[LayoutGuard] = set()
        self.arguments: list[ArgumentGuard] = []
        self.objects: list[Guard] = []

    def add_scalar(self, scalar: RuntimeScalar) -> None:
        """Guard the present value of a scalar."""
        if all(scalar is not known for known in self.scalars):
            self.scalars.append(scalar)

    def add_object(self, owner: Any, read: Callable[[], Any]) -> None:
        """Guard what `read()` gives now, unless the owner is guarded already."""
        if all(owner is not guard.owner for guard in self.objects):
            self.objects.append(Guard(owner, read, read()))


class Pins(Observer):
    """Notes the numbers that passes pin, while a program is made that was captured before."""

    def __init__(self) -> None:
        self.guards = Guards()

    def __enter__(self) -> None:
        self._before, thread_state.observer = thread_state.observer, self

    def __exit__(self, *error: object) -> None:
        thread_state.observer = self._before

    def guard(self, scalar: RuntimeScalar) -> None:
        """Note that the program is for the present value of a number only."""
        self.guards.add_scalar(scalar)
