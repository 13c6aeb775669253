"""Sums of exponentials, and softmax."""

from __future__ import annotations

from tritonflow import _C
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.masked.elements import Dims, described, greatest, least, sorted_dims, with_identity


@described
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
    filled = with_identity(input, mask, least(input.dtype))
    return _C.logsumexp(filled, sorted_dims(dim, input.ndim), keepdim).to(dtype or input.dtype)


@described
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
    pair = with_identity(input, input_mask, least(input.dtype)), with_identity(other, other_mask, least(other.dtype))
    return _C.logaddexp(*pair).to(dtype or input.dtype)


@described
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
    (along,) = sorted_dims(dim, max(input.ndim, 1))
    return _C.softmax(with_identity(input, mask, least(input.dtype)), along, dtype=dtype or input.dtype)


@described
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
    (along,) = sorted_dims(dim, max(input.ndim, 1))
    return _C.log_softmax(with_identity(input, mask, least(input.dtype)), along, dtype=dtype or input.dtype)


@described
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
    (along,) = sorted_dims(dim, max(input.ndim, 1))
    return _C.softmin(with_identity(input, mask, greatest(input.dtype)), along, dtype=dtype or input.dtype)
