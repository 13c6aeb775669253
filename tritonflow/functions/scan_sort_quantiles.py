"""Functors of quantiles."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import float32, float64, int64
from tritonflow.errors import DTypeError, InvalidArgumentError
from tritonflow.framework.runtime_scalar import calculated
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.arithmetic import scalar_sub, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import full
from tritonflow.functions.elementwise import clamp, lerp
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import ceil, floor, logical_and, mul, round, scalar_ge, scalar_le, scalar_lerp
from tritonflow.functions.index_gather import gather
from tritonflow.functions.scan_sort import sort
from tritonflow.functions.scan_sort_scans import count_of_numbers
from tritonflow.functions.value_checks import require_all
from tritonflow.functions.view import reshape, unshared
from tritonflow.functions.view_orders import movedim
from tritonflow.interpreter.grad_mode import no_grad

_ROUNDED = {"lower": floor, "higher": ceil, "nearest": round}
_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


@function(
    "Tensor (Tensor input, Tensor q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear')",
    "Tensor (Tensor input, Double q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear') => ScalarQuantile",
    methods="quantile", samples="quantile", tolerance="pointwise",
)
def quantile(
    input: Tensor, q: Tensor, dim: int | None = None, keepdim: bool = False, interpolation: str = "linear"
) -> Any:
    """The elements below which the shares q of a tensor lie, or of a dimension.

    For a share q it is the element at position `q * (n - 1)` of those in order; `interpolation` says
    what is taken between two. NaN where there is any.

    Args:
        input: the input.
        q: a share or a tensor of shares within [0, 1], of the input's dtype.
        dim: the dimension; a negative one counts from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        interpolation: `"linear"`, `"lower"`, `"higher"`, `"midpoint"` or `"nearest"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with a tensor of q before it.

    Method: `Tensor.quantile`.

    Raises:
        RuntimeError: a dtype other than float32 and float64; q outside of [0, 1]; an unknown interpolation.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.quantile.

    Example:
        >>> import tritonflow as flow
        >>> flow.quantile(flow.tensor([1.0, 2.0, 3.0, 4.0]), 0.5)
        tensor(2.5000)
        >>> flow.quantile(flow.tensor([1.0, 2.0, 3.0, 4.0]), flow.tensor([0.25, 0.75]))
        tensor([1.7500, 3.2500])
    """
    return _quantile("quantile", input, q, dim, keepdim, interpolation)


@function(
    "Tensor (Tensor input, Tensor q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear')",
    "Tensor (Tensor input, Double q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear') => "
    "ScalarNanQuantile",
    methods="nanquantile", samples="quantile", tolerance="pointwise",
)
def nanquantile(
    input: Tensor, q: Tensor, dim: int | None = None, keepdim: bool = False, interpolation: str = "linear"
) -> Any:
    """Quantile of the elements that are no NaN.

    `flow.quantile` that leaves NaN out; NaN where there are no others.

    Args:
        input: the input.
        q: a share or a tensor of shares within [0, 1], of the input's dtype.
        dim: the dimension; a negative one counts from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        interpolation: `"linear"`, `"lower"`, `"higher"`, `"midpoint"` or `"nearest"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with a tensor of q before it.

    Method: `Tensor.nanquantile`.

    Raises:
        RuntimeError: a dtype other than float32 and float64; q outside of [0, 1]; an unknown interpolation.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nanquantile.

    Example:
        >>> import tritonflow as flow
        >>> flow.nanquantile(flow.tensor([1.0, float("nan"), 3.0]), 0.5)
        tensor(2.)
    """
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation)


@functor("ScalarQuantile")
def scalar_quantile(
    input: Tensor, q: float, dim: int | None = None, keepdim: bool = False, interpolation: str = "linear"
) -> Any:
    return _scalar_quantile("quantile", input, q, dim, keepdim, interpolation)


@functor("ScalarNanQuantile")
def scalar_nanquantile(
    input: Tensor, q: float, dim: int | None = None, keepdim: bool = False, interpolation: str = "linear"
) -> Any:
    return _scalar_quantile("nanquantile", input, q, dim, keepdim, interpolation)


def _scalar_quantile(name: str, input: Tensor, q: float, dim: int | None, keepdim: bool, interpolation: str) -> Any:
    if not 0 <= q <= 1:
        raise InvalidArgumentError(f"quantile() q must be in the range [0, 1] but got {q:g}")
    _check_quantile(input, None, interpolation)
    share = full((), float(q), dtype=input.meta.dtype, **beside(input))
    return _quantile(name, input, share, dim, keepdim, interpolation, False)


def _check_quantile(input: Tensor, q: Tensor | None, interpolation: str) -> None:
    if not input.meta.numel:
        raise InvalidArgumentError("quantile() input tensor must be non-empty")
    if q is not None and q.meta.ndim > 1:
        raise InvalidArgumentError("quantile() q must be a scalar or 1D tensor")
    if input.meta.dtype not in (float32, float64):
        raise DTypeError("quantile() input tensor must be either float or double dtype")
    if q is not None and q.meta.dtype is not input.meta.dtype:
        raise DTypeError("quantile() q tensor must be same dtype as the input tensor")
    if interpolation not in _INTERPOLATIONS:
        raise InvalidArgumentError(
            f"quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}"
        )


def _quantile(
    name: str, input: Tensor, q: Tensor, dim: int | None, keepdim: bool, interpolation: str, check: bool = True
) -> Any:
    _check_quantile(input, q, interpolation)
    if check:
        inside = logical_and(scalar_ge(q, 0), scalar_le(q, 1))
        require_all(inside, InvalidArgumentError("quantile() q values must be in the range [0, 1]"))
    ndim = input.meta.ndim
    along = wrap_dim(dim, ndim) if dim is not None else None
    if along is None:
        rows, kept = reshape(input, (-1,)), (1,) * ndim
    else:
        rows = movedim(input, (along,), (-1,)) if ndim else reshape(input, (1,))
        kept = tuple([1 if d == along else n for d, n in enumerate(input.meta.shape)])
    result = _quantiles_of_rows(name, rows, reshape(q, (-1,)), interpolation)
    lead = q.meta.shape
    if keepdim:
        return unshared(reshape(movedim(result, (-1,), (0,)), (*lead, *kept)))
    return unshared(reshape(movedim(result, (-1,), (0,)), (*lead, *rows.meta.shape[:-1])))


def _quantiles_of_rows(name: str, rows: Tensor, q: Tensor, interpolation: str) -> Any:
    """For each row its quantiles, along the last dimension."""
    dtype, size = rows.meta.dtype, rows.meta.shape[-1]
    with no_grad():
        order = sort(rows, -1)[1]
        numbers = count_of_numbers(rows, rows.meta.ndim - 1)
    if name == "quantile":  # of a row with NaN that is the last one
        ranks = mul(q, full((), size - 1, dtype=dtype, **beside(rows)))
        ranks = where_scalar_y(scalar_ge(numbers, size), ranks, calculated(float, size - 1))
    else:
        ranks = clamp(mul(cast(scalar_sub(numbers, 1), dtype), q), 0, None)
    if interpolation in _ROUNDED:
        ranks = _ROUNDED[interpolation](ranks)
    below = cast(floor(ranks), int64)
    lower = gather(rows, -1, gather(order, -1, below))
    if interpolation in _ROUNDED:
        return lower
    upper = gather(rows, -1, gather(order, -1, cast(ceil(ranks), int64)))
    if interpolation == "midpoint":
        return scalar_lerp(lower, upper, 0.5)
    return lerp(lower, upper, sub(ranks, cast(below, dtype)))
