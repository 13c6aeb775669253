"""View ops: another meta and byte offset over the same memory; nothing is computed.

A planner of this file gets the input's meta and normalised attributes and returns (meta, byte offset), or None in place of the
pair where the result cannot be a view (`view_shape`).
"""

from __future__ import annotations

from typing import Any

from tritonflow.errors import ShapeError
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_stride, numel_of
from tritonflow.framework.size_questions import taking_many
from tritonflow.framework.symbolic_int import known_equal
from tritonflow.ops.op_def import OpDef

View = tuple[TensorMeta, int]


def _moved(meta: TensorMeta, shape: Shape, stride: Shape, elements: int = 0) -> View:
    """A view starting `elements` later. Zero-size views stay where they are: there is nothing to address.

    One whose symbolic size may be 0 does not ask: it would be another program for that, and no kernel addresses anything there.
    """
    moves = (type(elements) is not int or elements) and not known_equal(numel_of(shape), 0)
    offset = elements * meta.dtype.itemsize if moves else 0
    aligned = meta.aligned_at(offset)
    return TensorMeta.get(shape, stride, meta.dtype, meta.device, aligned), offset


def view(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """The same elements in another shape; attributes: (shape,)."""
    (meta,), (shape,) = inputs, attrs
    stride = view_stride(meta, shape)
    if stride is None:
        raise ShapeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two"
            " contiguous subspaces). Use .reshape(...) instead."
        )
    return _moved(meta, shape, stride)


def view_stride(meta: TensorMeta, shape: Shape) -> Shape | None:
    """The strides with which memory laid out as `meta` is read as `shape`; None if no strides can do it.

    Whether a result is a view or a copy depends on it, so that of symbolic sizes the present numbers decide.
    """
    if meta.is_contiguous or known_equal(meta.numel, 0):
        return contiguous_stride(shape)
    stride = _stride_over(meta, shape)
    if stride is None and meta.numel == 0:  # asked last: whether there is an element is another program
        return contiguous_stride(shape)
    return stride


def _stride_over(meta: TensorMeta, shape: Shape) -> Shape | None:
    """The strides of elements that are there."""
    stride = [0] * len(shape)
    position = len(shape) - 1
    chunk_size, chunk_stride = 1, meta.stride[-1]
    for dim in range(meta.ndim - 1, -1, -1):
        chunk_size *= meta.shape[dim]
        last = dim == 0
        merges = not last and (
            known_equal(meta.shape[dim - 1], 1)
            or meta.stride[dim - 1] == chunk_size * chunk_stride
            or meta.shape[dim - 1] == 1
        )
        if not merges:
            taken = 1
            while position >= 0 and (taken < chunk_size or shape[position] == 1):
                stride[position] = taken * chunk_stride
                taken *= shape[position]
                position -= 1
            if taken != chunk_size:
                return None
            if not last:
                chunk_size, chunk_stride = 1, meta.stride[dim - 1]
    return tuple(stride) if position < 0 else None


def permute(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """Dimensions in another order; attributes: (dims,)."""
    (meta,), (dims,) = inputs, attrs
    return _moved(meta, tuple([meta.shape[d] for d in dims]), tuple([meta.stride[d] for d in dims]))


def expand(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """Dimensions of size 1 repeated with stride 0, new ones in front; attributes: (shape,).

    A new dimension of size 1 has the stride that torch gives it: the extent of what is behind it.
    """
    (meta,), (shape,) = inputs, attrs
    new = len(shape) - meta.ndim
    stride = [s if n is m else _repeated(n, s, m) for n, s, m in zip(meta.shape, meta.stride, shape[new:])]
    for dim in reversed(range(new)):
        extent = shape[dim + 1] * stride[0] if meta.ndim else 0
        stride.insert(0, 0 if known_equal(extent, 0) or shape[dim] != 1 else extent)
    return _moved(meta, shape, tuple(stride))


def _repeated(n: int, step: int, size: int) -> int:
    """The stride of a dimension of n elements as one of another size."""
    if type(n) is not int:
        return 0 if n != size and n == 1 else step
    with taking_many(size):
        return 0 if n == 1 != size else step


def select(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """One index of a dimension, which disappears; attributes: (dim, index)."""
    (meta,), (dim, index) = inputs, attrs
    shape, stride = meta.shape, meta.stride
    return _moved(meta, shape[:dim] + shape[dim + 1 :], stride[:dim] + stride[dim + 1 :], index * stride[dim])


def slice(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """Every step-th index of a dimension from start; attributes: (dim, start, length, step)."""
    (meta,), (dim, start, length, step) = inputs, attrs
    shape = (*meta.shape[:dim], length, *meta.shape[dim + 1 :])
    stride = (*meta.stride[:dim], meta.stride[dim] * step, *meta.stride[dim + 1 :])
    return _moved(meta, shape, stride, start * meta.stride[dim])


def squeeze(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """Without the given dimensions where their size is 1; attributes: (dims,)."""
    (meta,), (dims,) = inputs, attrs
    kept = [d for d in range(meta.ndim) if d not in dims or meta.shape[d] != 1]
    return _moved(meta, tuple(meta.shape[d] for d in kept), tuple(meta.stride[d] for d in kept))


def unsqueeze(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """With a new dimension of size 1; attributes: (dim,)."""
    (meta,), (dim,) = inputs, attrs
    step = meta.shape[dim] * meta.stride[dim] if dim < meta.ndim else 1
    shape = (*meta.shape[:dim], 1, *meta.shape[dim:])
    return _moved(meta, shape, (*meta.stride[:dim], step, *meta.stride[dim:]))


def diagonal(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """The diagonal of two dimensions, as a last dimension; attributes: (offset, dim1, dim2)."""
    (meta,), (offset, dim1, dim2) = inputs, attrs
    rows, columns = meta.shape[dim1], meta.shape[dim2]
    length = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
    start = offset * meta.stride[dim2] if offset >= 0 else -offset * meta.stride[dim1]
    kept = [d for d in range(meta.ndim) if d not in (dim1, dim2)]
    shape = (*[meta.shape[d] for d in kept], length)
    stride = (*[meta.stride[d] for d in kept], meta.stride[dim1] + meta.stride[dim2])
    return _moved(meta, shape, stride, start)


def unfold(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """Windows along a dimension, as a last dimension; attributes: (dim, size, step)."""
    (meta,), (dim, size, step) = inputs, attrs
    if meta.ndim == 0:
        return _moved(meta, (size,), (1,))
    count = (meta.shape[dim] - size) // step + 1
    shape = (*meta.shape[:dim], count, *meta.shape[dim + 1 :], size)
    stride = (*meta.stride[:dim], meta.stride[dim] * step, *meta.stride[dim + 1 :], meta.stride[dim])
    return _moved(meta, shape, stride)


def as_strided(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """Any shape and strides; attributes: (shape, stride, elements from the input's first element)."""
    (meta,), (shape, stride, elements) = inputs, attrs
    return _moved(meta, shape, stride, elements)


def view_as_real(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """Complex numbers as pairs of real ones, along a new last dimension."""
    (meta,) = inputs
    return meta.as_pairs(), 0


def view_as_complex(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> View:
    """Pairs along the last dimension, which are neighbours in memory, as complex numbers."""
    (meta,) = inputs
    stride = tuple([s // 2 for s in meta.stride[:-1]])
    return TensorMeta.get(meta.shape[:-1], stride, meta.dtype.to_complex(), meta.device, meta.aligned), 0
