"""2-d max and average pooling of contiguous (n, c, h, w) tensors, and their gradients; max pooling of channels-last ones, too.

Output (a, b) of a plane sees the window of inputs (a s - p + r d, b s - p + c d). A program computes BLOCK elements, counted
through all planes. For maxima they lie in rows, so that neighbours are loaded as vectors. The gradients gather: every input
visits the windows that may contain it, in order, so nothing is added atomically. If a window has several maxima, the first one
counts. NaN is larger than every number, as in the reference.
"""

from math import gcd

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype, own_dtype
from .facts import DeviceFacts
from .reductions import lowest
from .windows import decode_position, inside, position_block, position_tile, position_tiles, tap_offset


@triton.jit
def elements(like, BLOCK: tl.constexpr):
    return tl.program_id(0).to(like.dtype) * BLOCK + tl.arange(0, BLOCK)


@triton.jit
def first_largest(best, where, value, position, mask):
    """The larger of the best so far and a pixel's value, the first of equals; `where` is negative before the first."""
    better = mask & ((where < 0) | (value > best) | (value != value))
    return tl.where(better, value, best), tl.where(better, position, where)


@triton.jit
def max_tap(x_plane, best, where, exists, h, v, image):
    """`first_largest` for the pixel (h, v)."""
    mask = exists & inside(h, v, image)
    position = h * image[1] + v
    value = tl.load(x_plane + position, mask=mask, other=0).to(best.dtype)
    return first_largest(best, where, value, position, mask)


@triton.jit
def max_pool(
    x,
    y,
    indices,
    rows,
    image,
    out,
    kernel,
    stride,
    padding,
    dilation,
    UNROLLED: tl.constexpr,
    BLOCK: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """y = max of each window, indices = its position in the plane, row-major. Grid: (tiles of the `rows` of all outputs,)."""
    q, b = position_tile(tl.program_id(0).to(rows.dtype), out, BLOCK, BLOCK_W)
    exists = (q < rows) & (b < out[1])
    h0 = q % out[0] * stride[0] - padding[0]
    v0 = b * stride[1] - padding[1]
    x_plane = x + q // out[0] * (image[0] * image[1])
    best = lowest(tl.zeros((BLOCK,), own_dtype(x.dtype.element_ty))).to(
        compute_dtype(x.dtype.element_ty)
    )  # of padding alone
    where = tl.full((BLOCK,), -1, rows.dtype)
    if UNROLLED:
        for r in tl.static_range(kernel[0]):
            for c in tl.static_range(kernel[1]):
                h, v = h0 + r * dilation[0], v0 + c * dilation[1]
                best, where = max_tap(x_plane, best, where, exists, h, v, image)
    else:
        for tap in range(kernel[0] * kernel[1]):
            r, c = tap_offset(tap, kernel, dilation)
            best, where = max_tap(x_plane, best, where, exists, h0 + r, v0 + c, image)
    tl.store(y + q * out[1] + b, best.to(y.dtype.element_ty), mask=exists)
    tl.store(indices + q * out[1] + b, where.to(indices.dtype.element_ty), mask=exists)


@triton.jit
def first_window(h, extent, stride, padding):
    """The first output whose window of `extent` inputs (dilation included) reaches input h."""
    return tl.maximum(h + padding - extent + stride, 0) // stride


@triton.jit
def gradient_of_window(dy, indices, acc, exists, plane, a, b, position, out):
    """acc + dy of window (a, b) where its maximum is at `position`."""
    mask = exists & (a < out[0]) & (b < out[1])
    o = (plane * out[0] + a) * out[1] + b
    mine = mask & (tl.load(indices + o, mask=mask).to(position.dtype) == position)
    return acc + tl.where(mine, tl.load(dy + o, mask=mask).to(acc.dtype), 0)


@triton.jit
def max_pool_backward(
    dy,
    indices,
    dx,
    rows,
    image,
    out,
    extent,
    stride,
    padding,
    windows,
    UNROLLED: tl.constexpr,
    PAIRED: tl.constexpr,
    BLOCK: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """dx = sum of dy over the windows whose maximum this input is, among `windows`. Grid: (tiles of the `rows` of all inputs,).

    PAIRED: columns 2 k and 2 k + 1 have window k first, so that the CPU compiler knows it.
    """
    tile = tl.program_id(0).to(rows.dtype)
    q, v = position_tile(tile, image, BLOCK, BLOCK_W)
    plane, h = q // image[0], q % image[0]
    exists = (q < rows) & (v < image[1])
    first_a = first_window(h, extent[0], stride[0], padding[0])
    if PAIRED:
        first_b = tile % tl.cdiv(image[1], BLOCK_W) * (BLOCK_W // 2) + tl.arange(0, BLOCK) % BLOCK_W // 2
    else:
        first_b = first_window(v, extent[1], stride[1], padding[1])
    position = h * image[1] + v
    acc = tl.zeros((BLOCK,), compute_dtype(dy.dtype.element_ty))
    if UNROLLED:
        for a in tl.static_range(windows[0]):
            for b in tl.static_range(windows[1]):
                acc = gradient_of_window(dy, indices, acc, exists, plane, first_a + a, first_b + b, position, out)
    else:
        for k in range(windows[0] * windows[1]):
            a, b = first_a + k // windows[1], first_b + k % windows[1]
            acc = gradient_of_window(dy, indices, acc, exists, plane, a, b, position, out)
    tl.store(dx + q * image[1] + v, acc.to(dx.dtype.element_ty), mask=exists)


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
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """`max_pool_backward` of channels-last images. Grid: (tiles of input positions x of channels,)."""
    n, h, v, c, row_exists, column_exists = channels_of_positions(positions, channels, image, ROWS, COLS)
    first_a = first_window(h, extent[0], stride[0], padding[0])
    first_b = first_window(v, extent[1], stride[1], padding[1])
    position = h * image[1] + v
    acc = tl.zeros((ROWS, COLS), compute_dtype(dy.dtype.element_ty))
    for k in range(windows[0] * windows[1]):
        a, b = first_a + k // windows[1], first_b + k % windows[1]
        mask = (row_exists & (a < out[0]) & (b < out[1])) & column_exists
        offset = ((n * out[0] + a) * out[1] + b) * channels + c
        mine = mask & (tl.load(indices + offset, mask=mask).to(position.dtype) == position)
        acc += tl.where(mine, tl.load(dy + offset, mask=mask).to(acc.dtype), 0)
    offset = (n * image[0] * image[1] + position) * channels + c
    tl.store(dx + offset, acc.to(dx.dtype.element_ty), mask=row_exists & column_exists)


@triton.jit
def pick(x, indices, y, total, image, out, BLOCK: tl.constexpr):
    """y = x at the given positions of its plane: max pooling's derivative applied to x. Grid: (tiles of outputs,)."""
    i = elements(total, BLOCK)
    position = tl.load(indices + i, mask=i < total, other=0)
    plane = i // (out[0] * out[1])
    value = tl.load(x + plane * image[0] * image[1] + position, mask=(i < total) & (position >= 0), other=0)
    tl.store(y + i, value, mask=i < total)


@triton.jit
def window(a, size, kernel, stride, padding):
    """(first, end, extent) of the inputs in window a: first and end are clipped to the image, extent counts padding."""
    first = a * stride - padding
    end = tl.minimum(first + kernel, size + padding)
    return tl.maximum(first, 0), tl.minimum(end, size), end - first


@triton.jit
def window_divisor(a, b, image, kernel, stride, padding, override, COUNT_PADDING: tl.constexpr, OVERRIDE: tl.constexpr):
    """The divisor of the sum over window (a, b)."""
    if OVERRIDE:
        return a * 0 + override
    else:
        top, bottom, height = window(a, image[0], kernel[0], stride[0], padding[0])
        left, right, width = window(b, image[1], kernel[1], stride[1], padding[1])
        return height * width if COUNT_PADDING else (bottom - top) * (right - left)


@triton.jit
def avg_pool(
    x,
    y,
    total,
    image,
    out,
    kernel,
    stride,
    padding,
    override,
    COUNT_PADDING: tl.constexpr,
    OVERRIDE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """y = sum over the window / divisor. Grid: (tiles of outputs,)."""
    i = elements(total, BLOCK)
    plane, a, b = decode_position(i, out)
    h0 = a * stride[0] - padding[0]
    v0 = b * stride[1] - padding[1]
    x_plane = x + plane * image[0] * image[1]
    acc = tl.zeros((BLOCK,), compute_dtype(x.dtype.element_ty))
    for tap in range(kernel[0] * kernel[1]):
        h = h0 + tap // kernel[1]
        v = v0 + tap % kernel[1]
        mask = (i < total) & inside(h, v, image)
        acc += tl.load(x_plane + h * image[1] + v, mask=mask, other=0).to(acc.dtype)
    divisor = window_divisor(a, b, image, kernel, stride, padding, override, COUNT_PADDING, OVERRIDE)
    tl.store(y + i, (acc / divisor.to(acc.dtype)).to(y.dtype.element_ty), mask=i < total)


@triton.jit
def avg_pool_backward(
    dy,
    dx,
    total,
    image,
    out,
    kernel,
    stride,
    padding,
    windows,
    override,
    COUNT_PADDING: tl.constexpr,
    OVERRIDE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """dx = sum of dy / divisor over the windows that contain the input. Grid: (tiles of inputs,)."""
    i = elements(total, BLOCK)
    plane, h, v = decode_position(i, image)
    first_a = first_window(h, kernel[0], stride[0], padding[0])
    first_b = first_window(v, kernel[1], stride[1], padding[1])
    acc = tl.zeros((BLOCK,), compute_dtype(dy.dtype.element_ty))
    for k in range(windows[0] * windows[1]):
        a = first_a + k // windows[1]
        b = first_b + k % windows[1]
        below = (a * stride[0] - padding[0] <= h) & (b * stride[1] - padding[1] <= v)
        mask = (i < total) & (a < out[0]) & (b < out[1]) & below
        g = tl.load(dy + (plane * out[0] + a) * out[1] + b, mask=mask, other=0).to(acc.dtype)
        divisor = window_divisor(a, b, image, kernel, stride, padding, override, COUNT_PADDING, OVERRIDE)
        acc += tl.where(mask, g / divisor.to(acc.dtype), 0)
    tl.store(dx + i, acc.to(dx.dtype.element_ty), mask=i < total)


@triton.jit
def adaptive_window(a, size, out):
    """(first, end) of the inputs that output a of `out` averages: floor(a size / out), ceil((a + 1) size / out)."""
    return a * size // out, ((a + 1) * size + out - 1) // out


@triton.jit
def adaptive_avg_pool(x, y, total, image, out, largest, BLOCK: tl.constexpr):
    """`largest` is the size of the largest window. Grid: (tiles of outputs,)."""
    i = elements(total, BLOCK)
    plane, a, b = decode_position(i, out)
    top, bottom = adaptive_window(a, image[0], out[0])
    left, right = adaptive_window(b, image[1], out[1])
    x_plane = x + plane * image[0] * image[1]
    acc = tl.zeros((BLOCK,), compute_dtype(x.dtype.element_ty))
    for tap in range(largest[0] * largest[1]):
        h = top + tap // largest[1]
        v = left + tap % largest[1]
        mask = (i < total) & (h < bottom) & (v < right)
        acc += tl.load(x_plane + h * image[1] + v, mask=mask, other=0).to(acc.dtype)
    count = (bottom - top) * (right - left)
    tl.store(y + i, (acc / count.to(acc.dtype)).to(y.dtype.element_ty), mask=i < total)


@triton.jit
def adaptive_avg_pool_backward(dy, dx, total, image, out, windows, BLOCK: tl.constexpr):
    """dx = sum of dy / window size over the windows that contain the input. Grid: (tiles of inputs,)."""
    i = elements(total, BLOCK)
    plane, h, v = decode_position(i, image)
    first_a = h * out[0] // image[0]
    first_b = v * out[1] // image[1]
    acc = tl.zeros((BLOCK,), compute_dtype(dy.dtype.element_ty))
    for k in range(windows[0] * windows[1]):
        a = first_a + k // windows[1]
        b = first_b + k % windows[1]
        top, bottom = adaptive_window(a, image[0], out[0])
        left, right = adaptive_window(b, image[1], out[1])
        mask = (i < total) & (a < out[0]) & (b < out[1]) & (top <= h) & (left <= v)
        g = tl.load(dy + (plane * out[0] + a) * out[1] + b, mask=mask, other=0).to(acc.dtype)
        acc += tl.where(mask, g / ((bottom - top) * (right - left)).to(acc.dtype), 0)
    tl.store(dx + i, acc.to(dx.dtype.element_ty), mask=i < total)


def output_size(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> int:
    """Windows that start inside the image or its left padding; ceil_mode keeps a last one that is cut off."""
    space = size + 2 * padding - dilation * (kernel - 1) - 1 + (stride - 1 if ceil_mode else 0)
    out = space // stride + 1
    return out - 1 if ceil_mode and (out - 1) * stride >= size + padding else out


def windows_over(extent: int, stride: int) -> int:
    """How many windows of `extent` inputs may contain one input."""
    return -(-extent // stride)


def adaptive_sizes(size: int, out: int) -> tuple[int, int]:
    """(inputs in the largest window, most windows that contain one input).

    Window a has the inputs from floor(a size / out) to ceil((a + 1) size / out). With size / out in lowest terms the fraction of
    a size / out takes every value k / out, and the window is largest where this fraction is largest.
    """
    if not out:
        return 0, 0
    divisor = gcd(size, out)
    largest = (size + 2 * (out - divisor)) // out
    return largest, -(-out // size) + 1 if size else 0


def config(facts: DeviceFacts, total: int) -> dict:
    block = 512 if facts.kind == "cpu" else 256
    return {"constexprs": {"BLOCK": block}, "num_warps": facts.warps(4), "num_stages": 1}


def row_config(facts: DeviceFacts, rows: int, width: int) -> tuple[dict, int]:
    """`config` for elements that lie in `rows` of `width`, and the number of tiles."""
    found = config(facts, rows * width)
    blocks = found["constexprs"]
    blocks["BLOCK"], blocks["BLOCK_W"] = position_block(rows, width, (blocks["BLOCK"],))
    return found, position_tiles(rows, width, blocks["BLOCK"], blocks["BLOCK_W"])


def last_config(facts: DeviceFacts, positions: int, channels: int) -> tuple[dict, int]:
    """The configuration for so many positions of channels-last images, and the number of tiles."""
    columns = min(next_power_of_2(channels), 128)
    rows = max(1024 // columns, 1)
    blocks = {"ROWS": rows, "COLS": columns}
    return {"constexprs": blocks, "num_warps": facts.warps(4)}, -(-positions // rows) * -(-channels // columns)
