"""A failure: the exception of an instruction that failed, and the source line that issued the instruction."""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FrameType, TracebackType

_inner: tuple[str, ...] = (str(Path(__file__).parent.parent) + "/",)  # folders of which no line is a user's
SourceLine = tuple[CodeType, int]
"""A line of the user's Python: its code, and the offset of the bytecode that was executed. No class: most are never asked for."""


class Failure:
    """An exception that a deferred instruction raised, stored until a caller waits.

    It poisons what the instruction should have written. Instructions that read such a block are skipped, and pass the failure on.
    """

    __slots__ = ("error", "traceback", "told")

    def __init__(self, error: BaseException, name: str, source_line: SourceLine | None) -> None:
        self.error = error
        self.traceback: TracebackType | None = error.__traceback__
        self.told = False
        where = f", issued at {describe(source_line)}" if source_line else ""
        add_note(error, f"in the instruction {name or 'without a name'!r}{where}")

    def throw(self) -> None:
        """Raise the original exception, which then counts as told."""
        self.told = True
        raise self.error.with_traceback(self.traceback)


def look_behind(file: str) -> None:
    """Have the lines of a package, which is in the file's folder, taken for no user's either: it calls this one for users."""
    global _inner
    _inner = (*_inner, str(Path(file).parent) + "/")


def _is_generated(code: CodeType) -> bool:
    """Whether code is what a dataclass generates, which has no line: a package may make one for a user."""
    return code.co_name == "__init__" and code.co_filename == "<string>"


def caller(depth: int) -> SourceLine:
    """The line outside of this package that is being executed, in a form that is cheap to make."""
    return line_outside(sys._getframe(depth))


def line_outside(innermost: FrameType) -> SourceLine:
    """The line outside of this package that a frame, or what has called it, is executing."""
    frame = innermost
    while frame.f_code.co_filename.startswith(_inner) or _is_generated(frame.f_code):
        if frame.f_back is None:
            frame = innermost
            break
        frame = frame.f_back
    return frame.f_code, frame.f_lasti


def calling() -> tuple[str, SourceLine]:
    """The outermost function of this package by a name that people know, and the line outside that calls it."""
    frame, name = sys._getframe(1), ""
    while frame.f_back is not None and (
        frame.f_code.co_filename.startswith(_inner) or _is_generated(frame.f_code)
    ):
        called = frame.f_code.co_name
        if called.endswith("__") and called != "__call__" or not called.startswith(("_", "<")):
            name = called
        frame = frame.f_back
    return name, (frame.f_code, frame.f_lasti)


def describe(source_line: SourceLine) -> str:
    """A source line as people write it: `train.py:12, in step`."""
    code, _ = source_line
    return f"{code.co_filename}:{line_of(source_line)}, in {code.co_name}"


def line_of(source_line: SourceLine) -> int:
    """The number of the line in its file."""
    code, offset = source_line
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
