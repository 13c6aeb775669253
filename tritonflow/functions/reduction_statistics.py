"""Functors of statistics that are made of other ops: means of numbers, extrema, covariances, histograms."""

from __future__ import annotations

import math
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import DType, bool_, float64, int64, torch_name
from tritonflow.errors import DTypeError, DTypeNotImplementedError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import scalar_add, scalar_sub, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import full_like, zeros
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
from tritonflow.functions.index import scatter_add
from tritonflow.functions.matmul import matmul
from tritonflow.functions.unary_complex import conj_physical, imag, real
from tritonflow.functions.value_checks import require_all
from tritonflow.functions.view import diagonal, narrow, reshape, squeeze, transpose, unshared, unsqueeze
from tritonflow.functions.view_complex import made_of
from tritonflow.interpreter.grad_mode import no_grad

Number = int | float | bool
Dims = tuple[int, ...] | None


@functor("NanMean")
def nanmean(input: Tensor, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    if not input.meta.dtype.is_floating_point:
        raise DTypeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {torch_name(input.meta.dtype)}"
        )
    count = reduction.sum(logical_not(is_nan(input)), dim, keepdim, int64)
    return div(reduction.nansum(input, dim, keepdim, dtype), count)


@functor("CountNonzero")
def count_nonzero(input: Tensor, dim: Dims = None) -> Any:
    return reduction.sum(scalar_ne(input, 0), dim, False, int64)


@functor("StdMean")
def std_mean(input: Tensor, dim: Dims = None, unbiased: bool = True, keepdim: bool = False) -> Any:
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


@functor("AMinMax")
def aminmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    if dim is None and not input.meta.numel:
        raise ShapeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")
    dims = None if dim is None else (dim,)
    return reduction.amin(input, dims, keepdim), reduction.amax(input, dims, keepdim)


# ------------------------------------------------------------------------------------------------------------ covariances


@functor("Cov")
def cov(input: Tensor, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Any:
    """With weights w: the mean is sum(w x) / sum(w), and products of what differs from it are added up with w."""
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


@functor("CorrCoef")
def corrcoef(input: Tensor) -> Any:
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


@functor("HistC")
def histc(input: Tensor, bins: int = 100, min: Number = 0, max: Number = 0) -> Any:
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
