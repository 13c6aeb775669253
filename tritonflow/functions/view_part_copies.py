"""Functors of copies of parts, where others are views."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import view, view_parts
from tritonflow.functions.cast import clone


@function("Tensor (Tensor input, Int32 dim, Int64 start, Int64 length)", methods="narrow_copy", samples="narrow")
def narrow_copy(input: Tensor, dim: int, start: int, length: int) -> Any:
    """A copy of neighbouring indices of a dimension.

    `flow.narrow` in memory of its own.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        start: the first index, negative ones from the end.
        length: how many.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., length, ...).

    Method: `Tensor.narrow_copy`.

    Raises:
        RuntimeError: start + length is greater than the size, or length is negative.
        IndexError: start is out of range; `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.narrow_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.narrow_copy(flow.arange(5), 0, 1, 3)
        tensor([1, 2, 3])
    """
    return clone(view.narrow(input, dim, start, length))


@function("Tensor (Tensor input, Int32 dim, Int32 index)", samples="select")
def select_copy(input: Tensor, dim: int, index: int) -> Any:
    """A copy of one index of a dimension.

    `flow.select` in memory of its own.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: which one, negative ones from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...).

    Raises:
        IndexError: there is no such index or dimension; `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.select_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.select_copy(flow.tensor([[1, 2], [3, 4]]), 0, 1)
        tensor([3, 4])
    """
    return clone(view.select(input, dim, index))


@function("Tensor (Tensor input, Int32 dim=0, Int64 start=None, Int64 end=None, Int64 step=1)", samples="slice_copy")
def slice_copy(input: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Any:
    """The elements from start to end along a dimension, in memory of their own.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        start: the first index; default the first of all.
        end: the index behind the last one; default the last of all.
        step: the distance of indices, at least 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ceil((end - start) / step), ...).

    Raises:
        RuntimeError: a step below 1.
        TypeError: no dimension; an argument has the wrong type, or there is no such argument.
        IndexError: `dim` is out of range.

    Source: torch.slice_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.slice_copy(flow.arange(5), 0, 1, 4, 2)
        tensor([1, 3])
    """
    if step <= 0:
        raise InvalidArgumentError("slice step must be positive")
    if not input.meta.ndim:
        raise ArgumentTypeError("slice() cannot be applied to a 0-dim tensor.")
    return clone(view.slice_dim(input, wrap_dim(dim, input.meta.ndim), slice(start, end, step)))


@function("TensorTuple (Tensor input, Int64 split_size, Int32 dim=0)", samples="split_copy")
def split_copy(input: Tensor, split_size: int, dim: int = 0) -> tuple[Any, ...]:
    """Copies of parts of one size along a dimension.

    `flow.split` in memory of their own.

    Args:
        input: the input.
        split_size: the size of the parts; the last one has what is left.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., split_size, ...).

    Raises:
        RuntimeError: a negative size, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.split_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.split_copy(flow.arange(5), 2)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    return tuple([clone(part) for part in view_parts.split(input, split_size, dim)])


@function("TensorTuple (Tensor input, Int32 dim=0)", samples="unbind")
def unbind_copy(input: Tensor, dim: int = 0) -> tuple[Any, ...]:
    """Copies of all indices of a dimension.

    `flow.unbind` in memory of their own.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> n times (..., ...).

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unbind_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.unbind_copy(flow.tensor([[1, 2], [3, 4]]))
        (tensor([1, 2]), tensor([3, 4]))
    """
    return tuple([clone(part) for part in view_parts.unbind(input, dim)])
