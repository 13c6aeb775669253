"""Functors named after views that give their elements in memory of their own."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import view
from tritonflow.functions.cast import clone


@functor("AliasCopy")
def alias_copy(input: Tensor) -> Any:
    return clone(input)


@functor("AsStridedCopy")
def as_strided_copy(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    return clone(view.as_strided(input, size, stride, storage_offset))


@functor("DetachCopy")
def detach_copy(input: Tensor) -> Any:
    return clone(input.detach())


@functor("DiagonalCopy")
def diagonal_copy(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    return clone(view.diagonal(input, offset, dim1, dim2))


@functor("ExpandCopy")
def expand_copy(input: Tensor, size: Any) -> Any:
    return clone(view.expand(input, size))


@functor("NarrowCopy")
def narrow_copy(input: Tensor, dim: int, start: int, length: int) -> Any:
    return clone(view.narrow(input, dim, start, length))


@functor("PermuteCopy")
def permute_copy(input: Tensor, dims: Any) -> Any:
    return clone(view.permute(input, dims))


@functor("SelectCopy")
def select_copy(input: Tensor, dim: int, index: int) -> Any:
    return clone(view.select(input, dim, index))


@functor("SliceCopy")
def slice_copy(input: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Any:
    if step <= 0:
        raise InvalidArgumentError("slice step must be positive")
    if not input.meta.ndim:
        raise ArgumentTypeError("slice() cannot be applied to a 0-dim tensor.")
    return clone(view.slice_dim(input, wrap_dim(dim, input.meta.ndim), slice(start, end, step)))


@functor("SplitCopy")
def split_copy(input: Tensor, split_size: int, dim: int = 0) -> tuple[Any, ...]:
    return tuple([clone(part) for part in view.split(input, split_size, dim)])


@functor("SqueezeCopy")
def squeeze_copy(input: Tensor, dim: Any = None) -> Any:
    return clone(view.squeeze(input, dim))


@functor("MatrixTransposeCopy")
def t_copy(input: Tensor) -> Any:
    return clone(view.matrix_transpose(input))


@functor("TransposeCopy")
def transpose_copy(input: Tensor, dim0: int, dim1: int) -> Any:
    return clone(view.transpose(input, dim0, dim1))


@functor("UnbindCopy")
def unbind_copy(input: Tensor, dim: int = 0) -> tuple[Any, ...]:
    return tuple([clone(part) for part in view.unbind(input, dim)])


@functor("UnfoldCopy")
def unfold_copy(input: Tensor, dimension: int, size: int, step: int) -> Any:
    return clone(view.unfold_tensor(input, dimension, size, step))


@functor("UnsqueezeCopy")
def unsqueeze_copy(input: Tensor, dim: int) -> Any:
    return clone(view.unsqueeze(input, dim))


@functor("ViewCopy")
def view_copy(input: Tensor, size: Any) -> Any:
    return clone(view.reshape(input, size))
