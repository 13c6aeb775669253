"""Pooling over windows of images and signals."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.common_types import _size_1_t, _size_2_t, expand_sizes
from tritonflow.nn.modules.module import Module


class MaxPool2d(Module):
    """The largest element of each window.

    Args:
        kernel_size, stride, padding, dilation: one int, or (height, width); stride is kernel_size unless given.
        return_indices: whether to return the flat positions in the image as well.
        ceil_mode: whether windows that hang over the end count.

    Shape:
        x: `(N, C, H, W)` or `(C, H, W)`; y: `(N, C, H', W')` with
        `H' = floor((H + 2 padding - dilation (kernel_size - 1) - 1) / stride + 1)`.

    Source: torch.nn.MaxPool2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.MaxPool2d(2)(flow.ones(1, 3, 8, 8)).shape
        tritonflow.Size([1, 3, 4, 4])
    """

    def __init__(
        self,
        kernel_size: _size_2_t,
        stride: _size_2_t | None = None,
        padding: _size_2_t = 0,
        dilation: _size_2_t = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor | Any:
        """`(N, C, H, W)` to `(N, C, H', W')`."""
        return F.max_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class AvgPool2d(Module):
    """The mean of each window.

    Args:
        kernel_size, stride, padding: one int, or (height, width); stride is kernel_size unless given.
        ceil_mode: whether windows that hang over the end count.
        count_include_pad: whether padding counts in the mean.
        divisor_override: divide by this instead of the number of elements.

    Shape:
        x: `(N, C, H, W)` or `(C, H, W)`; y: `(N, C, H', W')` with
        `H' = floor((H + 2 padding - kernel_size) / stride + 1)`.

    Source: torch.nn.AvgPool2d.
    """

    def __init__(
        self,
        kernel_size: _size_2_t,
        stride: _size_2_t | None = None,
        padding: _size_2_t = 0,
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
        """`(N, C, H, W)` to `(N, C, H', W')`."""
        return F.avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AdaptiveAvgPool2d(Module):
    """The mean of each of `output_size` windows that cover the image evenly.

    Args:
        output_size: one int, or (height, width); None keeps the input's.

    Shape:
        x: `(N, C, H, W)` or `(C, H, W)`; y: `(N, C, *output_size)`.

    Source: torch.nn.AdaptiveAvgPool2d.
    """

    def __init__(self, output_size: int | None | tuple[int | None, int | None]) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C, H, W)` to `(N, C, *output_size)`."""
        return F.adaptive_avg_pool2d(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class MaxPool1d(Module):
    """The largest element of each window of a signal; see `MaxPool2d`.

    Args:
        kernel_size, stride, padding, dilation: one int; stride is kernel_size unless given.
        return_indices: whether to return the positions in the signal as well.
        ceil_mode: whether windows that hang over the end count.

    Shape:
        x: `(N, C, L)` or `(C, L)`; y: `(N, C, L')` with
        `L' = floor((L + 2 padding - dilation (kernel_size - 1) - 1) / stride + 1)`. Any dtype but bool.

    Raises:
        RuntimeError: a window that does not fit, padding of more than half a window.

    Source: torch.nn.MaxPool1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.MaxPool1d(2)(flow.tensor([[1.0, 3.0, 2.0, 0.0]])).tolist()
        [[3.0, 2.0]]
    """

    def __init__(
        self,
        kernel_size: _size_1_t,
        stride: _size_1_t | None = None,
        padding: _size_1_t = 0,
        dilation: _size_1_t = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor | Any:
        """`(N, C, L)` to `(N, C, L')`."""
        return F.max_pool1d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class AvgPool1d(Module):
    """The mean of each window of a signal; see `AvgPool2d`.

    Args:
        kernel_size, stride, padding: one int; stride is kernel_size unless given.
        ceil_mode: whether windows that hang over the end count.
        count_include_pad: whether padding counts in the mean.

    Shape:
        x: `(N, C, L)` or `(C, L)`; y: `(N, C, L')` with `L' = floor((L + 2 padding - kernel_size) / stride + 1)`.
        Floating dtypes and int64.

    Raises:
        RuntimeError: a window that does not fit, padding of more than half a window.

    Source: torch.nn.AvgPool1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.AvgPool1d(2)(flow.tensor([[1.0, 3.0, 2.0, 0.0]])).tolist()
        [[2.0, 1.0]]
    """

    def __init__(
        self,
        kernel_size: _size_1_t,
        stride: _size_1_t | None = None,
        padding: _size_1_t = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = expand_sizes(kernel_size, 1, "kernel_size")
        self.stride = expand_sizes(stride if stride is not None else kernel_size, 1, "stride")
        self.padding = expand_sizes(padding, 1, "padding")
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C, L)` to `(N, C, L')`."""
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AdaptiveAvgPool1d(Module):
    """The mean of each of `output_size` windows that cover the signal evenly.

    Args:
        output_size: one int.

    Shape:
        x: `(N, C, L)` or `(C, L)`; y: `(N, C, output_size)`. Floating dtypes.

    Source: torch.nn.AdaptiveAvgPool1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.AdaptiveAvgPool1d(2)(flow.tensor([[1.0, 3.0, 2.0]])).tolist()
        [[2.0, 2.5]]
    """

    def __init__(self, output_size: _size_1_t) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C, L)` to `(N, C, output_size)`."""
        return F.adaptive_avg_pool1d(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"
