"""Routes deliver every element once, by the fewest bytes: all pairs of sbp over many placements, carried out in NumPy."""

from __future__ import annotations

import itertools

import numpy
import pytest

from tests.consistent import numpy_ranks
from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import routes
from tritonflow.dtypes import float32
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast, partial_max, partial_sum, split
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import Rank

SBPS = (split(0), split(1), split(2), broadcast, partial_sum, partial_max)


@pytest.fixture(autouse=True)
def world():
    """This process as rank 0 of 6, which decides nothing but which placements there may be."""
    thread_state.rank = Rank(0, 6, 0, 6, 0, 1)
    yield
    thread_state.rank = None


def check(source: Layout, target: Layout, nodes: int = 6) -> None:
    shards = numpy_ranks.random_shards(source)
    whole = numpy_ranks.assembled(source, shards)
    for route in routes(source, target, float32, nodes):
        result, sent = numpy_ranks.run(route, shards)
        assert numpy.array_equal(numpy_ranks.assembled(target, result), whole), route
        assert {rank: n * 4 for rank, n in sent.items() if n} == route.bytes, route


@pytest.mark.parametrize("shape", [(4, 6, 2), (5, 3, 4), (1, 0, 2)])
def test_1d(shape):
    placements = [[0, 1, 2, 3], [3, 0, 2, 1], [0, 2], [0, 1, 2, 3, 4], [4, 5], [1, 2, 4]]
    for ranks in placements:
        for a, b in itertools.product(SBPS, repeat=2):
            check(Layout(shape, Placement("cpu", [0, 1, 2, 3]), (a,)), Layout(shape, Placement("cpu", ranks), (b,)))


@pytest.mark.parametrize("mesh", [[[0, 1], [2, 3]], [[0, 1, 2], [3, 4, 5]]])
def test_2d(mesh):
    sbps = list(itertools.product(SBPS, repeat=2))
    for a, b in itertools.product(sbps, sbps[::5]):
        shape = (5, 3, 4)
        check(Layout(shape, Placement("cpu", mesh), a), Layout(shape, Placement("cpu", mesh), b))
