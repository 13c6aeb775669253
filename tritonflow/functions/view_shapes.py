"""Functors of views in another shape, made of `view` and `reshape`."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.binding.library import function
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.view import contiguous, infer_shape, reshape, reshape_attributes, view
from tritonflow.interpreter.dispatch import dispatch_view

_view = op_expr("view")


@function("Tensor (Tensor input, Int32 start_dim=0, Int32 end_dim=-1)", methods="flatten", samples="flatten")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Neighbouring dimensions as one.

    A view where the memory can be read so, otherwise a copy; the input itself where there is nothing to
    do.

    Args:
        input: the input.
        start_dim: the first dimension of them.
        end_dim: the last one.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., a, ..., b, ...) -> (..., a * ... * b, ...); (1) of a tensor without dimensions.

    Method: `Tensor.flatten`.

    Raises:
        RuntimeError: start_dim comes after end_dim.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.flatten.

    Example:
        >>> import tritonflow as flow
        >>> flow.flatten(flow.zeros(2, 3, 4), start_dim=1).shape
        tritonflow.Size([2, 12])
    """
    found = dispatch_view(_view, input, (start_dim, end_dim), _flatten_attributes)
    if found is not None:
        return found  # type: ignore[no-any-return]
    shape = _flattened(input.meta.shape, start_dim, end_dim)
    return input if shape is None else reshape(input, shape)


def _flatten_attributes(meta: TensorMeta, start_dim: int, end_dim: int) -> tuple[Any, ...] | None:
    shape = _flattened(meta.shape, start_dim, end_dim)
    return None if shape is None else reshape_attributes(meta, shape)


def _flattened(shape: tuple[int, ...], start_dim: int, end_dim: int) -> tuple[int, ...] | None:
    """The shape with dimensions as one; None where the tensor itself is the result, as in torch."""
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if not shape:
        return (1,)
    if start > end:
        raise InvalidArgumentError("flatten() has invalid args: start_dim cannot come after end_dim")
    return None if start == end else (*shape[:start], prod(shape[start : end + 1]), *shape[end + 1 :])


@function("Tensor (Tensor input)", methods="ravel", samples="copy_of")
def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension.

    A view where the memory is in row-major order, otherwise a copy.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> (number of elements).

    Method: `Tensor.ravel`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ravel.

    Example:
        >>> import tritonflow as flow
        >>> flow.ravel(flow.tensor([[1, 2], [3, 4]]))
        tensor([1, 2, 3, 4])
    """
    return view(contiguous(input), (input.meta.numel,))


@function("Tensor (Tensor input, Int32 dim, Shape sizes)", methods="unflatten", samples="unflatten")
def unflatten(input: Tensor, dim: int, sizes: tuple[int, ...]) -> Tensor:
    """A dimension cut into several.

    The inverse of `flow.flatten`: a view.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        sizes: its new sizes; one may be -1, which is what the others leave.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., sizes, ...).

    Method: `Tensor.unflatten`.

    Raises:
        RuntimeError: the product of the sizes is not n, or there are none.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unflatten.

    Example:
        >>> import tritonflow as flow
        >>> flow.unflatten(flow.zeros(2, 12), 1, (3, -1)).shape
        tritonflow.Size([2, 3, 4])
    """
    shape = input.meta.shape
    dim = wrap_dim(dim, len(shape))
    if not sizes:
        raise InvalidArgumentError("unflatten: sizes must be non-empty")
    n = shape[dim] if shape else 1
    try:
        parts = infer_shape(tuple(sizes), n)
    except ShapeError:
        raise ShapeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({n}) in the input tensor"
        ) from None
    return view(input, (*shape[:dim], *parts, *shape[dim + 1 :]))


@function(
    "Tensor (Tensor input, Tensor other)",
    methods="view_as", export=(), reference="torch.Tensor.view_as", samples="pair_of_shapes",
)
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """The same elements in the shape of another tensor, over the same memory.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the shape of other.

    Method: `Tensor.view_as`.

    Raises:
        RuntimeError: another number of elements, or memory that cannot be read in that shape.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.view_as.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(4).view_as(flow.zeros(2, 2))
        tensor([[0, 1],
                [2, 3]])
    """
    return view(input, other.meta.shape)


@function(
    "Tensor (Tensor input, Tensor other)",
    methods="reshape_as", export=(), reference="torch.Tensor.reshape_as", samples="pair_of_shapes",
)
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """The same elements in the shape of another tensor.

    A view where the memory can be read in that shape, otherwise a copy.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the shape of other.

    Method: `Tensor.reshape_as`.

    Raises:
        RuntimeError: another number of elements.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.reshape_as.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(4).reshape_as(flow.zeros(2, 2))
        tensor([[0, 1],
                [2, 3]])
    """
    return reshape(input, other.meta.shape)
