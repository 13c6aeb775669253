"""Functors of cumsum, cumprod, sort, argsort, topk and median."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import INTEGER, DType, iinfo
from tritonflow.errors import DimensionError, DTypeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, scalar_add
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.creation import full, zeros
from tritonflow.functions.elementwise import clamp, scalar_floor_divide, scalar_remainder
from tritonflow.functions.elementwise_selection import where_scalar_x, where_scalar_y
from tritonflow.functions.generated import (
    div,
    eq,
    is_nan,
    logical_and,
    logical_or,
    mul,
    scalar_eq,
    scalar_le,
    scalar_lt,
    scalar_mul,
    where,
)
from tritonflow.functions.index_gather import gather, scatter
from tritonflow.functions.join import cat
from tritonflow.functions.matmul_gradients import cumulative_product_gradient, is_differentiated_again, shifted_right
from tritonflow.functions.reduction import refuse_integral
from tritonflow.functions.view import contiguous, expand, narrow, reshape, squeeze, unshared, unsqueeze
from tritonflow.functions.view_orders import movedim
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.ops import sort_keys
from tritonflow.ops.dtype_rules import require

_cumsum = op_expr("cumsum")
_cumprod = op_expr("cumprod")
_sort = op_expr("sort")


@functor("CumSum")
def cumsum(input: Tensor, dim: int, dtype: DType | None = None) -> Any:
    if dtype is not None:
        refuse_integral(input, dtype)
    return dispatch1(_cumsum, input, (wrap_dim(dim, input.meta.ndim), dtype, False))


@function("Tensor (Tensor dy, Int32 dim, Bool reverse)", bind_python=False)
def reversed_cumsum(dy: Tensor, dim: int, reverse: bool) -> Any:
    """The sums of what comes after (or before, where the cumsum was reversed itself)."""
    return dispatch1(_cumsum, dy, (dim, None, not reverse))


@functor("CumProd")
def cumprod(input: Tensor, dim: int, dtype: DType | None = None) -> Any:
    if dtype is not None:
        refuse_integral(input, dtype)
    return dispatch1(_cumprod, input, (wrap_dim(dim, input.meta.ndim), dtype))


@function("Tensor (Tensor dy, Tensor x, Tensor y, Int32 dim)", bind_python=False)
def cumprod_grad(dy: Tensor, x: Tensor, y: Tensor, dim: int) -> Any:
    """Sum over j >= i of dy_j y_j / x_i. From the first zero on it is the product without that zero which counts.

    With z the position of the first zero: before it the formula holds, at it the gradient is the sum of dy_j times the
    product of the others up to j, behind it the gradient is 0.
    """
    if dy.meta.dtype is not x.meta.dtype:
        x = cast(x, dy.meta.dtype)
    if is_differentiated_again(x) and x.meta.ndim and x.meta.numel:
        before = shifted_right(cumprod(x, dim), wrap_dim(dim, x.meta.ndim))
        return cumulative_product_gradient(dy, x, before, dim)
    zero = scalar_eq(x, 0)
    seen = cumsum(zero, dim)
    first = logical_and(zero, scalar_eq(seen, 1))
    filled = where_scalar_x(zero, 1.0, x)
    before = div(reversed_cumsum(mul(dy, y), dim, False), filled)
    skipping = where_scalar_y(scalar_le(seen, 1), cumprod(where_scalar_x(first, 1.0, x), dim), 0.0)
    at = reversed_cumsum(where_scalar_y(scalar_eq(seen, 1), mul(dy, skipping), 0.0), dim, False)
    return where(scalar_eq(seen, 0), before, where_scalar_y(first, at, 0.0))


def _sorted(input: Tensor, dim: int, descending: bool, keep: int | None = None) -> Any:
    dim = wrap_dim(dim, input.meta.ndim)
    size = input.meta.shape[dim] if input.meta.ndim else 1
    return dispatch(_sort, (input,), (dim, descending, size if keep is None else keep))


@functor("Sort")
def sort(input: Tensor, dim: int = -1, descending: bool = False) -> Any:
    return _sorted(input, dim, descending)


@functor("SortStable")
def sort_stable(input: Tensor, stable: bool, dim: int = -1, descending: bool = False) -> Any:
    return _sorted(input, dim, descending)


@function(
    "Tensor (Tensor input, Int32 dim=-1, Bool descending=False)",
    "Tensor (Tensor input, *, Bool stable, Int32 dim=-1, Bool descending=False) => ArgSortStable",
    methods="argsort", samples="sort", derivative={"none": "gives no floating values"},
)
def argsort(input: Tensor, dim: int = -1, descending: bool = False) -> Any:
    """The indices that sort a tensor along a dimension.

    The indices of `flow.sort`, int64.

    Overloads:
        - `argsort(input: Tensor, dim: int = -1, descending: bool = False) -> Tensor`
        - `argsort(input: Tensor, *, stable: bool, dim: int = -1, descending: bool = False) -> Tensor`

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        descending: whether that of the largest is first.
        stable: whatever it is, equal elements keep their order.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `input`.

    Not differentiable: gives no floating values. Method: `Tensor.argsort`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.argsort.

    Example:
        >>> import tritonflow as flow
        >>> flow.argsort(flow.tensor([3.0, 1.0, 2.0]))
        tensor([1, 2, 0])
    """
    return _sorted(input, dim, descending)[1]


@functor("ArgSortStable")
def argsort_stable(input: Tensor, stable: bool, dim: int = -1, descending: bool = False) -> Any:
    return _sorted(input, dim, descending)[1]


@function(
    "TensorTuple[values, indices] (Tensor input, Int32 k, Int32 dim=-1, Bool largest=True, Bool sorted=True)",
    methods="topk", samples="topk",
)
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The k largest (or smallest) elements along a dimension, and where they are.

    NaN counts as the largest. Indices are int64. Gradients flow to the elements that the values came
    from.

    Args:
        input: the input.
        k: how many.
        dim: the dimension; a negative one counts from the end.
        largest: whether the largest are wanted, or the smallest.
        sorted: whether they must be in order; here they always are.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> values and indices (..., k, ...).

    Returns:
        A named tuple `(values, indices)`.

    Method: `Tensor.topk`.

    Raises:
        IndexError: `k` is not within [0, n]; `dim` is out of range.
        NotImplementedError: bool or complex tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.topk.

    Example:
        >>> import tritonflow as flow
        >>> flow.topk(flow.tensor([3.0, 1.0, 2.0]), 2)
        tritonflow.return_types.topk(
        values=tensor([3., 2.]),
        indices=tensor([0, 2]))
    """
    require("topk", "numeric", input.meta.dtype, "input")
    size = input.meta.shape[wrap_dim(dim, input.meta.ndim)] if input.meta.ndim else 1
    if not 0 <= k <= size:
        raise DimensionError("selected index k out of range")
    if not input.meta.ndim:
        k = 1  # the element itself, also for k = 0, as in torch
    if largest and k and size >= _LONG and 4 * _BLOCK * k <= size and not sort_keys.suits(input.meta):
        return _topk_by_blocks(input, k, wrap_dim(dim, input.meta.ndim))
    return _sorted(input, dim, largest, k)


_BLOCK, _LONG = 64, 4096


def _topk_by_blocks(input: Tensor, k: int, dim: int) -> Any:
    """The k largest of many: they are in the k blocks with the largest maxima (the first of equal ones).

    For an element of another block there are k maxima that come before it. So only those blocks, in the order of their
    positions, which keeps the sort stable, and the ragged tail are sorted.
    """
    with no_grad():
        rows = contiguous(movedim(input, (dim,), (-1,)))
        lead, size = rows.meta.shape[:-1], rows.meta.shape[-1]
        count = size // _BLOCK
        whole = count * _BLOCK
        blocks = reshape(narrow(rows, -1, 0, whole), (*lead, count, _BLOCK))
        chosen = _sorted(_sorted(reduction.amax(blocks, (-1,)), -1, True, k)[1], -1, False)[0]
        picked = gather(blocks, -2, expand(unsqueeze(chosen, -1), (*lead, k, _BLOCK)))
        candidates = cat([reshape(picked, (*lead, k * _BLOCK)), narrow(rows, -1, whole, size - whole)], -1)
        at = _sorted(candidates, -1, True, k)[1]
        block = clamp(scalar_floor_divide(at, _BLOCK), 0, k - 1)
        inside = add(scalar_mul(gather(chosen, -1, block), _BLOCK), scalar_remainder(at, _BLOCK))
        index = where(scalar_lt(at, k * _BLOCK), inside, scalar_add(at, whole - k * _BLOCK))
        index = contiguous(movedim(index, (-1,), (dim,)))
    return gather(input, dim, index), index


@function("Tensor (Tensor dy, Tensor indices, Shape shape, Int32 dim)", bind_python=False)
def sorted_grad(dy: Tensor, indices: Tensor, shape: tuple[int, ...], dim: int) -> Any:
    """dy back where the elements came from."""
    if not shape:
        return reshape(dy, ())
    return scatter(zeros(shape, dtype=dy.meta.dtype, **beside(dy)), dim, indices, dy)


@function("Tensor (Tensor dy, Tensor index, Shape shape, Int32List dim, Bool keepdim)", bind_python=False)
def indexed_extremum_grad(
    dy: Tensor, index: Tensor, shape: tuple[int, ...], dim: tuple[int, ...], keepdim: bool
) -> Any:
    """dy at the positions of the extrema, else 0."""
    if not shape:
        return dy
    d = dim[0]
    if not keepdim:
        dy, index = unsqueeze(dy, d), unsqueeze(index, d)
    return scatter(zeros(shape, dtype=dy.meta.dtype, **beside(dy)), d, index, dy)


@function(
    "Tensor (Tensor input)",
    "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False) => MedianDim",
    methods="median", reference="op_references.median", samples="along_dim",
)
def median(input: Tensor) -> Any:
    """The middle element (the lower of two) of a tensor, or along a dimension and where it is.

    Of an even number of elements it is the lower middle one, NaN where there is any.

    Overloads:
        - `median(input: Tensor) -> Tensor`
        - `median(input: Tensor, dim: int, keepdim: bool = False) -> return_types.median`

    Args:
        input: the input.
        dim: the dimension; all elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A tensor, or where several are returned a named tuple `(values, indices)`.

    Method: `Tensor.median`.

    Raises:
        RuntimeError: bool or complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.median.

    Example:
        >>> import tritonflow as flow
        >>> flow.median(flow.tensor([3.0, 1.0, 2.0, 4.0]))
        tensor(2.)
        >>> flow.median(flow.tensor([[3.0, 1.0, 2.0]]), 1)
        tritonflow.return_types.median(
        values=tensor([2.]),
        indices=tensor([2]))
    """
    if not input.meta.numel:
        return _median_of_nothing(input)
    flat = reshape(input, (-1,))
    return shared_by_equals(median_dim(flat, 0)[0], flat)


def _median_of_nothing(x: Tensor) -> Any:
    """NaN, whose gradient has no elements; of integers the lowest number, and of bool True."""
    dtype = x.meta.dtype
    if dtype.is_floating_point:
        return scalar_add(reduction.sum(x), float("nan"))
    return full((), iinfo(dtype).min if dtype.category == INTEGER else True, dtype=dtype, **beside(x))


def shared_by_equals(value: Tensor, x: Tensor) -> Any:
    """A value of the vector x, whose gradient all elements that equal it share."""
    if not wants_gradient(value):
        return value
    value = value.detach()
    equal = logical_or(eq(x, value), logical_and(is_nan(x), is_nan(value)))
    return reduction.max(where_scalar_y(equal, x, float("-inf")))


@functor("MedianDim")
def median_dim(input: Tensor, dim: int, keepdim: bool = False) -> Any:
    """The lower middle of the sorted elements; the first NaN if there is one (it is sorted to the end)."""
    if input.meta.dtype.category == 0:
        raise DTypeError("median: bool tensors are not supported")
    if not input.meta.ndim:
        wrap_dim(dim, 0)
        return clone(input), zeros((), dtype=reduction.argmax(input).meta.dtype, **beside(input))
    dim = wrap_dim(dim, input.meta.ndim)
    size = input.meta.shape[dim]
    if size == 0:
        raise DimensionError(f"median(): Expected reduction dim {dim} to have non-zero size.")
    with no_grad():
        order = _sorted(input, dim, False, (size - 1) // 2 + 1)[1]
        indices = narrow(order, dim, (size - 1) // 2, 1)
        if input.meta.dtype.is_floating_point:
            bad = is_nan(input)
            some = reduction.any(bad, (dim,), True)
            indices = where(some, reduction.argmax(cast(bad, indices.meta.dtype), dim, True), indices)
    found = gather(input, dim, indices), indices
    return found if keepdim else tuple([unshared(squeeze(t, (dim,))) for t in found])
