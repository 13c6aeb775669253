"""Views of shards: boxes of a tensor, flat runs of its memory, other shapes."""

from __future__ import annotations

from tritonflow.execution import eager_local
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_stride, numel_of
from tritonflow.framework.shards import Box, box_shape
from tritonflow.framework.tensor import Tensor


def relative(box: Box, around: Box | None) -> Box:
    """A box of the logical tensor, counted from the start of one around it."""
    assert around is not None
    return tuple([(start - begin, stop - begin) for (start, stop), (begin, _) in zip(box, around)])


def offset(box: Box, stride: Shape) -> int:
    """How many elements lie before a box."""
    return sum([start * step for (start, _), step in zip(box, stride)])


def region(x: Tensor, box: Box) -> Tensor:
    """A view of a box of a tensor; the tensor itself where that is all of it."""
    meta = x.meta
    shape = box_shape(box)
    if shape == meta.shape:
        return x
    distance = offset(box, meta.stride) * meta.dtype.itemsize if numel_of(shape) else 0
    aligned = meta.aligned and distance % 16 == 0
    return Tensor(TensorMeta.get(shape, meta.stride, meta.dtype, meta.device, aligned), x.impl, x.ptr + distance)


def flat(x: Tensor, first: int, n: int) -> Tensor:
    """A flat view of n elements of a contiguous tensor."""
    return region(as_shape(x, (x.meta.numel,)), ((first, first + n),))


def as_shape(x: Tensor, shape: Shape) -> Tensor:
    """The same elements in another shape: a view of a contiguous tensor, else of a copy."""
    if x.meta.shape == shape:
        return x
    if not x.meta.is_contiguous:
        x = eager_local.contiguous_copy(x)
    meta = x.meta
    return Tensor(TensorMeta.get(shape, contiguous_stride(shape), meta.dtype, meta.device, meta.aligned), x.impl, x.ptr)


def lies_in_order(boxes: list[Box], shape: Shape) -> bool:
    """Whether boxes of a contiguous tensor lie in its memory one behind the other, without gaps."""
    stride = contiguous_stride(shape)
    end: int | None = None
    for box in boxes:
        start = offset(box, stride)
        if not _is_run(box, shape) or end is not None and start != end:
            return False
        end = start + numel_of(box_shape(box))
    return True


def _is_run(box: Box, shape: Shape) -> bool:
    """Whether a box of a contiguous tensor has no gaps: single indices, then one range, then whole dimensions."""
    sizes = list(box_shape(box))
    while sizes and sizes[0] == 1:
        del sizes[0]
    return tuple(sizes[1:]) == shape[len(shape) - len(sizes) + 1 :] if sizes else True
