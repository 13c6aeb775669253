"""A small GPT trained by every way on processes: the losses of one process."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy
import pytest

from tests.consistent.pool import Pool
from tests.parallel.small_gpt import WAYS, SmallGPT, made, trained

STEPS = 50


@cache
def in_one_process() -> tuple[list[float], list[Any]]:
    return trained(None, STEPS)


def initial(way: str) -> list[Any]:
    return [p.full().numpy() if p.is_global else p.numpy() for p in made(way)[0].parameters()]


def check(pool: Pool, way: str) -> None:
    """The mean of the ranks' losses is that of one process; weights begin with its bits."""
    assert all((a == b.numpy()).all() for begin in pool.run(initial, way) for a, b in zip(begin, SmallGPT().parameters()))
    expected, weights = in_one_process()
    assert expected[-1] < 0.8 * expected[0]
    found = pool.run(trained, way, STEPS)
    numpy.testing.assert_allclose(numpy.mean([losses for losses, _ in found], axis=0), expected, atol=1e-5)
    for _, ours in found:
        assert all((a == b).all() for a, b in zip(ours, found[0][1]))


@pytest.mark.parametrize("way", ["ddp", "zero 2", "fully_shard"])
def test_losses_on_2(ranks2: Pool, way: str) -> None:
    check(ranks2, way)


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_losses_on_4(ranks4: Pool, way: str) -> None:
    check(ranks4, way)
