"""Functors that cut a tensor into views: tensor_split and relatives."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tritonflow.binding.data_exchange import item, tolist
from tritonflow.binding.library import functor
from tritonflow.dtypes import INTEGER, int64, torch_name
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.cast import clone
from tritonflow.functions.view import check_parts, chunk, narrow, slice_dim, split, split_sections, unshared


@functor("TensorSplit")
def tensor_split(input: Tensor, sections: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As many parts as said, the first ones longer by one where the size is no multiple."""
    dim = _dim_of("tensor_split", input, dim)
    if sections <= 0:
        raise InvalidArgumentError(f"number of sections must be larger than 0, got {sections}")
    check_parts("tensor_split", sections)
    least, longer = divmod(input.meta.shape[dim], sections)
    return split_sections(input, [least + (k < longer) for k in range(sections)], dim)


@functor("TensorSplitIndices")
def tensor_split_indices(input: Tensor, indices: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """The parts between indices, as Python's slices are."""
    dim = _dim_of("tensor_split", input, dim)
    bounds = [0, *indices, input.meta.shape[dim]]
    return tuple([slice_dim(input, dim, slice(a, b)) for a, b in pairwise(bounds)])


@functor("TensorSplitTensor")
def tensor_split_tensor(input: Tensor, tensor_indices_or_sections: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    meta = tensor_indices_or_sections.meta
    if meta.ndim > 1:
        raise ShapeError(
            f"tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a"
            f" tensor with {meta.ndim} dims"
        )
    if meta.dtype is not int64:
        raise DTypeError(
            f"tensor_split expected tensor_indices_or_sections to have dtype of long, but got {torch_name(meta.dtype)}"
        )
    given = tolist(tensor_indices_or_sections)
    return tensor_split_indices(input, given, dim) if meta.ndim else tensor_split(input, given, dim)


def _dim_of(name: str, x: Tensor, dim: int) -> int:
    if not x.meta.ndim:
        raise ShapeError(f"{name} expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    return wrap_dim(dim, x.meta.ndim)


def _along(name: str, x: Tensor, indices_or_sections: Any, least: int, dim: int) -> tuple[Tensor, ...]:
    """A split along a dimension of a tensor that must have some; a number of sections divides its size."""
    if x.meta.ndim < least:
        raise ShapeError(
            f"torch.{name} requires a tensor with at least {least} dimension{'s' * (least > 1)}, but got a tensor with"
            f" {x.meta.ndim} dimensions!"
        )
    if not isinstance(indices_or_sections, int):
        return tensor_split_indices(x, indices_or_sections, dim)
    size = x.meta.shape[dim]
    if indices_or_sections <= 0 or size % indices_or_sections:
        raise ShapeError(
            f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension {size} is not divisible by"
            f" the split_size {indices_or_sections}!"
        )
    return tensor_split(x, indices_or_sections, dim)


@functor("HSplit")
def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    return _along("hsplit", input, indices_or_sections, 1, 0 if input.meta.ndim == 1 else 1)


@functor("VSplit")
def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    return _along("vsplit", input, indices_or_sections, 2, 0)


@functor("DSplit")
def dsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    return _along("dsplit", input, indices_or_sections, 3, 2)


@functor("UnsafeSplit")
def unsafe_split(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts that may be written as if they were no views of one tensor: their writes do not reach its history."""
    return tuple([unshared(part) for part in split(input, split_size, dim)])


@functor("UnsafeChunk")
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    return tuple([unshared(part) for part in chunk(input, chunks, dim)])


@functor("UnsafeSplitWithSizes")
def unsafe_split_with_sizes(input: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    return tuple([unshared(part) for part in split_sections(input, split_sizes, dim)])


@functor("SplitWithSizesCopy")
def split_with_sizes_copy(input: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    return tuple([clone(part) for part in split_sections(input, split_sizes, dim)])


@functor("NarrowTensor")
def narrow_tensor(input: Tensor, dim: int, start: Tensor, length: int) -> Tensor:
    if start.meta.ndim or start.meta.dtype.category != INTEGER:
        raise ShapeError("start must be an 0-dim integral Tensor.")
    return narrow(input, dim, int(item(start)), length)
