"""Communication streams: one of each device, on which the collectives of this rank run in the order of the program.

It is a worker's stream on GPUs too: its thread waits for the device, so that a failed collective poisons what it was to write.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tritonflow.device.device import Device
from tritonflow.device.memory import Block
from tritonflow.device.stream import Stream, WorkerStream, current_stream
from tritonflow.errors import RankError
from tritonflow.vm.machine import machine
from tritonflow.wire.connection import Channel, connection
from tritonflow.wire.memory import CPU, copy_bytes, copy_own, device_of, on_host
from tritonflow.wire.record import Message, Ranks, Record
from tritonflow.wire.world import this_rank

_SHORT = 512 << 10  # bytes that a rank receives

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
    const: Sequence[Block],
    mut: Sequence[Block],
) -> None:
    """Issue a collective of ranks that are processes: on its stream; on the host at once where this rank is alone."""
    me = this_rank().index
    name = f"{verb}, {what}"
    device = device_of((*const, *mut)[0]) if const or mut else CPU
    own = partial(copy_own, me, sends, receives)
    if len(ranks) == 1:
        machine.issue(
            current_stream(CPU) if device is CPU else communication_stream(device), own, const, mut, name=name
        )
        return
    channel = connection().data
    record = channel.record(verb, what, ranks, _to_others(me, sends), _to_others(me, receives))
    if not (const or mut):
        return
    stream = communication_stream(device)
    compute = partial(_run, channel, record, own, (*const, *mut), device)

    def run_here() -> None:
        record.blocks = True
        try:
            compute()
        except RankError as error:  # it fails as if it had run on its stream
            machine.issue(stream, partial(_fail, error), const, mut, name=name, atomic=False)

    here = _is_short(record) and device is CPU and not stream.queue and channel.is_connected(ranks, device)
    if not (here and machine.run_now(current_stream(CPU), run_here, const, mut)):
        machine.issue(stream, compute, const, mut, name=name, atomic=False)


def _is_short(record: Record) -> bool:
    """Whether a collective takes less than to hand it to the thread of its stream; that of a rank which only sends may not."""
    return 0 < sum([message.nbytes for message in record.receives]) <= _SHORT


def _fail(error: RankError) -> None:
    raise error


def _run(channel: Channel, record: Record, own: partial[None], blocks: Sequence[Block], device: Device) -> None:
    own()
    if device is CPU or channel.connects(device):
        channel.move(record, blocks, record.sends, record.receives, device)
        return
    sent, received = ([on_host(message) for message in messages] for messages in (record.sends, record.receives))
    for message, (staged, _) in zip(record.sends, sent):
        copy_bytes(staged, message)
    memory = [storage for _, storage in (*sent, *received)]
    channel.move(record, memory, [staged for staged, _ in sent], [staged for staged, _ in received], CPU)
    for message, (staged, _) in zip(record.receives, received):
        copy_bytes(message, staged)


def _to_others(me: int, messages: Sequence[Message]) -> list[Message]:
    return [message for message in messages if message.peer != me and message.nbytes]
