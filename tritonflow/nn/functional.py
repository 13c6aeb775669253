"""The functions behind the layers, under torch's names: `flow.nn.functional.relu(x)`.

Ops that the registry exports to `nn.functional` are here as they are. Functions that are made of several ops are defined below.
"""

from __future__ import annotations

from tritonflow import _C
from tritonflow._C.nn_functional_names import *  # noqa: F403 (these functions, and nothing else)
from tritonflow.errors import ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.ops.dtype_rules import require


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """`min(max(x, 0), 6)`."""
    return _C.hardtanh(input, 0.0, 6.0, inplace)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """`x` where x > 0, otherwise `weight * x`; one weight for all, or one for each channel (dimension 1).

    Raises:
        RuntimeError: another number of weights, a dtype that is not floating.

    Source: He et al., 2015; torch.nn.functional.prelu.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.functional.prelu(flow.tensor([-2.0, 3.0]), flow.tensor([0.5])).tolist()
        [-1.0, 3.0]
    """
    for argument, tensor in (("input", input), ("weight", weight)):
        require("prelu", "floating", tensor.dtype, argument)
    if weight.ndim > 1:
        raise ShapeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.ndim}")
    count = weight.numel()
    channels = input.shape[1] if input.ndim > 1 else 1
    if count not in (1, channels):
        raise RuntimeError(
            f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {count} "
            f"and channel size = {channels}."
        )
    if count > 1:
        weight = weight.reshape((count,) + (1,) * (input.ndim - 2))
    elif not input.ndim:
        weight = weight.reshape(())
    return _C.where(input > 0, input, input * weight)


def __dir__() -> list[str]:
    return sorted(n for n in globals() if not n.startswith("_"))
