"""Functors of cummax, cummin, logcumsumexp, and of what is read off sorted elements: kthvalue, mode, nanmedian, quantile."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, int64
from tritonflow.errors import DimensionError, DTypeError, InvalidArgumentError
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, scalar_add, scalar_sub, sub
from tritonflow.functions.cast import clone
from tritonflow.functions.creation import arange, zeros
from tritonflow.functions.elementwise import clamp, scalar_floor_divide
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import (
    eq,
    exp,
    is_nan,
    log,
    logical_and,
    logical_not,
    logical_or,
    mul,
    ne,
    scalar_gt,
    scalar_ne,
)
from tritonflow.functions.index_gather import gather
from tritonflow.functions.scan_sort import median, shared_by_equals, sort
from tritonflow.functions.unary import negative
from tritonflow.functions.view import narrow, reshape, squeeze, unshared
from tritonflow.interpreter.dispatch import dispatch1
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.ops.dtype_rules import require
from tritonflow.thread_state import thread_state

_cumulative_max = op_expr("cumulative_max")
_cumulative_min = op_expr("cumulative_min")
_logcumsumexp = op_expr("logcumsumexp")
INFINITY = float("inf")

# ------------------------------------------------------------------------------------------------------ running extrema


@functor("CumMax")
def cummax(input: Tensor, dim: int) -> Any:
    return _running(_cumulative_max, input, dim)


@functor("CumMin")
def cummin(input: Tensor, dim: int) -> Any:
    return _running(_cumulative_min, input, dim)


def _running(op: OpExpr, input: Tensor, dim: int) -> Any:
    """The running extrema, and where they are: the largest position up to here of an element that is the extremum."""
    dim = wrap_dim(dim, input.meta.ndim)
    if not input.meta.ndim:
        return clone(input), zeros((), dtype=int64, **beside(input))
    with no_grad():
        values = dispatch1(op, input, (dim,))
        hit = eq(input, values)
        if input.meta.dtype.is_floating_point:
            hit = logical_or(hit, is_nan(input))
        indices = dispatch1(_cumulative_max, where_scalar_y(hit, positions(input, dim), 0), (dim,))
    if not (thread_state.grad_enabled and wants_gradient(input)):
        return values, indices
    if not input.meta.numel:  # its gradient depends on it, as in torch: an empty tensor has a second derivative
        return mul(input, input), indices
    return gather(input, dim, indices), indices


def positions(x: Tensor, dim: int) -> Tensor:
    """0, 1, 2, ... along a dimension, to broadcast with x."""
    size = x.meta.shape[dim]
    return reshape(arange(0, size, **beside(x)), (size, *[1] * (x.meta.ndim - dim - 1)))


@functor("LogCumSumExp")
def logcumsumexp(input: Tensor, dim: int) -> Any:
    return dispatch1(_logcumsumexp, input, (wrap_dim(dim, input.meta.ndim), False))


@function("Tensor (Tensor dy, Tensor x, Tensor y, Int32 dim, Bool reverse)", bind_python=False)
def logcumsumexp_grad(dy: Tensor, x: Tensor, y: Tensor, dim: int, reverse: bool) -> Any:
    """Sum over j >= i of dy_j exp(x_i - y_j): gradients of either sign are added up as logarithms, which do not overflow.

    A sum of exponentials that are all 0 passes no gradient on.
    """
    grows = scalar_ne(y, -INFINITY)

    def part(grads: Tensor) -> Any:
        some = logical_and(scalar_gt(grads, 0), grows)
        logs = where_scalar_y(some, sub(log(where_scalar_y(some, grads, 1.0)), y), -INFINITY)
        return exp(add(dispatch1(_logcumsumexp, logs, (dim, not reverse)), x))

    return sub(part(dy), part(negative(dy)))


# ------------------------------------------------------------------------------------------------------- order statistics


@function("Tensor (Tensor input)", methods="msort", samples="real")
def msort(input: Tensor) -> Any:
    """The elements in order along the first dimension.

    `flow.sort(input, dim=0)` without the indices.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `input`.

    Method: `Tensor.msort`.

    Raises:
        NotImplementedError: complex tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.msort.

    Example:
        >>> import tritonflow as flow
        >>> flow.msort(flow.tensor([[3.0, 1.0], [2.0, 4.0]]))
        tensor([[2., 1.],
                [3., 4.]])
    """
    return sort(input, 0)[0]


@function(
    "TensorTuple[values, indices] (Tensor input, Int32 k, Int32 dim=-1, Bool keepdim=False)",
    methods="kthvalue", samples="kthvalue",
)
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The k-th smallest element along a dimension, and where it is.

    NaN counts as the largest. Indices are int64.

    Args:
        input: the input.
        k: which, 1 for the smallest.
        dim: the dimension; a negative one counts from the end.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> values and indices (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A named tuple `(values, indices)`.

    Method: `Tensor.kthvalue`.

    Raises:
        RuntimeError: `k` is not within [1, n].
        NotImplementedError: bool or complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.kthvalue.

    Example:
        >>> import tritonflow as flow
        >>> flow.kthvalue(flow.tensor([3.0, 1.0, 2.0]), 2)
        tritonflow.return_types.kthvalue(
        values=tensor(2.),
        indices=tensor(2))
    """
    require("kthvalue", "numeric", input.meta.dtype, "input")
    dim, size = checked_length("kthvalue", input, dim)
    if not 1 <= k <= size:
        raise InvalidArgumentError(f"kthvalue(): selected number k out of range for dimension {dim}")
    if not input.meta.ndim:
        return clone(input), zeros((), dtype=int64, **beside(input))
    with no_grad():
        indices = narrow(sort(input, dim)[1], dim, k - 1, 1)
    return _picked(input, indices, dim, keepdim)


def checked_length(name: str, x: Tensor, dim: int) -> tuple[int, int]:
    """A dimension without a sign, and its length, which must not be 0."""
    dim = wrap_dim(dim, x.meta.ndim)
    size = x.meta.shape[dim] if x.meta.ndim else 1
    if size == 0:
        raise DimensionError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
    return dim, size


def _picked(input: Tensor, indices: Tensor, dim: int, keepdim: bool) -> Any:
    """The elements at one index a row, and the index."""
    values = gather(input, dim, indices)
    return (values, indices) if keepdim else tuple([unshared(squeeze(t, (dim,))) for t in (values, indices)])


@function(
    "TensorTuple[values, indices] (Tensor input, Int32 dim=-1, Bool keepdim=False)",
    methods="mode", reference="op_references.mode", samples="reduction_dim",
)
def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """The most frequent element along a dimension, the smallest of several, and where it is last.

    Indices are int64.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> values and indices (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A named tuple `(values, indices)`.

    Method: `Tensor.mode`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mode.

    Example:
        >>> import tritonflow as flow
        >>> flow.mode(flow.tensor([2, 1, 2, 1, 3]))
        tritonflow.return_types.mode(
        values=tensor(1),
        indices=tensor(3))
    """
    # In sorted rows equal elements are neighbours: the first run that is as long as the longest one, its last element.
    dim, size = checked_length("mode", input, dim)
    if not input.meta.ndim:
        return clone(input), zeros((), dtype=int64, **beside(input))
    with no_grad():
        values, order = sort(input, dim)
        at = positions(input, dim)
        before = narrow(values, dim, 0, size - 1)
        starts = where_scalar_y(ne(narrow(values, dim, 1, size - 1), before), narrow(at, 0, 1, size - 1), 0)
        begun = dispatch1(_cumulative_max, starts, (dim,)) if size > 1 else starts
        lengths = sub(narrow(at, 0, 1, size - 1), begun)  # of all but the first element, which begins a run of length 0
        if size == 1:
            indices = order
        else:
            longest = reduction.argmax(lengths, dim, True)
            some = scalar_gt(gather(lengths, dim, longest), 0)
            indices = gather(order, dim, where_scalar_y(some, scalar_add(longest, 1), 0))
    return _picked(input, indices, dim, keepdim)


@function(
    "Tensor (Tensor input)",
    "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False) => NanMedianDim",
    methods="nanmedian", reference="op_references.nanmedian", samples="along_dim",
)
def nanmedian(input: Tensor) -> Any:
    """The middle element (the lower of two) of those that are no NaN, of a tensor or along a dimension and where it is.

    `flow.median` that leaves NaN out; NaN where there are no others.

    Overloads:
        - `nanmedian(input: Tensor) -> Tensor`
        - `nanmedian(input: Tensor, dim: int, keepdim: bool = False) -> return_types.nanmedian`

    Args:
        input: the input.
        dim: the dimension; all elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A tensor, or where several are returned a named tuple `(values, indices)`.

    Method: `Tensor.nanmedian`.

    Raises:
        RuntimeError: bool or complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nanmedian.

    Example:
        >>> import tritonflow as flow
        >>> flow.nanmedian(flow.tensor([3.0, float("nan"), 1.0]))
        tensor(1.)
    """
    if not input.meta.numel or not input.meta.dtype.is_floating_point:
        return median(input)
    flat = reshape(input, (-1,))
    return shared_by_equals(nanmedian_dim(flat, 0)[0], flat)


@functor("NanMedianDim")
def nanmedian_dim(input: Tensor, dim: int, keepdim: bool = False) -> Any:
    """The lower middle of the numbers of a row; NaN are sorted behind them."""
    if input.meta.dtype is bool_:
        raise DTypeError("nanmedian: bool tensors are not supported")
    dim, _ = checked_length("nanmedian", input, dim)
    if not input.meta.ndim:
        return clone(input), zeros((), dtype=int64, **beside(input))
    with no_grad():
        order = sort(input, dim)[1]
        last = scalar_sub(count_of_numbers(input, dim), 1)
        indices = gather(order, dim, clamp(scalar_floor_divide(last, 2), 0, None))
    return _picked(input, indices, dim, keepdim)


def count_of_numbers(x: Tensor, dim: int) -> Any:
    return reduction.sum(logical_not(is_nan(x)), (dim,), True, int64)
