"""Depthwise convolution of channels-last images, and its two gradients; depthwise.py has those of contiguous ones.

A program computes a tile of positions x channels, tap by tap. Channels are neighbours in memory, and so are the weights of a tap,
(taps, channels): a GPU's thread loads 16 bytes of either at once, and a CPU a vector. Formulas and conventions: see conv.py.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype
from .epilogue import epilogue
from .facts import DeviceFacts
from .pool_last import channels_of_positions
from .windows import decode_position, inside, tap_offset


@triton.jit
def weight_of_tap(w, offset, column_exists, like, SPREAD: tl.constexpr):
    """The weights of a tap, one for each column; SPREAD: each row loads them, as wide as its pixels."""
    if SPREAD:
        mask = tl.broadcast_to(column_exists, like.shape)
        return tl.load(tl.broadcast_to(w + offset, like.shape), mask=mask, other=0).to(like.dtype)
    else:
        return tl.load(w + offset, mask=column_exists, other=0).to(like.dtype)


@triton.jit
def product_of_tap(
    x, w, acc, n, h, v, c, exists, column_exists, tap, channels, multiplier, image, SPREAD: tl.constexpr,
):  # fmt: skip
    """acc plus the pixel (h, v) times the weight of a tap; c are output channels."""
    mask = (exists & inside(h, v, image)) & column_exists
    pixel = ((n * image[0] + h) * image[1] + v) * (channels // multiplier)
    value = tl.load(x + (pixel + c // multiplier), mask=mask, other=0).to(acc.dtype)
    return acc + value * weight_of_tap(w, tap * channels + c, column_exists, acc, SPREAD)


@triton.jit
def forward_last(
    x,
    w,
    operands,
    outs,
    positions,
    channels,
    multiplier,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    operand_sizes,
    operand_strides,
    EPILOGUE: tl.constexpr,
    UNROLLED: tl.constexpr,
    SPREAD: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """`channels` are those of the result. Grid: (tiles of output positions x of channels,)."""
    n, a, b, c, row_exists, column_exists = channels_of_positions(positions, channels, out, ROWS, COLS)
    h0, v0 = a * stride[0] - padding[0], b * stride[1] - padding[1]
    acc = tl.zeros((ROWS, COLS), compute_dtype(x.dtype.element_ty))
    if UNROLLED:
        for r in tl.static_range(kernel[0]):
            for s in tl.static_range(kernel[1]):
                h, v, tap = h0 + r * dilation[0], v0 + s * dilation[1], r * kernel[1] + s
                acc = product_of_tap(
                    x, w, acc, n, h, v, c, row_exists, column_exists, tap, channels, multiplier, image, SPREAD
                )
    else:
        for tap in range(kernel[0] * kernel[1]):
            r, s = tap_offset(tap, kernel, dilation)
            acc = product_of_tap(
                x, w, acc, n, h0 + r, v0 + s, c, row_exists, column_exists, tap, channels, multiplier, image, SPREAD
            )
    p = a * out[1] + b
    offset = (n * (out[0] * out[1]) + p) * channels + c
    mask = row_exists & column_exists
    epilogue(acc, (n, p, c), offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def gradient_of_tap(
    dy, w, acc, n, h, v, channel, exists, column_exists, r, s, channels, kernel, out, stride, padding, dilation,
    SPREAD: tl.constexpr,
):  # fmt: skip
    """acc plus the weight of tap (r, s) times the gradient of the output that it makes of the pixel (h, v), if there is one."""
    up, left = h + padding[0] - r * dilation[0], v + padding[1] - s * dilation[1]
    a, b = up // stride[0], left // stride[1]
    meets = exists & (up % stride[0] == 0) & (left % stride[1] == 0) & inside(a, b, out)
    offset = ((n * out[0] + a) * out[1] + b) * channels + channel
    value = tl.load(dy + offset, mask=meets & column_exists, other=0).to(acc.dtype)
    return acc + value * weight_of_tap(w, (r * kernel[1] + s) * channels + channel, column_exists, acc, SPREAD)


@triton.jit
def input_gradient_last(
    dy,
    w,
    operands,
    outs,
    positions,
    channels,
    multiplier,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    operand_sizes,
    operand_strides,
    EPILOGUE: tl.constexpr,
    UNROLLED: tl.constexpr,
    SPREAD: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """`channels` are those of x. UNROLLED: the multiplier is 1. Grid: (tiles of input positions x of channels,)."""
    n, h, v, c, row_exists, column_exists = channels_of_positions(positions, channels, image, ROWS, COLS)
    acc = tl.zeros((ROWS, COLS), compute_dtype(dy.dtype.element_ty))
    made = channels * multiplier
    if UNROLLED:
        for r in tl.static_range(kernel[0]):
            for s in tl.static_range(kernel[1]):
                acc = gradient_of_tap(
                    dy, w, acc, n, h, v, c, row_exists, column_exists, r, s, made, kernel, out, stride, padding, dilation,
                    SPREAD,
                )  # fmt: skip
    else:
        for step in range(kernel[0] * kernel[1] * multiplier):
            tap, channel = step // multiplier, c * multiplier + step % multiplier
            r, s = tap // kernel[1], tap % kernel[1]
            acc = gradient_of_tap(
                dy, w, acc, n, h, v, channel, row_exists, column_exists, r, s, made, kernel, out, stride, padding, dilation,
                SPREAD,
            )  # fmt: skip
    pixel = h * image[1] + v
    offset = (n * (image[0] * image[1]) + pixel) * channels + c
    mask = row_exists & column_exists
    epilogue(acc, (n, pixel, c), offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def weight_gradient_last(
    dy,
    x,
    parts,
    positions,
    per_split,
    channels,
    multiplier,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """Part `split` of dw, (channels, taps), over its positions. Grid: (taps x blocks of output channels, splits)."""
    taps = kernel[0] * kernel[1]
    pid = tl.program_id(0).to(positions.dtype)
    split = tl.program_id(1).to(positions.dtype)
    tap = pid % taps
    c = (pid // taps * COLS + tl.arange(0, COLS))[None, :]
    column_exists = c < channels
    r, s = tap_offset(tap, kernel, dilation)
    end = tl.minimum((split + 1) * per_split, positions)
    acc = tl.zeros((ROWS, COLS), compute_dtype(x.dtype.element_ty))
    for start in range(split * per_split, end, ROWS):
        p = (start + tl.arange(0, ROWS))[:, None]
        n, a, b = decode_position(p, out)
        h, v = a * stride[0] - padding[0] + r, b * stride[1] - padding[1] + s
        mask = ((p < end) & inside(h, v, image)) & column_exists
        pixel = ((n * image[0] + h) * image[1] + v) * (channels // multiplier)
        value = tl.load(x + (pixel + c // multiplier), mask=mask, other=0).to(acc.dtype)
        acc += value * tl.load(dy + (p * channels + c), mask=mask, other=0).to(acc.dtype)
    total = tl.sum(acc, 0)[None, :]
    tl.store(parts + ((split * channels + c) * taps + tap), total.to(parts.dtype.element_ty), mask=column_exists)


def config(facts: DeviceFacts, positions: int, channels: int) -> tuple[dict, int]:
    """The configuration for so many positions, and the number of tiles. Few channels take many rows, each with an address."""
    columns = min(next_power_of_2(channels), 128)
    rows = max((1024 if facts.kind == "cpu" or columns <= 8 else 2048) // columns, 1)
    blocks = {"ROWS": rows, "COLS": columns}
    found = {"constexprs": blocks, "num_warps": facts.warps(4), "num_stages": 1}
    return found, -(-positions // rows) * -(-channels // columns)


def splits(facts: DeviceFacts, positions: int, programs: int, rows: int) -> int:
    """Into how many parts the positions of the weight's gradient are split: a GPU should have four programs a multiprocessor."""
    if facts.kind == "cpu":
        return 1
    return max(1, min(4 * facts.processors // max(programs, 1), -(-positions // (8 * rows))))
