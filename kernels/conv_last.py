"""2-d convolution of channels-last images on a CPU, a matrix product whose rows are positions and whose columns are channels.

Formula and conventions: see conv.py. The pixels under a tap are a run of channels each, which a CPU multiplies where they lie. The
weight lies in panels of PANEL output channels: (groups, panels, taps, input channels, PANEL), each as wide as the registers that a
CPU sums in. So neither operand is laid out anew for a tile, and no position of a tile is left empty.

Of few channels the pixels under a row of taps are taken for one pixel, of a copy with zeros around its images: such pixels overlap.
"""

import triton
import triton.language as tl

from .block_sizes import shape_class, tight_block
from .conv import index_in_images
from .dtypes import compute_dtype
from .epilogue import epilogue
from .facts import DeviceFacts
from .prologue import prologue
from .windows import decode_position, inside, tap_offset


@triton.jit
def panel_of(w, group, tile, depth, out_channels, BLOCK_N: tl.constexpr, PANEL: tl.constexpr):
    """The addresses of a tile's channels in the first row of their panels, and which of them lie in a panel at all."""
    panels = tl.cdiv(out_channels, PANEL)
    j = tl.arange(0, BLOCK_N)
    panel = group * panels + tile * (BLOCK_N // PANEL) + j // PANEL
    return w + (panel * (depth * PANEL) + j % PANEL), tile * BLOCK_N + j < panels * PANEL


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
    w_column, in_panels = panel_of(w, group, tile, kernel[0] * kernel[1] * in_channels, out_channels, BLOCK_N, PANEL)
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


def panel(facts: DeviceFacts) -> int:
    """Channels of a panel: those of two registers, which a CPU sums for 8 positions at a time."""
    return 2 * facts.lanes


def config(facts: DeviceFacts, in_channels: int, out_channels: int, taps: int) -> dict:
    """Constexprs for so many channels a group, and launch options. Weights that fill the cache are read for more positions.

    One thread, us with tiles of 64, 128 and 256 positions: (256, 256) of 14x14, 3x3, 2211, 2029, 1912; (144, 24) of 56x56 226,
    228, 272.
    """
    blocks = {
        "BLOCK_M": 64 if 4 * in_channels * out_channels * taps < facts.cache // 2 else 256,
        "BLOCK_N": max(tight_block(out_channels, (32, 64, 128)), panel(facts)),
        "BLOCK_K": shape_class(in_channels, (16, 32, 64, 128, 256)),
        "PANEL": panel(facts),
    }
    return {"constexprs": blocks, "num_warps": 1, "num_stages": 1}


def tiles(blocks: dict, out_channels: int, positions: int) -> int:
    """Programs of a group."""
    return -(-positions // blocks["BLOCK_M"]) * -(-out_channels // blocks["BLOCK_N"])
