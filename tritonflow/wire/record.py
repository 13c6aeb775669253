"""Records: what each collective was, where it was issued, when; the last 1,024 of them, for the sentinel and for people."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from time import monotonic
from typing import Any, NamedTuple

from tritonflow.device.device import Device
from tritonflow.vm.failure import SourceLine, describe

Ranks = tuple[int, ...]
RING = 1024


class Message(NamedTuple):
    """Bytes that one rank sends and another one receives.

    Attributes:
        peer: the other rank.
        address: where they are, or are to be, on this rank.
        nbytes: how many.
        device: whose memory that is.
    """

    peer: int
    address: int
    nbytes: int
    device: Device


class Record:
    """One collective of this rank.

    Attributes:
        channel: "data" or "control"; each has an order of its own.
        verb: exchange, gather, broadcast, send or control_gather.
        what: what it moves, for people; the same text on all ranks.
        ranks: who takes part.
        number: the how many-th collective of these ranks in its channel it is, from 1 on.
        count: how many numbers from this one on are its own: more than one of a program's collectives, see `Ring.reserve`.
        digest: a number of 31 bits that is the same where verb, what and ranks are, or that was given.
        sends, receives: the messages to and from other ranks.
        source_line: the line of the user's program.
        blocks: whether the thread that issued it waits in it, so that nothing behind it is issued meanwhile.
        begun: of how many of its numbers the messages are on their way.
        issued, started, done: times of `time.monotonic`; 0: not yet.
    """

    __slots__ = (
        "channel", "verb", "what", "ranks", "number", "count", "digest", "sends", "receives", "source_line", "blocks", "begun",
        "issued", "started", "done", "_whole",
    )  # fmt: skip

    def __init__(
        self,
        channel: str,
        verb: str,
        what: str,
        ranks: Ranks,
        number: int,
        sends: Sequence[Message] = (),
        receives: Sequence[Message] = (),
        source_line: SourceLine | None = None,
    ) -> None:
        self.channel, self.verb, self.what, self.ranks, self.number = channel, verb, what, ranks, number
        self.count, self.digest = 1, digest_of(verb, what, ranks)
        self.sends, self.receives, self.source_line = sends, receives, source_line
        self.blocks, self.begun = channel == "control", 0
        self._whole: Record | None = None
        self.issued, self.started, self.done = monotonic(), 0.0, 0.0

    @property
    def nbytes(self) -> int:
        """What this rank sends to others."""
        return sum([message.nbytes for message in self.sends])

    def part(self, position: int, verb: str, what: str, sends: Sequence[Message], receives: Sequence[Message]) -> Record:
        """The collective that has one of the reserved numbers."""
        what, number = f"{what}, of {self.what}", self.number + position
        record = Record(self.channel, verb, what, self.ranks, number, sends, receives, self.source_line)
        record.digest, record._whole = self.digest, self
        return record

    def begin(self) -> None:
        """Its messages start. Those of a program start in the order of their numbers."""
        self.started = monotonic()
        whole = self._whole or self
        whole.begun = self.number - whole.number + 1

    def group_name(self) -> str:
        """Whose order its number counts."""
        return f"{self.channel} {self.ranks}"

    def text(self) -> str:
        """As errors show it: `exchange, P -> S0 of float32[8], for matmul, at train.py:31, in forward`."""
        return describe_collective(self.verb, self.what, self._at())

    def facts(self) -> dict[str, Any]:
        """What other ranks are told of it, as JSON has it."""
        return {
            "channel": self.channel,
            "verb": self.verb,
            "what": self.what,
            "ranks": list(self.ranks),
            "number": self.number,
            "count": self.count,
            "begun": self.begun,
            "digest": self.digest,
            "at": self._at(),
            "blocks": self.blocks,
            "sends": {str(message.peer): message.nbytes for message in self.sends},
            "receives": {str(message.peer): message.nbytes for message in self.receives},
        }

    def _at(self) -> str:
        return describe(self.source_line) if self.source_line else ""


@lru_cache(maxsize=1024)
def digest_of(*parts: Any) -> int:
    """31 bits of a text; Python's own hash differs between processes."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=4).digest(), "little") >> 1


def describe_collective(verb: str, what: str, at: str) -> str:
    """One collective in a line."""
    return f"{verb}, {what}" + (f", at {at}" if at else "")


class Ring:
    """The last records of a rank, oldest first, and how many collectives each group has had."""

    def __init__(self) -> None:
        self._records: deque[Record] = deque(maxlen=RING)
        self._numbers: dict[tuple[str, Ranks], int] = {}

    def enter(
        self,
        channel: str,
        verb: str,
        what: str,
        ranks: Ranks,
        sends: Sequence[Message] = (),
        receives: Sequence[Message] = (),
        source_line: SourceLine | None = None,
    ) -> Record:
        """Give the next collective its number and record it."""
        number = self._numbers.get((channel, ranks), 0) + 1
        record = Record(channel, verb, what, ranks, number, sends, receives, source_line)
        self._numbers[channel, ranks] = number
        self._records.append(record)
        return record

    def reserve(
        self, channel: str, what: str, ranks: Ranks, count: int, digest: int, source_line: SourceLine | None = None
    ) -> Record:
        """Give the next numbers, so many, to the collectives of one program; its ranks have the same digest."""
        record = self.enter(channel, "program", what, ranks, source_line=source_line)
        record.count, record.digest = count, digest
        self._numbers[channel, ranks] += count - 1
        return record

    def numbers(self) -> dict[str, int]:
        """How many collectives were issued, by `Record.group_name`."""
        return {f"{channel} {ranks}": number for (channel, ranks), number in list(self._numbers.items())}

    def last(self, count: int = RING) -> list[Record]:
        """The last so many."""
        return list(self._records)[-count:]

    def find(self, channel: str, ranks: Ranks, number: int) -> Record | None:
        """A record by its number, or one of its numbers, if it is still there."""
        for record in reversed(list(self._records)):
            if 0 <= number - record.number < record.count and record.ranks == ranks and record.channel == channel:
                return record
        return None


# OneFlow's words, which programs look for
BRANCHED = (
    "Maybe executing different code in different ranks, please check if the code is branched and operates on the global tensor"
)


def disagreement(number: int, ranks: Sequence[int], texts: Mapping[int, str], last_common: str = "") -> str:
    """The text of an error: which ranks came to a collective with what."""
    alike: dict[str, list[int]] = {}
    for rank, text in sorted(texts.items()):
        alike.setdefault(text, []).append(rank)
    lines = [f"ranks disagree at collective {number} of group {list(ranks)}"]
    lines += [f"  {rank_names(of):<16}{text}" for text, of in alike.items()]
    odd = min(alike.values(), key=len)
    common = f"last common: {last_common}. " if last_common else ""
    lines.append(
        f"  {common}help: {rank_names(odd)} took another branch; a condition on a tensor of one rank is the usual cause"
    )
    lines.append(f"  {BRANCHED}")
    return "\n".join(lines)


def rank_names(ranks: Sequence[int]) -> str:
    """`rank 2`, or `ranks 0, 1, 3`."""
    return ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))
