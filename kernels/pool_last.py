"""2-d max and average pooling of channels-last (n, c, h, w) tensors, and their gradients; pool.py has the formulas.

A program computes a tile of positions x channels. Channels are neighbours in memory: a GPU's thread loads 16 bytes of them at
once, and a CPU a vector.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype, own_dtype
from .facts import DeviceFacts
from .pool import first_largest, first_window, window_divisor
from .reductions import lowest
from .windows import decode_position, inside, tap_offset


@triton.jit
def channels_of_positions(positions, channels, size, ROWS: tl.constexpr, COLS: tl.constexpr):
    """(image, row, column), columns of ones, and channels of a tile of channels-last images of that size; what exists of either."""
    blocks = tl.cdiv(channels, COLS)
    pid = tl.program_id(0).to(positions.dtype)
    p = (pid // blocks * ROWS + tl.arange(0, ROWS))[:, None]
    c = (pid % blocks * COLS + tl.arange(0, COLS))[None, :]
    n, a, b = decode_position(p, size)
    return n, a, b, c, p < positions, c < channels


@triton.jit
def max_tap_last(x, best, where, n, h, v, c, row_exists, column_exists, channels, image):
    """`max_tap` of channels-last images."""
    position = h * image[1] + v
    mask = (row_exists & inside(h, v, image)) & column_exists
    pixel = (n * image[0] * image[1] + position) * channels
    value = tl.load(x + (pixel + c), mask=mask, other=0).to(best.dtype)
    return first_largest(best, where, value, position, mask)


@triton.jit
def max_pool_last(
    x,
    y,
    indices,
    positions,
    channels,
    image,
    out,
    kernel,
    stride,
    padding,
    dilation,
    UNROLLED: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """`max_pool` of channels-last images. Grid: (tiles of output positions x of channels,)."""
    n, a, b, c, row_exists, column_exists = channels_of_positions(positions, channels, out, ROWS, COLS)
    h0, v0 = a * stride[0] - padding[0], b * stride[1] - padding[1]
    best = lowest(tl.zeros((ROWS, COLS), own_dtype(x.dtype.element_ty))).to(compute_dtype(x.dtype.element_ty))
    where = tl.full((ROWS, COLS), -1, positions.dtype)
    if UNROLLED:
        for r in tl.static_range(kernel[0]):
            for s in tl.static_range(kernel[1]):
                h, v = h0 + r * dilation[0], v0 + s * dilation[1]
                best, where = max_tap_last(x, best, where, n, h, v, c, row_exists, column_exists, channels, image)
    else:
        for tap in range(kernel[0] * kernel[1]):
            r, s = tap_offset(tap, kernel, dilation)
            best, where = max_tap_last(x, best, where, n, h0 + r, v0 + s, c, row_exists, column_exists, channels, image)
    offset = ((n * out[0] + a) * out[1] + b) * channels + c
    tl.store(y + offset, best.to(y.dtype.element_ty), mask=row_exists & column_exists)
    tl.store(indices + offset, where.to(indices.dtype.element_ty), mask=row_exists & column_exists)


@triton.jit
def gradient_of_window_last(dy, indices, acc, exists, n, a, b, c, position, channels, out):
    """`gradient_of_window` of channels-last images."""
    offset = ((n * out[0] + a) * out[1] + b) * channels + c
    mine = exists & (tl.load(indices + offset, mask=exists).to(position.dtype) == position)
    return acc + tl.where(mine, tl.load(dy + offset, mask=exists).to(acc.dtype), 0)


@triton.jit
def max_pool_backward_last(
    dy,
    indices,
    dx,
    positions,
    channels,
    image,
    out,
    extent,
    stride,
    padding,
    windows,
    UNROLLED: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """`max_pool_backward` of channels-last images. Grid: (tiles of input positions x of channels,)."""
    n, h, v, c, row_exists, column_exists = channels_of_positions(positions, channels, image, ROWS, COLS)
    first_a = first_window(h, extent[0], stride[0], padding[0])
    first_b = first_window(v, extent[1], stride[1], padding[1])
    position = h * image[1] + v
    acc = tl.zeros((ROWS, COLS), compute_dtype(dy.dtype.element_ty))
    if UNROLLED:
        for i in tl.static_range(windows[0]):
            for j in tl.static_range(windows[1]):
                a, b = first_a + i, first_b + j
                exists = (row_exists & (a < out[0]) & (b < out[1])) & column_exists
                acc = gradient_of_window_last(dy, indices, acc, exists, n, a, b, c, position, channels, out)
    else:
        for k in range(windows[0] * windows[1]):
            a, b = first_a + k // windows[1], first_b + k % windows[1]
            exists = (row_exists & (a < out[0]) & (b < out[1])) & column_exists
            acc = gradient_of_window_last(dy, indices, acc, exists, n, a, b, c, position, channels, out)
    offset = (n * image[0] * image[1] + position) * channels + c
    tl.store(dx + offset, acc.to(dx.dtype.element_ty), mask=row_exists & column_exists)


@triton.jit
def sum_tap_last(x, acc, n, h, v, c, row_exists, column_exists, channels, image):
    """acc plus the pixel (h, v)."""
    mask = (row_exists & inside(h, v, image)) & column_exists
    pixel = ((n * image[0] + h) * image[1] + v) * channels
    return acc + tl.load(x + (pixel + c), mask=mask, other=0).to(acc.dtype)


@triton.jit
def avg_pool_last(
    x,
    y,
    positions,
    channels,
    image,
    out,
    kernel,
    stride,
    padding,
    override,
    COUNT_PADDING: tl.constexpr,
    OVERRIDE: tl.constexpr,
    UNROLLED: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """`avg_pool` of channels-last images. Grid: (tiles of output positions x of channels,)."""
    n, a, b, c, row_exists, column_exists = channels_of_positions(positions, channels, out, ROWS, COLS)
    h0, v0 = a * stride[0] - padding[0], b * stride[1] - padding[1]
    acc = tl.zeros((ROWS, COLS), compute_dtype(x.dtype.element_ty))
    if UNROLLED:
        for r in tl.static_range(kernel[0]):
            for s in tl.static_range(kernel[1]):
                acc = sum_tap_last(x, acc, n, h0 + r, v0 + s, c, row_exists, column_exists, channels, image)
    else:
        for tap in range(kernel[0] * kernel[1]):
            h, v = h0 + tap // kernel[1], v0 + tap % kernel[1]
            acc = sum_tap_last(x, acc, n, h, v, c, row_exists, column_exists, channels, image)
    divisor = window_divisor(a, b, image, kernel, stride, padding, override, COUNT_PADDING, OVERRIDE)
    offset = ((n * out[0] + a) * out[1] + b) * channels + c
    tl.store(y + offset, (acc / divisor.to(acc.dtype)).to(y.dtype.element_ty), mask=row_exists & column_exists)


@triton.jit
def share_of_window(
    dy, acc, n, a, b, h, v, c, row_exists, column_exists, channels, image, out, kernel, stride, padding, override,
    COUNT_PADDING: tl.constexpr, OVERRIDE: tl.constexpr,
):  # fmt: skip
    """acc plus the pixel's share of the gradient of window (a, b), if that contains (h, v)."""
    below = (a * stride[0] - padding[0] <= h) & (b * stride[1] - padding[1] <= v)
    there = row_exists & (a < out[0]) & (b < out[1]) & below
    g = tl.load(dy + (((n * out[0] + a) * out[1] + b) * channels + c), mask=there & column_exists, other=0)
    divisor = window_divisor(a, b, image, kernel, stride, padding, override, COUNT_PADDING, OVERRIDE)
    return acc + tl.where(there, g.to(acc.dtype) / divisor.to(acc.dtype), 0)


@triton.jit
def avg_pool_backward_last(
    dy,
    dx,
    positions,
    channels,
    image,
    out,
    kernel,
    stride,
    padding,
    windows,
    override,
    COUNT_PADDING: tl.constexpr,
    OVERRIDE: tl.constexpr,
    UNROLLED: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """`avg_pool_backward` of channels-last images. Grid: (tiles of input positions x of channels,)."""
    n, h, v, c, row_exists, column_exists = channels_of_positions(positions, channels, image, ROWS, COLS)
    first_a = first_window(h, kernel[0], stride[0], padding[0])
    first_b = first_window(v, kernel[1], stride[1], padding[1])
    acc = tl.zeros((ROWS, COLS), compute_dtype(dy.dtype.element_ty))
    if UNROLLED:
        for i in tl.static_range(windows[0]):
            for j in tl.static_range(windows[1]):
                acc = share_of_window(
                    dy, acc, n, first_a + i, first_b + j, h, v, c, row_exists, column_exists, channels, image, out, kernel,
                    stride, padding, override, COUNT_PADDING, OVERRIDE,
                )  # fmt: skip
    else:
        for k in range(windows[0] * windows[1]):
            acc = share_of_window(
                dy, acc, n, first_a + k // windows[1], first_b + k % windows[1], h, v, c, row_exists, column_exists,
                channels, image, out, kernel, stride, padding, override, COUNT_PADDING, OVERRIDE,
            )  # fmt: skip
    offset = ((n * image[0] + h) * image[1] + v) * channels + c
    tl.store(dx + offset, acc.to(dx.dtype.element_ty), mask=row_exists & column_exists)


def config(facts: DeviceFacts, positions: int, channels: int) -> tuple[dict, int]:
    """The configuration for so many positions of channels-last images, and the number of tiles."""
    columns = min(next_power_of_2(channels), 128)
    rows = max(1024 // columns, 1)
    blocks = {"ROWS": rows, "COLS": columns}
    return {"constexprs": blocks, "num_warps": facts.warps(4)}, -(-positions // rows) * -(-channels // columns)
