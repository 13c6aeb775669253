"""A simulated world: its ranks are threads of this process, and a message is a copy from one block to another.

All ranks of a collective meet in their issuing threads. They share the streams of the devices: a queued instruction that waited
for another rank could stand before what that rank needs. A world in which every rank waits, and none can go on, is an error on
all of them at once, without a timeout.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.errors import RankError
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import add_note
from tritonflow.wire.memory import copy_bytes
from tritonflow.wire.record import Message, Ranks, Record, Ring, disagreement
from tritonflow.wire.world import SimulatedRank


class _Meeting:
    """The ranks of one group that have come to their next collective, with what each of them brings.

    `over` is the same, once the last one has come.
    """

    def __init__(self) -> None:
        self.brought: dict[int, tuple[Record, Any]] = {}
        self.over: dict[int, tuple[Record, Any]] | None = None


class SimulatedWorld:
    """Ranks as threads.

    Args:
        size: how many ranks there are.
        nodes: over how many nodes they are spread.
    """

    def __init__(self, size: int, nodes: int = 1) -> None:
        self.size = size
        self._changed = threading.Condition()
        self._meetings: dict[Ranks, _Meeting] = {}
        self._waiting: dict[int, Record] = {}
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

    def transfer(self, record: Record, sends: Sequence[Message], receives: Sequence[Message]) -> None:
        """Meet the other ranks of a collective, copy what they send to this one, and wait until they have copied too."""
        brought = self.meet(record, {message.peer: message for message in sends})
        me = _me()
        for message in receives:
            sent = brought[message.peer].get(me)
            nbytes = sent.nbytes if sent is not None else 0
            if nbytes != message.nbytes:
                raise RankError(
                    f"ranks disagree at {record.text()}: rank {me} expects {message.nbytes} bytes of rank {message.peer},"
                    f" which sends {nbytes}"
                )
            copy_bytes(message, sent)
        self.meet(record, None)

    def meet(self, record: Record, bring: Any) -> dict[int, Any]:
        """Wait until every rank of a collective is here; what each brings, by rank.

        Raises:
            RankError: they are not here for the same, another rank has failed, or nobody could ever come.
        """
        me = _me()
        with self._changed:
            self._check()
            meeting = self._meetings.setdefault(record.ranks, _Meeting())
            meeting.brought[me] = record, bring
            if len(meeting.brought) == len(record.ranks):
                del self._meetings[record.ranks]
                meeting.over = meeting.brought
                for rank in record.ranks:
                    self._waiting.pop(rank, None)
                self._changed.notify_all()
            else:
                self._waiting[me] = record
                self._find_deadlock()
                while meeting.over is None and self._failure is None:
                    self._changed.wait()
        if meeting.over is None:
            self._check()
        assert meeting.over is not None
        if len({other.digest for other, _ in meeting.over.values()}) > 1:
            texts = {rank: other.text() for rank, (other, _) in meeting.over.items()}
            raise RankError(disagreement(record.number, record.ranks, texts))
        return {rank: brought for rank, (_, brought) in meeting.over.items()}

    def _check(self) -> None:
        if self._failure is not None:
            index, error = self._failure
            cause = str(error) if isinstance(error, RankError) else f"{type(error).__name__}: {error}"
            raise RankError(cause if index is None else f"rank {index} has failed: {cause}") from error

    def _find_deadlock(self) -> None:
        """Fail if every rank has ended, or waits for one that cannot come."""
        if self._failure is None and self._waiting and len(self._waiting) + len(self._ended) == self.size:
            lines = ["every rank waits for another one, or has ended"]
            lines += [f"  rank {rank} waits in {record.text()}" for rank, record in sorted(self._waiting.items())]
            lines += [f"  rank {rank} has ended" for rank in sorted(self._ended)]
            self._failure = None, RankError("\n".join(lines))
            self._changed.notify_all()


def _rank(world: SimulatedWorld, index: int, nodes: int) -> SimulatedRank:
    local_size = world.size // nodes
    return SimulatedRank(index, world.size, index % local_size, local_size, index // local_size, nodes, world=world, ring=Ring())


def _me() -> int:
    rank: SimulatedRank = thread_state.rank
    return rank.index
