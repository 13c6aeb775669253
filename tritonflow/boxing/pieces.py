"""Pieces: what ranks have of a logical tensor, and what one gives to another. Integers only, and the same on every rank."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from tritonflow.framework.meta import numel_of
from tritonflow.framework.placement import Coordinate, Placement
from tritonflow.framework.sbp import NdSbp, nd_text, plain
from tritonflow.framework.shards import Box, Cut, Shape, box_of, box_shape, share_of

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
        coordinate = self.placement.coordinate(rank)
        return None if coordinate is None else self._holding(coordinate)

    def _holding(self, coordinate: Coordinate) -> Holding:
        shape, placement, sbp, cut = self
        if cut is None:
            box = box_of(shape, placement.shape, sbp, coordinate)
        else:
            box = cut.of(box_of(cut.around(shape), placement.shape, sbp, coordinate), shape[cut.dim])
        return Holding(box, share_of(sbp, placement.shape, coordinate))

    def plain(self) -> Layout:
        """The same, with broadcast along mesh dimensions of one rank: any sbp says that there."""
        return self._replace(sbp=plain(self.sbp, self.placement.shape))

    def holdings(self) -> dict[int, Holding]:
        """What every rank holds, in the order of the placement."""
        return {rank: self._holding(c) for rank, c in zip(self.placement.order, self.placement.coordinates())}

    def multiplicity(self, kind: str) -> int:
        """How many replicas ("broadcast") or shares ("partial") there are of each element."""
        return prod([n for s, n in zip(self.sbp, self.placement.shape) if s.kind == kind])

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
    return retains_outer_shares(source, target)


def makes_shares(source: Layout, target: Layout) -> bool:
    """Whether a move makes shares of what was whole."""
    return bool(target.partial_ops()) and not source.partial_ops()


def retains_outer_shares(source: Layout, target: Layout) -> bool:
    """Whether the target's partial dimensions are the outermost of the source's, over the same mesh."""
    if source.placement is not target.placement:
        return False
    before = [(k, s) for k, s in enumerate(source.sbp) if s.is_partial]
    after = [(k, s) for k, s in enumerate(target.sbp) if s.is_partial]
    return before[: len(after)] == after


def op_of_identity(target: Layout, share: Share, numbers: Share) -> str:
    """The op whose identity a share holds where the numbers are in another one.

    That of the outermost partial dimension along which the two differ: there it makes one of both. But a sum further inside
    would add that identity to itself, and integers wrap around. So there the first position has it, and the others have 0.
    """
    ops = target.partial_ops()
    outermost = next(k for k, (a, b) in enumerate(zip(share, numbers)) if a != b)
    inside = zip(ops[outermost + 1 :], share[outermost + 1 :])
    return "sum" if any(op == "sum" and position for op, position in inside) else ops[outermost]


def combined_dims(source: Layout, target: Layout) -> list[int]:
    """The mesh dimensions of the source along which shares become one."""
    partial = [k for k, s in enumerate(source.sbp) if s.is_partial]
    return partial[len(target.partial_ops()) :] if retains_outer_shares(source, target) else partial


def combine_runs(ops: Sequence[str], shares: Sequence[Share]) -> tuple[tuple[str, int], ...]:
    """How the shares of an element become one: (op, count), the outermost first; the innermost is done first.

    So the sum over nodes and their ranks is that of the nodes' sums, by whichever moves it is made. Some shares of a grid, as
    where a tensor becomes partial over other ranks, are combined one after the other.

    Example:
        >>> combine_runs(("max", "sum"), [(0, 0), (0, 1), (1, 0), (1, 1)])
        (('max', 2), ('sum', 2))
    """
    counts = [len(set(positions)) for positions in zip(*shares)]
    if prod(counts) != len(shares):
        return ((ops[0], len(shares)),)
    return tuple([(op, n) for op, n in zip(ops, counts) if n > 1])
