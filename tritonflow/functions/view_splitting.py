"""Functors that cut a tensor into views: tensor_split and relatives."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tritonflow.binding.data_exchange import item, tolist
from tritonflow.binding.library import function, functor
from tritonflow.dtypes import INTEGER, int64, torch_name
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.runtime_scalar import index_of
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.cast import clone
from tritonflow.functions.view import narrow, slice_dim, unshared
from tritonflow.functions.view_parts import check_parts, chunk, split, split_sections


@function(
    "TensorTuple (Tensor input, Int64 sections, Int32 dim=0)",
    "TensorTuple (Tensor input, Int64List indices, Int32 dim=0) => TensorSplitIndices",
    "TensorTuple (Tensor input, Tensor tensor_indices_or_sections, Int32 dim=0) => TensorSplitTensor",
    methods="tensor_split", samples="tensor_split",
)
def tensor_split(input: Tensor, sections: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of nearly equal size, or between indices.

    With a number of sections the first parts are longer by one where the size is no multiple; there may
    be empty ones. With indices the parts are x[: i0], x[i0 : i1], ..., x[ik :].

    Overloads:
        - `tensor_split(input: Tensor, sections: int, dim: int = 0) -> tuple[Tensor, ...]`
        - `tensor_split(input: Tensor, indices: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]`
        - `tensor_split(input: Tensor, tensor_indices_or_sections: Tensor, dim: int = 0) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        sections: how many parts.
        dim: the dimension; a negative one counts from the end.
        indices: where they begin, from the second on.
        tensor_indices_or_sections: either as an int64 tensor, without dimensions a number of sections.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., size, ...).

    Method: `Tensor.tensor_split`.

    Raises:
        RuntimeError: sections is not positive, no dimension, or a tensor of another dtype.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.tensor_split.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor_split(flow.arange(5), 3)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
        >>> flow.tensor_split(flow.arange(5), [1, 4])
        (tensor([0]), tensor([1, 2, 3]), tensor([4]))
    """
    # As many parts as said, the first ones longer by one where the size is no multiple.
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


@function(
    "TensorTuple (Tensor input, Int64 sections)",
    "TensorTuple (Tensor input, Int64List indices)",
    methods="hsplit", samples="hsplit",
)
def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Views along the second dimension, or along the only one.

    Overloads:
        - `hsplit(input: Tensor, sections: int) -> tuple[Tensor, ...]`
        - `hsplit(input: Tensor, indices: Sequence[int]) -> tuple[Tensor, ...]`
        - `hsplit(input: Tensor, *indices: int) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        sections: how many parts of equal size.
        indices: where the parts begin, from the second on.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N, ...) -> several (M, size, ...).

    Method: `Tensor.hsplit`.

    Raises:
        RuntimeError: no dimension, or a size that sections does not divide.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.hsplit.

    Example:
        >>> import tritonflow as flow
        >>> flow.hsplit(flow.arange(4).reshape(2, 2), 2)
        (tensor([[0],
                [2]]), tensor([[1],
                [3]]))
    """
    return _along("hsplit", input, indices_or_sections, 1, 0 if input.meta.ndim == 1 else 1)


@function(
    "TensorTuple (Tensor input, Int64 sections)",
    "TensorTuple (Tensor input, Int64List indices)",
    methods="vsplit", samples="vsplit",
)
def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Views along the first dimension.

    Overloads:
        - `vsplit(input: Tensor, sections: int) -> tuple[Tensor, ...]`
        - `vsplit(input: Tensor, indices: Sequence[int]) -> tuple[Tensor, ...]`
        - `vsplit(input: Tensor, *indices: int) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        sections: how many parts of equal size.
        indices: where the parts begin, from the second on.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N, ...) -> several (size, N, ...).

    Method: `Tensor.vsplit`.

    Raises:
        RuntimeError: fewer than 2 dimensions, or a size that sections does not divide.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.vsplit.

    Example:
        >>> import tritonflow as flow
        >>> flow.vsplit(flow.arange(4).reshape(2, 2), 2)
        (tensor([[0, 1]]), tensor([[2, 3]]))
    """
    return _along("vsplit", input, indices_or_sections, 2, 0)


@function(
    "TensorTuple (Tensor input, Int64 sections)",
    "TensorTuple (Tensor input, Int64List indices)",
    methods="dsplit", samples="dsplit",
)
def dsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Views along the third dimension.

    Overloads:
        - `dsplit(input: Tensor, sections: int) -> tuple[Tensor, ...]`
        - `dsplit(input: Tensor, indices: Sequence[int]) -> tuple[Tensor, ...]`
        - `dsplit(input: Tensor, *indices: int) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        sections: how many parts of equal size.
        indices: where the parts begin, from the second on.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N, K, ...) -> several (M, N, size, ...).

    Method: `Tensor.dsplit`.

    Raises:
        RuntimeError: fewer than 3 dimensions, or a size that sections does not divide.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.dsplit.

    Example:
        >>> import tritonflow as flow
        >>> [part.shape for part in flow.dsplit(flow.zeros(2, 3, 4), [1])]
        [tritonflow.Size([2, 3, 1]), tritonflow.Size([2, 3, 3])]
    """
    return _along("dsplit", input, indices_or_sections, 3, 2)


@function("TensorTuple (Tensor input, Int64 split_size, Int32 dim=0)", methods="unsafe_split", samples="unsafe_split")
def unsafe_split(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of one size along a dimension, which do not count as views.

    They share the input's memory, but writes in place to a part do not reach the history of the input,
    as in torch. `split` is safe.

    Args:
        input: the input.
        split_size: the size of the parts; the last one has what is left.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., split_size, ...).

    Method: `Tensor.unsafe_split`.

    Raises:
        RuntimeError: a negative size, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unsafe_split.

    Example:
        >>> import tritonflow as flow
        >>> flow.unsafe_split(flow.arange(5), 2)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    # Parts that may be written as if they were no views of one tensor: their writes do not reach its history.
    return tuple([unshared(part) for part in split(input, split_size, dim)])


@function("TensorTuple (Tensor input, Int64 chunks, Int32 dim=0)", methods="unsafe_chunk", samples="chunk")
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most so many parts of one size along a dimension, which do not count as views.

    They share the input's memory, but writes in place to a part do not reach the history of the input,
    as in torch. `chunk` is safe.

    Args:
        input: the input.
        chunks: how many parts, at least 1.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., size, ...).

    Method: `Tensor.unsafe_chunk`.

    Raises:
        RuntimeError: chunks is not positive, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unsafe_chunk.

    Example:
        >>> import tritonflow as flow
        >>> flow.unsafe_chunk(flow.arange(5), 3)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    return tuple([unshared(part) for part in chunk(input, chunks, dim)])


@function(
    "TensorTuple (Tensor input, Int64List split_sizes, Int32 dim=0)",
    methods="unsafe_split_with_sizes", samples="split_with_sizes",
)
def unsafe_split_with_sizes(input: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of given sizes along a dimension, which do not count as views.

    They share the input's memory, but writes in place to a part do not reach the history of the input,
    as in torch. `split_with_sizes` is safe.

    Args:
        input: the input.
        split_sizes: their sizes, whose sum is the dimension's.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., size, ...).

    Method: `Tensor.unsafe_split_with_sizes`.

    Raises:
        RuntimeError: a negative size, sizes of another sum, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unsafe_split_with_sizes.

    Example:
        >>> import tritonflow as flow
        >>> flow.unsafe_split_with_sizes(flow.arange(5), [1, 4])
        (tensor([0]), tensor([1, 2, 3, 4]))
    """
    return tuple([unshared(part) for part in split_sections(input, split_sizes, dim)])


@function("TensorTuple (Tensor input, Int64List split_sizes, Int32 dim=0)", samples="split_with_sizes")
def split_with_sizes_copy(input: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Copies of parts of given sizes along a dimension.

    `flow.split_with_sizes` in memory of their own.

    Args:
        input: the input.
        split_sizes: their sizes, whose sum is the dimension's.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., size, ...).

    Raises:
        RuntimeError: a negative size, sizes of another sum, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.split_with_sizes_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.split_with_sizes_copy(flow.arange(5), [1, 4])
        (tensor([0]), tensor([1, 2, 3, 4]))
    """
    return tuple([clone(part) for part in split_sections(input, split_sizes, dim)])


@functor("NarrowTensor")
def narrow_tensor(input: Tensor, dim: int, start: Tensor, length: int) -> Tensor:
    if start.meta.ndim or start.meta.dtype.category != INTEGER:
        raise ShapeError("start must be an 0-dim integral Tensor.")
    return narrow(input, dim, index_of(item(start)), length)
