"""Pooling over volumes; pooling to a size, by norms, at random steps; and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.common_types import expand_sizes
from tritonflow.nn.modules.module import Module
from tritonflow.nn.modules.pooling import MaxPool2d

Sizes = int | tuple[int, ...] | list[int]
Ratios = float | tuple[float, ...] | list[float]


class MaxPool3d(MaxPool2d):
    """The largest element of each window of a volume; see `MaxPool2d`.

    Source: torch.nn.MaxPool3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.MaxPool3d(2)(flow.ones(1, 3, 4, 6, 8)).shape
        tritonflow.Size([1, 3, 2, 3, 4])
    """

    def forward(self, input: Tensor) -> Tensor | Any:
        """`(N, C, D, H, W)` to `(N, C, D', H', W')`."""
        return F.max_pool3d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )


class AvgPool3d(Module):
    """The mean of each window of a volume; see `AvgPool2d`.

    Source: torch.nn.AvgPool3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.AvgPool3d(2)(flow.ones(1, 3, 4, 6, 8)).shape
        tritonflow.Size([1, 3, 2, 3, 4])
    """

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C, D, H, W)` to `(N, C, D', H', W')`."""
        return F.avg_pool3d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AdaptiveAvgPool3d(Module):
    """The means of as many windows as asked for; see `AdaptiveAvgPool2d`.

    Source: torch.nn.AdaptiveAvgPool3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.AdaptiveAvgPool3d((1, 2, None))(flow.ones(1, 3, 4, 6, 8)).shape
        tritonflow.Size([1, 3, 1, 2, 8])
    """

    def __init__(self, output_size: Sizes | tuple[int | None, ...] | None) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C, D, H, W)` to `(N, C, *output_size)`."""
        return F.adaptive_avg_pool3d(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class _AdaptiveMaxPoolNd(Module):
    """What adaptive maxima of any rank share."""

    rank = 1

    def __init__(self, output_size: Sizes | tuple[int | None, ...] | None, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Tensor | Any:
        """`(N, C, *)` to `(N, C, *output_size)`, and the flat positions where they are wanted."""
        function = (F.adaptive_max_pool1d, F.adaptive_max_pool2d, F.adaptive_max_pool3d)[self.rank - 1]
        return function(input, self.output_size, self.return_indices)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """The maxima of as many windows as asked for, over a signal.

    Source: torch.nn.AdaptiveMaxPool1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.AdaptiveMaxPool1d(2)(flow.arange(5.0).reshape(1, 1, 5)).tolist()
        [[[2.0, 4.0]]]
    """


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """The maxima of as many windows as asked for, over an image; a size of None is the input's.

    Source: torch.nn.AdaptiveMaxPool2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.AdaptiveMaxPool2d((2, None))(flow.ones(1, 3, 5, 7)).shape
        tritonflow.Size([1, 3, 2, 7])
    """

    rank = 2


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """The maxima of as many windows as asked for, over a volume.

    Source: torch.nn.AdaptiveMaxPool3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.AdaptiveMaxPool3d(2)(flow.ones(1, 3, 4, 5, 6)).shape
        tritonflow.Size([1, 3, 2, 2, 2])
    """

    rank = 3


class _LPPoolNd(Module):
    """What norms of windows of any rank share."""

    rank = 1

    def __init__(self, norm_type: float, kernel_size: Sizes, stride: Sizes | None = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C, *)` to `(N, C, *')`."""
        function = (F.lp_pool1d, F.lp_pool2d, F.lp_pool3d)[self.rank - 1]
        return function(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPoolNd):
    """`(sum of x^p)^(1/p)` of each window of a signal.

    Source: torch.nn.LPPool1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LPPool1d(2, 2)(flow.tensor([[[3.0, 4.0]]])).tolist()
        [[[5.0]]]
    """


class LPPool2d(_LPPoolNd):
    """`(sum of x^p)^(1/p)` of each window of an image.

    Source: torch.nn.LPPool2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LPPool2d(1, 2)(flow.ones(1, 1, 2, 2)).tolist()
        [[[[4.0]]]]
    """

    rank = 2


class LPPool3d(_LPPoolNd):
    """`(sum of x^p)^(1/p)` of each window of a volume.

    Source: torch.nn.LPPool3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LPPool3d(1, 2)(flow.ones(1, 1, 2, 2, 2)).tolist()
        [[[[[8.0]]]]]
    """

    rank = 3


class _FractionalMaxPoolNd(Module):
    rank = 2

    def __init__(
        self,
        kernel_size: Sizes,
        output_size: Sizes | None = None,
        output_ratio: Ratios | None = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = expand_sizes(kernel_size, self.rank, "kernel_size")
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else expand_sizes(output_size, self.rank, "output_size")
        self.output_ratio = output_ratio
        if output_size is None and output_ratio is None:
            name = type(self).__name__
            raise ValueError(f"{name} requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if output_ratio is not None:
            ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * self.rank
            if not all(0 < ratio < 1 for ratio in ratios):
                raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")
            self.output_ratio = tuple(ratios)

    def forward(self, input: Tensor) -> Tensor | Any:
        """`(N, C, *)` to `(N, C, *output_size)`, and the flat positions where they are wanted."""
        function = F.fractional_max_pool2d if self.rank == 2 else F.fractional_max_pool3d
        return function(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
            _random_samples=self._random_samples,
        )  # fmt: skip


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """Maxima of windows of an image at random steps of one or two sizes.

    Args:
        kernel_size: of the windows.
        output_size, output_ratio: one of them: the size of the result, or its ratio to the input's, within (0, 1).
        return_indices: whether to return the flat positions as well.

    Source: Graham, 2014; torch.nn.FractionalMaxPool2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.FractionalMaxPool2d(2, output_size=3)(flow.ones(1, 2, 7, 7)).shape
        tritonflow.Size([1, 2, 3, 3])
    """


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """Maxima of windows of a volume at random steps; see `FractionalMaxPool2d`.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.FractionalMaxPool3d(2, output_ratio=0.5)(flow.ones(1, 2, 6, 6, 6)).shape
        tritonflow.Size([1, 2, 3, 3, 3])
    """

    rank = 3


class _MaxUnpoolNd(Module):
    """What unpooling of any rank shares."""

    rank = 1

    def __init__(self, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> None:
        super().__init__()
        self.kernel_size = expand_sizes(kernel_size, self.rank, "kernel_size")
        self.stride = expand_sizes(stride if stride is not None else kernel_size, self.rank, "stride")
        self.padding = expand_sizes(padding, self.rank, "padding")

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """Values and their positions to zeros with the values there; `output_size` decides between possible sizes."""
        function = (F.max_unpool1d, F.max_unpool2d, F.max_unpool3d)[self.rank - 1]
        return function(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpoolNd):
    """Zeros, with the values where `MaxPool1d` found them.

    Source: torch.nn.MaxUnpool1d.

    Example:
        >>> import tritonflow as flow
        >>> y, at = flow.nn.MaxPool1d(2, return_indices=True)(flow.tensor([[[1.0, 2.0, 4.0, 3.0]]]))
        >>> flow.nn.MaxUnpool1d(2)(y, at).tolist()
        [[[0.0, 2.0, 4.0, 0.0]]]
    """


class MaxUnpool2d(_MaxUnpoolNd):
    """Zeros, with the values where `MaxPool2d` found them.

    Source: torch.nn.MaxUnpool2d.

    Example:
        >>> import tritonflow as flow
        >>> y, at = flow.nn.MaxPool2d(2, return_indices=True)(flow.ones(1, 1, 4, 4))
        >>> flow.nn.MaxUnpool2d(2)(y, at).sum().item()
        4.0
    """

    rank = 2


class MaxUnpool3d(_MaxUnpoolNd):
    """Zeros, with the values where `MaxPool3d` found them.

    Source: torch.nn.MaxUnpool3d.

    Example:
        >>> import tritonflow as flow
        >>> y, at = flow.nn.MaxPool3d(2, return_indices=True)(flow.ones(1, 1, 4, 4, 4))
        >>> flow.nn.MaxUnpool3d(2)(y, at).sum().item()
        8.0
    """

    rank = 3
