"""A step of an optimizer, in a program that is being captured: its learning rates are looked up in every run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from operator import is_
from typing import Any

from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.watch.contents import Content
from tritonflow.graph.watch.slots import ItemSlot
from tritonflow.optim import Optimizer


def restoring(optimizer: Optimizer) -> Callable[[], None]:
    """What takes out of an optimizer's state what the capture puts there."""
    state = Content(optimizer.state)
    contents = [state, *map(Content, state.items)]

    def restore() -> None:
        for content in contents:
            content.restore()

    return restore


class OptimizerGuard:
    """That an optimizer's options and state are what they were when its step had been captured.

    Args:
        optimizer: whose step was captured.
        program: what its options were.
        has_state: whether its state counts, as that of a library's. What a user's own step reads and sets is watched.
    """

    def __init__(self, optimizer: Optimizer, program: Any, has_state: bool) -> None:
        self._optimizer = optimizer
        self._program = program
        self._known = [*self._tensors()] if has_state else None

    def _tensors(self) -> Iterator[Any]:
        return chain.from_iterable(map(dict.values, self._optimizer.state.values()))

    def holds(self) -> bool:
        """Whether they are."""
        if self._optimizer._program() != self._program:
            return False
        known = self._known
        if known is None:
            return True
        count = sum(map(len, self._optimizer.state.values()))
        return count == len(known) and all(map(is_, self._tensors(), known))


@contextmanager
def runtime_learning_rates(optimizer: Optimizer, watch: Any) -> Iterator[None]:
    """A block in which learning rates that the program has not set are numbers that each run looks up."""
    groups = [group for group in optimizer.param_groups if watch is None or watch.look_up(ItemSlot(group, "lr", "lr"))]
    rates = [group["lr"] for group in groups]
    scalars = [RuntimeScalar(rate, _current(group)) for group, rate in zip(groups, rates)]
    for group, scalar in zip(groups, scalars):
        group["lr"] = scalar
    try:
        yield
    finally:
        for group, rate, scalar in zip(groups, rates, scalars):
            if group["lr"] is scalar:  # else the step has set it
                group["lr"] = rate


def _current(group: dict[str, Any]) -> Any:
    return lambda numbers: _number(group["lr"])


def _number(rate: Any) -> Any:
    """The rate itself, where another thread captures a step of this optimizer just now."""
    return rate.value if isinstance(rate, RuntimeScalar) else rate
