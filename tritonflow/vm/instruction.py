"""An instruction: what to run, on which stream, behind what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.device.stream import Lane, Stream
from tritonflow.vm.dependence import Dependence
from tritonflow.vm.failure import SourceLine, describe

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
        source_line: the line of Python that issued it.
    """

    __slots__ = (
        "stream", "number", "compute", "reads", "writes", "waits", "behind", "name", "source_line", "issued_at",
    )  # fmt: skip

    def __init__(
        self,
        stream: Stream | None,
        compute: Callable[[], Any] | None,
        waits: dict[Lane, int],
        name: str = "",
        source_line: SourceLine | None = None,
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
        self.source_line = source_line
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
        return text + (f", issued at {describe(self.source_line)}" if self.source_line else "")


FINISHED = Instruction(None, None, {}, "finished")
"""What issuing returns when the instruction has run already."""
