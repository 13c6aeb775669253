"""Means, medians and variances: what depends on how many elements count."""

from __future__ import annotations

import math

from tritonflow import _C, dtypes
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentValueError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor
from tritonflow.masked.elements import Dims, described, sorted_dims, whole_mask, with_identity
from tritonflow.masked.totals import sum


def _count(input: Tensor, dim: Dims, keepdim: bool, mask: Tensor | None) -> Tensor:
    counted = _C.ones_like(input, dtype=dtypes.int64) if mask is None else whole_mask(input, mask)
    return _C.sum(counted, sorted_dims(dim, input.ndim), keepdim)


@described
def mean(
    input: Tensor, dim: Dims = None, *, keepdim: bool = False, dtype: DType | None = None, mask: Tensor | None = None
) -> Tensor:
    """The mean of the elements that count; NaN where none does.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Raises:
        ValueError: neither the input nor `dtype` is of floating numbers.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.mean(x, 1, mask=mask)
        tensor([1.0000, 3.5000])
    """
    wanted = dtype or input.dtype
    if not wanted.is_floating_point:
        source = "Input" if dtype is None else "Optional"
        raise ArgumentValueError(
            f"mean(): Could not infer output dtype. {source} dtype must be either a floating point or complex dtype. Got: {wanted}"
        )
    total = sum(input, dim, keepdim=keepdim, dtype=wanted, mask=mask)
    return _C.div(total, _count(input, dim, keepdim, mask))


@described
def median(
    input: Tensor, dim: int = -1, *, keepdim: bool = False, dtype: DType | None = None, mask: Tensor | None = None
) -> Tensor:
    """The lower median of the elements that count along a dimension; NaN where none does.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Raises:
        ValueError: the input is of whole numbers, and nothing counts in some row.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.median(x, 1, mask=mask)
        tensor([1., 3.])
    """
    is_float = input.dtype.is_floating_point
    wide = input if is_float else input.to(dtypes.float32)
    (along,) = sorted_dims(dim, max(input.ndim, 1))
    found = _C.nanmedian(with_identity(wide, mask, math.nan), along, keepdim)[0]
    if is_float:
        return found
    if bool(_C.any(_C.isnan(found))):
        raise ArgumentValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return found.to(dtype or input.dtype)


def _correction(unbiased: bool | None, correction: float | None) -> float:
    if unbiased is not None and correction is not None:
        raise InvalidArgumentError("Only one of unbiased and correction may be given")
    return float(unbiased) if unbiased is not None else 1.0 if correction is None else correction


@described
def var(
    input: Tensor, dim: Dims = None, unbiased: bool | None = None, *, correction: float | None = None, keepdim: bool = False,
    dtype: DType | None = None, mask: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The variance of the n elements that count, divided by n - correction.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1.0, 2.0, 9.0], [3.0, 5.0, 9.0]])
        >>> flow.masked.var(x, 1, mask=x < 9)
        tensor([0.5000, 2.0000])
    """
    removed = _correction(unbiased, correction)
    wanted = dtype or (input.dtype if input.dtype.is_floating_point else dtypes.float32)
    count = _count(input, dim, True, mask)
    apart = _C.sub(input, _C.div(sum(input, dim, keepdim=True, dtype=wanted, mask=mask), count))
    total = sum(_C.mul(apart, apart), dim, keepdim=keepdim, dtype=wanted, mask=mask)
    count = _C.reshape(count, total.shape)
    if removed:
        count = _C.clamp_min(_C.sub(count.to(wanted), removed), 0)
    return _C.div(total, count).to(wanted)


@described
def std(
    input: Tensor, dim: Dims = None, unbiased: bool | None = None, *, correction: float | None = None, keepdim: bool = False,
    dtype: DType | None = None, mask: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The standard deviation of the elements that count, the square root of `var`.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1.0, 2.0, 9.0], [3.0, 5.0, 9.0]])
        >>> flow.masked.std(x, 1, mask=x < 9)
        tensor([0.7071, 1.4142])
    """
    return _C.sqrt(var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask))
