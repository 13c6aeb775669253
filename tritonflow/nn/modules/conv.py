"""Convolutions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn import init
from tritonflow.nn.common_types import _size_1_t, _size_2_t, _size_3_t, expand_sizes
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parameter import empty_parameter

PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    """What convolutions of any rank share: sizes, parameters, padding by name, repr."""

    transposed = False
    output_padding: tuple[int, ...] = ()

    def __init__(
        self,
        rank: int,
        in_channels: int,
        out_channels: int,
        window: tuple[Any, Any, Any, Any],
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any,
        dtype: Any,
    ) -> None:
        super().__init__()
        _check_channels(in_channels, out_channels, groups)
        if padding_mode not in PADDING_MODES:
            raise ValueError(f"padding_mode must be one of {set(PADDING_MODES)}, but got padding_mode='{padding_mode}'")
        kernel_size, stride, padding, dilation = window
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = expand_sizes(kernel_size, rank, "kernel_size")
        self.stride = expand_sizes(stride, rank, "stride")
        self.dilation = expand_sizes(dilation, rank, "dilation")
        self.padding = _padding(padding, self.kernel_size, self.stride, self.dilation)
        self.groups = groups
        self.padding_mode = padding_mode
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        self.weight = empty_parameter((first, second // groups, *self.kernel_size), device, dtype)
        self.register_parameter("bias", empty_parameter((out_channels,), device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def _convolve(self, function: Any, input: Tensor, weight: Tensor | None = None) -> Tensor:
        """The convolution of the input, continued beyond its ends where padding is not zeros; with another weight if given."""
        weight = self.weight if weight is None else weight
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode), 0
        return function(input, weight, self.bias, self.stride, padding, self.dilation, self.groups)

    @property
    def _reversed_padding_repeated_twice(self) -> list[int]:
        """The amounts for `F.pad`: (before, after) of the last dimension first."""
        if self.padding == "valid":
            return [0] * 2 * len(self.kernel_size)
        if self.padding == "same":
            totals = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size)]
            return [amount for t in reversed(totals) for amount in (t // 2, t - t // 2)]
        return [amount for amount in reversed(self.padding) for _ in range(2)]

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if isinstance(self.padding, str) or any(self.padding):
            text += f", padding={self.padding}"
        if any(d != 1 for d in self.dilation):
            text += f", dilation={self.dilation}"
        if any(self.output_padding):
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


class Conv2d(_ConvNd):
    r"""A 2-d convolution (cross-correlation), `y[n, o] = b[o] + sum_c w[o, c] * x[n, c]`.

    Args:
        in_channels, out_channels: C of x and of y.
        kernel_size, stride, padding, dilation: one int, or (height, width); padding also 'valid' or 'same'.
        groups: input and output channels fall into that many groups that don't see each other.
        bias: whether to add b.
        padding_mode: what stands beyond the ends: 'zeros', 'reflect', 'replicate' or 'circular'.
        device, dtype: of the parameters.

    Shape:
        x: `(N, C_in, H, W)` or `(C_in, H, W)`; y: `(N, C_out, H', W')` with
        `H' = floor((H + 2 padding - dilation (kernel_size - 1) - 1) / stride + 1)`;
        weight: `(C_out, C_in / groups, kH, kW)`; bias: `(C_out)`.

    Raises:
        ValueError: channels that `groups` does not divide, an unknown padding.

    Source: torch.nn.Conv2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Conv2d(3, 8, kernel_size=3, padding=1)(flow.ones(2, 3, 8, 8)).shape
        tritonflow.Size([2, 8, 8, 8])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _size_2_t,
        stride: _size_2_t = 1,
        padding: str | _size_2_t = 0,
        dilation: _size_2_t = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        window = (kernel_size, stride, padding, dilation)
        super().__init__(2, in_channels, out_channels, window, groups, bias, padding_mode, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C_in, H, W)` to `(N, C_out, H', W')`."""
        return self._convolve(F.conv2d, input)


class Conv1d(_ConvNd):
    r"""A 1-d convolution (cross-correlation); see `Conv2d`.

    Shape:
        x: `(N, C_in, L)` or `(C_in, L)`; y: `(N, C_out, L')`; weight: `(C_out, C_in / groups, k)`; bias: `(C_out)`.

    Source: torch.nn.Conv1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Conv1d(4, 6, 3)(flow.ones(2, 4, 10)).shape
        tritonflow.Size([2, 6, 8])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _size_1_t,
        stride: _size_1_t = 1,
        padding: str | _size_1_t = 0,
        dilation: _size_1_t = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        window = (kernel_size, stride, padding, dilation)
        super().__init__(1, in_channels, out_channels, window, groups, bias, padding_mode, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C_in, L)` to `(N, C_out, L')`."""
        return self._convolve(F.conv1d, input)


class Conv3d(_ConvNd):
    r"""A 3-d convolution (cross-correlation); see `Conv2d`.

    Shape:
        x: `(N, C_in, D, H, W)` or `(C_in, D, H, W)`; y: `(N, C_out, D', H', W')`;
        weight: `(C_out, C_in / groups, kD, kH, kW)`; bias: `(C_out)`.

    Source: torch.nn.Conv3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Conv3d(2, 4, 3, padding=1)(flow.ones(1, 2, 4, 5, 6)).shape
        tritonflow.Size([1, 4, 4, 5, 6])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _size_3_t,
        stride: _size_3_t = 1,
        padding: str | _size_3_t = 0,
        dilation: _size_3_t = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        window = (kernel_size, stride, padding, dilation)
        super().__init__(3, in_channels, out_channels, window, groups, bias, padding_mode, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C_in, D, H, W)` to `(N, C_out, D', H', W')`."""
        return self._convolve(F.conv3d, input)


class _ConvTransposeNd(_ConvNd):
    """What transposed convolutions of any rank share: `output_size` decides between the sizes that strides leave."""

    transposed = True
    rank = 2

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        window = (kernel_size, stride, expand_sizes(padding, self.rank, "padding"), dilation)
        super().__init__(self.rank, in_channels, out_channels, window, groups, bias, padding_mode, device, dtype)
        self.output_padding = expand_sizes(output_padding, self.rank, "output_padding")

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """`(N, C_in, *)` to `(N, C_out, *')`; `output_size`, the sizes of *', decides in place of output_padding."""
        extra = self.output_padding if output_size is None else self._extra(input, tuple(output_size))
        function = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[self.rank - 1]
        return function(input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)

    def _extra(self, input: Tensor, wanted: tuple[int, ...]) -> tuple[int, ...]:
        """The output padding that gives the size wanted."""
        rank = self.rank
        sizes = tuple(input.shape)[-rank:]
        if len(wanted) == input.ndim:
            wanted = wanted[-rank:]
        if len(wanted) != rank:
            raise ValueError(
                f"ConvTranspose{rank}D: for {input.ndim}D input, output_size must have {rank} or {input.ndim} elements"
                f" (got {len(wanted)})"
            )
        smallest = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1
            for n, s, p, d, k in zip(sizes, self.stride, self.padding, self.dilation, self.kernel_size)
        ]
        largest = [n + s - 1 for n, s in zip(smallest, self.stride)]
        if any(not low <= n <= high for low, n, high in zip(smallest, wanted, largest)):
            raise ValueError(
                f"requested an output size of {list(wanted)}, but valid sizes range from {smallest} to {largest} (for an input of"
                f" {list(sizes)})"
            )
        return tuple(n - low for n, low in zip(wanted, smallest))


class ConvTranspose1d(_ConvTransposeNd):
    r"""The gradient of `Conv1d` as a layer; see `ConvTranspose2d`.

    Shape:
        x: `(N, C_in, L)` or `(C_in, L)`; y: `(N, C_out, L')`; weight: `(C_in, C_out / groups, k)`; bias: `(C_out)`.

    Source: torch.nn.ConvTranspose1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ConvTranspose1d(4, 6, 3, stride=2)(flow.ones(2, 4, 10)).shape
        tritonflow.Size([2, 6, 21])
    """

    rank = 1


class ConvTranspose2d(_ConvTransposeNd):
    r"""The gradient of `Conv2d` as a layer: every element of x adds its multiple of the filter to y.

    Args:
        in_channels, out_channels: C of x and of y.
        kernel_size, stride, padding, dilation: one int, or (height, width), of the convolution whose gradient this is.
        output_padding: added to the size at one end, as strides above 1 leave several sizes to choose from.
        groups: input and output channels fall into that many groups that don't see each other.
        bias: whether to add b.
        padding_mode: 'zeros'.
        device, dtype: of the parameters.

    Shape:
        x: `(N, C_in, H, W)` or `(C_in, H, W)`; y: `(N, C_out, H', W')` with
        `H' = (H - 1) stride - 2 padding + dilation (kernel_size - 1) + output_padding + 1`;
        weight: `(C_in, C_out / groups, kH, kW)`; bias: `(C_out)`. One dtype for all.

    Raises:
        ValueError: channels that `groups` does not divide, a padding mode other than 'zeros', sizes out of reach.

    Source: Zeiler et al., 2010; torch.nn.ConvTranspose2d.

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.ConvTranspose2d(3, 8, kernel_size=3, stride=2, padding=1)
        >>> m(flow.ones(2, 3, 8, 8)).shape, m(flow.ones(2, 3, 8, 8), output_size=(16, 16)).shape
        (tritonflow.Size([2, 8, 15, 15]), tritonflow.Size([2, 8, 16, 16]))
    """

    rank = 2


class ConvTranspose3d(_ConvTransposeNd):
    r"""The gradient of `Conv3d` as a layer; see `ConvTranspose2d`.

    Shape:
        x: `(N, C_in, D, H, W)` or without N; y: `(N, C_out, D', H', W')`; weight: `(C_in, C_out / groups, kD, kH, kW)`.

    Source: torch.nn.ConvTranspose3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ConvTranspose3d(2, 3, 2, stride=2)(flow.ones(1, 2, 3, 3, 3)).shape
        tritonflow.Size([1, 3, 6, 6, 6])
    """

    rank = 3


def _check_channels(in_channels: int, out_channels: int, groups: int) -> None:
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    if in_channels % groups != 0:
        raise ValueError("in_channels must be divisible by groups")
    if out_channels % groups != 0:
        raise ValueError("out_channels must be divisible by groups")


def _padding(padding: Any, kernel_size: tuple[Any, ...], stride: tuple[Any, ...], dilation: tuple[Any, ...]) -> Any:
    if not isinstance(padding, str):
        return expand_sizes(padding, len(kernel_size), "padding")
    if padding not in ("same", "valid"):
        raise ValueError(f"Invalid padding string '{padding}', should be one of 'valid', 'same'")
    if padding == "same" and any(s != 1 for s in stride):
        raise ValueError("padding='same' is not supported for strided convolutions")
    return padding
