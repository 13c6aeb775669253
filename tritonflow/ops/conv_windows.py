"""Convolutions of few channels in matrix units, as those of many: the pixels under a row of taps are taken for channels.

    x    (n, i, h, w)                   images, copied with zeros around them and behind their channels: I of them, a power of two
    x'   (n, S I, h + 2 p, b)           the S pixels under a row of taps of output column b are neighbours, S I numbers
    w'   (o, S I, R, 1)                 the weight (o, i, R, S) in that order
    y    = conv2d(x, w) = conv2d(x', w') with a stride of (s, 1) and no padding

x' is a view of the copy: neighbouring windows overlap. A load takes as many bytes as pixels are aligned to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

from tritonflow.dtypes import DType
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.ops.geometry import Geometry, strides
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.operands import LaunchOperand, Workspace
from tritonflow.ops.plan import Launch, constant
from tritonflow.ops.scratch import Scratch

padded = KernelModule("padded")
blocks = KernelModule("block_sizes")

ALIGNED = 16  # elements from the beginning of a row of pixels to that of the next one: a multiple of it


@dataclass(frozen=True)
class PixelWindows:
    """The convolution `original` as one of windows."""

    original: Geometry

    @property
    def pixel(self) -> int:
        """Channels of a pixel in memory."""
        return max(2, int(blocks.next_power_of_2(self.original.w_shape[1])))

    @property
    def channels(self) -> constant:
        """The numbers of a window. A mask's edge has to be known, for loads of several of them."""
        return constant(self.original.w_shape[3] * self.pixel)

    @property
    def run(self) -> constant:
        """Them, and those behind them that are loaded as well where it does no harm."""
        return constant(_multiple(self.channels))

    @property
    def height(self) -> int:
        """Rows of a padded image."""
        g = self.original
        return (g.out[0] - 1) * g.stride[0] + g.dilation[0] * (g.w_shape[2] - 1) + 1

    @property
    def width(self) -> int:
        """Pixels of its rows."""
        pixels = (self.original.out[1] - 1) * self.original.stride[1] + -(-self.run // self.pixel)
        return _multiple(pixels * self.pixel) // self.pixel

    @property
    def geometry(self) -> Geometry:
        """The convolution of windows."""
        g, n, outputs = self.original, self.original.x_shape[0], self.original.w_shape[0]
        return replace(
            g, x_shape=(n, self.channels, self.height, g.out[1]), w_shape=(outputs, self.channels, g.w_shape[2], 1),
            stride=(g.stride[0], 1), padding=(0, 0), dilation=(g.dilation[0], 1),
        )  # fmt: skip

    @property
    def sizes(self) -> tuple[Any, ...]:
        """`Geometry.sizes`; the kernel's are known where it is small."""
        image, kernel, *rest = self.geometry.sizes
        return (image, tuple([constant(k) for k in kernel]) if kernel[0] <= ALIGNED else kernel, *rest)

    @property
    def x_strides(self) -> tuple[Any, ...]:
        """Of images of windows, which overlap."""
        row = self.width * self.pixel
        return (*strides((self.height * row, 1, row)), constant(self.original.stride[1] * self.pixel))

    @property
    def w_strides(self) -> tuple[Any, ...]:
        """Of (tap, group, row, reduced channel)."""
        return strides((self.run, 0, self.original.w_shape[2] * self.run, 1))

    @property
    def columns(self) -> tuple[constant, ...]:
        """What the weight's gradient is told of its columns."""
        return constant(self.pixel), constant(self.original.w_shape[1]), constant(self.original.w_shape[3])

    def images(self, scratch: Scratch, x: TensorMeta, operand: LaunchOperand, dtype: DType, function: Any) -> Workspace:
        """The padded copy of x, which does what a prologue would."""
        return self._copy(scratch, x, operand, dtype, function, self.original.padding, (self.height, self.width))

    def weight(self, scratch: Scratch, w: TensorMeta, operand: LaunchOperand, dtype: DType, function: Any) -> Workspace:
        """The copy of the weight."""
        return self._copy(scratch, w, operand, dtype, function, (0, 0), (w.shape[2], self.run // self.pixel))

    def _copy(
        self, scratch: Scratch, x: TensorMeta, operand: LaunchOperand, dtype: DType, function: Any, padding: Shape, size: Shape
    ) -> Workspace:  # fmt: skip
        rows, width = x.shape[0] * size[0], size[1]
        target, block = scratch.memory(rows * width * self.pixel, dtype), padded.padded_block(width)
        launch = Launch(
            padded.padded_last, (rows, -(-width // block)), (operand, target),
            (x.shape[1], x.shape[2:], padding, *size, strides(x.stride)),
            {"PROLOGUE": function, "PIXEL": self.pixel, "BLOCK": block}, num_warps=4,
        )  # fmt: skip
        scratch.launches.append(launch)
        return target


def takes_windows(g: Geometry) -> bool:
    """Whether a convolution may be one of windows: the taps of a row lie side by side in all images there are."""
    return g.groups == 1 and g.dilation[1] == 1 and g.w_shape[3] > 1 and prod(g.y_shape) > 0


def _multiple(n: int) -> int:
    return -(-n // ALIGNED) * ALIGNED
