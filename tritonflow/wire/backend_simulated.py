"""A simulated world: its ranks are threads of this process, and a message is a copy.

What a rank sends lies in a mailbox until it is received, so no rank waits for another one in order to send. Ranks that receive
wait in their issuing threads. They share the streams of the devices: a queued instruction that waited for another rank could stand
before what that rank needs. A world in which every rank waits, and none can go on, is an error on all of them at once, without a
timeout.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, sleep
from typing import Any, NamedTuple

from tritonflow.errors import RankError
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import add_note
from tritonflow.wire.backend_throttled import arrival
from tritonflow.wire.memory import copy_bytes, on_host
from tritonflow.wire.record import Message, Ranks, Record, Ring, disagreement
from tritonflow.wire.world import SimulatedRank

_Address = tuple[Ranks, int, int, int]  # of whom, which collective, from whom, to whom


class _Meeting:
    """The ranks of one group that have come to their next `control_gather`, with what each of them brings.

    `over` is the same, once the last one has come.
    """

    def __init__(self) -> None:
        self.brought: dict[int, tuple[Record, Any]] = {}
        self.over: dict[int, tuple[Record, Any]] | None = None


class _Letter(NamedTuple):
    """A message that was sent: a copy of its bytes on the host, the memory they lie in, and when it arrives."""

    record: Record
    message: Message
    storage: Any
    due: float


class SimulatedWorld:
    """Ranks as threads.

    Args:
        size: how many ranks there are.
        nodes: over how many nodes they are spread.

    Attributes:
        size: as given.
        facts: what is on boards, by their names and keys.
    """

    def __init__(self, size: int, nodes: int = 1) -> None:
        self.size = size
        self.facts: dict[tuple[str, str], bytes] = {}  # of boards
        self._changed = threading.Condition()
        self._meetings: dict[Ranks, _Meeting] = {}
        self._letters: dict[_Address, _Letter] = {}
        self._come: dict[tuple[Ranks, int], dict[int, Record]] = {}  # to collectives to which others have not come yet
        self._waiting: dict[int, tuple[Record, _Address | None]] = {}
        self._ended: set[int] = set()
        self._failure: tuple[int | None, BaseException] | None = None
        self._ranks = [_rank(self, index, nodes) for index in range(size)]

    # -------------------------------------------------------------------------------------- ranks

    def run(self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """Call a function once for each rank; the results in the order of the ranks.

        Raises:
            the first exception of a rank, with a note that says which rank's it is.
        """
        results: list[Any] = [None] * self.size

        def main(rank: SimulatedRank) -> None:
            thread_state.rank = rank
            try:
                results[rank.index] = function(*args, **kwargs)
            except BaseException as error:
                self._fail(rank.index, error)
            finally:
                self._end(rank.index)

        threads = [
            threading.Thread(target=main, args=(rank,), name=f"rank {rank.index}", daemon=True) for rank in self._ranks
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException as error:  # Ctrl-C
            self._fail(None, error)
            raise
        if self._failure is not None:
            raise self._failure[1]
        if self._letters:
            raise RankError("\n".join(["messages were sent that nobody has received", *self._unread()]))
        return results

    def _fail(self, index: int | None, error: BaseException) -> None:
        """The first failure ends all waits."""
        with self._changed:
            if self._failure is None:
                self._failure = index, error
                if index is not None:
                    add_note(error, f"on rank {index} of {self.size} simulated ranks")
            self._changed.notify_all()

    def _end(self, index: int) -> None:
        with self._changed:
            self._ended.add(index)
            self._find_deadlock()

    # -------------------------------------------------------------------------------------- collectives

    def begin(self, record: Record, sends: Sequence[Message], receives: Sequence[Message]) -> Callable[[], None]:
        """Send to the other ranks of a collective; what waits until their messages are here.

        Raises:
            RankError: the ranks disagree, another one has failed, or nobody could ever send; so does what waits.
        """
        me = _me()
        letters = {}
        for message in sends:
            if message.peer != me:
                copy, storage = on_host(message)
                copy_bytes(copy, message)
                letters[record.ranks, record.number, me, message.peer] = _Letter(record, copy, storage, arrival(message.nbytes))
        with self._changed:
            self._come_to(record, me)
            self._letters |= letters
            for rank, (_, wanted) in list(self._waiting.items()):
                if wanted in letters:
                    del self._waiting[rank]
            self._changed.notify_all()
        sent = max([letter.due for letter in letters.values()], default=0.0)
        return lambda: self._end_of(record, [message for message in receives if message.peer != me], sent)

    def _come_to(self, record: Record, me: int) -> None:
        """Compare a collective with what those have come to who were here before. A rank that disagrees waits for the others."""
        self.check()
        key = record.ranks, record.number
        come = self._come.setdefault(key, {})
        come[me] = record
        if not _disagree(come):
            if len(come) == len(record.ranks):
                del self._come[key]
            return
        if len(come) == len(record.ranks):
            self._fail_all(_disagreement(come))
        self._wait_for(record, None)
        self.check()

    def _end_of(self, record: Record, receives: Sequence[Message], sent: float) -> None:
        """Receive, and wait until what this rank sent is through."""
        me = _me()
        for message in receives:
            letter = self._taken(record, (record.ranks, record.number, message.peer, me))
            if letter.message.nbytes != message.nbytes:
                raise RankError(
                    f"ranks disagree at {record.text()}: rank {me} expects {message.nbytes} bytes of rank {message.peer},"
                    f" which sends {letter.message.nbytes}"
                )
            _sleep_until(letter.due)
            copy_bytes(message, letter.message)
        _sleep_until(sent)

    def _taken(self, record: Record, address: _Address) -> _Letter:
        with self._changed:
            self.check()
            if address not in self._letters:
                self._wait_for(record, address)
                self.check()
            return self._letters.pop(address)

    def _wait_for(self, record: Record, address: _Address | None) -> None:
        """Wait for a letter, or for the world's failure. The lock is held."""
        self._waiting[_me()] = record, address
        self._find_deadlock()
        while self._failure is None and address not in self._letters:
            self._changed.wait()

    def meet(self, record: Record, bring: Any) -> dict[int, Any]:
        """Wait until every rank of a collective is here; what each brings, by rank.

        Raises:
            RankError: they are not here for the same, another rank has failed, or nobody could ever come.
        """
        me = _me()
        with self._changed:
            self.check()
            meeting = self._meetings.setdefault(record.ranks, _Meeting())
            meeting.brought[me] = record, bring
            if len(meeting.brought) == len(record.ranks):
                del self._meetings[record.ranks]
                meeting.over = meeting.brought
                for rank in record.ranks:
                    self._waiting.pop(rank, None)
                self._changed.notify_all()
            else:
                self._waiting[me] = record, None
                self._find_deadlock()
                while meeting.over is None and self._failure is None:
                    self._changed.wait()
        if meeting.over is None:
            self.check()
        assert meeting.over is not None
        come = {rank: other for rank, (other, _) in meeting.over.items()}
        if _disagree(come):
            raise RankError(_disagreement(come))
        return {rank: brought for rank, (_, brought) in meeting.over.items()}

    def check(self) -> None:
        """Raise if a rank has failed."""
        if self._failure is not None:
            index, error = self._failure
            cause = str(error) if isinstance(error, RankError) else f"{type(error).__name__}: {error}"
            raise RankError(cause if index is None else f"rank {index} has failed: {cause}") from error

    def _find_deadlock(self) -> None:
        """Fail if every rank has ended, or waits for one that cannot come."""
        if self._failure is None and self._waiting and len(self._waiting) + len(self._ended) == self.size:
            for come in self._come.values():
                if _disagree(come):
                    self._fail_all(_disagreement(come))
                    return
            lines = ["every rank waits for another one, or has ended"]
            lines += [f"  rank {rank} waits in {record.text()}" for rank, (record, _) in sorted(self._waiting.items())]
            lines += [f"  rank {rank} has ended" for rank in sorted(self._ended)]
            self._fail_all("\n".join(lines))

    def _fail_all(self, text: str) -> None:
        self._failure = None, RankError(text)
        self._changed.notify_all()

    def _unread(self) -> list[str]:
        """What was sent and not received."""
        found = sorted((to, letter.record.number, letter.record.text()) for (_, _, _, to), letter in self._letters.items())
        return [f"  rank {rank} has ended, and did not receive collective {number}, {text}" for rank, number, text in found]


def _sleep_until(time: float) -> None:
    if time:
        sleep(max(time - monotonic(), 0.0))


def _disagree(come: Mapping[int, Record]) -> bool:
    return len({record.digest for record in come.values()}) > 1


def _disagreement(come: Mapping[int, Record]) -> str:
    first = next(iter(come.values()))
    return disagreement(first.number, first.ranks, {rank: record.text() for rank, record in come.items()})


def _rank(world: SimulatedWorld, index: int, nodes: int) -> SimulatedRank:
    local_size = world.size // nodes
    return SimulatedRank(index, world.size, index % local_size, local_size, index // local_size, nodes, world=world, ring=Ring())


def _me() -> int:
    rank: SimulatedRank = thread_state.rank
    return rank.index
