"""Images with zeros around them and behind their channels, channels-last: the pixels under a row of taps are one run of memory."""

import triton
import triton.language as tl

from .block_sizes import shape_class
from .prologue import prologue
from .windows import inside


@triton.jit
def padded_last(
    x, y, channels, image, padding, rows, width, x_strides, PROLOGUE: tl.constexpr, PIXEL: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """y[n, a, b, i] = PROLOGUE(x[n, i, a - p, b - q]), `rows` x `width` pixels of PIXEL channels.

    Grid: (rows of all images, blocks of a row).
    """
    row = tl.program_id(0).to(rows.dtype)
    b = tl.program_id(1).to(rows.dtype) * BLOCK + tl.arange(0, BLOCK)
    i = tl.arange(0, PIXEL)
    h, v = row % rows - padding[0], b - padding[1]
    mask = inside(h, v, image)[:, None] & (i < channels)[None, :]
    x_row = x + row // rows * x_strides[0] + h * x_strides[2]
    value = tl.load(x_row + (v * x_strides[3])[:, None] + (i * x_strides[1])[None, :], mask=mask, other=0)
    offset = (row * width + b)[:, None] * PIXEL + i[None, :]
    tl.store(y + offset, prologue(value, PROLOGUE).to(y.dtype.element_ty), mask=(b < width)[:, None])


def padded_block(width: int) -> int:
    """BLOCK for rows of that width."""
    return shape_class(width, (32, 64, 128, 256))
