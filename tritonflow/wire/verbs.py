"""The verbs: move bytes of blocks between ranks. All ranks of a verb call it, in the same order.

A verb is a set of messages, each from one rank to another, and one instruction of the VM: it reads the send buffer, writes the
receive buffer, and runs on this rank's communication stream. `what` says to people what is moved, "P -> S0 of float32[8], for
matmul". It is the same text on all ranks: ranks that come with different ones get an error.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, count
from typing import NamedTuple

from tritonflow.device.device import Device
from tritonflow.device.memory import Block
from tritonflow.errors import InvalidArgumentError
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.vm.failure import caller
from tritonflow.vm.machine import machine
from tritonflow.wire.connection import connection
from tritonflow.wire.flights import begin
from tritonflow.wire.memory import CPU, device_of
from tritonflow.wire.record import Message, Ranks
from tritonflow.wire.streams import issue
from tritonflow.wire.world import this_rank


class Buffer(NamedTuple):
    """Memory from an offset in bytes on. Its tensor lives until the verb is called, or the block may have another user by then."""

    block: Block
    offset: int


class BufferPart(NamedTuple):
    """So many bytes, so far behind the start of a buffer, that go to a peer or come from one."""

    peer: int
    offset: int
    nbytes: int


class Verb(NamedTuple):
    """What a rank does in a verb, whatever its buffers are.

    Attributes:
        name: exchange, gather, broadcast or send, and of which rank.
        ranks: who takes part.
        sends, receives: the parts of the send buffer and of the receive buffer.
        together: whether its ranks have an order of what they do together, so that a thread may wait for the others.
    """

    name: str
    ranks: Ranks
    sends: tuple[BufferPart, ...] = ()
    receives: tuple[BufferPart, ...] = ()
    together: bool = True


def exchange_verb(
    ranks: Ranks,
    send_bytes: Sequence[int],
    recv_bytes: Sequence[int],
    send_step: int | None = None,
    recv_step: int | None = None,
) -> Verb:
    """That of `exchange`."""
    return Verb("exchange", ranks, _parts(ranks, send_bytes, send_step), _parts(ranks, recv_bytes, recv_step))


def gather_verb(ranks: Ranks, nbytes: int) -> Verb:
    """That of `gather`."""
    return Verb("gather", ranks, tuple([BufferPart(rank, 0, nbytes) for rank in ranks]), _parts(ranks, [nbytes] * len(ranks)))


def broadcast_verb(ranks: Ranks, nbytes: int, source: int) -> Verb:
    """That of `broadcast`: the source only sends, the others only receive."""
    name = f"broadcast from rank {source}"
    if this_rank().index != source:
        return Verb(name, ranks, (), (BufferPart(source, 0, nbytes),))
    return Verb(name, ranks, tuple([BufferPart(rank, 0, nbytes) for rank in ranks if rank != source]))


def send_verb(nbytes: int, target: int) -> Verb:
    """That of `send`."""
    me = this_rank().index
    return Verb(f"send from rank {me} to rank {target}", (me, target), (BufferPart(target, 0, nbytes),), (), False)


def receive_verb(nbytes: int, source: int) -> Verb:
    """That of `receive`."""
    me = this_rank().index
    return Verb(f"send from rank {source} to rank {me}", (source, me), (), (BufferPart(source, 0, nbytes),), False)


def exchange(
    ranks: Ranks,
    send: Buffer,
    send_bytes: Sequence[int],
    recv: Buffer,
    recv_bytes: Sequence[int],
    what: str,
    send_step: int | None = None,
    recv_step: int | None = None,
) -> None:
    """Every rank sends a piece to every rank (all-to-all-v).

    Args:
        ranks: who takes part.
        send, recv: the pieces to and from each rank, one behind the other in the order of `ranks`.
        send_bytes, recv_bytes: the sizes of the pieces. What i sends to j, j expects of i.
        what: for people.
        send_step, recv_step: by how many bytes a piece begins behind the one before it, if not by that one's size. 0 sends the same
            piece to all.
    """
    move(exchange_verb(ranks, send_bytes, recv_bytes, send_step, recv_step), send, recv, what)


def exchange_sized(
    ranks: Ranks, send: Buffer, send_bytes: Sequence[int], make: Callable[[list[int]], Buffer], what: str
) -> list[int]:
    """As `exchange`, where no rank knows what the others send: they tell it first, and the calling thread waits for that.

    Args:
        make: gives the buffer for pieces of so many bytes from each rank, and keeps its tensor alive.

    Returns:
        The sizes of the pieces from each rank.
    """
    tell = struct.Struct(f"<{len(ranks)}q")
    if len(send_bytes) != len(ranks):
        raise InvalidArgumentError(f"{len(ranks)} ranks take part, but {len(send_bytes)} sizes are given")
    told = control_gather(ranks, tell.pack(*send_bytes), f"the sizes of {what}")
    sizes = [tell.unpack(each)[ranks.index(this_rank().index)] for each in told]
    exchange(ranks, send, send_bytes, make(sizes), sizes, what)
    return sizes


def gather(ranks: Ranks, send: Buffer, nbytes: int, recv: Buffer, what: str) -> None:
    """Every rank gets `nbytes` of every rank, one behind the other in the order of `ranks` (all-gather)."""
    move(gather_verb(ranks, nbytes), send, recv, what)


def broadcast(ranks: Ranks, buffer: Buffer, nbytes: int, source: int, what: str) -> None:
    """Every rank gets the bytes that rank `source` has in its buffer."""
    verb = broadcast_verb(ranks, nbytes, source)
    move(verb, buffer if verb.sends else None, buffer if verb.receives else None, what)


def send(buffer: Buffer, nbytes: int, target: int, what: str) -> None:
    """Send bytes to a rank, which calls `receive`."""
    move(send_verb(nbytes, target), buffer, None, what)


def receive(buffer: Buffer, nbytes: int, source: int, what: str) -> None:
    """Receive bytes of a rank, which calls `send`."""
    move(receive_verb(nbytes, source), None, buffer, what)


def control_gather(ranks: Ranks, payload: bytes, what: str) -> list[bytes]:
    """What every rank gives, in the order of `ranks`; for a few bytes. The calling thread waits."""
    _member(ranks)
    if len(ranks) == 1:
        return [payload]
    if thread_state.rank is None:
        return connection().control_gather(ranks, payload, what)
    record = thread_state.rank.ring.enter("control", "control_gather", what, ranks, source_line=caller(2))
    brought = thread_state.rank.world.meet(record, payload)
    return [brought[rank] for rank in ranks]


def move(verb: Verb, send: Buffer | None, recv: Buffer | None, what: str) -> None:
    """Issue the instructions of a verb.

    Raises:
        CaptureError: a program is being captured, in which it would be moved once.
    """
    _member(verb.ranks)
    if slow_path.count:
        thread_state.observer.forbid(f"{what}: bytes that move beside ops would move once, while {{program}} is captured")
    const = [buffer.block for buffer in (send, recv) if buffer is not None and (buffer is send or buffer.offset)]
    mut = [recv.block] if recv is not None else []
    device = device_of((*const, *mut)[0]) if const or mut else CPU
    sends, receives = messages(verb.sends, _start(send), device), messages(verb.receives, _start(recv), device)
    if thread_state.rank is None:
        issue(verb.name, what, verb.ranks, sends, receives, const, mut, verb.together)
        return
    record = thread_state.rank.ring.enter("data", verb.name, what, verb.ranks, sends, receives, caller(3))
    machine.access(const, mut, lambda: begin(record, sends, receives, (*const, *mut), device).wait(), name=f"{verb.name}, {what}")


def messages(parts: Iterable[BufferPart], start: int, device: Device) -> list[Message]:
    """The messages of parts of a buffer that starts at an address of a device."""
    return [Message(part.peer, start + part.offset, part.nbytes, device) for part in parts]


def _start(buffer: Buffer | None) -> int:
    return 0 if buffer is None else buffer.block.ptr + buffer.offset


def _parts(ranks: Ranks, sizes: Sequence[int], step: int | None = None) -> tuple[BufferPart, ...]:
    """One part for each rank, one behind the other, or at equal distances."""
    if len(sizes) != len(ranks):
        raise InvalidArgumentError(f"{len(ranks)} ranks take part, but {len(sizes)} sizes are given")
    return tuple(map(BufferPart, ranks, accumulate(sizes, initial=0) if step is None else count(0, step), sizes))


def _member(ranks: Ranks) -> None:
    """See that this rank takes part.

    Raises:
        InvalidArgumentError: it is not among those that take part.
    """
    me = this_rank().index
    if me not in ranks:
        raise InvalidArgumentError(f"rank {me} calls a collective of ranks {list(ranks)}, and is none of them")
