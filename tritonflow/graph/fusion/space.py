"""The positions that a fused kernel walks over, and how its ops' shapes lie on them.

All shapes of a group are seen as one run of `full` elements, cut at `bounds`: each divides the next, and every dimension of every
shape begins and ends at some of them, so that (8, 128, 256) and (1024, 256) go together. Where rows are reduced, the last
`cols` elements are a row, and a shape without the columns has one element for a row: its `scale` is `cols`, other shapes' 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.framework.size_questions import kept, taking_many
from tritonflow.ops.elementwise import broadcast_stride, collapse


class Space(NamedTuple):
    """Positions: `full` elements in rows of `cols` (0: no rows are reduced), cut at `bounds`, from 1 to `full`."""

    full: int
    cols: int
    bounds: tuple[int, ...]

    @property
    def sizes(self) -> Shape:
        """The sizes between the bounds, the outermost first."""
        with taking_many(self.bounds):
            return tuple([high // low for low, high in zip(self.bounds, self.bounds[1:])][::-1])

    def strides(self, meta: TensorMeta, shape: Shape, scale: int = 1) -> Shape:
        """The strides, over `sizes`, of a tensor that is read as `shape`."""
        with taking_many((self.bounds, meta.shape)):
            return _strides(self.bounds, meta, shape, scale)

    def own(self, scale: int = 1) -> Shape:
        """The strides of a value that is made here, in row-major order."""
        with taking_many(self.bounds):
            return tuple([low // scale for low in self.bounds[:-1]][::-1])


@kept
def runs(meta: TensorMeta, shape: Shape) -> tuple[Shape, Shape]:
    """What a tensor is read as, with neighbouring dimensions as one where its memory runs on: sizes and strides."""
    sizes, (steps,) = collapse(shape, [broadcast_stride(meta, shape)])
    return sizes, steps


@kept
def _strides(bounds: tuple[int, ...], meta: TensorMeta, shape: Shape, scale: int) -> Shape:
    """The stride between each bound and the next: that of the dimension in which they lie, times the steps to the lower bound.

    A contiguous (1024, 256) in the space of (8, 128, 256), whose bounds are 1, 256, 32768 and 262144:

        bounds       1          256          32768      262144
        dimensions   |-- 256 ---|----------- 1024 ---------|
        stride       1          256          256 * 128
    """
    found = dict.fromkeys(bounds[:-1], 0)
    start = scale
    for size, stride in zip(*map(reversed, runs(meta, shape))):
        for low in found:
            if start <= low < start * size:
                found[low] = stride * (low // start)
        start *= size
    return tuple(found.values())[::-1]


def space_of(full: int, cols: int, shapes: Iterable[tuple[Shape, int]]) -> Space | None:
    """The space of shapes with their scales; None if their dimensions do not go together."""
    cuts = {1, full, *([cols] if cols else [])}
    for shape, scale in shapes:
        for n in reversed(shape):
            cuts.add(scale)
            scale *= n
    bounds = sorted(cuts)
    return Space(full, cols, tuple(bounds)) if divide(bounds) else None


def divide(numbers: Sequence[int]) -> bool:
    """Whether each number divides the next."""
    try:
        return not any(b % a for a, b in zip(numbers, numbers[1:]))
    except ZeroDivisionError:  # of a count that is 0 now
        return False
