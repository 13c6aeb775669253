"""One dimension of a picture of bytes at another resolution, with weights that are integers.

x is (outer, n, inner), y is (outer, m, inner), both contiguous. Weights are those of `resample`, computed in float64, multiplied
by 2 ** bits and rounded. An output is the sum of its products over 2 ** bits, rounded, and cut to a byte. All outputs of a column
have the same weights. So a table of them is made first, (1 + taps, m): the first element that output j reads, then its weights.

Source: torch.nn.functional.interpolate of uint8 on CPUs, after Pillow's ImagingResample.
"""

import triton
import triton.language as tl

from .resample import row_tile, smooth_range, smooth_weight, tap

BLOCK_OF_TABLE = 16  # outputs of a tile of the table


@triton.jit
def whole_weight(weight, bits):
    """The nearest integer to weight * 2 ** bits; halves go away from 0."""
    size = (tl.abs(weight) * (1 << bits) + 0.5).to(tl.int32)
    return tl.where(weight < 0, -size, size)


@triton.jit
def weight_at(position, j, n, scale, TAPS: tl.constexpr, ALIGNED: tl.constexpr, MODE: tl.constexpr):
    """The sum of the weights of those neighbours of output j that lie at a position: several, at an end."""
    total = tl.zeros(position.shape, tl.float64)
    for k in tl.static_range(TAPS):
        at, weight = tap(j, k, n, scale, ALIGNED, MODE, tl.float64)
        total += tl.where(at == position, weight, 0)
    return total


@triton.jit
def byte_weights(
    table, scale, narrowing, support, bits, n, m, TAPS: tl.constexpr, ALIGNED: tl.constexpr, MODE: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """The table of a mode that reads TAPS neighbours. Grid: (tiles of m,)."""
    j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    first, _ = tap(j, 0, n, scale, ALIGNED, MODE, tl.float64)
    tl.store(table + j, first, mask=j < m)
    for k in tl.static_range(TAPS):
        weight = weight_at(first + k, j, n, scale, TAPS, ALIGNED, MODE)
        tl.store(table + (k + 1) * m + j, whole_weight(weight, bits), mask=j < m)


@triton.jit
def smooth_byte_weights(table, scale, narrowing, support, bits, n, m, taps, MODE: tl.constexpr, BLOCK: tl.constexpr):
    """The table of a filter, over up to `taps` elements. Grid: (tiles of m,)."""
    j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    first, count, centre = smooth_range(j, n, scale, support, tl.float64)
    tl.store(table + j, first, mask=j < m)
    sum_of_weights = tl.zeros((BLOCK,), tl.float64)
    for k in range(taps):
        sum_of_weights += tl.where(k < count, smooth_weight(first + k, centre, narrowing, MODE), 0)
    for k in range(taps):
        weight = tl.where(k < count, smooth_weight(first + k, centre, narrowing, MODE) / sum_of_weights, 0)
        tl.store(table + (k + 1) * m + j, whole_weight(weight, bits), mask=j < m)


@triton.jit
def resample_bytes(
    x, table, y, bits, rows, n, m, inner, taps, LAST: tl.constexpr, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr,
):  # fmt: skip
    """y = the weighted sum of `taps` elements. Grid: (tiles of the rows of y,)."""
    outer, j, rest, exists = row_tile(rows, m, inner, LAST, BLOCK, BLOCK_W)
    column = x + outer * n * inner + rest
    first = tl.load(table + j, mask=j < m, other=0)
    acc = tl.zeros((BLOCK,), tl.int32) + (1 << (bits - 1))
    for k in range(taps):
        weight = tl.load(table + (k + 1) * m + j, mask=j < m, other=0)
        position = tl.minimum(first + k, n - 1)
        acc += weight * tl.load(column + position * inner, mask=exists, other=0).to(tl.int32)
    tl.store(y + (outer * m + j) * inner + rest, tl.minimum(tl.maximum(acc >> bits, 0), 255).to(tl.uint8), mask=exists)
