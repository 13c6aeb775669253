"""Masks of causal attention over sequences of different lengths, as tensors for `scaled_dot_product_attention(attn_mask=)`."""

from __future__ import annotations

from tritonflow import _C
from tritonflow import dtypes as _dtypes
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.tensor import Tensor

__all__ = ["causal_lower_right", "causal_upper_left"]


def causal_upper_left(*size: int) -> Tensor:
    """The mask (L, S) in which query i sees the keys 0 to i. torch's is an object that becomes this tensor.

    Raises:
        InvalidArgumentError: other than two sizes.

    Example:
        >>> from tritonflow.nn.attention.bias import causal_upper_left
        >>> causal_upper_left(2, 3)
        tensor([[ True, False, False],
                [ True,  True, False]])

    Source: torch.nn.attention.bias.causal_upper_left
    """
    return _mask("causal_upper_left", size, 0)


def causal_lower_right(*size: int) -> Tensor:
    """The mask (L, S) in which query i sees the keys 0 to S - L + i: the last query sees all.

    Raises:
        InvalidArgumentError: other than two sizes.

    Example:
        >>> from tritonflow.nn.attention.bias import causal_lower_right
        >>> causal_lower_right(2, 3)
        tensor([[ True,  True, False],
                [ True,  True,  True]])

    Source: torch.nn.attention.bias.causal_lower_right
    """
    return _mask("causal_lower_right", size, size[-1] - size[0] if len(size) == 2 else 0)


def _mask(name: str, size: tuple[int, ...], diagonal: int) -> Tensor:
    if len(size) != 2:
        raise InvalidArgumentError(f"{name} only supports 2D tensors; expected the lengths of queries and keys, but got {size}")
    return _C.tril(_C.ones(size, dtype=_dtypes.bool_), diagonal)
