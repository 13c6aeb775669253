"""Routes carried out in NumPy: every rank's shard in one process, and messages that are counted."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import reduce

import numpy

from tritonflow.boxing.moves import Move, Transfer
from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import Route
from tritonflow.framework.shards import box_shape

FUNCTIONS = {"sum": numpy.add, "max": numpy.maximum, "min": numpy.minimum}
IDENTITIES = {"sum": 0, "max": -(1 << 62), "min": 1 << 62}

Shards = dict[int, numpy.ndarray]


def view(array: numpy.ndarray, box) -> numpy.ndarray:
    return array[(*[slice(start, stop) for start, stop in box], ...)]  # a view also without dimensions


def inside(array: numpy.ndarray, box, around) -> numpy.ndarray:
    """The part of the shard `array`, whose box is `around`, that a box of the logical tensor is."""
    return view(array, [(start - begin, stop - begin) for (start, stop), (begin, _) in zip(box, around)])


def random_shards(layout: Layout, seed: int = 0) -> Shards:
    """Shards of integers; ranks that hold the same have the same."""
    random = numpy.random.default_rng(seed)
    whole: dict = {}
    shards = {}
    for rank, (box, share) in layout.holdings().items():
        if share not in whole:
            whole[share] = random.integers(-1000, 1000, layout.shape)
        shards[rank] = view(whole[share], box).copy()
    return shards


def assembled(layout: Layout, shards: Shards) -> numpy.ndarray:
    """The logical tensor; checks that replicas agree."""
    mesh, sbp = layout.placement.shape, layout.sbp
    dims = [k for k, s in enumerate(sbp) if s.is_partial]
    whole: dict = {}
    for rank, (box, share) in layout.holdings().items():
        array, known = whole.setdefault(
            share, (numpy.zeros(layout.shape, numpy.int64), numpy.zeros(layout.shape, bool))
        )
        seen = view(known, box)
        assert (view(array, box)[seen] == shards[rank][seen]).all(), "ranks that hold the same differ"
        view(array, box)[...] = shards[rank]
        seen[...] = True
    assert all(known.all() for _, known in whole.values())
    arrays = {share: array for share, (array, _) in whole.items()}
    for position in reversed(range(len(dims))):  # the innermost first
        function = FUNCTIONS[sbp[dims[position]].op]
        outer = itertools.product(*[range(mesh[d]) for d in dims[:position]])
        arrays = {
            share: reduce(function, [arrays[(*share, k)] for k in range(mesh[dims[position]])]) for share in outer
        }
    return arrays[()]


def run(route: Route, shards: Shards) -> tuple[Shards, dict[int, int]]:
    """The target's shards, and how many elements each rank sent to others."""
    return run_moves(route.steps, shards, route.target)


def run_moves(moves: Sequence[Move | Transfer], shards: Shards, target: Layout) -> tuple[Shards, dict[int, int]]:
    """The same of moves, the last of which goes to `target`."""
    sent: dict[int, int] = {}
    for move in moves:
        if isinstance(move, Move):
            shards = _run_move(move, shards, sent)
    return {rank: shards[rank].reshape(box_shape(h.box)) for rank, h in target.holdings().items()}, sent


def _run_move(move: Move, shards: Shards, sent: dict[int, int]) -> Shards:
    source = move.source.holdings()
    shards = {rank: shards[rank].reshape(box_shape(h.box)) for rank, h in source.items()}
    wire, ranks = {}, sorted({*move.source.placement.order, *move.target.placement.order})
    for rank in ranks:
        for piece in move.work_of(rank).sent:
            wire[rank, piece.target] = inside(shards[rank], piece.box, source[rank].box).copy()
            if piece.moves:
                sent[rank] = sent.get(rank, 0) + piece.numel
    assert sorted(p for r in ranks for p in move.work_of(r).sent) == sorted(p for r in ranks for p in move.work_of(r).received)
    for group in move.groups.all():
        _check_form(group, [piece for rank in group.ranks for piece in move.work_of(rank).sent])
    return {rank: _assemble(move, rank, shards, wire) for rank in move.target.placement.order}


def _check_form(group, pieces) -> None:
    """Whether the pieces are what the group's verb moves."""
    pairs = {(p.source, p.target) for p in pieces}
    assert {rank for pair in pairs for rank in pair} <= set(group.ranks) and len(pairs) == len(pieces)
    assert any(a != b for a, b in pairs)
    if group.verb == "gather":
        assert pairs == set(itertools.product(group.ranks, repeat=2)) and len({p.numel for p in pieces}) == 1
        assert len({(p.source, p.box) for p in pieces}) == len(group.ranks)
    elif group.verb == "broadcast":
        assert len({p.source for p in pieces}) == len({p.box for p in pieces}) == 1
        assert len(pieces) == len(group.ranks) - 1
    elif group.verb == "send":
        assert len(pieces) == 1
    else:
        assert group.verb == "exchange"


def _assemble(move: Move, rank: int, shards: Shards, wire) -> numpy.ndarray:
    work = move.work_of(rank)
    result = numpy.zeros(box_shape(work.wanted), numpy.int64)
    written = numpy.zeros(result.shape, int)
    for fill in work.fills:
        inside(result, fill.box, work.wanted)[...] = IDENTITIES[fill.op]
        inside(written, fill.box, work.wanted)[...] = 1
    pieces = numpy.zeros(result.shape, int)
    for cell in work.cells:
        values = [
            wire[p.source, rank] if (p.source, rank) in wire else inside(shards[rank], p.box, work.holding)
            for p in cell.pieces
        ]
        for op, count in reversed(cell.runs):
            values = [reduce(FUNCTIONS[op], values[k : k + count]) for k in range(0, len(values), count)]
        (value,) = values
        inside(result, cell.box, work.wanted)[...] = value
        inside(pieces, cell.box, work.wanted)[...] += 1
    assert (pieces <= 1).all() and (written + pieces >= 1).all(), "an element is written by two cells, or not at all"
    return result
