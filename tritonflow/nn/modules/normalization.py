"""Normalisation over the features of each sample."""

from __future__ import annotations

import numbers
from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn import init
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parameter import empty_parameter


class LayerNorm(Module):
    r"""`y = (x - mean) / sqrt(var + eps) * weight + bias`, mean and biased variance over the last dimensions.

    Args:
        normalized_shape: the sizes of the dimensions normalised over; an int means the last one.
        eps: added to the variance.
        elementwise_affine: whether to learn weight and bias.
        bias: whether to learn bias.
        device, dtype: of the parameters.

    Shape:
        x, y: `(*, *normalized_shape)`; weight, bias: `normalized_shape`.

    Source: Ba, Kiros and Hinton, 2016; torch.nn.LayerNorm.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LayerNorm(10)(flow.randn(20, 5, 10)).shape
        tritonflow.Size([20, 5, 10])
    """

    def __init__(
        self,
        normalized_shape: int | list[int] | tuple[int, ...],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, numbers.Integral):
            normalized_shape = (int(normalized_shape),)
        self.normalized_shape = tuple(normalized_shape)  # type: ignore[arg-type]
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        for name, wanted in (("weight", elementwise_affine), ("bias", elementwise_affine and bias)):
            size = self.normalized_shape
            self.register_parameter(name, empty_parameter(size, device, dtype) if wanted else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        """The normalised input, of the same shape."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )
