"""Communication streams: one of each device, on which the collectives of this rank run in the order of the program."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import partial

from tritonflow.device.device import Device
from tritonflow.device.stream import Stream, WorkerStream, current_stream
from tritonflow.vm.dependence import TrackedBlock
from tritonflow.vm.machine import machine
from tritonflow.wire.connection import Channel, connection
from tritonflow.wire.record import Message, Ranks, Record
from tritonflow.wire.world import this_rank

CPU = Device("cpu")
_streams: dict[Device, Stream] = {}


def communication_stream(device: Device) -> Stream:
    """The stream of a device's collectives."""
    stream = _streams.get(device)
    if stream is None:
        stream = _streams.setdefault(device, WorkerStream(device, "communication", "communication"))
    return stream


def issue(
    verb: str,
    what: str,
    ranks: Ranks,
    sends: Sequence[Message],
    receives: Sequence[Message],
    const: Sequence[TrackedBlock],
    mut: Sequence[TrackedBlock],
) -> None:
    """Issue a collective of ranks that are processes: on its stream, or at once where this rank is alone."""
    me = this_rank().index
    name = f"{verb}, {what}"
    own = partial(copy_here, me, sends, receives)
    if len(ranks) == 1:
        machine.issue(current_stream(CPU), own, const, mut, name=name)
        return
    channel = connection().data
    record = channel.record(verb, what, ranks, _to_others(me, sends), _to_others(me, receives))
    if const or mut:
        compute = partial(_run, channel, record, own, (*const, *mut))
        machine.issue(communication_stream(CPU), compute, const, mut, name=name, atomic=False)


def _run(channel: Channel, record: Record, own: partial[None], blocks: Sequence[TrackedBlock]) -> None:
    own()
    channel.move(record, blocks)


def _to_others(me: int, messages: Sequence[Message]) -> list[Message]:
    return [message for message in messages if message.peer != me and message.nbytes]


def copy_here(me: int, sends: Sequence[Message], receives: Sequence[Message]) -> None:
    """Copy what a rank sends to itself."""
    for received in receives:
        if received.peer == me and received.nbytes:
            for sent in sends:
                if sent.peer == me and sent.address != received.address:
                    ctypes.memmove(received.address, sent.address, received.nbytes)
