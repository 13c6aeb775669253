"""What is compared of arguments, results and the state that a call leaves, and functions that are called in eager mode and compiled."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any

import numpy

import tritonflow as flow

Wrap = Callable[[Any], Any]


@dataclass(frozen=True)
class Case:
    """A program that gives objects to a function.

    Attributes:
        program: gets `wrap`, and returns what is compared.
        programs: how many are captured; None where that does not matter.
        eager: a part of the warning, where calls run in eager mode.
    """

    program: Callable[[Wrap], Any]
    programs: int | None
    eager: str

    def check(self) -> None:
        """All that can be seen is as in eager mode."""
        programs, why = programs_of(self.program)
        assert self.programs in (None, programs)
        assert self.eager in why if self.eager else self.programs is None or not why


class Cases(dict[str, Case]):
    """The cases of a file, by name."""

    def case(self, programs: int | None = None, eager: str = "") -> Callable[[Callable[[Wrap], Any]], Callable[[Wrap], Any]]:
        """Mark a program as one."""

        def mark(program: Callable[[Wrap], Any]) -> Callable[[Wrap], Any]:
            self[program.__name__] = Case(program, programs, eager)
            return program

        return mark


class Thing:
    """An object with attributes."""

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)


def row(k: float = 0.0) -> flow.Tensor:
    return flow.tensor([1.0 + k, 2.0, 3.0])


def seen(value: Any, known: dict[int, int] | None = None) -> Any:
    """All that can be seen of a value: classes, numbers, attributes and items, and which objects are one."""
    known = {} if known is None else known
    if isinstance(value, flow.Tensor):
        return "tensor", str(value.dtype), value.tolist()
    if isinstance(value, numpy.ndarray):
        return "array", str(value.dtype), value.tolist()
    if value is None or isinstance(value, (int, float, complex, str, bytes, Enum, PurePath, numpy.generic, type, range)):
        return type(value).__name__, repr(value)
    if id(value) in known:
        return "the same as", known[id(value)]
    known[id(value)] = len(known)
    found: list[Any] = [type(value).__name__]
    if isinstance(value, dict):
        found.append([(seen(key, known), seen(item, known)) for key, item in value.items()])
    elif isinstance(value, (set, frozenset)):
        found.append(sorted(map(repr, value)))
    elif isinstance(value, (list, tuple, deque)):
        found.append([seen(item, known) for item in value])
    elif isinstance(value, slice):
        found.append(repr(value))
    found += [(name, seen(item, known)) for name, item in getattr(value, "__dict__", {}).items()]
    names = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ()) if not name.startswith("__")]
    return [*found, *[(name, seen(getattr(value, name), known)) for name in names if hasattr(value, name)]]


def four(make: Callable[[int], Any]) -> list[Any]:
    return [make(k) for k in range(4)]


def programs_of(program: Callable[[Wrap], Any]) -> tuple[int, str]:
    """How many programs a compiled function has, and why a call ran in eager mode; all that can be seen is as in eager mode."""
    expected, compiled = seen(program(lambda function: function)), []

    def wrap(function: Any) -> Any:
        compiled.append(flow.compile(function))
        return compiled[-1]

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert seen(program(wrap)) == expected
    reasons = [str(each.message).partition("runs in eager mode: ")[2] for each in warned]
    return sum(len(each.captures()) for each in compiled), next(filter(None, reasons), "")


def called(function: Any, make: Callable[[int], tuple[Any, ...]], same: bool = False) -> Callable[[Wrap], Any]:
    """A program that calls a function four times, with the same arguments or others, and sees results and arguments."""

    def program(wrap: Wrap) -> Any:
        f, first = wrap(function), make(0)
        found = []
        for k in range(4):
            arguments = first if same else make(k)
            found.append(seen([f(*arguments), arguments]))
        return found

    return program
