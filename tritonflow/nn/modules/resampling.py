"""Images at another resolution, pixels and channels exchanged, and windows as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.errors import ArgumentTypeError
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.common_types import _size_any_t
from tritonflow.nn.modules.module import Module

_Factors = float | tuple[float, ...] | list[float]


class Upsample(Module):
    """`F.interpolate`: signals, images or volumes at another resolution.

    Args:
        size: the new sizes, one for all dimensions or one for each.
        scale_factor: the factors instead.
        mode: 'nearest', 'linear', 'bilinear', 'bicubic' or 'trilinear'.
        align_corners: whether the outermost elements of both keep their positions.
        recompute_scale_factor: whether to work with the ratio of the sizes instead of the factor.

    Source: torch.nn.Upsample.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Upsample(scale_factor=2)(flow.tensor([[[1.0, 2.0]]])).tolist()
        [[[1.0, 1.0, 2.0, 2.0]]]
    """

    def __init__(
        self,
        size: int | Sequence[int] | None = None,
        scale_factor: _Factors | None = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple | list):
            self.scale_factor: Any = tuple(float(factor) for factor in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C, *)` to `(N, C, *')`."""
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )

    def extra_repr(self) -> str:
        first = f"scale_factor={self.scale_factor!r}" if self.scale_factor is not None else f"size={self.size!r}"
        return f"{first}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """`Upsample` of images by the nearest element.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.UpsamplingNearest2d(scale_factor=2)(flow.ones(1, 1, 2, 2)).shape
        tritonflow.Size([1, 1, 4, 4])
    """

    def __init__(self, size: int | Sequence[int] | None = None, scale_factor: _Factors | None = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """`Upsample` of images, bilinear, with the corners aligned.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.UpsamplingBilinear2d(size=(1, 3))(flow.tensor([[[[0.0, 1.0]]]])).tolist()
        [[[[0.0, 0.5, 1.0]]]]
    """

    def __init__(self, size: int | Sequence[int] | None = None, scale_factor: _Factors | None = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


class PixelShuffle(Module):
    """`(*, C r^2, H, W)` to `(*, C, H r, W r)`: channels become pixels.

    Args:
        upscale_factor: r.
        h_upscale_factor, w_upscale_factor: instead of it a factor of the height and one of the width, as in OneFlow.

    Raises:
        TypeError: neither r nor both of the others are given, or more.

    Source: Shi et al., 2016; torch.nn.PixelShuffle; oneflow.nn.PixelShuffle.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.PixelShuffle(2)(flow.arange(4.0).reshape(1, 4, 1, 1)).tolist()
        [[[[0.0, 1.0], [2.0, 3.0]]]]
    """

    def __init__(
        self, upscale_factor: int | None = None, h_upscale_factor: int | None = None, w_upscale_factor: int | None = None
    ) -> None:
        super().__init__()
        both = h_upscale_factor is not None and w_upscale_factor is not None
        one = h_upscale_factor is not None or w_upscale_factor is not None
        if (both if upscale_factor is None else not one) is False:
            raise ArgumentTypeError("PixelShuffle takes either upscale_factor, or h_upscale_factor and w_upscale_factor")
        self.upscale_factor = upscale_factor
        self.h_upscale_factor, self.w_upscale_factor = h_upscale_factor, w_upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """`(*, C r^2, H, W)` to `(*, C, H r, W r)`."""
        if self.h_upscale_factor is not None and self.w_upscale_factor is not None:
            return F.pixel_shuffle(input, self.h_upscale_factor, self.w_upscale_factor)
        return F.pixel_shuffle(input, self.upscale_factor or 1)

    def extra_repr(self) -> str:
        if self.upscale_factor is None:
            return f"h_upscale_factor={self.h_upscale_factor}, w_upscale_factor={self.w_upscale_factor}"
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """`(*, C, H r, W r)` to `(*, C r^2, H, W)`: pixels become channels.

    Source: torch.nn.PixelUnshuffle.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.PixelUnshuffle(2)(flow.ones(1, 1, 4, 4)).shape
        tritonflow.Size([1, 4, 2, 2])
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """`(*, C, H r, W r)` to `(*, C r^2, H, W)`."""
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Module):
    """Channels dealt out to groups: channel `g C / groups + i` comes to `i groups + g`.

    Source: Zhang et al., 2017; torch.nn.ChannelShuffle.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ChannelShuffle(2)(flow.arange(4.0).reshape(1, 4, 1)).flatten().tolist()
        [0.0, 2.0, 1.0, 3.0]
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C, *)` to the same shape."""
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"


class Unfold(Module):
    """Windows of images as columns, `(N, C, H, W)` to `(N, C kH kW, windows)`.

    Args:
        kernel_size, dilation, padding, stride: one int, or (height, width).

    Source: torch.nn.Unfold.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Unfold(2)(flow.ones(1, 3, 4, 5)).shape
        tritonflow.Size([1, 12, 12])
    """

    def __init__(
        self, kernel_size: _size_any_t, dilation: _size_any_t = 1, padding: _size_any_t = 0, stride: _size_any_t = 1
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C, H, W)` to `(N, C kH kW, windows)`."""
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"
        )


class Fold(Unfold):
    """Images as sums of columns, `(N, C kH kW, windows)` to `(N, C, H, W)`: overlapping windows add up.

    Args:
        output_size: H, or (H, W).
        kernel_size, dilation, padding, stride: one int, or (height, width).

    Source: torch.nn.Fold.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Fold((2, 3), (2, 2))(flow.ones(1, 4, 2)).tolist()
        [[[[1.0, 2.0, 1.0], [1.0, 2.0, 1.0]]]]
    """

    def __init__(
        self,
        output_size: _size_any_t,
        kernel_size: _size_any_t,
        dilation: _size_any_t = 1,
        padding: _size_any_t = 0,
        stride: _size_any_t = 1,
    ) -> None:
        super().__init__(kernel_size, dilation, padding, stride)
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C kH kW, windows)` to `(N, C, H, W)`."""
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}, {super().extra_repr()}"
