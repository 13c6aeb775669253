"""Sums and products, of whole dimensions and up to each element."""

from __future__ import annotations

from tritonflow import _C
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.masked.elements import Dims, described, sorted_dims, total_dtype, with_identity


@described
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
    return _C.sum(with_identity(input, mask, 0), sorted_dims(dim, input.ndim), keepdim, dtype=total_dtype(input, dtype))


@described
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
    result = with_identity(input, mask, 1).to(total_dtype(input, dtype))
    for d in reversed(sorted_dims(dim, input.ndim)):
        result = _C.prod(result, d, keepdim)
    return result


@described
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
    (along,) = sorted_dims(dim, max(input.ndim, 1))
    return _C.cumsum(with_identity(input, mask, 0), along, dtype=dtype or input.dtype)


@described
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
    (along,) = sorted_dims(dim, max(input.ndim, 1))
    return _C.cumprod(with_identity(input, mask, 1), along, dtype=dtype or input.dtype)
