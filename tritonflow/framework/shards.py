"""Shards: which piece of a logical tensor each rank of a placement holds. Integers only: no rank of this process, no memory.

A dimension of n elements is split balanced: the first n % count pieces have one element more. Several mesh dimensions that split
the same dimension do so in turn, each what the one before it left.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from tritonflow.framework.sbp import NdSbp

Range = tuple[int, int]  # start and stop
Box = tuple[Range, ...]  # a range for each dimension of the tensor
Shape = tuple[int, ...]


def balanced(n: int, count: int, k: int) -> Range:
    """Piece k of `count` pieces of n elements.

    Example:
        >>> [balanced(7, 3, k) for k in range(3)]
        [(0, 3), (3, 5), (5, 7)]
    """
    size, more = divmod(n, count)
    start = k * size + min(k, more)
    return start, start + size + (k < more)


def box_of(shape: Shape, mesh: Shape, sbp: NdSbp, coordinate: Sequence[int]) -> Box:
    """The ranges of the logical tensor that a coordinate of the mesh holds; a range may be empty.

    Example:
        >>> from tritonflow.framework.sbp import broadcast, split
        >>> box_of((5, 4), (2, 2), (split(0), split(1)), (1, 0))
        ((3, 5), (0, 2))
    """
    box = [(0, n) for n in shape]
    for one, count, k in zip(sbp, mesh, coordinate):
        if one.dim is not None:
            first, last = box[one.dim]
            start, stop = balanced(last - first, count, k)
            box[one.dim] = first + start, first + stop
    return tuple(box)


class Cut(NamedTuple):
    """A tensor as a slice of a larger one, from which it has its boxes.

    Attributes:
        dim: which dimension is sliced.
        size: of the larger tensor there.
        start, step: of the slice.
    """

    dim: int
    size: int
    start: int
    step: int

    def around(self, shape: Shape) -> Shape:
        """The shape of the larger tensor."""
        return (*shape[: self.dim], self.size, *shape[self.dim + 1 :])

    def of(self, box: Box, length: int) -> Box:
        """What a box of the larger tensor has of the slice, which has `length` elements: counted in the slice.

        Example:
            >>> Cut(dim=0, size=10, start=1, step=3).of(((4, 8),), 3)
            ((1, 3),)
        """
        start, stop = [min(max(-((self.start - n) // self.step), 0), length) for n in box[self.dim]]
        return (*box[: self.dim], (start, stop), *box[self.dim + 1 :])


def box_shape(box: Box) -> Shape:
    """The sizes of a box."""
    return tuple([stop - start for start, stop in box])


def intersection(a: Box, b: Box) -> Box | None:
    """What two boxes share; None if that is nothing."""
    both = []
    for (start, stop), (other_start, other_stop) in zip(a, b):
        start, stop = max(start, other_start), min(stop, other_stop)
        if start >= stop:
            return None
        both.append((start, stop))
    return tuple(both)


def all_boxes(shape: Shape, mesh: Shape, sbp: NdSbp) -> dict[tuple[int, ...], Box]:
    """The box of every coordinate."""
    return {c: box_of(shape, mesh, sbp, c) for c in product(*map(range, mesh))}


def share_of(sbp: NdSbp, mesh: Shape, coordinate: Sequence[int]) -> tuple[int, ...]:
    """Which share of a partial tensor a coordinate holds: its position along each mesh dimension that is partial."""
    return tuple([k for one, k in zip(sbp, coordinate) if one.is_partial])


def holds_share(sbp: NdSbp, coordinate: Sequence[int]) -> bool:
    """Whether a coordinate is the one that holds the numbers where a tensor becomes partial; the others hold the op's identity."""
    return all(k == 0 for one, k in zip(sbp, coordinate) if one.is_partial)
