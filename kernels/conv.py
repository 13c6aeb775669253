"""2-d convolution and its two gradients, as matrix products whose operands are gathered on the fly (implicit GEMM).

With g groups of I input and O output channels, kernel (R, S), stride s, padding p, dilation d:

    forward          y[n, o, a, b] = sum over (i, r, c) of w[o, i, r, c] x[n, i, a s - p + r d, b s - p + c d]
    input_gradient  dx[n, i, h, v] = sum over (o, r, c) of w[o, i, r, c] dy[n, o, (h + p - r d) / s, (v + p - c d) / s]
    weight_gradient dw[o, i, r, c] = sum over (n, a, b) of dy[n, o, a, b] x[n, i, a s - p + r d, b s - p + c d]

Channels are the rows of a tile and positions (n, a, b) its columns: neighbours in memory are neighbours in the tile. Index
arithmetic is done for rows and columns, not for elements. x may have any strides; the other tensors are contiguous.

Few input channels are reduced together with the kernel's taps (FLAT), many channels tap by tap. On a CPU, FLAT also saves a copy of
the weight where there are few positions. The input gradient treats every residue of a position modulo the stride by itself, so that
only taps that meet an output are visited. The weight gradient splits the batch, and `matmul.reduce_splits` adds the splits' sums in
order, so that nothing is added atomically.
"""

import math
from collections.abc import Iterable, Iterator

import triton
import triton.language as tl

from .block_sizes import shape_class, tight_block, tiles_on_chip, variants
from .dtypes import compute_dtype
from .epilogue import epilogue
from .facts import DeviceFacts
from .matmul import FLOATS, TILES, dot, precision_of
from .product_tiles import HALVES
from .prologue import prologue
from .windows import inside, position_block, position_tile, position_tiles, tap_offset


@triton.jit
def program_tile(rows, BLOCK_M: tl.constexpr):
    """Row indices of this program's tile, the number of its tile of columns, its group; neighbours share columns."""
    tiles_m = tl.cdiv(rows, BLOCK_M)
    pid = tl.program_id(0).to(rows.dtype)
    return (pid % tiles_m) * BLOCK_M + tl.arange(0, BLOCK_M), pid // tiles_m, tl.program_id(1).to(rows.dtype)


@triton.jit
def reduce_flat(
    acc, x_column, w_row, row_exists, column_exists, h0, v0, in_channels, image, kernel, dilation, x_strides,
    PROLOGUE_A: tl.constexpr, PROLOGUE_B: tl.constexpr, DOT: tl.constexpr, PRECISION: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """acc + w x over input channels and taps as one axis; (h0, v0) is the pixel of a column under the first tap."""
    taps = kernel[0] * kernel[1]
    depth = in_channels * taps
    for start in range(0, depth, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K)
        r, c = tap_offset(k % taps, kernel, dilation)
        mask = column_exists[None, :] & inside(h0[None, :] + r[:, None], v0[None, :] + c[:, None], image)
        mask = mask & (k < depth)[:, None]
        x_row = k // taps * x_strides[1] + r * x_strides[2] + c * x_strides[3]
        x_tile = tl.load(x_column[None, :] + x_row[:, None], mask=mask, other=0)
        w_mask = row_exists[:, None] & (k < depth)[None, :]
        w_tile = tl.load(w_row[:, None] + k[None, :], mask=w_mask, other=0)
        acc = dot(prologue(w_tile, PROLOGUE_B), prologue(x_tile, PROLOGUE_A), acc, DOT, PRECISION)
    return acc


@triton.jit
def reduce_by_tap(
    acc, x_column, w_row, row_exists, column_exists, h0, v0, in_channels, image, kernel, dilation, x_strides, w_strides,
    PROLOGUE_A: tl.constexpr, PROLOGUE_B: tl.constexpr, DOT: tl.constexpr, PRECISION: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """The same sum tap by tap, each over the input channels."""
    blocks = tl.cdiv(in_channels, BLOCK_K)
    for step in range(kernel[0] * kernel[1] * blocks):
        tap = step // blocks
        k = step % blocks * BLOCK_K + tl.arange(0, BLOCK_K)
        r, c = tap_offset(tap, kernel, dilation)
        mask = (column_exists & inside(h0 + r, v0 + c, image))[None, :] & (k < in_channels)[:, None]
        x_tap = x_column + (r * x_strides[2] + c * x_strides[3])
        x_tile = tl.load(x_tap[None, :] + (k * x_strides[1])[:, None], mask=mask, other=0)
        w_mask = row_exists[:, None] & (k < in_channels)[None, :]
        w_tile = tl.load(w_row[:, None] + (tap * w_strides[0] + k * w_strides[3])[None, :], mask=w_mask, other=0)
        acc = dot(prologue(w_tile, PROLOGUE_B), prologue(x_tile, PROLOGUE_A), acc, DOT, PRECISION)
    return acc


@triton.jit
def forward(
    x,
    w,
    operands,
    outs,
    batch,
    groups,
    in_channels,
    out_channels,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    x_strides,
    w_strides,
    operand_sizes,
    operand_strides,
    PROLOGUE_A: tl.constexpr,
    PROLOGUE_B: tl.constexpr,
    EPILOGUE: tl.constexpr,
    FLAT: tl.constexpr,
    DOT: tl.constexpr,
    PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """Channel counts are per group. Grid: (tiles of out_channels x tiles of positions, groups)."""
    o, tile, group = program_tile(out_channels, BLOCK_M)
    q, b = position_tile(tile, out, BLOCK_N, BLOCK_W)
    n, a = q // out[0], q % out[0]
    row_exists = o < out_channels
    column_exists = (q < batch * out[0]) & (b < out[1])
    h0 = a * stride[0] - padding[0]
    v0 = b * stride[1] - padding[1]
    x_column = x + group * in_channels * x_strides[1] + n * x_strides[0] + h0 * x_strides[2] + v0 * x_strides[3]
    w_row = w + group * w_strides[1] + o * w_strides[2]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(x.dtype.element_ty))
    if FLAT:
        acc = reduce_flat(
            acc, x_column, w_row, row_exists, column_exists, h0, v0, in_channels, image, kernel, dilation, x_strides,
            PROLOGUE_A, PROLOGUE_B, DOT, PRECISION, BLOCK_K,
        )  # fmt: skip
    else:
        acc = reduce_by_tap(
            acc, x_column, w_row, row_exists, column_exists, h0, v0, in_channels, image, kernel, dilation, x_strides,
            w_strides, PROLOGUE_A, PROLOGUE_B, DOT, PRECISION, BLOCK_K,
        )  # fmt: skip
    spatial = (a * out[1] + b)[None, :]
    channel = (group * out_channels + o)[:, None]
    mask = row_exists[:, None] & column_exists[None, :]
    offset = (n[None, :] * groups * out_channels + channel) * (out[0] * out[1]) + spatial
    index = (n[None, :], channel, spatial)
    epilogue(acc, index, offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def first_tap(phase, size, stride, dilation, step):
    """The first tap r with (phase - r dilation) divisible by the stride, and how many there are: r, r + step, ..."""
    first = size * 0 - 1
    for k in range(step):
        r = step - 1 - k
        first = tl.where((phase - r * dilation) % stride == 0, r, first)
    return first, tl.where(first < 0, 0, tl.maximum(size - first + step - 1, 0) // step)


@triton.jit
def taps_of_phase(phase, kernel, stride, padding, dilation, tap_step):
    """The first tap (r, c) that meets outputs from pixels of this phase, and how many do in either direction."""
    r, rows = first_tap(phase[0] + padding[0], kernel[0], stride[0], dilation[0], tap_step[0])
    c, columns = first_tap(phase[1] + padding[1], kernel[1], stride[1], dilation[1], tap_step[1])
    return (r, c), (rows, columns)


@triton.jit
def tap_of_phase(number, phase, first, count, stride, padding, dilation, tap_step):
    """The tap of that number, and by how much the output that it meets is off the pixel's index in its phase."""
    r = first[0] + number // count[1] * tap_step[0]
    c = first[1] + number % count[1] * tap_step[1]
    up = (phase[0] + padding[0] - r * dilation[0]) // stride[0]
    left = (phase[1] + padding[1] - c * dilation[1]) // stride[1]
    return r, c, up, left


@triton.jit
def input_gradient(
    dy,
    w,
    operands,
    outs,
    batch,
    groups,
    in_channels,
    out_channels,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    tap_step,
    w_strides,
    operand_sizes,
    operand_strides,
    PROLOGUE_A: tl.constexpr,
    PROLOGUE_B: tl.constexpr,
    EPILOGUE: tl.constexpr,
    DOT: tl.constexpr,
    PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """tap_step: stride / gcd(stride, dilation). Grid: (tiles of in_channels x of a phase, groups, phases)."""
    i, tile, group = program_tile(in_channels, BLOCK_M)
    pid = tl.program_id(2).to(batch.dtype)
    phase = (pid // stride[1], pid % stride[1])
    rows = tl.cdiv(image[0], stride[0])
    q, b = position_tile(tile, (rows, tl.cdiv(image[1], stride[1])), BLOCK_N, BLOCK_W)
    n, a = q // rows, q % rows
    h = a * stride[0] + phase[0]
    v = b * stride[1] + phase[1]
    exists = (n < batch) & (h < image[0]) & (v < image[1])
    first, count = taps_of_phase(phase, kernel, stride, padding, dilation, tap_step)

    area = out[0] * out[1]
    dy_column = dy + (n * groups + group) * out_channels * area + a * out[1] + b
    w_row = w + group * w_strides[1] + i * w_strides[2]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(dy.dtype.element_ty))
    blocks = tl.cdiv(out_channels, BLOCK_K)
    for step in range(count[0] * count[1] * blocks):
        o = step % blocks * BLOCK_K + tl.arange(0, BLOCK_K)
        r, c, up, left = tap_of_phase(step // blocks, phase, first, count, stride, padding, dilation, tap_step)
        mask = (exists & inside(a + up, b + left, out))[None, :] & (o < out_channels)[:, None]
        dy_tap = dy_column + (up * out[1] + left)
        dy_tile = tl.load(dy_tap[None, :] + (o * area)[:, None], mask=mask, other=0)
        w_mask = (i < in_channels)[:, None] & (o < out_channels)[None, :]
        w_column = (r * kernel[1] + c) * w_strides[0] + o * w_strides[3]
        w_tile = tl.load(w_row[:, None] + w_column[None, :], mask=w_mask, other=0)
        acc = dot(prologue(w_tile, PROLOGUE_B), prologue(dy_tile, PROLOGUE_A), acc, DOT, PRECISION)
    channel = (group * in_channels + i)[:, None]
    pixel = (h * image[1] + v)[None, :]
    offset = (n[None, :] * groups * in_channels + channel) * (image[0] * image[1]) + pixel
    mask = (i < in_channels)[:, None] & exists[None, :]
    index = (n[None, :], channel, pixel)
    epilogue(acc, index, offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def weight_gradient(
    dy,
    x,
    operands,
    outs,
    batch,
    images_per_split,
    groups,
    in_channels,
    out_channels,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    x_strides,
    operand_sizes,
    operand_strides,
    PROLOGUE_A: tl.constexpr,
    PROLOGUE_B: tl.constexpr,
    EPILOGUE: tl.constexpr,
    FLAT: tl.constexpr,
    DOT: tl.constexpr,
    PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """Part `split` of dw, rows by columns. Grid: (tiles of out_channels x of columns, groups, splits of the batch).

    Columns are channels and taps (i, r, c) as one axis if FLAT, otherwise the channels of one tap after the other.
    """
    taps = kernel[0] * kernel[1]
    o, tile, group = program_tile(out_channels, BLOCK_M)
    split = tl.program_id(2).to(batch.dtype)
    if FLAT:
        column = tile * BLOCK_N + tl.arange(0, BLOCK_N)
        i, tap = column // taps, column % taps
    else:
        tiles = tl.cdiv(in_channels, BLOCK_N)
        i, tap = tile % tiles * BLOCK_N + tl.arange(0, BLOCK_N), tile // tiles
    r, c = tap_offset(tap, kernel, dilation)
    h0, v0 = r - padding[0], c - padding[1]
    x_column = x + (group * in_channels + i) * x_strides[1] + (h0 * x_strides[2] + v0 * x_strides[3])

    area = out[0] * out[1]
    dy_row = dy + (group * out_channels + o) * area
    first = split * images_per_split
    blocks = tl.cdiv(out[0], BLOCK_K // BLOCK_W) * tl.cdiv(out[1], BLOCK_W)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(x.dtype.element_ty))
    for step in range(tl.minimum(batch - first, images_per_split) * blocks):
        n = first + step // blocks
        a, b = position_tile(step % blocks, out, BLOCK_K, BLOCK_W)
        h, v = a * stride[0], b * stride[1]
        exists = (a < out[0]) & (b < out[1])
        if FLAT:
            mask = inside(h[:, None] + h0[None, :], v[:, None] + v0[None, :], image) & exists[:, None]
        else:  # one tap for all columns: one mask for all
            mask = (inside(h + h0, v + v0, image) & exists)[:, None]
        mask = mask & (i < in_channels)[None, :]
        x_row = n * x_strides[0] + h * x_strides[2] + v * x_strides[3]
        x_tile = tl.load(x_column[None, :] + x_row[:, None], mask=mask, other=0)
        dy_mask = (o < out_channels)[:, None] & exists[None, :]
        dy_column = n * groups * out_channels * area + a * out[1] + b
        dy_tile = tl.load(dy_row[:, None] + dy_column[None, :], mask=dy_mask, other=0)
        acc = dot(prologue(dy_tile, PROLOGUE_A), prologue(x_tile, PROLOGUE_B), acc, DOT, PRECISION)
    row = ((split * groups + group) * out_channels + o)[:, None]
    column = (i * taps + tap)[None, :]
    offset = row * (in_channels * taps) + column
    mask = (o < out_channels)[:, None] & (i < in_channels)[None, :]
    epilogue(acc, (row, column), offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


def output_size(size: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def tap_step(stride: int, dilation: int) -> int:
    """Distance of two taps of the input gradient that meet outputs of one phase."""
    return stride // math.gcd(stride, dilation)


def tile_config(
    facts: DeviceFacts, dtype: str, rows: int, rows_of_positions: int, width: int, depth: int, prologue: bool = False
) -> dict:
    """`config` for a tile of channels x positions; the latter lie in `rows_of_positions` rows of `width`."""
    found = config(facts, dtype, rows, rows_of_positions * width, depth, prologue)
    blocks = found["constexprs"]
    sizes = (32, 64, 128) if is_cpu_dot(facts, dtype) else (blocks["BLOCK_N"],)
    blocks["BLOCK_N"], blocks["BLOCK_W"] = position_block(rows_of_positions, width, sizes)
    return found


def depth_config(
    facts: DeviceFacts, dtype: str, rows: int, columns: int, height: int, width: int, prologue: bool = False
) -> dict:
    """`config` for a tile of output channels x columns of the weight, reduced over positions of images.

    Few columns, as of one input channel, get a narrow tile on a CPU: 1x28 to 32 channels, 3x3, 2.3 -> 1.3 ms.
    """
    found = config(facts, dtype, rows, columns, height * width, prologue)
    blocks = found["constexprs"]
    if is_cpu_dot(facts, dtype) and columns <= 16:
        blocks["BLOCK_N"] = 16
    sizes = (16, 32, 64, 128, 256) if is_cpu_dot(facts, dtype) else (blocks["BLOCK_K"],)
    blocks["BLOCK_K"], blocks["BLOCK_W"] = position_block(height, width, sizes)
    return found


def tile_candidates(
    facts: DeviceFacts, dtype: str, rows: int, rows_of_positions: int, width: int, depth: int, prologue: bool = False
) -> Iterator[dict]:
    """The configuration of `tile_config`, and others that may be faster. All add in the same order."""
    rule = tile_config(facts, dtype, rows, rows_of_positions, width, depth, prologue)
    if is_cpu_dot(facts, dtype):
        columns = [{"BLOCK_N": n} for n in (32, 64, 128)]
        changes: Iterable[dict] = [*columns, *[{"BLOCK_M": m} for m in (16, 32, 64, 128) if m < 2 * rows]]
    else:
        size = 2 if dtype in HALVES and not prologue else 4
        changes = tiles_on_chip(facts, TILES.get(dtype, ()), size, rows, rows_of_positions * width)
    found = []
    for change in changes:
        wanted = change.get("BLOCK_N", rule["constexprs"]["BLOCK_N"])
        positions, block_w = position_block(rows_of_positions, width, (wanted,))
        found.append({**change, "BLOCK_N": positions, "BLOCK_W": block_w})
    return variants(rule, *found)


def depth_candidates(
    facts: DeviceFacts, dtype: str, rows: int, columns: int, rule: dict, prologue: bool = False
) -> Iterator[dict]:
    """The configuration of `depth_config`, and others that may be faster: with its BLOCK_K and BLOCK_W, which order the sum."""
    if is_cpu_dot(facts, dtype):
        tiles = ((16, 64), (32, 32), (32, 128), (64, 64), (64, 128), (128, 32), (128, 128))
        return variants(rule, *[{"BLOCK_M": m, "BLOCK_N": n} for m, n in tiles if m < 2 * rows and n < 2 * columns])
    deep = rule["constexprs"]["BLOCK_K"]
    tiles_ = [(m, n, deep, warps, stages) for m, n, _, warps, stages in TILES.get(dtype, ())]
    return variants(rule, *tiles_on_chip(facts, tiles_, 2 if dtype in HALVES and not prologue else 4, rows, columns))


def is_cpu_dot(facts: DeviceFacts, dtype: str) -> bool:
    return facts.kind == "cpu" and dtype in FLOATS


def tiles(blocks: dict, rows: int, rows_of_positions: int, width: int) -> int:
    return -(-rows // blocks["BLOCK_M"]) * position_tiles(
        rows_of_positions, width, blocks["BLOCK_N"], blocks["BLOCK_W"]
    )


def config(facts: DeviceFacts, dtype: str, rows: int, columns: int, depth: int, prologue: bool = False) -> dict:
    """Constexprs for a tile of (rows, columns) reduced over `depth`, and launch options; `prologue` as in `matmul.config`."""
    if dtype not in FLOATS:
        blocks = {"BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16}
        return {"constexprs": {**blocks, "DOT": False, "PRECISION": "ieee"}, "num_warps": 4, "num_stages": 1}
    if facts.kind == "cpu":
        blocks = {
            "BLOCK_M": tight_block(rows, (4, 8, 16, 32, 64, 128)),
            "BLOCK_N": tight_block(columns, (32, 64, 128)),
            "BLOCK_K": shape_class(depth, (16, 32, 64, 128, 256)),
        }
        return {"constexprs": {**blocks, "DOT": True, "PRECISION": "ieee"}, "num_warps": 1, "num_stages": 1}
    half = dtype in HALVES
    block_m = shape_class(rows, (16, 32, 64, 128) if half else (16, 32, 64))
    blocks = {
        "BLOCK_M": block_m,
        "BLOCK_N": shape_class(columns, (64, 128) if half else (32, 64)),
        "BLOCK_K": shape_class(depth, (16, 32)) if half or dtype == "tf32" else 16,
    }
    num_warps = 8 if block_m == 128 else 4
    return {
        "constexprs": {**blocks, "DOT": True, "PRECISION": precision_of(dtype)},
        "num_warps": num_warps,
        "num_stages": 3 if half and not prologue else 2,
    }


def splits_of_batch(facts: DeviceFacts, batch: int, tiles: int, weight: int, image: int) -> int:
    """The number of splits of the batch in the weight gradient: for enough programs and, on a CPU, for its caches.

    A program for every tap reads the images again. Those of one part stay in cache if they are few, which pays where
    a part's `weight` elements are few beside its images' (64x56 3x3: 0.83 of torch's speed instead of 0.72; 32x14 to 64
    channels: 9.5 -> 7.7 ms).
    """
    if facts.kind == "cpu" and image:
        images = max(1, 8 * weight // image)
        if images * image <= facts.cache // 4:
            return max(1, -(-batch // images))
    if facts.kind == "cpu" and 2 * weight <= image:
        return max(1, batch)
    wanted = 256 if facts.kind == "gpu" else 4
    return max(1, min(batch, wanted // max(tiles, 1), 64))
