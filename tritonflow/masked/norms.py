"""Norms of vectors, and vectors divided by them."""

from __future__ import annotations

import math

from tritonflow import _C
from tritonflow._C import linalg_names
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.masked.elements import Dims, described, sorted_dims, with_identity


@described
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
    filled = with_identity(input, mask, math.inf if ord == -math.inf else 0)
    return linalg_names.vector_norm(filled, ord, sorted_dims(dim, input.ndim), keepdim, dtype=dtype or input.dtype)


@described
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
    return _C.div(with_identity(input, mask, 0), _C.clamp_min(length, eps))
