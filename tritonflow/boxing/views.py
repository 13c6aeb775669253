"""Windows: views of shards as metas and offsets, found once for all tensors of a meta."""

from __future__ import annotations

from typing import NamedTuple

from tritonflow.dtypes import DType
from tritonflow.execution.transfer import allocate
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta, contiguous_stride, numel_of
from tritonflow.framework.placement import Placement
from tritonflow.framework.shards import Box, box_shape
from tritonflow.framework.tensor import Tensor


class Window(NamedTuple):
    """A view of some tensor.

    Attributes:
        meta: of the view.
        offset: its first element, in bytes from that of the tensor.
    """

    meta: TensorMeta
    offset: int

    def of(self, x: Tensor) -> Tensor:
        """The view, without history."""
        return Tensor(self.meta, x.impl, x.ptr + self.offset)

    def box(self, box: Box) -> Window:
        """The window of a box in this one."""
        meta = self.meta
        shape = box_shape(box)
        if shape == meta.shape:
            return self
        distance = _elements_before(box, meta.stride) * meta.dtype.itemsize if numel_of(shape) else 0
        aligned = meta.aligned_at(distance)
        return Window(TensorMeta.get(shape, meta.stride, meta.dtype, meta.device, aligned), self.offset + distance)

    def run(self, first: int, shape: Shape) -> Window:
        """The window of a contiguous run of elements of this one, which is contiguous, in a shape of their own."""
        meta = self.meta
        distance = first * meta.dtype.itemsize if numel_of(shape) else 0
        aligned = meta.aligned_at(distance)
        view = TensorMeta.get(shape, contiguous_stride(shape), meta.dtype, meta.device, aligned)
        return Window(view, self.offset + distance)

    def repeated(self, count: int, distance: int) -> Window:
        """The window of `count` such windows, each `distance` bytes behind the one before it, as a first dimension."""
        meta = self.meta
        stride = (distance // meta.dtype.itemsize, *meta.stride)
        aligned = meta.aligned_at(distance)
        return Window(TensorMeta.get((count, *meta.shape), stride, meta.dtype, meta.device, aligned), self.offset)


def merged(copies: list[tuple[Window, Window]]) -> list[tuple[Window, Window]]:
    """Copies (to, from), in fewer: neighbours of equal shapes at equal distances are one copy with one more dimension."""
    result = []
    while copies:
        (to, source), count = copies[0], _count_regular(copies)
        if count > 1:
            next_to, next_source = copies[1]
            to = to.repeated(count, next_to.offset - to.offset)
            source = source.repeated(count, next_source.offset - source.offset)
        result.append((to, source))
        copies = copies[count:]
    return result


def _count_regular(copies: list[tuple[Window, Window]]) -> int:
    """How many copies from the first on are alike and equally far from one another, forwards in memory."""
    count = 1
    while count < len(copies) and all(_is_next(copies, count, side) for side in (0, 1)):
        count += 1
    return count


def _is_next(copies: list[tuple[Window, Window]], k: int, side: int) -> bool:
    first, second, last, one = (copies[n][side] for n in (0, 1, k - 1, k))
    alike = one.meta.shape == first.meta.shape and one.meta.stride == first.meta.stride
    return alike and one.offset - last.offset == second.offset - first.offset > 0


def whole(meta: TensorMeta) -> Window:
    """The window that is all of a tensor."""
    return Window(meta, 0)


def relative(box: Box, around: Box) -> Box:
    """A box of the logical tensor, counted from the start of one around it."""
    return tuple([(start - begin, stop - begin) for (start, stop), (begin, _) in zip(box, around)])


def absent_shard(dtype: DType, placement: Placement) -> Tensor:
    """The shard of a rank outside of a placement."""
    return allocate(contiguous_meta((0,), dtype, placement.device()))


def first_of_run(boxes: list[Box], shape: Shape) -> int | None:
    """Where boxes of a contiguous tensor begin that lie one behind the other without gaps; None if they do not."""
    stride = contiguous_stride(shape)
    end = begin = None
    for box in boxes:
        start = _elements_before(box, stride)
        if not _is_run(box, shape) or end is not None and start != end:
            return None
        begin = start if begin is None else begin
        end = start + numel_of(box_shape(box))
    return begin or 0


def _elements_before(box: Box, stride: Shape) -> int:
    return sum([start * step for (start, _), step in zip(box, stride)])


def _is_run(box: Box, shape: Shape) -> bool:
    """Whether a box of a contiguous tensor has no gaps: single indices, then one range, then whole dimensions."""
    sizes = list(box_shape(box))
    while sizes and sizes[0] == 1:
        del sizes[0]
    return tuple(sizes[1:]) == shape[len(shape) - len(sizes) + 1 :] if sizes else True
