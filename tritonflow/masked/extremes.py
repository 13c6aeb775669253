"""Maxima and minima, and where they are."""

from __future__ import annotations

from tritonflow import _C
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.masked.elements import Dims, described, greatest, least, sorted_dims, with_identity


@described
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
    filled = with_identity(input, mask, least(input.dtype))
    return _C.amax(filled, sorted_dims(dim, input.ndim), keepdim).to(dtype or input.dtype)


@described
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
    filled = with_identity(input, mask, greatest(input.dtype))
    return _C.amin(filled, sorted_dims(dim, input.ndim), keepdim).to(dtype or input.dtype)


@described
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
    return _C.argmax(with_identity(input, mask, least(input.dtype)), dim, keepdim).to(dtype or input.dtype)


@described
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
    return _C.argmin(with_identity(input, mask, greatest(input.dtype)), dim, keepdim).to(dtype or input.dtype)
