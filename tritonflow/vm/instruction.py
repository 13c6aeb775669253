"""An instruction: what to run, on which stream, behind what; and what is kept of one that failed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, Any

from tritonflow.device.stream import Lane, Stream

if TYPE_CHECKING:
    from tritonflow.vm.dependence import Dependence

_PACKAGE = str(Path(__file__).parent.parent) + "/"
Place = tuple[CodeType, int]


_NOTHING: list[tuple[Lane, int]] = []  # never changed


class Instruction:
    """Something to run once it may.

    With a stream it stands in the stream's queue and runs in its turn. Without one (`stream` is None: a release, a
    thread that waits) it runs, inside the engine, as soon as what it waits for is over.

    Attributes:
        compute: called without arguments; None where only the order matters (wait, barrier).
        reads, writes: the dependences of its operands.
        waits: (lane, number) pairs that must have run before.
        behind: those of them whose work on the device must be over, too.
        place: the line of Python that issued it.
    """

    __slots__ = ("stream", "number", "compute", "reads", "writes", "waits", "behind", "name", "place", "issued_at")

    def __init__(
        self,
        stream: Stream | None,
        compute: Callable[[], Any] | None,
        waits: dict[Lane, int],
        name: str = "",
        place: Place | None = None,
    ) -> None:
        self.stream = stream
        self.number = 0
        self.compute = compute
        self.reads: tuple[Dependence, ...] = ()
        self.writes: tuple[Dependence, ...] = ()
        self.waits = self.behind = _NOTHING
        if waits:
            self.waits = list(waits.items())
            self.behind = [wait for wait in self.waits if wait[0].asynchronous]
        self.name = name
        self.place = place
        self.issued_at = 0

    @property
    def done(self) -> bool:
        """Whether it has run (or was skipped, an operand being poisoned)."""
        return self.stream is None or self.stream.reached >= self.number

    def drop(self) -> None:
        """Let go of everything that keeps memory alive; what is left is a name and a number."""
        self.compute = None
        self.reads = self.writes = ()
        self.waits = self.behind = _NOTHING

    def __repr__(self) -> str:
        text = f"{self.name or 'instruction'!r}"
        if self.stream is not None:
            text += f" (number {self.number} on {self.stream.device} {self.stream.name!r})"
        return text + (f", issued at {describe(self.place)}" if self.place else "")


FINISHED = Instruction(None, None, {}, "finished")
"""What issuing returns when the instruction has run already."""


class Failure:
    """An exception that a deferred instruction raised, kept until somebody can be told.

    It poisons what the instruction was to write. Instructions that would read that are skipped and pass it on.
    """

    __slots__ = ("error", "traceback", "told")

    def __init__(self, error: BaseException, instruction: Instruction) -> None:
        self.error = error
        self.traceback: TracebackType | None = error.__traceback__
        self.told = False
        place = f", issued at {describe(instruction.place)}" if instruction.place else ""
        add_note(error, f"in the instruction {instruction.name or 'without a name'!r}{place}")

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


def describe(place: Place) -> str:
    """A place as people write it: `train.py:12, in step`."""
    code, offset = place
    line = code.co_firstlineno
    for start, end, number in code.co_lines():
        if start <= offset < end and number is not None:
            line = number
    return f"{code.co_filename}:{line}, in {code.co_name}"


def add_note(error: BaseException, note: str) -> None:
    """Add a line to what is printed with an exception."""
    if hasattr(error, "add_note"):
        error.add_note(note)
    elif error.args and isinstance(error.args[0], str):  # Python 3.10
        error.args = (f"{error.args[0]}\n{note}", *error.args[1:])
