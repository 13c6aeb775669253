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

from tritonflow.device.memory import Block
from tritonflow.errors import InvalidArgumentError
from tritonflow.thread_state import thread_state
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
    sends, receives = _pieces(ranks, send, send_bytes, send_step), _pieces(ranks, recv, recv_bytes, recv_step)
    _move("exchange", ranks, send, sends, recv, receives, what)


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
    sends = _messages(send, ranks, [nbytes] * len(ranks), [0] * len(ranks))
    _move("gather", ranks, send, sends, recv, _pieces(ranks, recv, [nbytes] * len(ranks)), what)


def broadcast(ranks: Ranks, buffer: Buffer, nbytes: int, source: int, what: str) -> None:
    """Every rank gets the bytes that rank `source` has in its buffer."""
    verb = f"broadcast from rank {source}"
    if this_rank().index == source:
        _move(verb, ranks, buffer, [_message(rank, buffer, nbytes) for rank in ranks if rank != source], None, [], what)
    else:
        _move(verb, ranks, None, [], buffer, [_message(source, buffer, nbytes)], what)


def send(buffer: Buffer, nbytes: int, target: int, what: str) -> None:
    """Send bytes to a rank, which calls `receive`."""
    me = this_rank().index
    message = _message(target, buffer, nbytes)
    _move(f"send from rank {me} to rank {target}", (me, target), buffer, [message], None, [], what, together=False)


def receive(buffer: Buffer, nbytes: int, source: int, what: str) -> None:
    """Receive bytes of a rank, which calls `send`."""
    me = this_rank().index
    message = _message(source, buffer, nbytes)
    _move(f"send from rank {source} to rank {me}", (source, me), None, [], buffer, [message], what, together=False)


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


def _pieces(ranks: Ranks, buffer: Buffer, sizes: Sequence[int], step: int | None = None) -> list[Message]:
    """One message for each rank, with consecutive addresses, or addresses at equal distances."""
    if len(sizes) != len(ranks):
        raise InvalidArgumentError(f"{len(ranks)} ranks take part, but {len(sizes)} sizes are given")
    return _messages(buffer, ranks, sizes, accumulate(sizes, initial=0) if step is None else count(0, step))


def _messages(buffer: Buffer, peers: Iterable[int], sizes: Iterable[int], offsets: Iterable[int]) -> list[Message]:
    """Messages to or from some ranks, of so many bytes each, so many bytes behind the start of a buffer."""
    start, device = buffer.block.ptr + buffer.offset, device_of(buffer.block)
    return [Message(peer, start + offset, size, device) for peer, size, offset in zip(peers, sizes, offsets)]


def _message(peer: int, buffer: Buffer, nbytes: int) -> Message:
    return _messages(buffer, (peer,), (nbytes,), (0,))[0]


def _member(ranks: Ranks) -> None:
    """See that this rank takes part.

    Raises:
        InvalidArgumentError: it is not among those that take part.
    """
    me = this_rank().index
    if me not in ranks:
        raise InvalidArgumentError(f"rank {me} calls a collective of ranks {list(ranks)}, and is none of them")


def _move(
    verb: str,
    ranks: Ranks,
    send: Buffer | None,
    sends: list[Message],
    recv: Buffer | None,
    receives: list[Message],
    what: str,
    together: bool = True,
) -> None:
    """Issue the instructions of a verb; `together` as of `issue`."""
    _member(ranks)
    const = [buffer.block for buffer in (send, recv) if buffer is not None and (buffer is send or buffer.offset)]
    mut = [recv.block] if recv is not None else []
    if thread_state.rank is None:
        issue(verb, what, ranks, sends, receives, const, mut, together)
        return
    record = thread_state.rank.ring.enter("data", verb, what, ranks, sends, receives, caller(3))
    device = device_of((*const, *mut)[0]) if const or mut else CPU
    machine.access(const, mut, lambda: begin(record, sends, receives, (*const, *mut), device).wait(), name=f"{verb}, {what}")
