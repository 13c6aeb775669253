"""A board: small facts that ranks post for each other. That is no collective, so any thread may do it, at any time.

Between processes it is a part of c10d's store, of which it has a connection of its own. Ranks that are threads share a dict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import sleep
from typing import Any

from tritonflow.thread_state import thread_state
from tritonflow.wire.world import this_rank

_LONGEST_PAUSE = 0.05  # seconds between two looks


class Board:
    """What the ranks of this world have posted. A rank makes it in the thread of its program, and uses it in any.

    Args:
        name: the same on all ranks; boards of other names have nothing in common.
    """

    def __init__(self, name: str) -> None:
        self._facts: Any
        self._check: Callable[[], None]
        simulated = thread_state.rank
        if simulated is not None:
            self._facts, self._check = _Shared(simulated.world.facts, name), simulated.world.check
        elif this_rank().world_size == 1:
            self._facts, self._check = _Shared({}, name), _nothing
        else:
            from tritonflow.wire.backend_gloo import part_of
            from tritonflow.wire.connection import connection

            link = connection()
            self._facts, self._check = part_of(link.store.clone(), f"board {name}"), link.sentinel.check

    def post(self, key: str, fact: str) -> None:
        """Write a fact that others wait for."""
        self._facts.set(key, fact)

    def wait(self, keys: Sequence[str]) -> list[str]:
        """The facts of these keys, as soon as all are there.

        Raises:
            RankError: the world has failed meanwhile.
        """
        pause = 1e-3
        while not self._facts.check(list(keys)):
            self._check()
            sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        return [fact.decode() for fact in self._facts.multi_get(list(keys))]

    def remove(self, keys: Sequence[str]) -> None:
        """Take down facts that nobody will read any more."""
        for key in keys:
            self._facts.delete_key(key)


class _Shared:
    """A part of a dict that the ranks of one process share, with the calls of c10d's store."""

    def __init__(self, facts: dict[tuple[str, str], bytes], name: str) -> None:
        self._all, self._name = facts, name

    def set(self, key: str, fact: str) -> None:
        self._all[self._name, key] = fact.encode()

    def check(self, keys: Sequence[str]) -> bool:
        return all((self._name, key) in self._all for key in keys)

    def multi_get(self, keys: Sequence[str]) -> list[bytes]:
        return [self._all[self._name, key] for key in keys]

    def delete_key(self, key: str) -> None:
        self._all.pop((self._name, key), None)


def _nothing() -> None:
    """A world of one rank does not fail."""
