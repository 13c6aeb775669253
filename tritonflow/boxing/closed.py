"""Closed formulas: what a move takes, without its pieces.

A box is a product of ranges, and so is what a rank gives: over each dimension of the tensor, what its range has of all sections of
the other layout adds up. The product of these sums, times replicas or shares, is the sum over all pieces. Over one line of n ranks,
for a tensor of T elements of which rank k has piece s_k:

              sent                  received               messages                  added
    S  -> B   (n - 1) s_k           T - s_k                n - 1                     0
    P  -> S   T - s_k               (n - 1) s_k            n - 1                     (n - 1) s_k
    S' -> S   s'_k (1 - s_k / T)    s_k (1 - s'_k / T)     n - 1                     0
    P  -> B   (n - 1) T             (n - 1) T              n - 1                     (n - 1) T
    B  -> any, S -> P               0                      0                         0

Messages are those that are sent; ranks that have or want nothing are not counted.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy

from tritonflow.boxing.lines import Fixed, Grid, MoveLines, overlaps
from tritonflow.boxing.pieces import Layout, combined_dims
from tritonflow.framework.meta import numel_of
from tritonflow.framework.placement import Placement
from tritonflow.framework.shards import Box, box_shape, intersection


class Amounts(NamedTuple):
    """What one rank does in a move.

    Attributes:
        sent, received: elements to and from other ranks.
        messages: how many it sends.
        added: elements that it adds, or takes a maximum or minimum with.
    """

    sent: int
    received: int
    messages: int
    added: int


class MoveTotals(NamedTuple):
    """What all ranks do together.

    Attributes:
        near, far: elements that are sent within nodes and between them.
        combined: elements of shares that are read to be combined.
    """

    near: int
    far: int
    combined: int


def amounts(lines: MoveLines, rank: int) -> Amounts:
    """What one rank does."""
    sent, messages, _ = _given(lines, rank)
    taken, _, elements = _taken(lines, rank)
    own = _own(lines, rank)
    return Amounts(sent - own, taken - own, messages - (own > 0), taken - elements)


def _given(lines: MoveLines, rank: int) -> tuple[int, int, int]:
    """Elements and pieces that a rank gives, also to itself."""
    held, fixed = lines.source.holding(rank), lines.fixed_for_giver(rank)
    if held is None or fixed is None:
        return 0, 0, 0
    if not lines.over_one_mesh and lines.have.replicas:
        pieces = lines.gives(rank)
        return sum([p.numel for p in pieces]), len(pieces), 0
    return _product(lines.want, held.box, fixed, lines.want.replicas)


def _taken(lines: MoveLines, rank: int) -> tuple[int, int, int]:
    """Elements and pieces that a rank gets, also from itself, and elements that it makes of them."""
    wanted, fixed = lines.target.holding(rank), lines.fixed_for_taker(rank)
    if wanted is None or fixed is None:
        return 0, 0, 0
    if lines.asks_cells:
        pieces = lines.takes(rank)
        return sum([p.numel for p in pieces]), len(pieces), sum({p.box: p.numel for p in pieces}.values())
    return _product(lines.have, wanted.box, fixed, lines.have.shares)


def _product(cells: Grid, box: Box, fixed: Fixed, repeated: tuple[int, ...]) -> tuple[int, int, int]:
    """Elements and number of what the cells of a grid have of a box, for all replicas or shares; and elements for one."""
    elements = pieces = 1
    for d, (start, stop) in enumerate(box):
        if any(k in fixed for k in cells.split_by[d]):
            found = cells.overlapping(d, start, stop, fixed)
            elements *= sum([min(one.stop, stop) - max(one.start, start) for one in found])
            pieces *= len(found)
        else:
            first, last = cells.indices(d, start, stop)
            elements *= stop - start
            pieces *= last - first
    mesh = cells.layout.placement.shape
    times = prod([mesh[k] for k in repeated if k not in fixed])
    return elements * times, pieces * times, elements


def _own(lines: MoveLines, rank: int) -> int:
    """Elements that a rank gives to itself."""
    held, wanted = lines.source.holding(rank), lines.target.holding(rank)
    if held is None or wanted is None or lines.target_share(rank) != wanted.share:
        return 0
    both = intersection(held.box, wanted.box)
    return 0 if both is None else numel_of(box_shape(both))


@lru_cache(maxsize=4096)
def totals(source: Layout, target: Layout, node_size: int) -> MoveTotals:
    """What all ranks do together."""
    lines = MoveLines(source, target, node_size)
    pieces = numel_of(source.shape) * source.multiplicity("partial") * target.multiplicity("broadcast")
    moving = pieces - own_elements(source, target)
    combined = pieces if combined_dims(source, target) else 0
    if not moving:
        return MoveTotals(0, 0, combined)
    nodes = {rank // node_size for rank in (*source.placement.order, *target.placement.order)}
    near = moving if len(nodes) == 1 else _near(lines) if node_size > 1 else 0
    return MoveTotals(near, moving - near, combined)


@lru_cache(maxsize=4096)
def own_elements(source: Layout, target: Layout) -> int:
    """How many elements ranks give to themselves."""
    lines = MoveLines(source, target, 1)
    g, t = _common(source.placement, target.placement)
    given, wanted = lines.target_shares()
    own = overlaps(lines.have.boxes[..., g], lines.want.boxes[..., t])
    return int(own[given[g] == wanted[t]].sum())


def _near(lines: MoveLines) -> int:
    """How many elements are sent within nodes. Each rank is compared with those of its node."""
    givers, takers = (numpy.array(one.placement.order) for one in (lines.source, lines.target))
    g, t = _pairs(lines.source.placement, lines.target.placement, lines.node_size)
    (replica, of_replica), (share, of_share) = lines.replicas(), lines.target_shares()
    fits = (givers[g] != takers[t]) & (replica[g] == of_replica[t]) & (share[g] == of_share[t])
    g, t = g[fits], t[fits]
    return int(overlaps(lines.have.boxes[..., g], lines.want.boxes[..., t]).sum())


@lru_cache(maxsize=64)
def _common(source: Placement, target: Placement) -> tuple[Any, Any]:
    """The positions of the ranks that both placements have."""
    _, g, t = numpy.intersect1d(source.order, target.order, assume_unique=True, return_indices=True)
    return g, t


@lru_cache(maxsize=64)
def _pairs(source: Placement, target: Placement, node_size: int) -> tuple[Any, Any]:
    """The positions of all pairs of a giver and a taker on one node."""
    givers, takers = (numpy.array(one.order) // node_size for one in (source, target))
    by_node = numpy.argsort(givers, kind="stable")
    first, last = (numpy.searchsorted(givers[by_node], takers, side) for side in ("left", "right"))
    counts = last - first
    t = numpy.repeat(numpy.arange(len(takers)), counts)
    within = numpy.arange(len(t)) - numpy.repeat(numpy.cumsum(counts) - counts, counts)
    return by_node[first[t] + within], t
