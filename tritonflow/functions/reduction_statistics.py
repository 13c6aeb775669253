"""Functors of statistics that are made of other ops: means of numbers, extrema, covariances, histograms."""

from __future__ import annotations

import math
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import DType, bool_, float64, int64, torch_name
from tritonflow.errors import DTypeError, DTypeNotImplementedError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import scalar_add, scalar_sub, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import zeros
from tritonflow.functions.creation_like import full_like
from tritonflow.functions.elementwise import clamp
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import (
    div,
    eq,
    floor,
    is_finite,
    is_nan,
    logical_and,
    logical_not,
    mul,
    scalar_div,
    scalar_ge,
    scalar_mul,
    scalar_ne,
    sqrt,
    where,
)
from tritonflow.functions.generated import ge as at_least
from tritonflow.functions.generated import le as at_most
from tritonflow.functions.index_gather import scatter_add
from tritonflow.functions.matmul import matmul
from tritonflow.functions.unary_complex import conj_physical, imag, real
from tritonflow.functions.value_checks import require_all
from tritonflow.functions.view import diagonal, narrow, reshape, squeeze, unshared, unsqueeze
from tritonflow.functions.view_complex import made_of
from tritonflow.functions.view_orders import transpose
from tritonflow.interpreter.grad_mode import no_grad

Number = int | float | bool
Dims = tuple[int, ...] | None


@function(
    "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
    methods="nanmean", samples="accumulation", tolerance="reduction",
)
def nanmean(input: Tensor, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    """The mean over some dimensions, or over all, of the elements that are no NaN.

    NaN where there are no others.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        dtype: of the mean; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Method: `Tensor.nanmean`.

    Raises:
        RuntimeError: integers or bool.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nanmean.

    Example:
        >>> import tritonflow as flow
        >>> flow.nanmean(flow.tensor([1.0, float("nan"), 3.0]))
        tensor(2.)
    """
    if not input.meta.dtype.is_floating_point:
        raise DTypeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {torch_name(input.meta.dtype)}"
        )
    count = reduction.sum(logical_not(is_nan(input)), dim, keepdim, int64)
    return div(reduction.nansum(input, dim, keepdim, dtype), count)


@function(
    "Tensor (Tensor input, Int32List[1] dim=None)",
    methods="count_nonzero", samples="accumulation", derivative={"none": "gives whole numbers"},
)
def count_nonzero(input: Tensor, dim: Dims = None) -> Any:
    """How many elements over some dimensions, or over all, are not 0.

    The counts are int64. NaN counts as well.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...).

    Not differentiable: gives whole numbers. Method: `Tensor.count_nonzero`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.count_nonzero.

    Example:
        >>> import tritonflow as flow
        >>> flow.count_nonzero(flow.tensor([[1, 0, 2], [0, 0, 3]]), 1)
        tensor([2, 1])
    """
    return reduction.sum(scalar_ne(input, 0), dim, False, int64)


@function(
    "TensorTuple (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)",
    "TensorTuple (Tensor input, Bool unbiased) => StdMeanAll",
    "TensorTuple (Tensor input, Int32List[1] dim=None, *, Double correction=None, Bool keepdim=False) => StdMeanCorrection",
    samples="var", tolerance="reduction",
)
def std_mean(input: Tensor, dim: Dims = None, unbiased: bool = True, keepdim: bool = False) -> Any:
    """The standard deviation and the mean.

    A tuple of `flow.std` and `flow.mean`.

    Overloads:
        - `std_mean(input: Tensor, dim: int | Sequence[int] | None = None, unbiased: bool = True, keepdim: bool = False)
          -> tuple[Tensor, ...]`
        - `std_mean(input: Tensor, unbiased: bool) -> tuple[Tensor, ...]`
        - `std_mean(input: Tensor, dim: int | Sequence[int] | None = None, *, correction: float | None = None, keepdim:
          bool = False) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        unbiased: True for a correction of 1, False for one of 0.
        keepdim: whether reduced dimensions stay, with size 1.
        correction: what is subtracted from the number of elements in the divisor; 1 unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> twice (..., ...), with `keepdim` (..., 1, ...).

    Raises:
        RuntimeError: integers or bool.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.std_mean.

    Example:
        >>> import tritonflow as flow
        >>> flow.std_mean(flow.tensor([1.0, 2.0, 3.0, 4.0]))
        (tensor(1.2910), tensor(2.5000))
    """
    return std_mean_corrected(input, dim, int(unbiased), keepdim)


@functor("StdMeanAll")
def std_mean_all(input: Tensor, unbiased: bool) -> Any:
    return std_mean_corrected(input, None, int(unbiased), False)


@functor("StdMeanCorrection")
def std_mean_corrected(
    input: Tensor, dim: Dims = None, correction: float | None = None, keepdim: bool = False
) -> Any:
    if not input.meta.dtype.has_gradient:
        raise DTypeError("std_mean only support floating point and complex dtypes")
    return reduction.std_corrected(input, dim, correction, keepdim), reduction.mean(input, dim, keepdim)


@function(
    "TensorTuple[min, max] (Tensor input, *, Int32 dim=None, Bool keepdim=False)",
    methods="aminmax", samples={"kind": "real", "dim": [None, 0, -1], "keepdim": [False, True]},
)
def aminmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The smallest and the largest element along a dimension, or of all.

    Both are `flow.amin` and `flow.amax`, of one reading where that pays.

    Args:
        input: the input.
        dim: the dimension; all elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> twice (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A named tuple `(min, max)`.

    Method: `Tensor.aminmax`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: a dimension of size 0 is reduced; `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.aminmax.

    Example:
        >>> import tritonflow as flow
        >>> flow.aminmax(flow.tensor([[1.0, 5.0], [3.0, 2.0]]), dim=1)
        tritonflow.return_types.aminmax(
        min=tensor([1., 2.]),
        max=tensor([5., 3.]))
    """
    if dim is None and not input.meta.numel:
        raise ShapeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")
    dims = None if dim is None else (dim,)
    return reduction.amin(input, dims, keepdim), reduction.amax(input, dims, keepdim)


# ------------------------------------------------------------------------------------------------------------ covariances


@function(
    "Tensor (Tensor input, *, Int32 correction=1, Tensor fweights=None, Tensor aweights=None)",
    methods="cov", samples="variables", tolerance="matmul",
)
def cov(input: Tensor, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Any:
    """The covariances of variables (rows) over observations (columns).

    `out[i, j] = sum over k of w[k] * (input[i, k] - mean[i]) * conj(input[j, k] - mean[j]) / (w1 -
    correction)`, where w are the weights of the observations and w1 is their sum.

    Args:
        input: the input.
        correction: what is subtracted in the divisor.
        fweights: how often each observation occurs, whole numbers.
        aweights: the weight of each observation, floating numbers.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n, k) -> (n, n); (k) -> a tensor without dimensions; weights are (k).

    Method: `Tensor.cov`.

    Raises:
        RuntimeError: more than two dimensions, bool; weights of another shape or dtype, or negative ones.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cov.

    Example:
        >>> import tritonflow as flow
        >>> flow.cov(flow.tensor([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]]))
        tensor([[ 1.0000, -0.5000],
                [-0.5000,  1.0000]])
    """
    # With weights w: the mean is sum(w x) / sum(w), and products of what differs from it are added up with w.
    if input.meta.ndim > 2:
        raise ShapeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {input.meta.ndim} dimensions"
        )
    if input.meta.dtype is bool_:
        raise DTypeError("cov(): bool dtype is not supported for input")
    x = reshape(input, (1, -1)) if input.meta.ndim < 2 else input
    count = x.meta.shape[1]
    _check_weights("fweights", fweights, count, False)
    _check_weights("aweights", aweights, count, True)
    weights = fweights if aweights is None else aweights if fweights is None else mul(fweights, aweights)
    if weights is None:
        mean = scalar_div(reduction.sum(x, (1,)), count) if count else reduction.sum(x, (1,))
        freedom = max(count - correction, 0)
        centred = sub(x, unsqueeze(mean, 1))
        products = _products(centred, centred)
        result = scalar_div(products, freedom)
    else:
        total = reduction.sum(weights)
        mean = div(reduction.sum(mul(x, weights), (1,)), total)
        centred = sub(x, unsqueeze(mean, 1))
        lost: Any = scalar_mul(full_like(total, 1), correction)
        if aweights is not None:
            lost = div(scalar_mul(reduction.sum(mul(weights, aweights)), correction), total)
        result = div(_products(centred, mul(centred, weights)), clamp(sub(total, lost), 0, None))
    return unshared(squeeze(result))


def _products(a: Tensor, b: Tensor) -> Any:
    b = cast(b, a.meta.dtype) if b.meta.dtype is not a.meta.dtype else b
    return matmul(a, conj_physical(transpose(b, 0, 1)))


def _check_weights(name: str, weights: Tensor | None, count: int, floating: bool) -> None:
    if weights is None:
        return
    if weights.meta.ndim > 1:
        raise ShapeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with {weights.meta.ndim} dimensions"
        )
    if weights.meta.dtype is bool_ or weights.meta.dtype.is_floating_point != floating:
        kind = "floating point" if floating else "integral"
        raise DTypeError(
            f"cov(): expected {name} to have {kind} dtype but got {name} with {torch_name(weights.meta.dtype)} dtype"
        )
    if weights.meta.numel != count:
        raise ShapeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got"
            f" {weights.meta.numel} != {count}"
        )
    require_all(scalar_ge(weights, 0), InvalidArgumentError(f"cov(): {name} cannot be negative"))


@function("Tensor (Tensor input)", methods="corrcoef", samples="variables", tolerance="matmul")
def corrcoef(input: Tensor) -> Any:
    """The correlation coefficients of variables (rows) over observations (columns).

    `out[i, j] = cov[i, j] / sqrt(cov[i, i] * cov[j, j])`, within [-1, 1].

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n, k) -> (n, n); (k) -> a tensor without dimensions.

    Method: `Tensor.corrcoef`.

    Raises:
        RuntimeError: more than two dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.corrcoef.

    Example:
        >>> import tritonflow as flow
        >>> flow.corrcoef(flow.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
        tensor([[ 1., -1.],
                [-1.,  1.]])
    """
    if input.meta.ndim > 2:
        raise ShapeError(
            f"corrcoef(): expected input to have two or fewer dimensions but got an input with {input.meta.ndim} dimensions"
        )
    covariances = cov(input)
    if not covariances.meta.ndim:
        return div(covariances, covariances)
    deviations = sqrt(diagonal(covariances))
    scaled = div(div(covariances, unsqueeze(deviations, 1)), unsqueeze(deviations, 0))
    if scaled.meta.dtype.is_complex:
        return made_of(clamp(real(scaled), -1, 1), clamp(imag(scaled), -1, 1))
    return clamp(scaled, -1, 1)


# ------------------------------------------------------------------------------------------------------------- histograms


@function(
    "Tensor (Tensor input, Int32 bins=100, Scalar min=0, Scalar max=0)",
    methods="histc", samples="histc", derivative={"none": "counts"},
)
def histc(input: Tensor, bins: int = 100, min: Number = 0, max: Number = 0) -> Any:
    """How many elements fall into each of bins of equal width between min and max.

    Elements outside of [min, max] and NaN are not counted; an element equal to max is in the last bin.

    Args:
        input: the input.
        bins: how many bins.
        min: the lower end; that of the input where both ends are 0.
        max: the upper end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> (bins).

    Not differentiable: counts. Method: `Tensor.histc`.

    Raises:
        RuntimeError: `bins` is not positive, `max` is below `min`, an end is not finite.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.histc.

    Example:
        >>> import tritonflow as flow
        >>> flow.histc(flow.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
        tensor([0., 2., 1., 0.])
    """
    dtype = input.meta.dtype
    if not dtype.is_floating_point and (input.device.type == "cpu" or dtype is bool_):  # as torch's two devices do
        raise DTypeNotImplementedError(f"\"histogram_cpu\" not implemented for '{torch_name(input.meta.dtype)}'")
    if bins <= 0:
        raise InvalidArgumentError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if max < min:
        raise InvalidArgumentError("torch.histc: max must be larger than min")
    with no_grad():
        x = reshape(input.detach(), (-1,))
        if not x.meta.numel:
            return zeros((bins,), dtype=dtype, **beside(x))
        x = x if dtype.is_floating_point else cast(x, float64)
        low, high = _range_of(x, min, max)
        # torch's order of operations: what lies on the border of two bins falls into the same one
        at = clamp(cast(floor(div(scalar_mul(sub(x, low), bins), sub(high, low))), int64), 0, bins - 1)
        inside = logical_and(at_least(x, low), at_most(x, high))  # false for NaN
        bucket = where_scalar_y(inside, at, bins)
        counts = zeros((bins + 1,), dtype=int64, **beside(x))
        return cast(narrow(scatter_add(counts, 0, bucket, cast(inside, int64)), 0, 0, bins), dtype)


def _range_of(x: Tensor, low: Number, high: Number) -> tuple[Tensor, Tensor]:
    """The given range, or where that has no width that of the numbers, a unit wider on both sides if they are equal."""
    if low != high:
        return tuple([full_like(narrow(x, 0, 0, 1), float(v)) for v in (low, high)])  # type: ignore[return-value]
    least, most = reduction.amin(x, (0,), True), reduction.amax(x, (0,), True)
    if least.is_lazy:
        finite = logical_and(is_finite(least), is_finite(most))
        require_all(finite, InvalidArgumentError("torch.histc: the range is not finite"))
    elif not all(map(math.isfinite, ends := [data_exchange.item(t) for t in (least, most)])):
        raise InvalidArgumentError(f"torch.histc: range of [{ends[0]}, {ends[1]}] is not finite")
    same = eq(least, most)
    return where(same, scalar_sub(least, 1), least), where(same, scalar_add(most, 1), most)
