"""Linear maps."""

from __future__ import annotations

import math
from typing import Any

from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn import init
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parameter import empty_parameter


class Identity(Module):
    """`y = x`, whatever the arguments.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Identity(54, unused=0.1)(7)
        7
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """Return the input itself."""
        return input


class Linear(Module):
    r"""`y = x W^T + b`.

    Args:
        in_features: size of the last dimension of x.
        out_features: size of the last dimension of y.
        bias: whether to add b.
        device, dtype: of the parameters.

    Shape:
        x: `(*, in_features)`; y: `(*, out_features)`; weight: `(out_features, in_features)`; bias: `(out_features)`.
        Both start uniform in `[-k, k]` with `k = 1 / sqrt(in_features)`.

    Source: torch.nn.Linear.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Linear(20, 30)(flow.ones(128, 20)).shape
        tritonflow.Size([128, 30])
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: DeviceLike | None = None, dtype: DType | None = None
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = empty_parameter((out_features, in_features), device, dtype)
        self.register_parameter("bias", empty_parameter((out_features,), device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """`(*, in_features)` to `(*, out_features)`."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Bilinear(Module):
    """`y[o] = x1 A[o] x2 + b[o]` for every output o.

    Args:
        in1_features, in2_features, out_features: sizes of the last dimensions of x1, x2 and y.
        bias: whether to add b.
        device, dtype: of the parameters.

    Shape:
        x1: `(*, in1)`; x2: `(*, in2)`; y: `(*, out)`; weight A: `(out, in1, in2)`; bias: `(out)`.

    Source: torch.nn.Bilinear.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Bilinear(3, 4, 5)(flow.ones(2, 3), flow.ones(2, 4)).shape
        tritonflow.Size([2, 5])
    """

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got {in1_features}")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = empty_parameter((out_features, in1_features, in2_features), device, dtype)
        self.register_parameter("bias", empty_parameter((out_features,), device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform in [-k, k] with `k = 1 / sqrt(in1_features)`."""
        bound = 1 / math.sqrt(self.weight.shape[1])
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """`(*, in1)` and `(*, in2)` to `(*, out)`."""
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )
