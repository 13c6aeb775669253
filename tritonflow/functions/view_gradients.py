"""Functors of the gradients of views: zeros, with the gradient where the view's elements are."""

from __future__ import annotations

from math import prod

from tritonflow.binding.library import function
from tritonflow.binding.target import beside
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import contiguous_stride
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast, widened
from tritonflow.functions.creation import arange_end, ones, zeros
from tritonflow.functions.elementwise import clamp
from tritonflow.functions.generated import div
from tritonflow.functions.index import index_add
from tritonflow.functions.view import contiguous, reshape, select
from tritonflow.functions.view_strides import strided_view
from tritonflow.interpreter.dispatch import dispatch, dispatch_view

_as_strided = op_expr("as_strided")
_region_grad = op_expr("region_grad")


def set_region(dy: Tensor, shape: tuple[int, ...], stride: tuple[int, ...], elements: int) -> Tensor:
    """Zeros of a shape, and dy where a view with these strides lies `elements` behind their beginning."""
    return dispatch(_region_grad, (dy,), (shape, stride, elements))


@function("Tensor (Tensor dy, Shape shape, Int32 dim, Int32 index)", bind_python=False)
def select_grad(dy: Tensor, shape: tuple[int, ...], dim: int, index: int) -> Tensor:
    """The gradient of select: zeros but for one index."""
    stride = contiguous_stride(shape)
    return set_region(dy, shape, stride[:dim] + stride[dim + 1 :], index * stride[dim])


@function("Tensor (Tensor dy, Shape shape, Int32 dim, Int64 start, Int64 length, Int64 step)", bind_python=False)
def slice_grad(dy: Tensor, shape: tuple[int, ...], dim: int, start: int, length: int, step: int) -> Tensor:
    """The gradient of a slice: zeros around it."""
    stride = contiguous_stride(shape)
    return set_region(dy, shape, (*stride[:dim], stride[dim] * step, *stride[dim + 1 :]), start * stride[dim])


@function("Tensor (Tensor dy, Shape shape, Int32 offset, Int32 dim1, Int32 dim2)", bind_python=False)
def diagonal_grad(dy: Tensor, shape: tuple[int, ...], offset: int, dim1: int, dim2: int) -> Tensor:
    """The gradient of diagonal: zeros around it."""
    stride = contiguous_stride(shape)
    start = offset * stride[dim2] if offset >= 0 else -offset * stride[dim1]
    others = [stride[d] for d in range(len(shape)) if d not in (dim1, dim2)]
    return set_region(dy, shape, (*others, stride[dim1] + stride[dim2]), start)


@function("Tensor (Tensor x, Shape shape, Shape region_stride, Int64 elements)", bind_python=False)
def region(x: Tensor, shape: tuple[int, ...], region_stride: tuple[int, ...], elements: int) -> Tensor:
    """What a region gradient's adjoint reads: the region of a contiguous tensor."""
    return dispatch_view(_as_strided, contiguous(x), (tuple(shape), tuple(region_stride), elements))


@function("Tensor (Tensor dy, Shape shape, Shape input_stride, Shape size, Shape stride, Int64 elements)", bind_python=False)
def as_strided_grad(
    dy: Tensor,
    shape: tuple[int, ...],
    input_stride: tuple[int, ...],
    size: tuple[int, ...],
    stride: tuple[int, ...],
    elements: int,
) -> Tensor:
    """The input and the view lie in one storage, the view `elements` behind the input's first element.

    What the view reads several times gets the sum of its gradients. Elements of the input that share memory get an equal part each.
    Of consistent tensors the storage is the whole input in row-major order.
    """
    if not dy.meta.is_local:
        input_stride = contiguous_stride(shape)
    reach, input_reach, own = _reach(size, stride), _reach(shape, input_stride), dy.meta.dtype
    shared = _may_overlap(shape, input_stride)
    if shared:
        dy = widened(dy)
    first, last = min(elements, 0), max(elements + reach, input_reach)
    if not _may_overlap(size, stride):
        if first == 0 and last == prod(shape) and input_stride == contiguous_stride(shape):
            return set_region(dy, shape, stride, elements)
        storage = set_region(dy, (last - first,), stride, elements - first)
    else:
        storage = _added(dy, last - first, size, stride, elements - first)
    if shared:
        shares = ones(shape, dtype=dy.dtype, **beside(dy))
        storage = cast(div(storage, clamp(_added(shares, last - first, shape, input_stride, -first), min=1)), own)
    return strided_view(storage, shape, input_stride, -first)


def _reach(size: tuple[int, ...], stride: tuple[int, ...]) -> int:
    """How many elements lie between the first and the last of a view, both included."""
    return 1 + sum([(n - 1) * s for n, s in zip(size, stride)]) if prod(size) else 0


def _may_overlap(size: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    """Whether an element may occur twice in a view."""
    reach = 1
    for s, n in sorted([(s, n) for n, s in zip(size, stride) if n > 1]):
        if s < reach:
            return True
        reach += s * (n - 1)
    return False


def _added(x: Tensor, count: int, size: tuple[int, ...], stride: tuple[int, ...], elements: int) -> Tensor:
    """`count` zeros to which the elements of x are added where a view of them lies."""
    positions = reshape(strided_view(arange_end(count, **beside(x)), size, stride, elements), (-1,))
    return index_add(zeros((count,), dtype=x.dtype, **beside(x)), 0, positions, reshape(x, (-1,)))  # type: ignore[no-any-return]


@function("Tensor (Tensor dy, Shape shape, Int32 dim, Int32 size, Int32 step)", bind_python=False)
def unfold_tensor_grad(dy: Tensor, shape: tuple[int, ...], dim: int, size: int, step: int) -> Tensor:
    """The sum over the positions within a window: each is a slice of the input."""
    if not shape:
        return reshape(dy, ())
    total, wide = None, widened(dy)
    for position in range(size):
        part = select(wide, -1, position)
        grad = slice_grad(part, shape, dim, position, part.meta.shape[dim], step)
        total = grad if total is None else add(total, grad)
    return zeros(shape, dtype=dy.dtype, **beside(dy)) if total is None else cast(total, dy.meta.dtype)
