"""Moves over many ranks: what one rank plans, and what closed formulas say; random moves over grids against the logical tensor."""

from __future__ import annotations

import itertools
import time
from random import Random
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.boxing import closed, lines, routes
from tritonflow.boxing.moves import Move
from tritonflow.boxing.pieces import Layout, combine_runs
from tritonflow.boxing.program import MoveProgram
from tritonflow.boxing.routes import Route, route
from tritonflow.dtypes import float32
from tritonflow.framework.meta import contiguous_meta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast, partial_max, partial_sum, split
from tritonflow.framework.shards import balanced, box_shape
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import Rank, this_rank

B, P, Pmax, S0, S1 = broadcast, partial_sum, partial_max, split(0), split(1)


@pytest.fixture
def world():
    """This process as rank 0 of so many, eight on a node."""

    def become(size: int) -> None:
        thread_state.rank = Rank(0, size, 0, min(size, 8), 0, max(size // 8, 1))
        for cached in (routes._route, routes.least_seconds, closed.totals, closed.own_elements, lines.grid):
            cached.cache_clear()

    yield become
    thread_state.rank = None


def programs_of(found: Route, rank: int) -> list[MoveProgram]:
    """What a rank plans for a route."""
    planned, meta = [], None
    for move in found.steps:
        meta = meta or contiguous_meta(box_shape(found.source.holding(rank).box), found.dtype, found.source.placement.device())
        planned.append(MoveProgram(move, rank, meta))
        meta = planned[-1].result
    return planned


def seconds_of(mesh: tuple[int, ...], a: Any, b: Any, shape: tuple[int, ...]) -> float:
    """The processor's time for the route and the programs of rank 0, the best of three."""
    placement, best = Placement("cpu", numpy.arange(numpy.prod(mesh)).reshape(mesh)), float("inf")
    for _ in range(3):
        for cached in (routes._route, closed.totals, closed.own_elements, lines.grid):
            cached.cache_clear()
        begin = time.process_time()
        programs_of(route(Layout(shape, placement, a), Layout(shape, placement, b), float32), 0)
        best = min(best, time.process_time() - begin)
    return best


FORMS = [(P, B), (S0, B), (S0, S1), (B, P), (P, S0), (S0, P), (B, S0)]


@pytest.mark.parametrize("a, b", FORMS, ids=str)
def test_time_grows_with_the_ranks_and_not_with_their_square(a, b, world):
    """16 times as many ranks take at most 48 times as long: of pieces there are 256 times as many. And never half a second."""
    world(64)
    few = seconds_of((64,), (a,), (b,), (4096, 1024))
    world(1024)
    many = seconds_of((1024,), (a,), (b,), (4096, 1024))
    assert many < 48 * max(few, 5e-4) and many < 0.5


GRIDS = [((B, P), (B, B)), ((P, B), (B, B)), ((P, P), (B, B)), ((S0, P), (S0, B)), ((S0, S1), (S0, B)), ((S0, S1), (S1, S0)), ((P, B), (S0, B))]


@pytest.mark.parametrize("a, b", GRIDS, ids=str)
def test_time_over_a_grid(a, b, world):
    """Nodes of eight ranks: 16 times as many nodes take at most 48 times as long."""
    world(64)
    few = seconds_of((8, 8), a, b, (4096, 1024))
    world(1024)
    many = seconds_of((128, 8), a, b, (4096, 1024))
    assert many < 48 * max(few, 1e-3) and many < 2.0


def test_a_move_along_one_dimension_touches_one_line(world):
    """Whatever the other dimension of the grid is."""
    world(1024)
    placement = Placement("cpu", numpy.arange(1024).reshape(128, 8))
    rank, row, column = 0 + 8 * 5 + 3, {8 * 5 + k for k in range(8)}, {8 * k + 3 for k in range(128)}
    for other in (B, P, Pmax, S0, S1):
        for a, b in [(P, B), (P, S0), (S0, B), (S0, S1), (S1, S0), (S1, B), (P, S1)]:
            if other is S0 and S0 in (a, b) or other is S1 and S1 in (a, b):
                continue  # the inner sections follow the outer ones
            inner = Move(Layout((256, 1024), placement, (other, a)), Layout((256, 1024), placement, (other, b)), 8)
            outer = Move(Layout((256, 1024), placement, (a, other)), Layout((256, 1024), placement, (b, other)), 8)
            assert set(inner.work_of(rank).group.ranks) == row
            if not (other.is_partial and a.is_partial):  # the innermost shares are combined first
                assert set(outer.work_of(rank).group.ranks) == column


@pytest.mark.parametrize("size", [*range(1, 17)])
@pytest.mark.parametrize("numel", [1, 7, 64, 1000])
def test_the_table_of_closed_formulas(size, numel, world):
    """Over one line, as the docstring says it, for sections that differ in size."""
    world(16)
    placement = Placement("cpu", range(size))

    def of(a: Any, b: Any, shape: tuple[int, ...] = (numel,)) -> list[Any]:
        move = lines.MoveLines(Layout(shape, placement, (a,)), Layout(shape, placement, (b,)), 8)
        return [closed.amounts(move, rank) for rank in range(size)]

    pieces = [stop - start for start, stop in (balanced(numel, size, k) for k in range(size))]
    have = sum(n > 0 for n in pieces)
    others = [have - (n > 0) for n in pieces]
    assert of(S0, B) == [((size - 1) * n, numel - n, (size - 1) * (n > 0), 0) for n in pieces]
    assert of(P, S0) == [(numel - n, (size - 1) * n, more, (size - 1) * n) for n, more in zip(pieces, others)]
    whole = (size - 1) * numel
    assert of(P, B) == [(whole, whole, size - 1, whole)] * size
    for a, b in [(B, S0), (B, P), (B, B), (S0, P), (P, P), (S0, S0)]:
        assert of(a, b) == [(0, 0, 0, 0)] * size
    square = of(S0, S1, (numel, numel))
    assert square == [(n * (numel - n), n * (numel - n), more * (n > 0), 0) for n, more in zip(pieces, others)]


def test_shares_are_combined_along_the_innermost_dimension_first():
    grid = list(itertools.product(range(2), range(3)))
    assert combine_runs(("sum", "sum"), grid) == (("sum", 2), ("sum", 3))
    assert combine_runs(("max", "sum"), grid[:3]) == (("sum", 3),)
    assert combine_runs(("sum", "sum"), [(0, 0), (1, 1), (1, 2)]) == (("sum", 3),)


# ------------------------------------------------------------------------------------------------ simulated ranks


def shares_of(layout: Layout, whole: numpy.ndarray, random: numpy.random.Generator) -> list[numpy.ndarray]:
    """By rank, shards of a tensor: random shares of it along the dimensions of the grid that are partial. Small integers, in float64."""
    shares = {(): whole}
    for kind, count in zip(layout.sbp, layout.placement.shape):
        if kind.is_partial:
            shares = {(*key, k): one for key, x in shares.items() for k, one in enumerate(parted(x, kind, count, random))}
    found = {rank: shares[h.share][tuple(slice(*r) for r in h.box)] for rank, h in layout.holdings().items()}
    return [found[rank] for rank in sorted(found)]


def parted(x: numpy.ndarray, kind: Any, count: int, random: numpy.random.Generator) -> list[numpy.ndarray]:
    others = [random.integers(-9, 9, x.shape).astype(float) for _ in range(count - 1)]
    if kind.op == "sum":
        return [x - sum(others), *others]
    return [numpy.minimum(one, x) for one in others] + [x]


MESHES = [(2, 2), (2, 3), (3, 2), (2, 2, 2), (4, 2), (2, 4)]


@pytest.mark.parametrize("mesh", MESHES, ids=str)
@pytest.mark.parametrize("nodes", [1, 2])
def test_random_moves_over_grids(mesh, nodes):
    """Every rank has in the end what the layout says of the tensor that all were made of; it is known before anything moves."""
    random, size = Random(str(mesh)), int(numpy.prod(mesh))
    cases = []
    for number in range(12):
        shape = random.choice([(5, 3), (8, 8), (1, 7), (13,), (4, 1, 6), ()])
        kinds = [B, P, Pmax, *map(split, range(len(shape)))]
        pair = [tuple(random.choice(kinds) for _ in mesh) for _ in range(2)]
        whole = numpy.random.default_rng(number).integers(-50, 50, shape).astype(float)
        cases.append((shape, *pair, whole, number))

    def run() -> None:
        placement = flow.placement("cpu", numpy.arange(size).reshape(mesh))
        for shape, a, b, whole, number in cases:
            source = Layout(shape, placement, a)
            mine = shares_of(source, whole, numpy.random.default_rng(number))[this_rank().index]
            x = flow.tensor(mine, dtype=flow.float64).to_global(placement, a)
            y = x.to_global(sbp=b)
            assert numpy.array_equal(y.numpy(), whole), (a, b)
            if not any(s.is_partial for s in b):
                box = Layout(shape, placement, b).holding(this_rank().index).box
                assert numpy.array_equal(y.to_local().numpy(), whole[tuple(slice(*r) for r in box)]), (a, b)

    flow.testing.simulate(size, nodes=nodes)(run)()


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_sum_over_a_grid_has_the_same_bits_by_every_route(dtype):
    """Also on several nodes, where it goes by lines. A bfloat16 is rounded once for each dimension of the grid."""
    mesh, kind = (2, 4), getattr(flow, dtype)
    numbers = numpy.random.default_rng(3).standard_normal((8, 12, 20)).astype(numpy.float32)
    given = flow.tensor(numbers).to(kind).to(flow.float32).numpy()
    rows = given.reshape(2, 4, 12, 20)
    inner = rows[:, 0]
    for k in range(1, 4):
        inner = inner + rows[:, k]
    inner = flow.tensor(inner).to(kind).to(flow.float32).numpy()
    expected = flow.tensor(inner[0] + inner[1]).to(kind).to(flow.float32).numpy()

    def run() -> list[Any]:
        from tritonflow.boxing.steps import run_route

        placement = Placement("cpu", numpy.arange(8).reshape(mesh))
        source, target = Layout((12, 20), placement, (P, P)), Layout((12, 20), placement, (B, B))
        x = flow.tensor(given[this_rank().index]).to(kind)
        found = list(routes.routes(source, target, kind, this_rank().world_size // this_rank().nodes))
        return [run_route(one, x).to(flow.float32).numpy() for one in found]

    for nodes in (1, 2):
        for by_route in flow.testing.simulate(8, nodes=nodes)(run)():
            assert len(by_route) > 1 and all(numpy.array_equal(one, expected) for one in by_route)
