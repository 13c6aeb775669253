"""Functors of parts along a dimension: views, side by side."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from tritonflow.binding.library import function
from tritonflow.errors import DimensionError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.symbolic_int import how_many
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.interpreter.dispatch import Cuts, dispatch_split

_select = op_expr("select")
_slice = op_expr("slice")
MOST_PARTS = 1 << 24  # of a tensor: so many objects take some gigabytes already


@function(
    "TensorTuple (Tensor x, Int64 split_size_or_sections, Int32 dim=0)",
    "TensorTuple (Tensor x, Int64List split_size_or_sections, Int32 dim=0) => split_sections",
    methods="split", samples="split",
)
def split(x: Tensor, split_size_or_sections: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of given sizes along a dimension: views.

    With one number all parts have that size, the last one what is left.

    Args:
        x: the input.
        split_size_or_sections: the size of the parts, or a list of sizes whose sum is the dimension's.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., size, ...).

    Method: `Tensor.split`.

    Raises:
        RuntimeError: a negative size, sizes of another sum, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.split.

    Example:
        >>> import tritonflow as flow
        >>> flow.split(flow.arange(5), 2)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
        >>> flow.split(flow.arange(5), [1, 4])
        (tensor([0]), tensor([1, 2, 3, 4]))
    """
    return dispatch_split(_slice, x, (_even_cuts, split_size_or_sections, dim))


def _even_cuts(meta: TensorMeta, size: int, dim: int) -> Cuts:
    dim = _dim_to_split(meta, dim)
    n = meta.shape[dim]
    if size < 0:
        raise InvalidArgumentError(f"split expects split_size be non-negative, but got split_size={size}")
    if size == 0 and n:
        raise ShapeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}")
    parts = how_many(-(-n // size)) if n else 1
    return _cuts((*[size] * (parts - 1), n - size * (parts - 1)), dim)


@function(
    "TensorTuple (Tensor input, Int64List split_sizes, Int32 dim=0)",
    name="split_with_sizes", methods="split_with_sizes", samples="split_with_sizes",
)
def split_sections(x: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of given sizes along a dimension: views.

    Args:
        input: the input.
        split_sizes: their sizes, whose sum is the dimension's.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., size, ...).

    Method: `Tensor.split_with_sizes`.

    Raises:
        RuntimeError: a negative size, sizes of another sum, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.split_with_sizes.

    Example:
        >>> import tritonflow as flow
        >>> flow.split_with_sizes(flow.arange(5), [1, 4])
        (tensor([0]), tensor([1, 2, 3, 4]))
    """
    return dispatch_split(_slice, x, (_cuts_of_sizes, tuple(split_size_or_sections), dim))


def _cuts_of_sizes(meta: TensorMeta, sizes: tuple[int, ...], dim: int) -> Cuts:
    dim = _dim_to_split(meta, dim)
    n = meta.shape[dim]
    if sum(sizes) != n or any(size < 0 for size in sizes):  # which is the least, no program for many sizes need know
        raise ShapeError(
            f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {dim}), but got"
            f" split_sizes={list(sizes)}"
        )
    return _cuts(sizes, dim)


def _cuts(sizes: tuple[int, ...], dim: int) -> Cuts:
    starts = accumulate(sizes, initial=0)
    return [(dim, start, size, 1) for start, size in zip(starts, sizes)], dim, sizes


def _dim_to_split(meta: TensorMeta, dim: int) -> int:
    if not meta.ndim:
        raise ShapeError("split expects at least a 1-dimensional tensor")
    return wrap_dim(dim, meta.ndim)


def check_parts(name: str, parts: int) -> None:
    """Refuse a number of parts that no memory has objects for."""
    if parts > MOST_PARTS:
        raise InvalidArgumentError(f"{name}(): expected at most {MOST_PARTS} parts, but got {parts}")


@function("TensorTuple (Tensor x, Int64 chunks, Int32 dim=0)", methods="chunk", samples="chunk")
def chunk(x: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most so many parts of one size along a dimension: views.

    The size is ceil(n / chunks), the last part is what is left. There may be fewer parts;
    `flow.tensor_split` gives the number.

    Args:
        x: the input.
        chunks: how many parts, at least 1.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., size, ...).

    Method: `Tensor.chunk`.

    Raises:
        RuntimeError: chunks is not positive, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.chunk.

    Example:
        >>> import tritonflow as flow
        >>> flow.chunk(flow.arange(5), 3)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
        >>> len(flow.chunk(flow.arange(5), 4))
        3
    """
    return dispatch_split(_slice, x, (_cuts_of_chunks, chunks, dim))


def _cuts_of_chunks(meta: TensorMeta, chunks: int, dim: int) -> Cuts:
    if chunks <= 0:
        raise InvalidArgumentError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    if not meta.ndim:
        raise ShapeError("chunk expects at least a 1-dimensional tensor")
    n = meta.shape[wrap_dim(dim, meta.ndim)]
    if n == 0:
        check_parts("chunk", chunks)
        return _cuts_of_sizes(meta, (0,) * chunks, dim)
    return _even_cuts(meta, -(-n // chunks), dim)


@function("TensorTuple (Tensor x, Int32 dim=0)", methods="unbind", samples="unbind")
def unbind(x: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """All indices of a dimension: views.

    Args:
        x: the input.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> n times (..., ...).

    Method: `Tensor.unbind`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unbind.

    Example:
        >>> import tritonflow as flow
        >>> flow.unbind(flow.tensor([[1, 2], [3, 4]]))
        (tensor([1, 2]), tensor([3, 4]))
    """
    return dispatch_split(_select, x, (_indices, dim))


def _indices(meta: TensorMeta, dim: int) -> Cuts:
    if not meta.ndim:
        raise DimensionError("Dimension specified as 0 but tensor has no dimensions")
    dim = wrap_dim(dim, meta.ndim)
    n = meta.shape[dim]
    return [(dim, i) for i in range(n)], dim, (1,) * n
