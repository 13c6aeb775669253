"""What is kept of an instruction that failed, and the line of Python that issued it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, TracebackType

_PACKAGE = str(Path(__file__).parent.parent) + "/"
Place = tuple[CodeType, int]


class Failure:
    """An exception that a deferred instruction raised, kept until somebody can be told.

    It poisons what the instruction was to write. Instructions that would read that are skipped and pass it on.
    """

    __slots__ = ("error", "traceback", "told")

    def __init__(self, error: BaseException, name: str, place: Place | None) -> None:
        self.error = error
        self.traceback: TracebackType | None = error.__traceback__
        self.told = False
        where = f", issued at {describe(place)}" if place else ""
        add_note(error, f"in the instruction {name or 'without a name'!r}{where}")

    def throw(self) -> None:
        """Raise the original exception, which then counts as told."""
        self.told = True
        raise self.error.with_traceback(self.traceback)


def caller(depth: int) -> Place:
    """The line outside of this package that is being executed, as cheaply as it can be kept."""
    frame = innermost = sys._getframe(depth)
    while frame.f_code.co_filename.startswith(_PACKAGE):
        if frame.f_back is None:
            frame = innermost
            break
        frame = frame.f_back
    return frame.f_code, frame.f_lasti


def calling() -> tuple[str, Place]:
    """The outermost function of this package by a name that people know, and the line outside that calls it."""
    frame, name = sys._getframe(1), ""
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        called = frame.f_code.co_name
        if called.endswith("__") and called != "__call__" or not called.startswith(("_", "<")):
            name = called
        frame = frame.f_back
    return name, (frame.f_code, frame.f_lasti)


def describe(place: Place) -> str:
    """A place as people write it: `train.py:12, in step`."""
    code, _ = place
    return f"{code.co_filename}:{line_of(place)}, in {code.co_name}"


def line_of(place: Place) -> int:
    """The number of its line."""
    code, offset = place
    line = code.co_firstlineno
    for start, end, number in code.co_lines():
        if start <= offset < end and number is not None:
            line = number
    return line


def add_note(error: BaseException, note: str) -> None:
    """Add a line to what is printed with an exception."""
    if hasattr(error, "add_note"):
        error.add_note(note)
    elif error.args and isinstance(error.args[0], str):  # Python 3.10
        error.args = (f"{error.args[0]}\n{note}", *error.args[1:])
