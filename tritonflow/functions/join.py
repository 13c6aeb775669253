"""Functors that join tensors: cat, stack and relatives, repeat, tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import promote_types
from tritonflow.errors import ArgumentValueError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.view import contiguous, expand, reshape, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch

_cat = op_expr("cat")


@functor("Cat")
def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    if not tensors:
        raise ArgumentValueError("cat(): expected a non-empty list of Tensors")
    first = next((t for t in tensors if t.meta.shape != (0,)), tensors[0]).meta
    if first.ndim == 0:
        raise ShapeError("zero-dimensional tensor (at position 0) cannot be concatenated")
    dim = wrap_dim(dim, first.ndim)
    # An empty 1-d tensor goes with any shape, as in torch for historical reasons; its gradient is empty like itself.
    empty = (*first.shape[:dim], 0, *first.shape[dim + 1 :])
    shaped = [reshape(t, empty) if t.meta.shape == (0,) != empty else t for t in tensors]
    dtype = tensors[0].meta.dtype
    for position, tensor in enumerate(shaped):
        shape = tensor.meta.shape
        if len(shape) != first.ndim:
            raise ShapeError(f"Tensors must have same number of dimensions: got {first.ndim} and {len(shape)}")
        for d, (a, b) in enumerate(zip(first.shape, shape)):
            if d != dim and a != b:
                raise ShapeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {a} but got size {b} for tensor"
                    f" number {position} in the list."
                )
    for tensor in tensors:
        dtype = promote_types(dtype, tensor.meta.dtype)
    shaped = [t if t.meta.dtype is dtype else cast(t, dtype) for t in shaped]
    return dispatch(_cat, tuple(shaped), (dim, tuple([t.meta.shape[dim] for t in shaped])))


@functor("Stack")
def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    if not tensors:
        raise ShapeError("stack expects a non-empty TensorList")
    first = tensors[0].meta
    dim = wrap_dim(dim, first.ndim + 1)
    for position, tensor in enumerate(tensors):
        if tensor.meta.shape != first.shape:
            raise ShapeError(
                f"stack expects each tensor to be equal size, but got {list(first.shape)} at entry 0 and"
                f" {list(tensor.meta.shape)} at entry {position}"
            )
    return cat([unsqueeze(t, dim) for t in tensors], dim)


def _require_some(name: str, tensors: Sequence[Tensor]) -> None:
    if not tensors:
        raise ShapeError(f"{name} expects a non-empty TensorList")


@functor("Hstack")
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    _require_some("hstack", tensors)
    rows = [at_least_1d(t) for t in tensors]
    return cat(rows, 0 if rows[0].meta.ndim == 1 else 1)


@functor("Vstack")
def vstack(tensors: Sequence[Tensor]) -> Tensor:
    _require_some("vstack", tensors)
    return cat([unsqueeze(at_least_1d(t), 0) if t.meta.ndim < 2 else t for t in tensors], 0)


@functor("Repeat")
def repeat(input: Tensor, repeats: Any) -> Tensor:
    shape = input.meta.shape
    if len(repeats) < len(shape):
        raise ShapeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    if min(repeats, default=0) < 0:
        raise ShapeError(f"Trying to create tensor with negative dimension {min(repeats)}: {list(repeats)}")
    shape = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    paired = [n for size in shape for n in (1, size)]
    expanded = [n for count, size in zip(repeats, shape) for n in (count, size)]
    copies = contiguous(expand(reshape(input, tuple(paired)), tuple(expanded)))
    if copies._view is not None:  # repeated once: never a view, whose writes the input would see
        copies = clone(copies)
    return unshared(reshape(copies, tuple(count * size for count, size in zip(repeats, shape))))


@functor("Tile")
def tile(input: Tensor, dims: Any) -> Tensor:
    return repeat(input, (1,) * (input.meta.ndim - len(dims)) + tuple(dims))


@functor("Dstack")
def dstack(tensors: Sequence[Tensor]) -> Tensor:
    _require_some("dstack", tensors)
    return cat([at_least_3d(t) for t in tensors], 2)


@functor("ColumnStack")
def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    return hstack([reshape(t, (t.meta.numel, 1)) if t.meta.ndim < 2 else t for t in tensors])


@functor("AtLeast1d")
def at_least_1d(input: Tensor) -> Tensor:
    return reshape(input, (1,)) if input.meta.ndim == 0 else input


@functor("AtLeast2d")
def at_least_2d(input: Tensor) -> Tensor:
    return unsqueeze(at_least_1d(input), 0) if input.meta.ndim < 2 else input


@functor("AtLeast3d")
def at_least_3d(input: Tensor) -> Tensor:
    return unsqueeze(at_least_2d(input), -1) if input.meta.ndim < 3 else input


@functor("AllAtLeast1d")
def allat_least_1d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    return tuple([at_least_1d(t) for t in tensors])


@functor("AllAtLeast2d")
def all_at_least_2d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    return tuple([at_least_2d(t) for t in tensors])


@functor("AllAtLeast3d")
def all_at_least_3d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    return tuple([at_least_3d(t) for t in tensors])
