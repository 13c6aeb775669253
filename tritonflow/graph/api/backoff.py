"""How often a function whose calls no graph can do is asked again: rarer and rarer, as in exponential backoff.

To find that a call is to run in eager mode, its arguments are taken apart, and what the function had read is compared. That may
take longer than the call. So behind a few calls that were refused one after the other, some run in eager mode unexamined: right
they are in any case. What has changed in the meantime is found by the next one that is examined. There are three ways:

- An examination, behind one glance, then two, then four, at last `LONGEST`.
- A glance at what tells kinds of calls apart in half a microsecond: shapes, grad mode, whether a module trains. A call of another
  kind than the one that was refused last is examined at once.
- Neither, while the function has no program at all: behind each of n glances follow n - 1 calls that only count down. So at most
  `LONGEST` squared calls follow an examination, which then adds less than 0.1 us to a call (bench/refused_calls.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.nn import Module
from tritonflow.thread_state import saved_hooks, thread_state

FIRST = 4  # calls that are examined each
LONGEST = 16  # glances behind one examination
_DISTINCT = 4  # calls in a row that are each of another kind than the one before: by kinds there is nothing to tell them by
_VALUES = (bool, str, type(None))


class Backoff:
    """Which calls of a captured function run in eager mode unexamined.

    Args:
        owner: gives the module whose call is captured; None if it is no module's.

    Attributes:
        length: how many glances follow an examination, by now.
    """

    __slots__ = ("_owner", "_marks", "_examined", "_distinct", "length", "_left")

    def __init__(self, owner: Callable[[], Module | None] | None) -> None:
        self._owner = owner
        self._start()

    def _start(self) -> None:
        self._marks: list[Any] = []  # of the call that was refused last
        self._examined = 0  # calls in a row that were examined and refused
        self._distinct = 0  # how many of these were each of another kind than the one before
        self.length = 0
        self._left = 0  # how many of these are still to come

    def covers(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a call runs in eager mode at a glance, which is counted then."""
        left = self._left
        if not left or saved_hooks.count:  # hooks on saved tensors: a checkpoint's second run takes the way of the first
            return False
        if self._distinct < _DISTINCT:
            marks = self._marks
            if thread_state.grad_enabled is not marks[0] or len(args) + len(kwargs) + 2 != len(marks):
                return False
            if self._owner is not None and _mode(self._owner) is not marks[1]:
                return False
            position = 2
            for value in args:
                if (value.meta if type(value) is Tensor else _mark(value)) is not marks[position]:
                    return False
                position += 1
            for value in kwargs.values():
                if (value.meta if type(value) is Tensor else _mark(value)) is not marks[position]:
                    return False
                position += 1
        self._left = left - 1
        return True

    def note_refused(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A call was examined, and runs in eager mode."""
        marks = self._marks_of(args, kwargs)
        if _are_same(marks, self._marks):
            self._distinct = 0
        else:
            self._marks = marks
            self._distinct += 1
            if self._distinct < _DISTINCT:
                self._examined = self.length = 0
        self._examined += 1
        if self._examined >= FIRST:
            self.length = min(2 * self.length or 1, LONGEST)
        self._left = self.length

    def note_compiled(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A call runs as a program: those that look as it does are examined from now on."""
        if self._examined and (self._distinct >= _DISTINCT or _are_same(self._marks_of(args, kwargs), self._marks)):
            self._start()

    def _marks_of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """What tells a call from others in little time: objects, to be compared by identity."""
        mode = None if self._owner is None else _mode(self._owner)
        return [thread_state.grad_enabled, mode, *map(_mark, args), *map(_mark, kwargs.values())]


def _mark(value: Any) -> Any:
    """Of a tensor its meta, of a setting itself, of anything else its class."""
    kind = type(value)
    if kind is Tensor:
        return value.meta
    return value if kind in _VALUES else kind


def _mode(owner: Callable[[], Module | None]) -> Any:
    """Whether a module trains."""
    module = owner()
    return None if module is None else module.training


def _are_same(marks: list[Any], others: list[Any]) -> bool:
    return len(marks) == len(others) and all(a is b for a, b in zip(marks, others))
