"""2-d max and average pooling of contiguous (n, c, h, w) tensors, and their gradients.

pool_last.py has images whose channels are last, adaptive_pool.py windows of other sizes.

Output (a, b) of a plane sees the window of inputs (a s - p + r d, b s - p + c d). A program computes BLOCK elements, counted
through all planes. They lie in rows, so that neighbours are loaded as vectors. The gradients gather:
every input visits the windows that may contain it, in order, so nothing is added atomically. If a window has several maxima,
the first one counts. NaN is larger than every number, as in the reference.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype, own_dtype
from .facts import DeviceFacts
from .reductions import lowest
from .windows import inside, position_tiles, row_block, scalar_row_tile, tap_offset


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
    q, b = scalar_row_tile(tl.program_id(0).to(rows.dtype), out, BLOCK, BLOCK_W)
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
    q, v = scalar_row_tile(tile, image, BLOCK, BLOCK_W)
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
    rows,
    image,
    out,
    kernel,
    stride,
    padding,
    override,
    COUNT_PADDING: tl.constexpr,
    OVERRIDE: tl.constexpr,
    BLOCK: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """y = sum over the window / divisor. Grid: (tiles of the `rows` of all outputs,)."""
    q, b = scalar_row_tile(tl.program_id(0).to(rows.dtype), out, BLOCK, BLOCK_W)
    exists = (q < rows) & (b < out[1])
    a = q % out[0]
    h0 = a * stride[0] - padding[0]
    v0 = b * stride[1] - padding[1]
    x_plane = x + q // out[0] * (image[0] * image[1])
    acc = tl.zeros((BLOCK,), compute_dtype(x.dtype.element_ty))
    for tap in range(kernel[0] * kernel[1]):
        h = h0 + tap // kernel[1]
        v = v0 + tap % kernel[1]
        mask = exists & inside(h, v, image)
        acc += tl.load(x_plane + h * image[1] + v, mask=mask, other=0).to(acc.dtype)
    divisor = window_divisor(a, b, image, kernel, stride, padding, override, COUNT_PADDING, OVERRIDE)
    tl.store(y + q * out[1] + b, (acc / divisor.to(acc.dtype)).to(y.dtype.element_ty), mask=exists)


@triton.jit
def avg_pool_backward(
    dy,
    dx,
    rows,
    image,
    out,
    kernel,
    stride,
    padding,
    windows,
    override,
    COUNT_PADDING: tl.constexpr,
    OVERRIDE: tl.constexpr,
    PAIRED: tl.constexpr,
    BLOCK: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """dx = sum of dy / divisor over the windows that contain the input. Grid: (tiles of the `rows` of all inputs,).

    PAIRED: as in `max_pool_backward`.
    """
    tile = tl.program_id(0).to(rows.dtype)
    q, v = scalar_row_tile(tile, image, BLOCK, BLOCK_W)
    plane, h = q // image[0], q % image[0]
    exists = (q < rows) & (v < image[1])
    first_a = first_window(h, kernel[0], stride[0], padding[0])
    if PAIRED:
        first_b = tile % tl.cdiv(image[1], BLOCK_W) * (BLOCK_W // 2) + tl.arange(0, BLOCK) % BLOCK_W // 2
    else:
        first_b = first_window(v, kernel[1], stride[1], padding[1])
    acc = tl.zeros((BLOCK,), compute_dtype(dy.dtype.element_ty))
    for k in range(windows[0] * windows[1]):
        a = first_a + k // windows[1]
        b = first_b + k % windows[1]
        below = (a * stride[0] - padding[0] <= h) & (b * stride[1] - padding[1] <= v)
        mask = exists & (a < out[0]) & (b < out[1]) & below
        g = tl.load(dy + (plane * out[0] + a) * out[1] + b, mask=mask, other=0).to(acc.dtype)
        divisor = window_divisor(a, b, image, kernel, stride, padding, override, COUNT_PADDING, OVERRIDE)
        acc += tl.where(mask, g / divisor.to(acc.dtype), 0)
    tl.store(dx + q * image[1] + v, acc.to(dx.dtype.element_ty), mask=exists)


def output_size(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> int:
    """Windows that start inside the image or its left padding; ceil_mode keeps a last one that is cut off."""
    space = size + 2 * padding - dilation * (kernel - 1) - 1 + (stride - 1 if ceil_mode else 0)
    out = space // stride + 1
    return out - 1 if ceil_mode and (out - 1) * stride >= size + padding else out


def windows_over(extent: int, stride: int) -> int:
    """How many windows of `extent` inputs may contain one input."""
    return -(-extent // stride)


def config(facts: DeviceFacts, total: int) -> dict:
    block = 512 if facts.kind == "cpu" else 256
    return {"constexprs": {"BLOCK": block}, "num_warps": facts.warps(4), "num_stages": 1}


def row_config(facts: DeviceFacts, rows: int, width: int) -> tuple[dict, int]:
    """`config` for elements that lie in `rows` of `width`, and the number of tiles."""
    found = config(facts, rows * width)
    blocks = found["constexprs"]
    blocks["BLOCK"], blocks["BLOCK_W"] = row_block(rows, width, blocks["BLOCK"], facts.kind == "cpu")
    return found, position_tiles(rows, width, blocks["BLOCK"], blocks["BLOCK_W"])
