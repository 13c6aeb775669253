"""The sizes of a 2-d convolution, dense or depthwise, and how they are passed to kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

from tritonflow.framework.meta import Shape
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.plan import constant
from tritonflow.ops.plan import stride as marked

rules = KernelModule("conv_config")

UNROLLED_TAPS = 9  # of a depthwise kernel: up to so many its loop is unrolled
Pair = tuple[int, int]


def strides(values: Shape) -> tuple[marked, ...]:
    """Numbers that a kernel knows where they are 1."""
    return tuple([marked(v) for v in values])


def step(by: int) -> int:
    """A stride that the kernel knows if it is 1 or 2: a CPU then loads every second pixel as vectors and a shuffle."""
    return constant(by) if by <= 2 else by


@dataclass(frozen=True)
class Geometry:
    """The sizes of a convolution and how they are passed to its kernels."""

    x_shape: Shape
    w_shape: Shape
    stride: Pair
    padding: Pair
    dilation: Pair
    groups: int

    @property
    def out(self) -> Pair:
        sizes = zip(self.x_shape[2:], self.w_shape[2:], self.stride, self.padding, self.dilation)
        out: Pair = tuple([rules.output_size(*s) for s in sizes])
        return out

    @property
    def y_shape(self) -> Shape:
        return (self.x_shape[0], self.w_shape[0], *self.out)

    @property
    def is_depthwise(self) -> bool:
        """Whether every group has one input channel."""
        return self.groups > 1 and self.w_shape[1] == 1

    @property
    def channels(self) -> tuple[int, int]:
        """Input and output channels of a group."""
        return self.w_shape[1], self.w_shape[0] // self.groups

    @property
    def sizes(self) -> tuple[Any, ...]:
        """image, kernel, out, stride, padding, dilation."""
        shapes = (self.x_shape[2:], self.w_shape[2:], self.out)
        return (*shapes, tuple([step(s) for s in self.stride]), self.padding, strides(self.dilation))

    @property
    def unrolled(self) -> bool:
        """Whether the kernel of a depthwise convolution is small enough for code without a loop over its taps."""
        return self.taps <= UNROLLED_TAPS

    @property
    def plane_sizes(self) -> tuple[Any, ...]:
        """`sizes` as depthwise kernels get them: they know the kernel's where its taps are unrolled."""
        image, kernel, *rest = self.sizes
        return (image, tuple([constant(k) for k in kernel]) if self.unrolled else kernel, *rest)

    @property
    def steps(self) -> tuple[marked, ...]:
        """Distances of taps in the input gradient."""
        return strides(tuple([rules.tap_step(s, d) for s, d in zip(self.stride, self.dilation)]))

    @property
    def taps(self) -> int:
        return prod(self.w_shape[2:])

    @property
    def phase(self) -> Pair:
        """Rows and columns of an image that are in one phase of the input gradient."""
        rows, columns = [-(-size // step) for size, step in zip(self.x_shape[2:], self.stride)]
        return rows, columns

    @property
    def work(self) -> int:
        """Vector instructions of the convolution or of one gradient."""
        return prod(self.y_shape) * self.w_shape[1] * self.taps // 16

    def flattened(self, x_stride: Shape) -> tuple[Geometry, Shape]:
        """Images as single rows where a kernel of one pixel takes every pixel: no position of a tile is left empty then."""
        n, c, h, w = self.x_shape
        plain = self.taps == 1 and self.stride == (1, 1) and self.padding == (0, 0)
        if not plain or x_stride[2] != w * x_stride[3]:
            return self, x_stride
        return replace(self, x_shape=(n, c, 1, h * w)), (*x_stride[:2], h * w * x_stride[3], x_stride[3])
