"""A program of several ranks: stretches of kernels, and between them starts and waits of collectives.

    run stretch 0 | start 0 | run stretch 1 | wait for 0 | run stretch 2

It is one instruction of the VM. Its collectives get their numbers when it is issued, so that all ranks number alike whatever runs
when. A start waits for no other rank. So waits in the order of the program never wait in a circle.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from tritonflow.device.memory import Block
from tritonflow.device.program import Live, filled
from tritonflow.device.provider import Program, Provider
from tritonflow.device.stream import Stream
from tritonflow.errors import RankError
from tritonflow.graph.plan.bound_step import BoundStep
from tritonflow.graph.plan.schedule import ScheduledFlight
from tritonflow.vm.machine import machine
from tritonflow.wire.connection import abandon
from tritonflow.wire.flights import Flight, begin, reserve
from tritonflow.wire.record import Message, Ranks, Record, digest_of
from tritonflow.wire.streams import poison
from tritonflow.wire.verbs import BufferPart, messages


class Reserved(NamedTuple):
    """What a run of a program has of the wire; it stands behind the numbers that the run is given.

    Attributes:
        records: of its collectives, by who takes part.
        memory: what they may lie in.
        thread: which has issued it.
        flights: those that are on their way.
    """

    records: dict[Ranks, Record]
    memory: Sequence[Any]
    thread: int
    flights: dict[int, Flight]


class WireStep:
    """The start of a collective, or its done, bound to memory.

    Args:
        flight: with addresses, or where those are among the numbers of a run.
        position: of a start, among those of the same ranks.
        provider: of the device where the buffers lie.
        check: raises what kernels have found wrong so far.
    """

    def __init__(self, flight: ScheduledFlight, position: int, provider: Provider, check: Callable[[], None]) -> None:
        self._flight, self._position, self._provider, self._check = flight, position, provider, check

    def run(self, live: Sequence[Any]) -> None:
        """Start, or wait."""
        number, sent, received, verb, what = self._flight
        reserved: Reserved = live[-1]
        if verb is None:
            reserved.flights.pop(number).wait()
            return
        self._provider.wait()
        self._check()  # before others are given wrong numbers
        whole = reserved.records[verb.ranks]
        whole.blocks = threading.get_ident() == reserved.thread
        sends, receives = self._messages(verb.sends, sent, live), self._messages(verb.receives, received, live)
        record = whole.part(self._position, verb.name, what, sends, receives)
        reserved.flights[number] = begin(record, sends, receives, reserved.memory, self._provider.device)

    def _messages(self, parts: Sequence[BufferPart], buffer: Any, live: Sequence[Any]) -> list[Message]:
        return messages(parts, buffer.of(live) if buffer.__class__ is Live else buffer, self._provider.device)


class Stretches:
    """A program whose parts run one behind the other, some of them on the wire.

    Args:
        parts: programs of kernels, and steps of the wire with addresses for gaps.
        provider: of the device where it runs.
        check: raises what kernels have found wrong so far.

    Attributes:
        wire: its steps of the wire, in order.
    """

    atomic = False

    def __init__(self, parts: Sequence[Program | ScheduledFlight], provider: Provider, check: Callable[[], None]) -> None:
        positions: Counter[Ranks] = Counter()
        groups: dict[Ranks, list[tuple[str, str]]] = {}
        self.wire: list[WireStep] = []
        self._parts: list[Any] = []
        for part in parts:
            if isinstance(part, ScheduledFlight):
                ranks = () if part.verb is None else part.verb.ranks
                if part.verb is not None:
                    groups.setdefault(ranks, []).append((part.verb.name, part.what))
                self.wire.append(WireStep(part, positions[ranks], provider, check))
                positions[ranks] += 1
                self._parts.append(self.wire[-1])
            else:
                self._parts.append(part)
        self._groups = [(ranks, len(said), digest_of(ranks, *said)) for ranks, said in groups.items()]
        self.nbytes = sum([getattr(part, "nbytes", 0) for part in self._parts])

    def reserve(self, what: str, memory: Sequence[Any]) -> Reserved:
        """What a run has of the wire; called in the thread that issues it.

        Args:
            what: the program, for people.
            memory: in which its buffers lie.

        Raises:
            RankError: the world has failed.
        """
        records = {ranks: reserve(ranks, count, digest, what) for ranks, count, digest in self._groups}
        return Reserved(records, memory, threading.get_ident(), {})

    def issue(self, stream: Stream, compute: Callable[[], None], const: Sequence[Block], mut: Sequence[Block]) -> None:
        """Let the VM run it. If other ranks fail, nothing that it was to write can be read."""
        try:
            machine.run_lazy_job(stream, compute, const, mut, "graph")
        except RankError as error:  # it ran in this thread
            poison(error, (), mut, "graph")
            raise

    def run(self, live: Sequence[Any]) -> None:
        """Run all parts; `live` ends with what was reserved."""
        flights = live[-1].flights
        try:
            for part in self._parts:
                part.run(live)
        except RankError:
            abandon(live[-1].memory)  # others may be on their way, for ever
            raise
        except BaseException:
            for flight in flights.values():  # what they lie in is not free before they have arrived
                with suppress(RankError):
                    flight.wait()
            raise


def parted(steps: Sequence[BoundStep]) -> list[list[BoundStep]]:
    """The steps of stretches, and each step of the wire by itself, in order."""
    found: list[list[BoundStep]] = []
    for step in steps:
        if step.flight is not None or not found or found[-1][-1].flight is not None:
            found.append([])
        found[-1].append(step)
    return found


class FlightForm:
    """A step of the wire with gaps."""

    def __init__(self, flight: ScheduledFlight) -> None:
        self._flight = flight

    def filled(self, values: Sequence[Any]) -> ScheduledFlight:
        """The step with these numbers for its gaps."""
        sent, received = filled((self._flight.sent, self._flight.received), values)
        return self._flight._replace(sent=sent, received=received)
