"""2-d convolution of channels-last images on a CPU, a matrix product whose rows are positions and whose columns are channels.

Formula and conventions: see conv.py. The pixels under a tap are a run of channels each, which a CPU multiplies where they lie. The
weight lies in panels of PANEL output channels, as in matmul_panels.py: (groups, panels, taps, input channels, PANEL). So neither
operand is laid out anew for a tile, and no position of a tile is left empty.

Of few channels the pixels under a row of taps are taken for one pixel, of a copy with zeros around its images: such pixels overlap.
"""

import triton
import triton.language as tl

from .conv import index_in_images
from .dtypes import compute_dtype
from .epilogue import epilogue
from .matmul_panels import panel_of
from .prologue import prologue
from .windows import decode_position, inside, tap_offset


@triton.jit
def forward(
    x,
    w,
    operands,
    outs,
    x_strides,
    positions,
    groups,
    in_channels,
    out_channels,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    operand_sizes,
    operand_strides,
    PROLOGUE: tl.constexpr,
    EPILOGUE: tl.constexpr,
    PLAIN: tl.constexpr,
    LAST: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    PANEL: tl.constexpr,
):
    """Channel counts are per group. `x_strides` are of image, row and column. PLAIN: a kernel of one pixel that takes every pixel.
    LAST: whether the result counts as channels-last; images of one pixel need not.

    Grid: (tiles of positions x of out_channels, groups).
    """
    tiles_n = tl.cdiv(out_channels, BLOCK_N)
    pid = tl.program_id(0).to(positions.dtype)
    group = tl.program_id(1).to(positions.dtype)
    tile, blocks = pid % tiles_n, tl.cdiv(in_channels, BLOCK_K)
    first = group * tl.cdiv(out_channels, PANEL)
    w_column, in_panels = panel_of(w, first, tile, kernel[0] * kernel[1] * in_channels, out_channels, BLOCK_N, PANEL)
    p = pid // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    n, a, b = decode_position(p, out)
    exists = p < positions
    h0, v0 = a * stride[0] - padding[0], b * stride[1] - padding[1]
    x_group = x + group * in_channels
    k = tl.arange(0, BLOCK_K)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(x.dtype.element_ty))
    for step in range(kernel[0] * kernel[1] * blocks):
        tap, start = step // blocks, step % blocks * BLOCK_K
        if PLAIN:
            seen, row = exists, p * x_strides[2]
        else:
            r, c = tap_offset(tap, kernel, dilation)
            h, v = h0 + r, v0 + c
            seen, row = exists & inside(h, v, image), n * x_strides[0] + h * x_strides[1] + v * x_strides[2]
        there = k < in_channels - start
        x_tile = tl.load((x_group + row)[:, None] + (start + k)[None, :], mask=seen[:, None] & there[None, :], other=0)
        w_row = (tap * in_channels + start + k) * PANEL
        w_tile = tl.load(w_column[None, :] + w_row[:, None], mask=there[:, None] & in_panels[None, :], other=0)
        acc = tl.dot(prologue(x_tile, PROLOGUE), w_tile, acc, input_precision="ieee", out_dtype=acc.dtype)
    o = tile * BLOCK_N + tl.arange(0, BLOCK_N)
    channel = (group * out_channels + o)[None, :]
    index = index_in_images(n[:, None], channel, (a * out[1] + b)[:, None], LAST)
    offset = p[:, None] * (groups * out_channels) + channel
    mask = exists[:, None] & (o < out_channels)[None, :]
    epilogue(acc, index, offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)
