"""Depthwise convolution: groups == input channels, each with `multiplier` output channels. It has no matrix product.

A program computes one tile of positions of one plane (n, channel), tap by tap. Formulas and conventions: see conv.py.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .conv import tap_of_phase, taps_of_phase
from .dtypes import compute_dtype
from .epilogue import epilogue
from .facts import DeviceFacts
from .windows import block_width, inside, position_tile, position_tiles, tap_offset


@triton.jit
def sum_of_taps(plane, w, acc, exists, h, v, image, kernel, step, row_stride, column_stride):
    """acc + sum over taps (r, c) of w[r, c] * plane[r step, c step]; (h, v) is the pixel that `plane` points at.

    No loop: the sum of a position stays in registers, and a column's mask serves all rows of the kernel. On a CPU that
    is 4 times as fast for 3 x 3 taps.
    """
    for r in tl.static_range(kernel[0]):
        for c in tl.static_range(kernel[1]):
            mask = exists & inside(h + r * step[0], v + c * step[1], image)
            pixel = plane + (r * step[0] * row_stride + c * step[1] * column_stride)
            value = tl.load(pixel, mask=mask, other=0).to(acc.dtype)
            acc += value * tl.load(w + (r * kernel[1] + c)).to(acc.dtype)
    return acc


@triton.jit
def forward(
    x,
    w,
    operands,
    outs,
    channels,
    multiplier,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    x_strides,
    operand_sizes,
    operand_strides,
    EPILOGUE: tl.constexpr,
    UNROLLED: tl.constexpr,
    BLOCK: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """Grid: (planes (n, output channel), tiles of positions)."""
    plane = tl.program_id(0).to(channels.dtype)
    n = plane // (channels * multiplier)
    channel = plane % (channels * multiplier)
    a, b = position_tile(tl.program_id(1).to(channels.dtype), out, BLOCK, BLOCK_W)
    exists = (a < out[0]) & (b < out[1])
    h0 = a * stride[0] - padding[0]
    v0 = b * stride[1] - padding[1]
    p = a * out[1] + b
    x_plane = x + n * x_strides[0] + channel // multiplier * x_strides[1] + h0 * x_strides[2] + v0 * x_strides[3]
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    acc = tl.zeros((BLOCK,), dtype)
    w += channel * kernel[0] * kernel[1]
    if UNROLLED:
        acc = sum_of_taps(x_plane, w, acc, exists, h0, v0, image, kernel, dilation, x_strides[2], x_strides[3])
    else:
        for tap in range(kernel[0] * kernel[1]):
            r, c = tap_offset(tap, kernel, dilation)
            mask = exists & inside(h0 + r, v0 + c, image)
            value = tl.load(x_plane + (r * x_strides[2] + c * x_strides[3]), mask=mask, other=0).to(dtype)
            acc += value * tl.load(w + tap).to(dtype)
    offset = plane * out[0] * out[1] + p
    epilogue(acc, (n, channel, p), offset, exists, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def input_gradient(
    dy,
    w,
    operands,
    outs,
    channels,
    multiplier,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    tap_step,
    operand_sizes,
    operand_strides,
    EPILOGUE: tl.constexpr,
    UNROLLED: tl.constexpr,
    BLOCK: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """UNROLLED: the stride and the multiplier are 1. Grid: (planes (n, input channel), tiles of a phase's positions, phases)."""
    plane = tl.program_id(0).to(channels.dtype)
    pid = tl.program_id(2).to(channels.dtype)
    phase = (pid // stride[1], pid % stride[1])
    phase_image = (tl.cdiv(image[0], stride[0]), tl.cdiv(image[1], stride[1]))
    a, b = position_tile(tl.program_id(1).to(channels.dtype), phase_image, BLOCK, BLOCK_W)
    h = a * stride[0] + phase[0]
    v = b * stride[1] + phase[1]
    exists = (h < image[0]) & (v < image[1])
    area = out[0] * out[1]
    dtype: tl.constexpr = compute_dtype(dy.dtype.element_ty)
    acc = tl.zeros((BLOCK,), dtype)
    if UNROLLED:
        h0, v0, back = h + padding[0], v + padding[1], (-dilation[0], -dilation[1])
        dy_plane = dy + plane * area + h0 * out[1] + v0
        w += plane % channels * kernel[0] * kernel[1]
        acc = sum_of_taps(dy_plane, w, acc, exists, h0, v0, out, kernel, back, out[1], 1)
    else:
        first, count = taps_of_phase(phase, kernel, stride, padding, dilation, tap_step)
        for step in range(multiplier * count[0] * count[1]):
            channel = plane % channels * multiplier + step % multiplier
            r, c, up, left = tap_of_phase(step // multiplier, phase, first, count, stride, padding, dilation, tap_step)
            mask = exists & inside(a + up, b + left, out)
            dy_plane = dy + (plane // channels * channels * multiplier + channel) * area
            value = tl.load(dy_plane + (a + up) * out[1] + (b + left), mask=mask, other=0).to(dtype)
            acc += value * tl.load(w + (channel * kernel[0] + r) * kernel[1] + c).to(dtype)
    pixel = h * image[1] + v
    index = (plane // channels, plane % channels, pixel)
    offset = plane * image[0] * image[1] + pixel
    epilogue(acc, index, offset, exists, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def weight_gradient(
    dy,
    x,
    dw,
    batch,
    channels,
    multiplier,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    x_strides,
    BLOCK: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """Grid: (output channels x taps,). The taps of a channel follow each other: its planes are in cache after the first."""
    taps = kernel[0] * kernel[1]
    channel = tl.program_id(0).to(batch.dtype) // taps
    tap = tl.program_id(0).to(batch.dtype) % taps
    r, c = tap_offset(tap, kernel, dilation)
    h0 = r - padding[0]
    v0 = c - padding[1]
    area = out[0] * out[1]
    blocks = tl.cdiv(out[0], BLOCK // BLOCK_W) * tl.cdiv(out[1], BLOCK_W)
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    acc = tl.zeros((BLOCK,), dtype)
    for step in range(batch * blocks):
        n = step // blocks
        a, b = position_tile(step % blocks, out, BLOCK, BLOCK_W)
        h = a * stride[0] + h0
        v = b * stride[1] + v0
        p = a * out[1] + b
        mask = (a < out[0]) & (b < out[1]) & inside(h, v, image)
        x_plane = x + n * x_strides[0] + channel // multiplier * x_strides[1]
        value = tl.load(x_plane + h * x_strides[2] + v * x_strides[3], mask=mask, other=0).to(dtype)
        acc += value * tl.load(dy + (n * channels * multiplier + channel) * area + p, mask=mask, other=0).to(dtype)
    tl.store(dw + channel * taps + tap, tl.sum(acc, 0).to(dw.dtype.element_ty))


def config(facts: DeviceFacts, height: int, width: int) -> dict:
    """Constexprs and launch options for planes of (height, width) positions."""
    block_w = block_width(width, 128)
    rows = min(next_power_of_2(max(height, 1)), max(1024 // block_w, 1))
    blocks = {"BLOCK": max(rows * block_w, 16), "BLOCK_W": block_w}
    return {"constexprs": blocks, "num_warps": facts.warps(4), "num_stages": 1}


def tiles(blocks: dict, height: int, width: int) -> int:
    return position_tiles(height, width, blocks["BLOCK"], blocks["BLOCK_W"])
