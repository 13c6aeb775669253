"""The functor of constant_pad_nd."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.join_pad import pad as pad_of_mode


@function("Tensor (Tensor input, Int64List pad, Scalar value=0)", samples="constant_pad_nd")
def constant_pad_nd(input: Tensor, pad: Any, value: Any = 0) -> Tensor:
    """The input with a number around its last dimensions.

    The same as `flow.pad` with mode="constant".

    Args:
        input: the input.
        pad: (before, after) of the last dimension, then of the one before it, ...; negative amounts cut
            off.
        value: the number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., H, W) -> (..., H + before + after, W + before + after).

    Raises:
        RuntimeError: an odd number of amounts, too many, or a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.constant_pad_nd.

    Example:
        >>> import tritonflow as flow
        >>> flow.constant_pad_nd(flow.tensor([1, 2]), (1, 2), 9)
        tensor([9, 1, 2, 9, 9])
    """
    return pad_of_mode(input, pad, "constant", value)
