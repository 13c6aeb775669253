"""A view, which is strides over memory, as reshapes, slices, transposes and expansions of the tensor that lies there.

The dimensions of a view by their strides, the longest first, are a grid over the memory:

    stride          s1          s2      ...  sk
    grid      (n / s1,     s1 / s2,     ..., s(k-1) / sk,  sk)

The view has a range of each dimension of the grid. What no grid gives is gathered by constant indices, if sizes are numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from operator import mul
from typing import Any, NamedTuple

from tritonflow.errors import ExportError
from tritonflow.framework.expression import SizeExpression, number
from tritonflow.framework.meta import TensorMeta
from tritonflow.onnx.writing.writer import OnnxWriter, expression_of


class MemoryGrid(NamedTuple):
    """How a view lies in memory.

    Attributes:
        extents: of the grid.
        starts, sizes: the range of each dimension of it.
        order: of the dimensions of the view that have a stride, their positions in the grid.
    """

    extents: list[SizeExpression]
    starts: list[SizeExpression]
    sizes: list[SizeExpression]
    order: list[int]


class Views:
    """Writes views.

    Args:
        writer: gets the nodes.
    """

    def __init__(self, writer: OnnxWriter) -> None:
        self._writer = writer

    def of(self, name: str, base: TensorMeta, meta: TensorMeta, offset: Any) -> str:
        """The view of a tensor.

        Args:
            name, base: the tensor, and how it lies.
            meta, offset: of the view; in elements.
        """
        w = self._writer
        name, shape = self._in_order(name, base)
        wanted, strides = [expression_of(n) for n in meta.shape], [expression_of(n) for n in meta.stride]
        repeated = [_is(s, 0) and not _is(n, 1) for n, s in zip(wanted, strides)]
        dims = [d for d, n in enumerate(wanted) if not _is(n, 1) and not repeated[d]]
        grid = self._grid(shape, [(wanted[d], strides[d]) for d in dims], expression_of(offset))
        if grid is None:
            return self._gathered(name, meta, offset)
        name = self.reshaped(name, shape, grid.extents)
        for axis, (extent, start, size) in enumerate(zip(grid.extents, grid.starts, grid.sizes)):
            if not (_is(start, 0) and size == extent):
                name = w.op("Slice", name, w.size(start), w.size(start + size), w.ints([axis]))
        rest = len(grid.extents) - len(dims)  # a last dimension, of which one element is taken
        if grid.order != sorted(grid.order):
            name = w.op("Transpose", name, perm=[*grid.order, *range(len(dims), len(dims) + rest)])
        now = [wanted[d] for d in dims] + [number(1)] * rest
        before = [number(1) if own else n for n, own in zip(wanted, repeated)]
        name = self.reshaped(name, now, before)
        return w.op("Expand", name, w.shape(wanted)) if any(repeated) else name

    def _in_order(self, name: str, base: TensorMeta) -> tuple[str, list[SizeExpression]]:
        """A tensor with its dimensions in the order of memory, and its sizes so."""
        shape, strides = [expression_of(n) for n in base.shape], [expression_of(n) for n in base.stride]
        order = sorted(range(len(shape)), key=lambda d: (-self._first(strides[d]), _is(shape[d], 1), d))
        kept = [d for d in order if not _is(shape[d], 1)]
        if kept != sorted(kept):
            return self._writer.op("Transpose", name, perm=order), [shape[d] for d in order]
        return name, shape

    def reshaped(self, name: str, now: Sequence[SizeExpression], wanted: Sequence[SizeExpression]) -> str:
        """A tensor of some sizes in other ones."""
        if list(now) == list(wanted):
            return name
        known = [n.constant for n in wanted]
        if known.count(None) == 1 and 0 not in known:
            return self._writer.op("Reshape", name, self._writer.ints([-1 if n is None else n for n in known]))
        return self._writer.op("Reshape", name, self._writer.shape(wanted), allowzero=1)

    # ---- where it lies

    def _grid(
        self, shape: Sequence[SizeExpression], dims: Sequence[tuple[SizeExpression, SizeExpression]], offset: SizeExpression
    ) -> MemoryGrid | None:
        """The grid; None where there is none."""
        by_stride = sorted(range(len(dims)), key=lambda d: -self._first(dims[d][1]))
        extents: list[SizeExpression] = []
        starts: list[SizeExpression] = []
        sizes: list[SizeExpression] = []
        rest, above = offset, reduce(mul, shape, number(1))
        for d in by_stride:
            size, stride = dims[d]
            extent = above.divided(stride)
            if extent is None:
                return None
            start = rest.divided(stride)
            if start is None:
                start = number(self._first(rest) // self._first(stride))
            extents, starts, sizes = [*extents, extent], [*starts, start], [*sizes, size]
            rest, above = rest - start * stride, stride
        if not _is(above, 1):
            extents, starts, sizes = [*extents, above], [*starts, rest], [*sizes, number(1)]
        elif not _is(rest, 0):
            return None
        if not all(self._fits(*each) for each in zip(extents, starts, sizes)):
            return None
        return MemoryGrid(extents, starts, sizes, [by_stride.index(d) for d in range(len(dims))])

    def _fits(self, *range_: SizeExpression) -> bool:
        """Whether the grid has a range of it, (extent, start, size), in all runs that are served."""
        values = [[each.evaluate(numbers) for each in range_] for numbers in self._writer.examples]
        return all(0 <= start and start + size <= extent for extent, start, size in values)

    def _first(self, value: SizeExpression) -> int:
        """A size in the run that was captured."""
        return value.evaluate(self._writer.examples[0])

    def _gathered(self, name: str, meta: TensorMeta, offset: Any) -> str:
        if not all(type(n) is int for n in (*meta.shape, *meta.stride, offset)):
            raise ExportError(f"onnx.export(): a view of sizes {list(meta.shape)} and strides {list(meta.stride)} is no op of ONNX")
        w = self._writer
        flat = w.op("Reshape", name, w.ints([-1]))
        return w.op("Reshape", w.op("Gather", flat, w.ints(indices(meta, offset))), w.ints(meta.shape), allowzero=1)


def indices(meta: TensorMeta, offset: int) -> list[int]:
    """Where the elements of a view are, from the first element of memory."""
    return [offset + sum(i * s for i, s in zip(at, meta.stride)) for at in product(*map(range, meta.shape))]


def _is(value: SizeExpression, wanted: int) -> bool:
    return value.constant == wanted
