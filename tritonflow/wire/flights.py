"""Flights: collectives on their way. Several may be, and they may end in any order.

    record = reserve(ranks, 2, digest, "Graph gpt")        the main thread, when a program of two collectives is issued
    first = begin(record.part(0, "exchange", ...), ...)    starts its messages; waits for no peer
    second = begin(record.part(1, "gather", ...), ...)
    second.wait(), first.wait()                            its bytes are there

The first collective of some ranks connects them, and waits until all have come.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from tritonflow.device.device import Device
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import caller
from tritonflow.wire.connection import Channel, connection
from tritonflow.wire.memory import CPU, copy_bytes, copy_own, on_host
from tritonflow.wire.record import Message, Ranks, Record
from tritonflow.wire.world import this_rank


class Flight:
    """Messages on their way. Their memory belongs to it until `wait`, and behind a failure.

    Args:
        record: of the collective.
        end: waits until its bytes are there.
    """

    __slots__ = ("_record", "_end")

    def __init__(self, record: Record, end: Callable[[], None]) -> None:
        self._record = record
        self._end: Callable[[], None] | None = end

    def wait(self) -> None:
        """Wait until what is received is there, and what is sent may be overwritten.

        Raises:
            RankError: the world has failed.
        """
        end, self._end = self._end, None
        if end is not None:
            end()
            self._record.done = monotonic()


def reserve(ranks: Ranks, count: int, digest: int, what: str) -> Record:
    """The numbers of a program's collectives, which are issued together.

    Args:
        ranks: who takes part in all of them.
        count: how many there are.
        digest: a number of 31 bits of what they are, the same on all ranks.
        what: for people.
    """
    rank = thread_state.rank
    if rank is not None:
        reserved: Record = rank.ring.reserve("data", what, ranks, count, digest, caller(2))
        return reserved
    return connection().data.reserve(what, ranks, count, digest)


def begin(record: Record, sends: Sequence[Message], receives: Sequence[Message], memory: Sequence[Any], device: Device) -> Flight:
    """Start the messages of a collective.

    Args:
        record: of the collective.
        sends, receives: its messages, this rank's to itself among them, all on one device.
        memory: what they lie in.
        device: where.

    Raises:
        RankError: the world has failed.
    """
    me = this_rank().index
    record.begin()
    copy_own(me, sends, receives)
    if thread_state.rank is not None:
        return Flight(record, thread_state.rank.world.begin(record, sends, receives))
    channel, sends, receives = connection().data, to_others(me, sends), to_others(me, receives)
    if device is CPU or channel.connects(device):
        return Flight(record, channel.begin(record, memory, sends, receives, device))
    return Flight(record, _staged(channel, record, sends, receives))


def _staged(channel: Channel, record: Record, sends: Sequence[Message], receives: Sequence[Message]) -> Callable[[], None]:
    """Send by way of the host's memory; what waits until they have arrived."""
    sent, received = ([on_host(message) for message in messages] for messages in (sends, receives))
    for message, (staged, _) in zip(sends, sent):
        copy_bytes(staged, message)
    memory = [storage for _, storage in (*sent, *received)]
    arrive = channel.begin(record, memory, [staged for staged, _ in sent], [staged for staged, _ in received], CPU)

    def end() -> None:
        arrive()
        for message, (staged, _) in zip(receives, received):
            copy_bytes(message, staged)

    return end


def to_others(me: int, messages: Sequence[Message]) -> list[Message]:
    """The messages that are on their way: with bytes, and not from a rank to itself."""
    return [message for message in messages if message.peer != me and message.nbytes]
