"""Lines: whom one rank gives what, and who gives to it. Of the n * n pieces of a move only these n are ever enumerated.

A rank takes all that it lacks from one replica of the source: its own, if it has one. So a move that changes the sbp of one
mesh dimension touches only this rank's line, which are the ranks that differ from it along that dimension:

    (S0, P) -> (S0, B) over [[0, 1, 2], [3, 4, 5]]      rank 4 gives to and takes from 3, 4, 5
    (P, B)  -> (B, B)                                   rank 4 gives to and takes from 1, 4

This is all of boxing's geometry. It holds for uneven, empty and nested splits, and for equal, permuted, subset, superset and
disjoint placements. A rank's number is found by its position in the placement's order, which is a sum over mesh dimensions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from heapq import heapify, heapreplace
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy

from tritonflow.boxing.pieces import Fill, Layout, Piece, Share, op_of_identity, retains_outer_shares
from tritonflow.framework.meta import contiguous_stride, numel_of
from tritonflow.framework.placement import Coordinate
from tritonflow.framework.sbp import split
from tritonflow.framework.shards import Box, Range, box_of, box_shape

Fixed = Mapping[int, int]  # coordinates, by mesh dimension
FREE: Fixed = MappingProxyType({})


class Section(NamedTuple):
    """A range of a tensor's dimension, which some ranks hold.

    Attributes:
        start, stop: the range, which is not empty.
        coordinate: along the mesh dimensions that split the tensor's dimension.
        position: what that adds to a rank's position.
    """

    start: int
    stop: int
    coordinate: Coordinate
    position: int


class Grid:
    """A layout as a product: sections of every dimension of the tensor, replicas, and shares.

    Attributes:
        layout: which.
        split_by: for each dimension of the tensor, the mesh dimensions that split it.
        ranges: for each, all ranges in the order of the mesh; some may be empty.
        sections: for each, those that are not, in ascending order; they cover the dimension without gaps.
        replicas, shares: the mesh dimensions of several ranks that are broadcast, and those that are partial.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.strides = contiguous_stride(layout.placement.shape)
        self.replicas = tuple([k for k, (s, n) in enumerate(zip(layout.sbp, layout.placement.shape)) if s.is_broadcast and n > 1])
        self.shares = tuple([k for k, s in enumerate(layout.sbp) if s.is_partial])
        dims = range(len(layout.shape))
        self.split_by = [tuple([k for k, s in enumerate(layout.sbp) if s.dim == d]) for d in dims]
        self.ranges = [self._ranges(d) for d in dims]
        self.sections = [
            [Section(*one, *at) for one, at in zip(ranges, self.positions(split_by)) if one[0] < one[1]]
            for ranges, split_by in zip(self.ranges, self.split_by)
        ]
        self.starts = [[one.start for one in sections] for sections in self.sections]
        self._by_coordinate = [{one.coordinate: one for one in sections} for sections in self.sections]

    def _ranges(self, d: int) -> list[Range]:
        shape, placement, _, cut = self.layout
        mesh = tuple([placement.shape[k] for k in self.split_by[d]])
        here = None if cut is None or cut.dim != d else cut._replace(dim=0)
        size, sbp = (shape[d] if here is None else here.size,), (split(0),) * len(mesh)
        boxes = [box_of(size, mesh, sbp, c) for c in product(*map(range, mesh))]
        return [(box if here is None else here.of(box, shape[d]))[0] for box in boxes]

    def positions(self, dims: Sequence[int], fixed: Fixed = FREE) -> Iterator[tuple[Coordinate, int]]:
        """All coordinates along some mesh dimensions, and what they add to a position."""
        mesh = self.layout.placement.shape
        strides = [self.strides[k] for k in dims]
        for coordinate in product(*[(fixed[k],) if k in fixed else range(mesh[k]) for k in dims]):
            yield coordinate, sum([c * stride for c, stride in zip(coordinate, strides)])

    def position(self, dims: Sequence[int], coordinate: Coordinate) -> int:
        """What a rank's coordinate along some mesh dimensions adds to its position."""
        return sum([coordinate[k] * self.strides[k] for k in dims])

    def repeated(self, fixed: Fixed) -> list[int]:
        """What adds to the position of a cell in each replica and share."""
        replicas, shares = self.positions(self.replicas, fixed), list(self.positions(self.shares, fixed))
        return [a + b for _, a in replicas for _, b in shares]

    def overlapping(self, d: int, start: int, stop: int, fixed: Fixed = FREE) -> list[Section]:
        """The sections of dimension d that have something of a range, at fixed coordinates."""
        split_by, mesh = self.split_by[d], self.layout.placement.shape
        if not any(k in fixed for k in split_by):
            first, last = self.indices(d, start, stop)
            return self.sections[d][first:last]
        choices = product(*[(fixed[k],) if k in fixed else range(mesh[k]) for k in split_by])
        found = [self._by_coordinate[d].get(coordinate) for coordinate in choices]
        return [one for one in found if one is not None and one.start < stop and start < one.stop]

    def indices(self, d: int, start: int, stop: int) -> Range:
        """The same without fixed coordinates, as a range of indices."""
        starts = self.starts[d]
        return (bisect_right(starts, start) - 1, bisect_left(starts, stop)) if start < stop else (0, 0)

    @cached_property
    def coordinates(self) -> Any:
        """By mesh dimension and position, in NumPy."""
        mesh = self.layout.placement.shape
        return numpy.indices(mesh).reshape(len(mesh), -1)

    @cached_property
    def boxes(self) -> Any:
        """Start and stop, by dimension of the tensor and position: (ndim, 2, ranks)."""
        mesh, size = self.layout.placement.shape, self.layout.placement.size
        boxes = numpy.empty((len(self.ranges), 2, size), numpy.int64)
        for d, split_by in enumerate(self.split_by):
            steps = contiguous_stride(tuple([mesh[k] for k in split_by]))
            index = numpy.zeros(size, numpy.int64)
            for k, step in zip(split_by, steps):
                index += self.coordinates[k] * step
            boxes[d] = numpy.array(self.ranges[d])[index].T
        return boxes

    def positions_along(self, dims: Sequence[int]) -> Any:
        """What each rank's coordinate along some mesh dimensions adds to its position, in NumPy."""
        along = numpy.zeros(self.layout.placement.size, numpy.int64)
        for k in dims:
            along += self.coordinates[k] * self.strides[k]
        return along


@lru_cache(maxsize=1024)
def grid(layout: Layout) -> Grid:
    """The grid of a layout."""
    return Grid(layout)


class MoveLines:
    """A move from one layout to another, as each rank sees it.

    Every rank gets each element of its target box once from each share. Where the target is partial, all that a rank holds goes
    to its own target share, so that most of it stays where it is.

    Attributes:
        source, target: the layouts.
        over_one_mesh: whether both have the same placement.
        makes_shares: whether the target's shares are others than those of the source.
    """

    def __init__(self, source: Layout, target: Layout, node_size: int) -> None:
        self.source, self.target, self.node_size = source, target, node_size
        self.have, self.want = grid(source), grid(target)
        self.over_one_mesh = source.placement is target.placement
        self.makes_shares = bool(target.partial_ops()) and not retains_outer_shares(source, target)
        self._shares_of_cells: dict[int, Share] = {}

    # ------------------------------------------------------------------------------------------ what one rank does

    def takes(self, rank: int) -> list[Piece]:
        """What a rank gets, also from itself, in the order of the givers."""
        wanted, fixed = self.target.holding(rank), self.fixed_for_taker(rank)
        if wanted is None or fixed is None:
            return []
        order, replica = self.source.placement.order, self.replica(rank)
        shares = list(self.have.positions(self.have.shares, fixed))
        found = []
        for position, box in _boxes(self.have, wanted.box, fixed):
            numel, position = numel_of(box_shape(box)), position + replica
            found += [Piece(order[position + more], rank, box, share, numel) for share, more in shares]
        if self.asks_cells:
            found = [piece for piece in found if self.target_share(piece.source) == wanted.share]
        return sorted(found)

    def cells(self, rank: int) -> list[int]:
        """From which cells of the source a rank gets something: the positions of those of the first share."""
        wanted, fixed = self.target.holding(rank), self.fixed_for_taker(rank)
        if wanted is None or fixed is None:
            return []
        replica = self.replica(rank)
        return [position + replica for position, _ in _boxes(self.have, wanted.box, fixed)]

    def shares_of(self, cell: int) -> list[int]:
        """The ranks that have a share of a cell."""
        return [self.source.placement.order[cell + more] for _, more in self.have.positions(self.have.shares)]

    def gives(self, rank: int) -> list[Piece]:
        """What a rank gives, also to itself, in the order of the takers."""
        held, fixed = self.source.holding(rank), self.fixed_for_giver(rank)
        if held is None or fixed is None:
            return []
        order, want = self.target.placement.order, self.want
        share = sum([c * want.strides[k] for k, c in zip(want.shares, self.target_share(rank))])
        replicas = [share + more for _, more in want.positions(want.replicas, fixed)]
        found = []
        for position, box in _boxes(want, held.box, fixed):
            numel = numel_of(box_shape(box))
            found += [Piece(rank, order[position + more], box, held.share, numel) for more in replicas]
        if not self.over_one_mesh and self.have.replicas:
            own = self.replica(rank)
            found = [piece for piece in found if self.replica(piece.target) == own]
        return sorted(found, key=lambda piece: piece.target)

    def fills(self, rank: int) -> list[Fill]:
        """What is filled with an op's identity, before pieces are written: as a whole, if one op fills all of it."""
        wanted = self.target.holding(rank)
        if wanted is None or not self.makes_shares:
            return []
        order, shares, ops = self.source.placement.order, list(self.have.positions(self.have.shares)), {}
        for position, box in _boxes(self.have, wanted.box, FREE):
            numbers = [self.target_share(order[position + more]) for _, more in shares]
            if wanted.share not in numbers:
                ops[box] = op_of_identity(self.target, wanted.share, numbers[-1])
        if len(ops) > 1 and len({*ops.values()}) == 1:
            return [Fill(wanted.box, *{*ops.values()})]
        return [Fill(box, op) for box, op in ops.items()]

    # --------------------------------------------------------------------------------------- which ranks, which shares

    def fixed_for_taker(self, rank: int) -> Fixed | None:
        """Coordinates along which all who give to a rank are like it, as far as the source's cells go; None if nobody gives."""
        coordinate = self.target.placement.coordinate(rank)
        if coordinate is None or not self.over_one_mesh:
            return {}
        return None if self._is_filled(coordinate) else {k: coordinate[k] for k in self.want.shares}

    def fixed_for_giver(self, rank: int) -> Fixed | None:
        """Coordinates along which all to whom a rank gives are like it; None if it gives nothing."""
        coordinate = self.source.placement.coordinate(rank)
        if coordinate is None or not self.over_one_mesh:
            return {}
        return None if self._is_filled(coordinate) else {k: coordinate[k] for k in (*self.have.replicas, *self.want.shares)}

    @property
    def is_product(self) -> bool:
        """Whether a rank gives to all at its fixed coordinates whose boxes overlap with its own, and to no others."""
        return self.over_one_mesh or not self.makes_shares and not self.have.replicas

    def _is_filled(self, coordinate: Coordinate) -> bool:
        """Whether a share of the target has only identities, because the numbers are in the first one."""
        return any(coordinate[k] for k in self.want.shares if k in self.have.replicas)

    @property
    def asks_cells(self) -> bool:
        """Whether each cell of the source has to be asked to which target share it goes."""
        return bool(self.want.shares) and not self.over_one_mesh

    def target_share(self, rank: int) -> Share:
        """In which share of the target the numbers of a rank of the source are: that of the first rank with the same numbers."""
        if not self.want.shares:
            return ()
        coordinate = self.source.placement.coordinate(rank)
        assert coordinate is not None
        if self.over_one_mesh:
            return tuple([0 if k in self.have.replicas else coordinate[k] for k in self.want.shares])
        cell = self.have.position([k for k in range(len(coordinate)) if k not in self.have.replicas], coordinate)
        share = self._shares_of_cells.get(cell)
        if share is None:
            share = self._shares_of_cells[cell] = self._share_of_cell(cell, coordinate)
        return share

    def _share_of_cell(self, cell: int, coordinate: Coordinate) -> Share:
        source, target = self.source.placement, self.target.placement
        holders = [source.order[cell + more] for _, more in self.have.positions(self.have.replicas)]
        rank = next((r for r in holders if target.coordinate(r) is not None), None)
        if rank is None:
            number = 0
            for k, (size, c) in enumerate(zip(source.shape, coordinate)):
                number = number if k in self.have.replicas else number * size + c
            rank = target.order[number % target.size]
        at = target.coordinate(rank)
        assert at is not None
        return tuple([at[k] for k in self.want.shares])

    def replica(self, rank: int) -> int:
        """Of which replica of the source a rank takes: what the replica adds to positions."""
        coordinate = self.source.placement.coordinate(rank)
        if coordinate is not None:
            return self.have.position(self.have.replicas, coordinate)
        return self._replicas_of_others[rank] if self.have.replicas else 0

    def replicas(self) -> tuple[Any, Any]:
        """Of which replica every rank of the source is, and every rank of the target takes; in NumPy."""
        own = self.have.positions_along(self.have.replicas)
        if self.over_one_mesh:
            return own, own
        return own, numpy.array([self.replica(rank) for rank in self.target.placement.order])

    def target_shares(self) -> tuple[Any, Any]:
        """To which share of the target every rank of the source gives, and every rank of the target has; in NumPy, as numbers."""
        have, want = self.have, self.want
        wanted = want.positions_along(want.shares)
        if not self.over_one_mesh:
            given = [self.target_share(rank) for rank in self.source.placement.order if want.shares]
            steps = [want.strides[k] for k in want.shares]
            numbers = [sum([c * step for c, step in zip(share, steps)]) for share in given]
            return numpy.array(numbers or [0] * self.source.placement.size), wanted
        return want.positions_along([k for k in want.shares if k not in have.replicas]), wanted

    @cached_property
    def _replicas_of_others(self) -> dict[int, int]:
        """Of which replica each rank takes that has none: one with ranks on its node, if there is, else one that is used least."""
        have, want, target = self.have, self.want, self.target.placement
        on_node: dict[int, dict[int, None]] = {}
        for rank, coordinate in zip(self.source.placement.order, self.source.placement.coordinates()):
            on_node.setdefault(rank // self.node_size, {})[have.position(have.replicas, coordinate)] = None
        cells = [k for k in range(target.ndim) if k not in want.replicas]
        others = [rank for rank in target.order if self.source.placement.coordinate(rank) is None]
        others.sort(key=lambda rank: want.position(cells, target.coordinate(rank)))  # type: ignore[arg-type]
        used = {more: 0 for _, more in have.positions(have.replicas)}
        found = {}
        for rank in others:
            near = on_node.get(rank // self.node_size)
            if near:
                found[rank] = least = min(near, key=used.__getitem__)
                used[least] += 1
        queue = [(n, k) for k, n in used.items()]
        heapify(queue)
        for rank in others:
            if rank not in found:
                n, found[rank] = queue[0]
                heapreplace(queue, (n + 1, found[rank]))
        return found


def _boxes(cells: Grid, box: Box, fixed: Fixed) -> Iterator[tuple[int, Box]]:
    """What the cells of a grid at fixed coordinates have of a box, and their positions among those of one replica and share."""
    sections = [cells.overlapping(d, *one, fixed) for d, one in enumerate(box)]
    if len(sections) == 1:  # as of most tensors that are long
        ((start, stop),) = box
        for one in sections[0]:
            yield one.position, ((max(one.start, start), min(one.stop, stop)),)
        return
    for several in product(*sections):
        yield sum([one.position for one in several]), tuple(
            [(max(one.start, start), min(one.stop, stop)) for one, (start, stop) in zip(several, box)]
        )


def overlaps(a: Any, b: Any) -> Any:
    """How many elements boxes have in common, in NumPy."""
    sizes = numpy.minimum(a[:, 1], b[:, 1]) - numpy.maximum(a[:, 0], b[:, 0])
    return numpy.maximum(sizes, 0).prod(axis=0)
