"""Pieces: who has which box and share of a logical tensor, who wants which, and so which rank gives what to whom.

This is all of boxing's geometry. It holds for uneven, empty and nested splits, and for equal, permuted, subset, superset and
disjoint placements. Integers only: nothing here depends on the rank of this process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tritonflow.framework.meta import numel_of
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import NdSbp, nd_text, plain
from tritonflow.framework.shards import Box, Cut, Shape, box_of, box_shape, intersection, share_of

Share = tuple[int, ...]  # the position along each mesh dimension that is partial


class Layout(NamedTuple):
    """How a logical tensor lies over ranks.

    Attributes:
        shape: of the logical tensor.
        placement: over which ranks.
        sbp: how, for each dimension of the placement.
        cut: where it lies as it does in a larger tensor, which is said to lie so instead.
    """

    shape: Shape
    placement: Placement
    sbp: NdSbp
    cut: Cut | None = None

    def holding(self, rank: int) -> Holding | None:
        """What a rank holds; None outside of the placement."""
        return _holdings(self).get(rank)

    def share(self, rank: int) -> Share:
        """Which share a rank of the placement holds."""
        return _holdings(self)[rank].share

    def plain(self) -> Layout:
        """The same, with broadcast along mesh dimensions of one rank: any sbp says that there."""
        return self._replace(sbp=plain(self.sbp, self.placement.shape))

    def cells(self) -> dict[Holding, dict[int, None]]:
        """The ranks that hold the same, in the order of the placement."""
        cells: dict[Holding, dict[int, None]] = {}
        for rank, holding in _holdings(self).items():
            cells.setdefault(holding, {})[rank] = None
        return cells

    def holdings(self) -> dict[int, Holding]:
        """What every rank holds, in the order of the placement."""
        return dict(_holdings(self))

    def partial_ops(self) -> tuple[str, ...]:
        """The op of every mesh dimension that is partial."""
        return tuple([s.op for s in self.sbp if s.op is not None])

    def __str__(self) -> str:
        ranks = ", ".join(map(str, self.placement.order))
        cut = "" if self.cut is None else f", cut {tuple(self.cut)}"
        return f"{nd_text(self.sbp)}{cut} on {self.placement.type}[{ranks}]"


class Holding(NamedTuple):
    """What a rank holds: a box of the logical tensor, and which share of its elements."""

    box: Box
    share: Share


@lru_cache(maxsize=256)
def _holdings(layout: Layout) -> dict[int, Holding]:
    shape, placement, sbp, cut = layout
    mesh, around = placement.shape, shape if cut is None else cut.around(shape)
    holdings = {}
    for rank, coordinate in zip(placement.order, placement.coordinates()):
        box = box_of(around, mesh, sbp, coordinate)
        if cut is not None:
            box = cut.of(box, shape[cut.dim])
        holdings[rank] = Holding(box, share_of(sbp, mesh, coordinate))
    return holdings


class Piece(NamedTuple):
    """What one rank gives to another, or to itself. There is at most one for two ranks.

    Attributes:
        source, target: the ranks.
        box: of the logical tensor.
        share: which share of its elements.
        numel: how many elements it has.
    """

    source: int
    target: int
    box: Box
    share: Share
    numel: int

    @property
    def moves(self) -> bool:
        """Whether it goes to another rank."""
        return self.source != self.target


class Fill(NamedTuple):
    """A box of a rank's share that holds the identity of an op, because the numbers are in another share."""

    target: int
    box: Box
    op: str


def box_numel(box: Box) -> int:
    """The number of elements of a box."""
    return numel_of(box_shape(box))


def fits_one_move(source: Layout, target: Layout) -> bool:
    """Whether one exchange does it; shares of one op become shares of another only by way of whole elements."""
    before, after = source.partial_ops(), target.partial_ops()
    if not before or not after or len({*before, *after}) == 1:
        return True
    return _retains_outer_shares(source, target)


def makes_shares(source: Layout, target: Layout) -> bool:
    """Whether a move makes shares of what was whole."""
    return bool(target.partial_ops()) and not source.partial_ops()


def _retains_outer_shares(source: Layout, target: Layout) -> bool:
    """Whether the target's partial dimensions are the outermost of the source's, over the same mesh."""
    if source.placement is not target.placement:
        return False
    before = [(k, s) for k, s in enumerate(source.sbp) if s.is_partial]
    after = [(k, s) for k, s in enumerate(target.sbp) if s.is_partial]
    return before[: len(after)] == after


def pieces(source: Layout, target: Layout, node_size: int) -> tuple[list[Piece], list[Fill]]:
    """Who gives what to whom, and what is filled with an op's identity.

    Every rank gets each element of its target box once from each share. Of ranks that hold the same, one gives to itself. Else
    one of the same node gives (a node has `node_size` ranks), the one that has given least so far.

    Where the target is partial, all that a rank holds goes to its own target share, so that most of it stays where it is.
    """
    wanted = target.cells()
    found: list[Piece] = []
    fills: list[Fill] = []
    given: Counter[int] = Counter()
    for number, (cell, holders) in enumerate(source.cells().items()):
        share = _target_share(source, target, cell, holders, number)
        for want, ranks in wanted.items():
            box = intersection(cell.box, want.box)
            if box is None:
                continue
            if want.share != share:
                op = _op_of_identity(target, want.share, share)
                fills += [Fill(rank, box, op) for rank in ranks]
                continue
            numel = box_numel(box)
            for rank in ranks:
                giver = rank
                if rank not in holders:
                    giver = _nearest(holders, rank, given, node_size)
                    given[giver] += numel
                found.append(Piece(giver, rank, box, cell.share, numel))
    covered = {(p.target, p.box) for p in found} if fills else set()
    return found, [f for f in dict.fromkeys(fills) if (f.target, f.box) not in covered]


def _target_share(source: Layout, target: Layout, cell: Holding, holders: Iterable[int], number: int) -> Share:
    """In which share of the target the numbers of a cell are."""
    ops = target.partial_ops()
    if not ops:
        return ()
    if source.partial_ops() and _retains_outer_shares(source, target):
        return cell.share[: len(ops)]
    order = target.placement.order
    rank = next((r for r in holders if target.placement.coordinate(r) is not None), order[number % len(order)])
    return target.share(rank)


def _op_of_identity(target: Layout, share: Share, numbers: Share) -> str:
    """The op whose identity a share holds where the numbers are in another one.

    That of the outermost partial dimension along which the two differ: there it makes one of both. But a sum further inside
    would add that identity to itself, and integers wrap around. So there the first position has it, and the others have 0.
    """
    ops = target.partial_ops()
    outermost = next(k for k, (a, b) in enumerate(zip(share, numbers)) if a != b)
    inside = zip(ops[outermost + 1 :], share[outermost + 1 :])
    return "sum" if any(op == "sum" and position for op, position in inside) else ops[outermost]


def _nearest(holders: Iterable[int], rank: int, given: Counter[int], node_size: int) -> int:
    node = rank // node_size
    return min(holders, key=lambda h: (h // node_size != node, given[h]))


def combine_runs(source: Layout, target: Layout) -> list[tuple[str, int]]:
    """How the shares of an element become one: (op, count) of neighbouring mesh dimensions, the outermost first.

    Shares of one op are combined from left to right in the order of the mesh. With several ops, the innermost run is first.
    """
    remaining = [(s.op, n) for s, n in zip(source.sbp, source.placement.shape) if s.op is not None]
    if remaining and _retains_outer_shares(source, target):
        remaining = remaining[len(target.partial_ops()) :]
    return list(_joined(remaining))


def _joined(dimensions: list[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    while dimensions:
        op, count = dimensions[0]
        dimensions = dimensions[1:]
        while dimensions and dimensions[0][0] == op:
            count *= dimensions[0][1]
            dimensions = dimensions[1:]
        yield op, count
