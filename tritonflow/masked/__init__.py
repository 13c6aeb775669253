"""Reductions and normalisations that leave masked elements out: torch.masked's functions.

Each function takes `mask=`, booleans that broadcast to the input: True where an element counts. An element that does not is
replaced by the identity of the operation, such as 0 for a sum. There are no masked tensors here (`torch.masked.MaskedTensor`).

Shapes: a reduction over `dim` (a number, several, or None for all) removes these dimensions, or leaves them with size 1 where
`keepdim=True`. Other functions keep the shape. The result has the dtype `dtype`, by default that of the input; sums and products of
whole numbers are int64.

Errors: IndexError if the mask has more dimensions than the input, or `dim` is out of range; RuntimeError if the mask does not
broadcast, or a dimension is named twice; ValueError for a mean of whole numbers.

Source: torch.masked.

Example:
    >>> import tritonflow as flow
    >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
    >>> flow.masked.sum(x, 1, mask=mask)
    tensor([1., 7.])
    >>> flow.masked.softmax(x, 1, mask=mask)
    tensor([[1.0000, 0.0000],
            [0.2689, 0.7311]])
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tritonflow import _C, dtypes
from tritonflow._C import linalg_names
from tritonflow.binding.shared_docs import documented
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentValueError, DimensionError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor

Dims = int | Sequence[int] | None

_documented = documented(
    "torch.masked",
    {
        "input": "the elements.",
        "other": "the elements to add.",
        "dim": "along which dimensions: a number, several, or None for all.",
        "keepdim": "whether these dimensions stay, with size 1.",
        "dtype": "of the result.",
        "mask": "True where an element counts; it broadcasts to the input. All count unless given.",
        "unbiased": "the older way to say correction=1 or 0.",
        "correction": "what is subtracted from n; 1 unless given.",
        "eps": "the least divisor.",
    },
    {
        "IndexError": "the mask has more dimensions than the input, or there is no such dimension.",
        "RuntimeError": "the mask does not broadcast to the input, or a dimension is named twice.",
    },
)


def _dims(dim: Dims, ndim: int) -> tuple[int, ...]:
    """Sorted dimensions without negative ones; all of them for None and ()."""
    if dim is None or dim == ():
        return tuple(range(ndim))
    ndim, found = max(ndim, 1), []
    for d in (dim,) if isinstance(dim, int) else dim:
        if not -ndim <= d < ndim:
            raise DimensionError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {d})")
        if d % ndim in found:
            raise InvalidArgumentError(f"dim={d} appears multiple times in the list of dims")
        found.append(d % ndim)
    return tuple(sorted(found))


def _whole_mask(input: Tensor, mask: Tensor) -> Tensor:
    """The mask in the shape of the input."""
    if mask.ndim > input.ndim:
        raise DimensionError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)")
    return _C.broadcast_to(mask, input.shape).to(dtypes.bool_)


def _least(dtype: DType) -> float:
    return -math.inf if dtype.is_floating_point else dtypes.iinfo(dtype).min


def _greatest(dtype: DType) -> float:
    return math.inf if dtype.is_floating_point else dtypes.iinfo(dtype).max


def _filled(input: Tensor, mask: Tensor | None, identity: float) -> Tensor:
    """The input with the identity of an operation where the mask is False."""
    if mask is None:
        return input
    return _C.masked_fill(input, _C.logical_not(_whole_mask(input, mask)), identity)


def _total_dtype(input: Tensor, dtype: DType | None) -> DType:
    if dtype is not None:
        return dtype
    return input.dtype if input.dtype.is_floating_point else dtypes.int64


@_documented
def sum(
    input: Tensor, dim: Dims = None, *, keepdim: bool = False, dtype: DType | None = None, mask: Tensor | None = None
) -> Tensor:
    """The sum of the elements that count; 0 where none does.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.sum(x, 1, mask=mask)
        tensor([1., 7.])
    """
    return _C.sum(_filled(input, mask, 0), _dims(dim, input.ndim), keepdim, dtype=_total_dtype(input, dtype))


@_documented
def prod(
    input: Tensor, dim: Dims = None, *, keepdim: bool = False, dtype: DType | None = None, mask: Tensor | None = None
) -> Tensor:
    """The product of the elements that count; 1 where none does.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.prod(x, 1, mask=mask)
        tensor([ 1., 12.])
    """
    result = _filled(input, mask, 1).to(_total_dtype(input, dtype))
    for d in reversed(_dims(dim, input.ndim)):
        result = _C.prod(result, d, keepdim)
    return result


@_documented
def cumsum(input: Tensor, dim: int, *, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """Sums up to each element along a dimension; what does not count adds nothing.

    Shape:
        any shape -> the same.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.cumsum(x, 1, mask=mask)
        tensor([[1., 1.],
                [3., 7.]])
    """
    (along,) = _dims(dim, max(input.ndim, 1))
    return _C.cumsum(_filled(input, mask, 0), along, dtype=dtype or input.dtype)


@_documented
def cumprod(input: Tensor, dim: int, *, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """Products up to each element along a dimension; what does not count changes nothing.

    Shape:
        any shape -> the same.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.cumprod(x, 1, mask=mask)
        tensor([[ 1.,  1.],
                [ 3., 12.]])
    """
    (along,) = _dims(dim, max(input.ndim, 1))
    return _C.cumprod(_filled(input, mask, 1), along, dtype=dtype or input.dtype)


@_documented
def amax(
    input: Tensor, dim: Dims = None, *, keepdim: bool = False, dtype: DType | None = None, mask: Tensor | None = None
) -> Tensor:
    """The maximum of the elements that count; the least number of the dtype where none does.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.amax(x, 1, mask=mask)
        tensor([1., 4.])
    """
    filled = _filled(input, mask, _least(input.dtype))
    return _C.amax(filled, _dims(dim, input.ndim), keepdim).to(dtype or input.dtype)


@_documented
def amin(
    input: Tensor, dim: Dims = None, *, keepdim: bool = False, dtype: DType | None = None, mask: Tensor | None = None
) -> Tensor:
    """The minimum of the elements that count; the greatest number of the dtype where none does.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.amin(x, 1, mask=mask)
        tensor([1., 3.])
    """
    filled = _filled(input, mask, _greatest(input.dtype))
    return _C.amin(filled, _dims(dim, input.ndim), keepdim).to(dtype or input.dtype)


@_documented
def argmax(
    input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: DType | None = None, mask: Tensor | None = None
) -> Tensor:
    """Where the maximum of the elements that count is, in the dtype of the input unless another is given.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.argmax(x, 1, dtype=flow.int64, mask=mask)
        tensor([0, 1])
    """
    return _C.argmax(_filled(input, mask, _least(input.dtype)), dim, keepdim).to(dtype or input.dtype)


@_documented
def argmin(
    input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: DType | None = None, mask: Tensor | None = None
) -> Tensor:
    """Where the minimum of the elements that count is, in the dtype of the input unless another is given.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.argmin(x, 1, dtype=flow.int64, mask=mask)
        tensor([0, 0])
    """
    return _C.argmin(_filled(input, mask, _greatest(input.dtype)), dim, keepdim).to(dtype or input.dtype)


def _count(input: Tensor, dim: Dims, keepdim: bool, mask: Tensor | None) -> Tensor:
    counted = _C.ones_like(input, dtype=dtypes.int64) if mask is None else _whole_mask(input, mask)
    return _C.sum(counted, _dims(dim, input.ndim), keepdim)


@_documented
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


@_documented
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
    (along,) = _dims(dim, max(input.ndim, 1))
    found = _C.nanmedian(_filled(wide, mask, math.nan), along, keepdim)[0]
    if is_float:
        return found
    if bool(_C.any(_C.isnan(found))):
        raise ArgumentValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return found.to(dtype or input.dtype)


@_documented
def logsumexp(
    input: Tensor, dim: Dims = None, *, keepdim: bool = False, dtype: DType | None = None, mask: Tensor | None = None
) -> Tensor:
    """The logarithm of the sum of exponentials of the elements that count; -inf where none does.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.logsumexp(x, 1, mask=mask)
        tensor([1.0000, 4.3133])
    """
    filled = _filled(input, mask, _least(input.dtype))
    return _C.logsumexp(filled, _dims(dim, input.ndim), keepdim).to(dtype or input.dtype)


@_documented
def logaddexp(
    input: Tensor, other: Tensor, *, dtype: DType | None = None, input_mask: Tensor | None = None, other_mask: Tensor | None = None
) -> Tensor:
    """log(exp(input) + exp(other)) where an element that does not count adds nothing.

    Args:
        input_mask: as mask, of the input.
        other_mask: as mask, of the other.

    Shape:
        shapes that broadcast -> the common shape.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.logaddexp(x, x, input_mask=mask)
        tensor([[1.6931, 2.0000],
                [3.6931, 4.6931]])
    """
    pair = _filled(input, input_mask, _least(input.dtype)), _filled(other, other_mask, _least(other.dtype))
    return _C.logaddexp(*pair).to(dtype or input.dtype)


@_documented
def norm(
    input: Tensor, ord: float = 2.0, dim: Dims = None, *, keepdim: bool = False, dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The `ord`-norm of the elements that count, `sum(abs(x) ** ord) ** (1 / ord)`.

    Args:
        ord: which norm; inf and -inf are the maximum and the minimum of magnitudes.

    Shape:
        any shape -> the same without dim, or with 1 there under keepdim.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.norm(x, 1.0, 1, mask=mask)
        tensor([1., 7.])
    """
    filled = _filled(input, mask, math.inf if ord == -math.inf else 0)
    return linalg_names.vector_norm(filled, ord, _dims(dim, input.ndim), keepdim, dtype=dtype or input.dtype)


def _correction(unbiased: bool | None, correction: float | None) -> float:
    if unbiased is not None and correction is not None:
        raise InvalidArgumentError("Only one of unbiased and correction may be given")
    return float(unbiased) if unbiased is not None else 1.0 if correction is None else correction


@_documented
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


@_documented
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


@_documented
def softmax(input: Tensor, dim: int, *, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """exp(x) / sum(exp(x)) along a dimension over the elements that count; 0 for the others, NaN where none counts.

    Shape:
        any shape -> the same.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.softmax(x, 1, mask=mask)
        tensor([[1.0000, 0.0000],
                [0.2689, 0.7311]])
    """
    (along,) = _dims(dim, max(input.ndim, 1))
    return _C.softmax(_filled(input, mask, _least(input.dtype)), along, dtype=dtype or input.dtype)


@_documented
def log_softmax(input: Tensor, dim: int, *, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """The logarithm of `softmax`; -inf for the elements that do not count.

    Shape:
        any shape -> the same.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.log_softmax(x, 1, mask=mask)
        tensor([[ 0.0000,    -inf],
                [-1.3133, -0.3133]])
    """
    (along,) = _dims(dim, max(input.ndim, 1))
    return _C.log_softmax(_filled(input, mask, _least(input.dtype)), along, dtype=dtype or input.dtype)


@_documented
def softmin(input: Tensor, dim: int, *, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """`softmax` of -input.

    Shape:
        any shape -> the same.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.softmin(x, 1, mask=mask)
        tensor([[1.0000, 0.0000],
                [0.7311, 0.2689]])
    """
    (along,) = _dims(dim, max(input.ndim, 1))
    return _C.softmin(_filled(input, mask, _greatest(input.dtype)), along, dtype=dtype or input.dtype)


@_documented
def normalize(
    input: Tensor, ord: float, dim: int, *, eps: float = 1e-12, dtype: DType | None = None, mask: Tensor | None = None
) -> Tensor:
    """The elements that count divided by their `ord`-norm along a dimension, or by `eps` if that is larger.

    Args:
        ord: which norm.

    Shape:
        any shape -> the same.

    Example:
        >>> import tritonflow as flow
        >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
        >>> flow.masked.normalize(x, 1.0, 1, mask=mask)
        tensor([[1.0000, 0.0000],
                [0.4286, 0.5714]])
    """
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _C.div(_filled(input, mask, 0), _C.clamp_min(length, eps))


__all__ = (
    "amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean", "median", "norm",
    "normalize", "prod", "softmax", "softmin", "std", "sum", "var",
)  # fmt: skip
