"""Normalisation over the features of each sample: all of them, or groups of channels."""

from __future__ import annotations

import numbers

from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
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
        device: DeviceLike | None = None,
        dtype: DType | None = None,
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


class RMSNorm(Module):
    """`y = x / sqrt(mean(x^2) + eps) * weight`, the mean over the last dimensions.

    Args:
        normalized_shape: the sizes of the dimensions normalised over; an int means the last one.
        eps: added to the mean; the dtype's machine epsilon if None.
        elementwise_affine: whether to learn weight.
        device, dtype: of the weight.

    Shape:
        x, y: `(*, *normalized_shape)`; weight: `normalized_shape`. Floating dtypes.

    Raises:
        RuntimeError: an input whose last sizes are others, or whose dtype is not floating.

    Source: Zhang and Sennrich, 2019; torch.nn.RMSNorm.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.RMSNorm(2, eps=0.0)(flow.tensor([[1.0, 7.0]])).tolist()
        [[0.20000000298023224, 1.399999976158142]]
    """

    def __init__(
        self,
        normalized_shape: int | list[int] | tuple[int, ...],
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, numbers.Integral):
            normalized_shape = (int(normalized_shape),)
        self.normalized_shape = tuple(normalized_shape)  # type: ignore[arg-type]
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        weight = empty_parameter(self.normalized_shape, device, dtype) if elementwise_affine else None
        self.register_parameter("weight", weight)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, input: Tensor) -> Tensor:
        """The normalised input, of the same shape."""
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """`y = (x - mean) / sqrt(var + eps) * weight + bias`, mean and biased variance over a sample's groups of channels.

    Args:
        num_groups: how many groups the channels fall into.
        num_channels: C.
        eps: added to the variance.
        affine: whether to learn weight and bias, one of each for a channel.
        device, dtype: of the parameters.
        bias: whether to learn bias.

    Shape:
        x, y: `(N, C, *)`; weight, bias: `(C)`. Floating dtypes.

    Raises:
        ValueError: channels that num_groups does not divide.

    Source: Wu and He, 2018; torch.nn.GroupNorm.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.GroupNorm(2, 6)(flow.randn(20, 6, 10)).shape
        tritonflow.Size([20, 6, 10])
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_groups < 1 or num_channels % num_groups:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            self.register_parameter(name, empty_parameter((num_channels,), device, dtype) if wanted else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        """The normalised input, of the same shape."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={self.bias is not None}"
        )
