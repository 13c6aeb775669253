"""Pieces: what each rank gets covers its shard once, for any layouts; by hypothesis, in integers."""

from __future__ import annotations

import itertools

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.consistent import numpy_ranks
from tritonflow.boxing.closed import amounts, totals
from tritonflow.boxing.lines import MoveLines
from tritonflow.boxing.moves import Move
from tritonflow.boxing.pieces import Layout, fits_one_move
from tritonflow.boxing.views import Window, first_of_run, merged, whole
from tritonflow.device.device import Device
from tritonflow.dtypes import float32
from tritonflow.framework.meta import contiguous_meta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast, partial_max, partial_min, partial_sum, split
from tritonflow.framework.shards import Cut, balanced, box_shape
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import Rank

WORLD = 12


@pytest.fixture(scope="module", autouse=True)
def world():
    """Placements over more ranks than this process has."""
    thread_state.rank = Rank(0, WORLD, 0, WORLD, 0, 1)
    yield
    thread_state.rank = None


@st.composite
def pairs(draw) -> tuple[Layout, Layout]:
    """Two layouts of one tensor."""
    shape = tuple(draw(st.lists(st.integers(0, 7), max_size=3)))
    return draw(layouts(shape)), draw(layouts(shape))


@st.composite
def layouts(draw, shape) -> Layout:
    mesh = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3).filter(lambda m: numpy.prod(m) <= WORLD)))
    order = draw(st.permutations(range(WORLD)))[: numpy.prod(mesh)]
    sbps = [broadcast, partial_sum, partial_max, partial_min, *[split(d) for d in range(len(shape))]]
    sbp = tuple([draw(st.sampled_from(sbps)) for _ in mesh])
    cut = draw(cuts(shape)) if shape and draw(st.booleans()) else None
    return Layout(shape, Placement("cpu", numpy.array(order).reshape(mesh)), sbp, cut)


@st.composite
def cuts(draw, shape) -> Cut:
    """A larger tensor of which one of this shape is a slice."""
    dim = draw(st.integers(0, len(shape) - 1))
    start, step, behind = draw(st.integers(0, 4)), draw(st.integers(1, 3)), draw(st.integers(0, 4))
    return Cut(dim, start + max(shape[dim] - 1, 0) * step + 1 + behind, start, step)


@given(layouts((5, 3)).filter(lambda layout: layout.cut is not None))
@settings(max_examples=60, deadline=None)
def test_a_cut_is_what_ranks_have_of_a_slice(layout):
    (dim, size, start, step), n = layout.cut, layout.shape[layout.cut.dim]
    larger = layout._replace(shape=layout.cut.around(layout.shape), cut=None)
    assert larger.shape[dim] == size
    for rank in layout.placement.order:
        first, stop = larger.holding(rank).box[dim]
        indices = [k for k in range(n) if first <= start + k * step < stop]
        assert list(range(*layout.holding(rank).box[dim])) == indices


@given(pairs(), st.sampled_from([1, 3, 4, WORLD]))
@settings(max_examples=60, deadline=None)
def test_a_move_gives_the_same_tensor(pair, node_size):
    source, target = pair
    if not fits_one_move(source, target):
        return
    shards = numpy_ranks.random_shards(source)
    result, _ = numpy_ranks.run_moves([Move(source, target, node_size)], shards, target)  # writes every element once
    assert numpy.array_equal(numpy_ranks.assembled(target, result), numpy_ranks.assembled(source, shards))


@given(pairs(), st.sampled_from([1, 3, WORLD]))
@settings(max_examples=60, deadline=None)
def test_pieces(pair, node_size):
    """What a rank takes is what others give it. Nobody gets from others what it has; all that one lacks comes of one replica."""
    source, target = pair
    if not fits_one_move(source, target):
        return
    lines = MoveLines(source, target, node_size)
    taken = [piece for rank in range(WORLD) for piece in lines.takes(rank)]
    given = [piece for rank in range(WORLD) for piece in lines.gives(rank)]
    assert sorted(taken) == sorted(given) and len({(p.source, p.target) for p in taken}) == len(taken)
    held = source.holdings()
    replicas = {r: [c for c, s in zip(source.placement.coordinate(r), source.sbp) if s is broadcast] for r in held}
    assert all(len({str(replicas[p.source]) for p in taken if p.target == rank}) <= 1 for rank in range(WORLD))
    for piece in taken:
        assert piece.numel > 0
        assert piece.source == piece.target or piece.target not in [r for r, h in held.items() if h == held[piece.source]]


@given(pairs(), st.sampled_from([1, 3, WORLD]))
@settings(max_examples=60, deadline=None)
def test_closed_formulas(pair, node_size):
    """They give what the pieces add up to, for every rank and for all."""
    source, target = pair
    if not fits_one_move(source, target):
        return
    lines = MoveLines(source, target, node_size)
    pieces = [piece for rank in range(WORLD) for piece in lines.takes(rank)]
    for rank in range(WORLD):
        given, taken = ([p for p in pieces if side(p) == rank] for side in (lambda p: p.source, lambda p: p.target))
        made = {p.box: p.numel for p in taken}
        assert amounts(lines, rank) == (
            sum(p.numel for p in given if p.moves),
            sum(p.numel for p in taken if p.moves),
            sum(p.moves for p in given),
            sum(p.numel for p in taken) - sum(made.values()),
        )
    moving = [(p.source // node_size == p.target // node_size, p.numel) for p in pieces if p.moves]
    combined = sum(p.numel for p in pieces) if Move(source, target, node_size).ops else 0
    assert totals(source, target, node_size) == (sum(n for near, n in moving if near), sum(n for near, n in moving if not near), combined)


@given(pairs())
@settings(max_examples=40, deadline=None)
def test_groups(pair):
    """Every rank is in one group at most, and two ranks are in one if and only if pieces join them."""
    source, target = pair
    if not fits_one_move(source, target):
        return
    move = Move(source, target, WORLD)
    groups = [set(group.ranks) for group in move.groups.all()]
    assert len({rank for group in groups for rank in group}) == sum(map(len, groups))
    assert all(move.groups.of(rank).ranks == tuple(sorted(group)) for group in groups for rank in group)
    joined = [{p.source, p.target} for rank in range(WORLD) for p in move.lines.takes(rank) if p.moves]
    while any(a is not b and a & b for a, b in itertools.combinations(joined, 2)):
        a, b = next((a, b) for a, b in itertools.combinations(joined, 2) if a is not b and a & b)
        joined = [one for one in joined if one is not a and one is not b] + [a | b]
    assert sorted(map(sorted, joined)) == sorted(map(sorted, groups))


def test_replicas_share_the_work():
    """Of ranks that have the same, each gives to as many."""
    source = Layout((6,), Placement("cpu", range(3)), (broadcast,))
    target = Layout((6,), Placement("cpu", range(12)), (broadcast,))
    move = Move(source, target, WORLD)
    assert [move.sent_by(rank) for rank in range(4)] == [18, 18, 18, 0]
    near = Move(source._replace(placement=Placement("cpu", [0, 4, 8])), target, 4)
    assert [near.sent_by(rank) for rank in (0, 4, 8)] == [18, 18, 18]
    assert all(len({r // 4 for r in group.ranks}) == 1 for group in near.groups.all())


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_runs_in_memory(data):
    """`first_of_run` finds where boxes lie one behind the other, by numbering the elements."""
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    number = numpy.arange(numpy.prod(shape)).reshape(shape)
    box = st.tuples(*[st.tuples(st.integers(0, n - 1), st.integers(1, n)).filter(lambda r: r[0] < r[1]) for n in shape])
    boxes = data.draw(st.lists(box, min_size=1, max_size=3))
    elements = numpy.concatenate([numpy_ranks.view(number, b).reshape(-1) for b in boxes])
    runs = (numpy.diff(elements) == 1).all()
    assert first_of_run(boxes, shape) == (elements[0] if runs else None)
    assert sum(numpy.prod(box_shape(b)) for b in boxes) == len(elements)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_merged_copies(data):
    """Fewer copies write the same elements."""
    shape = tuple(data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=2)))
    source = whole(contiguous_meta(shape, float32, Device("cpu")))
    target = source
    box = st.tuples(*[st.tuples(st.integers(0, n - 1), st.integers(1, n)).filter(lambda r: r[0] < r[1]) for n in shape])
    dim, parts = data.draw(st.integers(0, len(shape) - 1)), data.draw(st.integers(1, 3))
    pieces = [tuple(balanced(n, parts, k) if d == dim else (0, n) for d, n in enumerate(shape)) for k in range(parts)]
    boxes = [b for b in [*pieces, *data.draw(st.lists(box, max_size=2))] if numpy.prod(box_shape(b))]
    copies = [(target.box(b), source.box(b)) for b in boxes]
    fewer = merged(copies)
    assert [c for pair in fewer for c in elements(*pair)] == [c for pair in copies for c in elements(*pair)]
    if shape[dim] % parts == 0:
        assert len(merged(copies[:parts])) == 1


def elements(to: Window, source: Window) -> list[tuple[int, int]]:
    """The addresses, in the order of indices."""
    offsets = []
    for window in (to, source):
        steps = [numpy.arange(n) * s for n, s in zip(window.meta.shape, window.meta.stride)]
        offsets.append(window.offset + 4 * sum(numpy.ix_(*steps)).reshape(-1))
    return list(zip(*[one.tolist() for one in offsets]))
