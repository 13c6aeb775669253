"""Communication streams: one of each device, on which the collectives of this rank begin in the order of the program.

A second stream waits for them, so that several are on their way. Both are workers' streams on GPUs too: their threads wait for the
device, so that a failed collective poisons what it was to write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tritonflow.device.device import Device
from tritonflow.device.memory import Block
from tritonflow.device.side_stream import SHORT
from tritonflow.device.stream import Stream, WorkerStream, current_stream
from tritonflow.errors import RankError
from tritonflow.vm.machine import Mark, machine
from tritonflow.wire.connection import connection
from tritonflow.wire.flights import Flight, begin, to_others
from tritonflow.wire.memory import CPU, copy_own, device_of
from tritonflow.wire.record import Message, Ranks, Record
from tritonflow.wire.world import this_rank

_streams: dict[Device, tuple[Stream, Stream]] = {}


def communication_stream(device: Device) -> Stream:
    """The stream on which a device's collectives begin."""
    return _both(device)[0]


def _both(device: Device) -> tuple[Stream, Stream]:
    if device not in _streams:
        made = WorkerStream(device, "communication", "communication"), WorkerStream(device, "arrivals", "communication")
        _streams.setdefault(device, made)
    return _streams[device]


def issue(
    verb: str,
    what: str,
    ranks: Ranks,
    sends: Sequence[Message],
    receives: Sequence[Message],
    const: Sequence[Block],
    mut: Sequence[Block],
    together: bool,
) -> None:
    """Issue a collective of ranks that are processes: on its streams; on the host at once where this rank is alone.

    Args:
        together: whether its ranks have an order of what they do together, so that this thread may wait for the others.
    """
    me = this_rank().index
    name = f"{verb}, {what}"
    device = device_of((*const, *mut)[0]) if const or mut else CPU
    if len(ranks) == 1:
        own = partial(copy_own, me, sends, receives)
        machine.issue(current_stream(CPU) if device is CPU else communication_stream(device), own, const, mut, name=name)
        return
    record = connection().data.record(verb, what, ranks, to_others(me, sends), to_others(me, receives))
    if not (const or mut):
        return
    start = partial(begin, record, sends, receives, (*const, *mut), device)
    communication, arrivals = _both(device)
    here = together and _is_short(record) and device is CPU and not communication.queue
    if here and connection().data.is_connected(ranks, device) and _run_here(record, start, const, mut, name):
        return
    flights: list[Flight] = []  # none, if it could not begin
    began = machine.issue(communication, lambda: flights.append(start()), const, mut, name=name, atomic=False)
    begun = Mark(communication, began.number)
    machine.issue_behind(begun, arrivals, partial(_end, flights), (*const, *mut), mut, name=name)


def _run_here(record: Record, start: Callable[[], Flight], const: Sequence[Block], mut: Sequence[Block], name: str) -> bool:
    """Make a collective in this thread, if its memory is free; whether it was."""

    def run() -> None:
        record.blocks = True
        try:
            start().wait()
        except RankError as error:  # it fails as if it had run on its stream
            poison(error, const, mut, name)

    return machine.run_now(current_stream(CPU), run, const, mut)


def poison(error: RankError, const: Sequence[Block], mut: Sequence[Block], name: str) -> None:
    """Let memory be as behind a collective that was to write it, and has failed: whoever reads it gets the error."""
    machine.issue(communication_stream(device_of(mut[0])), partial(_fail, error), const, mut, name=name, atomic=False)


def _is_short(record: Record) -> bool:
    """Whether a collective takes less than to hand it to the thread of its stream; that of a rank which only sends may not."""
    return 0 < sum([message.nbytes for message in record.receives]) <= SHORT


def _end(flights: Sequence[Flight]) -> None:
    for flight in flights:
        flight.wait()


def _fail(error: RankError) -> None:
    raise error
