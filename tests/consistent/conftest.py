"""Pools of ranks, one of each size for all tests. What uses one is marked `ranks`: `make test-ranks` runs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.consistent.pool import Pool
from tritonflow.wire import verbs
from tritonflow.wire.world import this_rank

_FIXTURES = {"ranks", "ranks2", "ranks4"}
_pools: dict[int, Pool] = {}


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.ranks)


def pool_of(size: int) -> Pool:
    """The pool of so many ranks; a new one if the last one died."""
    pool = _pools.get(size)
    if pool is None or not pool.alive:
        pool = _pools[size] = Pool(size)
    return pool


@pytest.fixture(scope="session")
def _pools_end() -> Iterator[None]:
    yield
    while _pools:
        _pools.popitem()[1].end()


@pytest.fixture
def ranks2(_pools_end: None) -> Pool:
    """Two processes."""
    return pool_of(2)


@pytest.fixture
def ranks4(_pools_end: None) -> Pool:
    """Four processes."""
    return pool_of(4)


@pytest.fixture(params=[2, 4])
def ranks(_pools_end: None, request: pytest.FixtureRequest) -> Pool:
    """Two processes, and then four."""
    return pool_of(request.param)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How many bytes each rank of a simulated world sends to others."""
    count: Counter[int] = Counter()
    move = verbs.move

    def counted(verb: Any, *buffers: Any) -> None:
        me = this_rank().index
        count[me] += sum(part.nbytes for part in verb.sends if part.peer != me)
        move(verb, *buffers)

    monkeypatch.setattr(verbs, "move", counted)
    return count
