"""Functors of views by strides, anywhere in a storage."""

from __future__ import annotations

from math import prod

from tritonflow.binding.library import functor
from tritonflow.device.device import META
from tritonflow.errors import NotYetImplementedError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.functions.view import base_of, contiguous, storage_nbytes
from tritonflow.interpreter.dispatch import dispatch_view
from tritonflow.interpreter.recording import view_of_whole
from tritonflow.thread_state import thread_state

_as_strided = op_expr("as_strided")


@functor("AsStrided")
def as_strided(
    input: Tensor, size: tuple[int, ...], stride: tuple[int, ...], storage_offset: int | None = None
) -> Tensor:
    if input.is_lazy:
        thread_state.observer.read_by_strides(input, storage_offset is not None)
    return strided_view(input, size, stride, storage_offset)


def strided_view(
    input: Tensor, size: tuple[int, ...], stride: tuple[int, ...], storage_offset: int | None = None
) -> Tensor:
    """`as_strided` of memory whose layout does not depend on the arguments of a captured program."""
    if len(size) != len(stride):
        raise ShapeError("mismatch in length of strides and shape")
    if min(size, default=0) < 0 or min(stride, default=0) < 0:
        raise ShapeError("as_strided: negative sizes and strides are not supported")
    if not input.meta.is_local:
        input = _whole_storage(input)
    nbytes, begin = _storage(input)
    offset = begin if storage_offset is None else storage_offset
    last = offset + sum((n - 1) * s for n, s in zip(size, stride))
    room = nbytes // input.meta.dtype.itemsize
    if prod(size) and (offset < 0 or last >= room):
        raise ShapeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset} are out of bounds for"
            f" storage of size {nbytes} bytes"
        )
    view = dispatch_view(_as_strided, input, (tuple(size), tuple(stride), offset - begin))
    if input._view is not None:  # a write through it may lie outside of `input`, so its base is the whole memory
        view_of_whole(view, _as_strided)
    return view


def _whole_storage(x: Tensor) -> Tensor:
    """A consistent tensor that is no view, its shard without gaps.

    Raises:
        NotYetImplementedError: it is a view. The storage would be that of what it is a view of.
    """
    if base_of(x) != (x.ptr, x.meta):
        raise NotYetImplementedError("as_strided(): of a view of a global (consistent) tensor; clone() the view first")
    return contiguous(x)  # type: ignore[no-any-return]


def _storage(x: Tensor) -> tuple[int, int]:
    """The bytes of a tensor's storage, or of its value while a graph is captured; the tensor's offset in it, in elements.

    The storage of a consistent tensor is all of it, in row-major order, wherever its elements are.
    """
    impl = x.impl
    if not x.meta.is_local:
        return x.nbytes, 0
    if impl.__class__ is BatchedTensorImpl:
        return storage_nbytes(x), x.ptr // x.meta.dtype.itemsize
    if impl.is_lazy:
        return impl.value.meta.nbytes, x.ptr // x.meta.dtype.itemsize
    if x.meta.device is META:
        base = base_of(x)[1]
        return base.span() * base.dtype.itemsize, x.ptr // x.meta.dtype.itemsize
    return storage_nbytes(x), (x.ptr - impl.block.ptr) // x.meta.dtype.itemsize
