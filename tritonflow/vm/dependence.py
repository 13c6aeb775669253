"""The accesses to a block of memory: its last writer, and the readers since.

An access is a pair (lane, number). A lane is a stream, or one access from the host. The accesses of a lane are in order, so its
last read stands for all of its reads: the list of readers is no longer than the list of streams.

A `Dependence` belongs to the block. So views, which share the block, need no alias analysis. A block that is reused on another
stream waits by the same rule as any other write.

Most blocks have no `Dependence`: `block.stream` names the one stream that uses them. An asynchronous stream orders what is
outstanding itself. On any other stream nothing is outstanding, unless the stream's `claim` names the block.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from tritonflow.device.stream import AsyncStream, Lane, Stream
from tritonflow.vm.failure import Failure

_MANY_READERS = 4


class TrackedBlock(Protocol):
    """What the VM needs of a block of memory (`device.memory.TrackedBlock` is one)."""

    stream: Any  # the owner stream, which orders every outstanding access; None: `dependence` has them
    dependence: Any
    free: Any  # where it is appended when released; `free.stream` is the stream that it is reused on


class Dependence:
    """The accesses of one block that may be outstanding, and the failure that left it without a value, if one did.

    `origin` is the stream that had the block alone before.
    """

    __slots__ = ("origin", "writer", "written", "readers", "failure")

    def __init__(self, origin: Stream | None) -> None:
        self.origin = origin
        self.writer: Lane | None = None
        self.written = 0
        self.readers: dict[Lane, int] | None = None
        self.failure: Failure | None = None

    def accesses(self, *, readers: bool = True) -> Iterator[tuple[Lane, int]]:
        """The last write and, unless told otherwise, the reads since."""
        if self.writer is not None:
            yield self.writer, self.written
        if readers and self.readers:
            yield from self.readers.items()

    def read(self, lane: Lane, number: int) -> None:
        """Enter a read, and drop reads that are over: a parameter may be read any number of times and never be written."""
        readers = self.readers
        if readers is None:
            self.readers = {lane: number}
            return
        readers[lane] = number
        if len(readers) > _MANY_READERS:
            self.readers = {other: n for other, n in readers.items() if other is lane or not is_over(other, n)}

    def write(self, lane: Lane, number: int) -> None:
        """Enter a write. It has waited for all earlier accesses, so it stands for them."""
        self.writer, self.written, self.readers = lane, number, None


def has_run(lane: Lane, number: int) -> bool:
    """Whether an instruction has run: to its end on the host, launched on an asynchronous stream.

    A number that was entered but never issued (Ctrl-C came in between) counts as run once everything issued has.
    """
    return lane.reached >= number or lane.reached >= lane.issued


def is_over(lane: Lane, number: int) -> bool:
    """Whether an instruction has run and, as far as is known without waiting, the device is done with it too."""
    if lane.reached < number and lane.reached < lane.issued:
        return False
    if not isinstance(lane, AsyncStream):
        return True
    return lane.event is not None and lane.event_number >= number and lane.event.query()


def is_covered(lane: Lane, number: int, stream: Lane) -> bool:
    """Whether everything that `stream` runs from now on is ordered behind that instruction in any case."""
    if lane.reached >= number and (lane is stream or not lane.asynchronous):
        return True
    if isinstance(stream, AsyncStream) and (lane is stream or stream.waited.get(lane, 0) >= number):
        return True
    return is_over(lane, number)


def tail(stream: Stream) -> int:
    """The number that stands for everything issued on a stream so far.

    Launches of the fast path have no numbers. On an idle asynchronous stream a number is made up for them, so that an
    event recorded for it is a new one.
    """
    if stream.asynchronous and stream.reached == stream.issued and not stream.queue:
        number = stream.issued + 1
        stream.issued = stream.reached = number
    return stream.issued


def claimed(owner: Stream, block: TrackedBlock) -> int | None:
    """The number of the instruction whose claim on `owner` has a block."""
    claim = owner.claim
    return claim.number if claim is not None and claim.has(block) else None


def track(block: TrackedBlock, lane: Lane) -> Dependence:
    """The dependence of a block that `lane` is about to use; takes the block away from the stream that had it alone."""
    owner = block.stream
    if owner is not None:
        dependence = Dependence(owner)
        if owner.asynchronous:
            dependence.write(owner, owner.issued if owner is lane else tail(owner))
        elif (number := claimed(owner, block)) is not None:
            dependence.write(owner, number)
        block.dependence = dependence  # before `stream`: a thread that finds no stream there reads this
        block.stream = None
        return dependence
    if block.dependence is None:
        block.dependence = Dependence(None)
    found: Dependence = block.dependence
    return found


def settle(block: TrackedBlock) -> None:
    """Give a block back to the stream that had it alone, if that stream's order covers every access since.

    Then it is the fast path's again. No other stream gets it: a block that has no dependence may be released at once,
    for the stream that it is reused on.
    """
    dependence: Dependence = block.dependence
    origin = dependence.origin
    if origin is None or dependence.failure is not None:
        return
    writer, readers = dependence.writer, dependence.readers
    if writer is not None and (writer.asynchronous or writer.reached < dependence.written):
        if not is_covered(writer, dependence.written, origin):
            return
    if readers:
        for lane, number in readers.items():
            if not is_covered(lane, number, origin):
                return
    block.stream = origin
    block.dependence = None
