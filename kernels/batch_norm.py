"""Batch normalisation of a contiguous x (n, channel, spatial) by channel: y = (x - mean) rstd w + b.

Training takes three steps. `statistics` computes mean and sum of squared deviations M2 of each part of the batch. On a CPU
it takes two passes over the part: deviations are from the rounded mean, for which both are corrected in float64. A GPU
(FOLD > 0) reads the part once: deviations are from the mean of its first tile. Of T tiles, M2 is at least 1 / T of the
squares' sum, as the first tile's own distance from the mean is part of M2.
`finish_statistics` merges the parts by Chan's formula

    mean = sum n_k mean_k / n        M2 = sum M2_k + n_k (mean_k - mean)^2

in order, writes mean and rstd = 1 / sqrt(M2 / n + eps) for the backward and moves the running statistics (these with
the unbiased variance); `normalize` applies them. The backward has the same shape:

    dx = rstd w (dy - sum(dy) / n - xhat sum(dy xhat) / n)     dw = sum(dy xhat)     db = sum(dy)

A tile is ROWS x COLS: images by positions of one channel where there are positions (SPATIAL), images by channels where
there are none; either way the last dimension is contiguous in memory. weight, bias and running statistics are optional:
tuples of no or one pointer.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype
from .facts import DeviceFacts
from .rows import lane_sums


@triton.jit
def column_range(channels, COLS: tl.constexpr, SPATIAL: tl.constexpr):
    """(channel, first position) of the program's columns."""
    pid = tl.program_id(0).to(channels.dtype)
    c = tl.arange(0, COLS)
    if SPATIAL:
        return c * 0 + pid, c
    else:
        return pid * COLS + c, c * 0


@triton.jit
def tile_at(
    step, first, end, channel, s, channels, spatial, ROWS: tl.constexpr, COLS: tl.constexpr, SPATIAL: tl.constexpr
):
    """(offsets, mask) of tile number `step` of images [first, end): tiles run along positions, then along images."""
    tiles = tl.cdiv(spatial, COLS) if SPATIAL else 1
    n = first + step // tiles * ROWS + tl.arange(0, ROWS)
    if SPATIAL:
        position = step % tiles * COLS + s
        offset = (channel * spatial + position)[None, :] + (n * channels * spatial)[:, None]
        return offset, (n < end)[:, None] & ((position < spatial) & (channel < channels))[None, :]
    else:
        return (n * channels)[:, None] + channel[None, :], (n < end)[:, None] & (channel < channels)[None, :]


@triton.jit
def channel_sum(tile, SPATIAL: tl.constexpr):
    """The tile's sum for each channel: a scalar if SPATIAL, a vector of channels otherwise."""
    return tl.sum(tl.sum(tile, 1), 0) if SPATIAL else tl.sum(tile, 0)


@triton.jit
def zero_channels(COLS: tl.constexpr, SPATIAL: tl.constexpr):
    """Zeros in float64, to which each tile's `channel_sum` is added: in float32 the rounding errors of many tiles would add up."""
    return tl.zeros(() if SPATIAL else (COLS,), tl.float64)


@triton.jit
def store_channels(pointer, value, channels, COLS: tl.constexpr, SPATIAL: tl.constexpr):
    """Writes one value for each of the program's channels."""
    pid = tl.program_id(0).to(channels.dtype)
    if SPATIAL:
        tl.store(pointer + pid, value.to(pointer.dtype.element_ty))
    else:
        c = pid * COLS + tl.arange(0, COLS)
        tl.store(pointer + c, value.to(pointer.dtype.element_ty), mask=c < channels)


@triton.jit
def part_of_batch(batch, images_per_split):
    """This program's split of the batch: its number, its first image and the one after its last."""
    split = tl.program_id(1).to(batch.dtype)
    first = split * images_per_split
    return split, first, tl.minimum(first + images_per_split, batch)


@triton.jit
def load_deviation(x, offset, mask, center, dtype: tl.constexpr, SPATIAL: tl.constexpr):
    """x - center, 0 where there is no element; `center` is as `channel_sum` has it."""
    value = tl.load(x + offset, mask=mask, other=0).to(dtype)
    return tl.where(mask, value - (center if SPATIAL else center[None, :]), 0)


@triton.jit
def statistics(
    x,
    means,
    m2s,
    batch,
    images_per_split,
    channels,
    spatial,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    SPATIAL: tl.constexpr,
    FOLD: tl.constexpr,
):
    """means, m2s: (splits, channels). Grid: (channels, or tiles of them, splits of the batch)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    split, first, end = part_of_batch(batch, images_per_split)
    channel, s = column_range(channels, COLS, SPATIAL)
    steps = tl.cdiv(end - first, ROWS) * (tl.cdiv(spatial, COLS) if SPATIAL else 1)
    count = ((end - first) * spatial).to(tl.float64)
    total = zero_channels(COLS, SPATIAL)
    error = zero_channels(COLS, SPATIAL)
    m2 = zero_channels(COLS, SPATIAL)
    if FOLD == 0:
        for step in range(steps):
            offset, mask = tile_at(step, first, end, channel, s, channels, spatial, ROWS, COLS, SPATIAL)
            total += channel_sum(tl.load(x + offset, mask=mask, other=0).to(dtype), SPATIAL)
        center = (total / count).to(dtype)
        for step in range(steps):
            offset, mask = tile_at(step, first, end, channel, s, channels, spatial, ROWS, COLS, SPATIAL)
            deviation = load_deviation(x, offset, mask, center, dtype, SPATIAL)
            error += channel_sum(deviation, SPATIAL)
            m2 += channel_sum(deviation * deviation, SPATIAL)
    else:
        offset, mask = tile_at(0, first, end, channel, s, channels, spatial, ROWS, COLS, SPATIAL)
        value = tl.load(x + offset, mask=mask, other=0).to(dtype)
        center = channel_sum(value, SPATIAL) / channel_sum(mask.to(dtype), SPATIAL)
        errors = tl.zeros((ROWS // FOLD, COLS), tl.float64)
        squares = tl.zeros((ROWS // FOLD, COLS), tl.float64)
        for step in range(steps):
            offset, mask = tile_at(step, first, end, channel, s, channels, spatial, ROWS, COLS, SPATIAL)
            deviation = load_deviation(x, offset, mask, center, dtype, SPATIAL)
            errors += lane_sums(deviation, 0, FOLD)
            squares += lane_sums(deviation * deviation, 0, FOLD)
        error, m2 = channel_sum(errors, SPATIAL), channel_sum(squares, SPATIAL)
    error = error / count
    store_channels(means + split * channels, center + error, channels, COLS, SPATIAL)
    store_channels(m2s + split * channels, m2 - count * error * error, channels, COLS, SPATIAL)


@triton.jit
def parts_at(first, splits, c, channels, PARTS: tl.constexpr):
    """Offsets of PARTS splits' numbers of channels, whether these exist, and the splits' numbers."""
    k = first + tl.arange(0, PARTS)[:, None]
    return k * channels + c[None, :], (k < splits) & (c < channels)[None, :], k


@triton.jit
def move_running(running, value, momentum, c, mask):
    """running = (1 - momentum) running + momentum value."""
    for i in tl.static_range(len(running)):
        old = tl.load(running[i] + c, mask=mask).to(value.dtype)
        new = (1 - momentum) * old + momentum * value
        tl.store(running[i] + c, new.to(running[i].dtype.element_ty), mask=mask)


@triton.jit
def finish_statistics(
    means,
    m2s,
    mean_out,
    rstd_out,
    running_mean,
    running_var,
    eps,
    momentum,
    batch,
    images_per_split,
    channels,
    spatial,
    splits,
    BLOCK: tl.constexpr,
    PARTS: tl.constexpr,
):
    """Merges the splits of the batch, on a GPU PARTS at a time. Grid: (tiles of channels,)."""
    dtype: tl.constexpr = means.dtype.element_ty
    c = tl.program_id(0).to(channels.dtype) * BLOCK + tl.arange(0, BLOCK)
    mask = c < channels
    size = (batch * spatial).to(dtype)
    if PARTS == 0:
        mean = tl.zeros((BLOCK,), dtype)
        for k in range(splits):
            count = (tl.minimum(batch - k * images_per_split, images_per_split) * spatial).to(dtype)
            mean += tl.load(means + k * channels + c, mask=mask, other=0) * count
        mean = mean / size
        m2 = tl.zeros((BLOCK,), dtype)
        for k in range(splits):
            count = (tl.minimum(batch - k * images_per_split, images_per_split) * spatial).to(dtype)
            distance = tl.load(means + k * channels + c, mask=mask, other=0) - mean
            m2 += tl.load(m2s + k * channels + c, mask=mask, other=0) + count * distance * distance
    else:
        sums = tl.zeros((PARTS, BLOCK), dtype)
        for first in range(0, splits, PARTS):
            offset, exists, k = parts_at(first, splits, c, channels, PARTS)
            count = (tl.minimum(batch - k * images_per_split, images_per_split) * spatial).to(dtype)
            sums += tl.load(means + offset, mask=exists, other=0) * count
        mean = tl.sum(sums, 0) / size
        sums = tl.zeros((PARTS, BLOCK), dtype)
        for first in range(0, splits, PARTS):
            offset, exists, k = parts_at(first, splits, c, channels, PARTS)
            count = (tl.minimum(batch - k * images_per_split, images_per_split) * spatial).to(dtype)
            distance = tl.where(exists, tl.load(means + offset, mask=exists, other=0) - mean[None, :], 0)
            sums += tl.load(m2s + offset, mask=exists, other=0) + count * distance * distance
        m2 = tl.sum(sums, 0)
    tl.store(mean_out + c, mean, mask=mask)
    tl.store(rstd_out + c, 1 / tl.sqrt(m2 / size + eps), mask=mask)
    move_running(running_mean, mean, momentum, c, mask)
    move_running(running_var, m2 / (size - 1), momentum, c, mask)


@triton.jit
def reciprocal_deviation(var, rstd, eps, channels, BLOCK: tl.constexpr):
    """rstd = 1 / sqrt(var + eps), for evaluation with running statistics. Grid: (tiles of channels,)."""
    c = tl.program_id(0).to(channels.dtype) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(var + c, mask=c < channels, other=1).to(rstd.dtype.element_ty)
    tl.store(rstd + c, 1 / tl.sqrt(value + eps), mask=c < channels)


@triton.jit
def plane_tile(planes, channels, spatial, ROWS: tl.constexpr, COLS: tl.constexpr, SPATIAL: tl.constexpr):
    """(offsets, mask, channel) of an elementwise tile: planes (n, channel) by positions, or images by channels."""
    tiles = tl.cdiv(spatial if SPATIAL else channels, COLS)
    pid = tl.program_id(0).to(channels.dtype)
    row = (pid // tiles * ROWS + tl.arange(0, ROWS))[:, None]
    col = (pid % tiles * COLS + tl.arange(0, COLS))[None, :]
    if SPATIAL:
        return row * spatial + col, (row < planes) & (col < spatial), row % channels, row < planes
    else:
        return row * channels + col, (row < planes) & (col < channels), col, col < channels


@triton.jit
def channel_value(pointers, channel, mask, default: tl.constexpr, dtype: tl.constexpr):
    """pointers[0][channel], or the default where the tensor is absent."""
    if len(pointers) == 0:
        return default
    else:
        return tl.load(pointers[0] + channel, mask=mask, other=0).to(dtype)


@triton.jit
def normalize(
    x,
    mean,
    rstd,
    weight,
    bias,
    y,
    planes,
    channels,
    spatial,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    SPATIAL: tl.constexpr,
):
    """y = (x - mean) rstd w + b. `planes` is batch x channels if SPATIAL, batch otherwise. Grid: (tiles,)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    offset, mask, c, c_mask = plane_tile(planes, channels, spatial, ROWS, COLS, SPATIAL)
    scale = tl.load(rstd + c, mask=c_mask, other=0).to(dtype) * channel_value(weight, c, c_mask, 1, dtype)
    centered = tl.load(x + offset, mask=mask).to(dtype) - tl.load(mean + c, mask=c_mask, other=0).to(dtype)
    result = centered * scale + channel_value(bias, c, c_mask, 0, dtype)
    tl.store(y + offset, result.to(y.dtype.element_ty), mask=mask)


@triton.jit
def gradient_sums(
    dy,
    x,
    mean,
    rstd,
    sums,
    batch,
    images_per_split,
    channels,
    spatial,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    SPATIAL: tl.constexpr,
):
    """sums: (2, splits, channels), the parts of sum(dy) and of sum(dy xhat). Grid as that of `statistics`."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    split, first, end = part_of_batch(batch, images_per_split)
    channel, s = column_range(channels, COLS, SPATIAL)
    steps = tl.cdiv(end - first, ROWS) * (tl.cdiv(spatial, COLS) if SPATIAL else 1)
    center = tl.load(mean + channel, mask=channel < channels, other=0).to(dtype)
    total = tl.zeros((ROWS, COLS), dtype)
    product = tl.zeros((ROWS, COLS), dtype)
    for step in range(steps):
        offset, mask = tile_at(step, first, end, channel, s, channels, spatial, ROWS, COLS, SPATIAL)
        g = tl.load(dy + offset, mask=mask, other=0).to(dtype)
        total += g
        product += tl.where(mask, g * (tl.load(x + offset, mask=mask, other=0).to(dtype) - center[None, :]), 0)
    scale = tl.load(rstd + channel, mask=channel < channels, other=0).to(dtype)
    product = product * scale[None, :]
    store_channels(sums + split * channels, channel_sum(total, SPATIAL), channels, COLS, SPATIAL)
    products = sums + (tl.num_programs(1) + split) * channels
    store_channels(products, channel_sum(product, SPATIAL), channels, COLS, SPATIAL)


@triton.jit
def finish_gradient_sums(sums, totals, dweight, dbias, channels, splits, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    """totals: (2, channels); dw and db are the same numbers in the weight's type. Grid: (tiles of channels,)."""
    c = tl.program_id(0).to(channels.dtype) * BLOCK + tl.arange(0, BLOCK)
    mask = c < channels
    if PARTS == 0:
        total = tl.zeros((BLOCK,), sums.dtype.element_ty)
        product = tl.zeros((BLOCK,), sums.dtype.element_ty)
        for k in range(splits):
            total += tl.load(sums + k * channels + c, mask=mask, other=0)
            product += tl.load(sums + (splits + k) * channels + c, mask=mask, other=0)
    else:
        totals_of_parts = tl.zeros((PARTS, BLOCK), sums.dtype.element_ty)
        products = tl.zeros((PARTS, BLOCK), sums.dtype.element_ty)
        for first in range(0, splits, PARTS):
            offset, exists, _ = parts_at(first, splits, c, channels, PARTS)
            totals_of_parts += tl.load(sums + offset, mask=exists, other=0)
            products += tl.load(sums + splits * channels + offset, mask=exists, other=0)
        total, product = tl.sum(totals_of_parts, 0), tl.sum(products, 0)
    tl.store(totals + c, total, mask=mask)
    tl.store(totals + channels + c, product, mask=mask)
    for i in tl.static_range(len(dbias)):
        tl.store(dbias[i] + c, total.to(dbias[i].dtype.element_ty), mask=mask)
    for i in tl.static_range(len(dweight)):
        tl.store(dweight[i] + c, product.to(dweight[i].dtype.element_ty), mask=mask)


@triton.jit
def input_gradient(
    dy,
    x,
    mean,
    rstd,
    weight,
    totals,
    dx,
    planes,
    channels,
    spatial,
    size,
    TRAINING: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    SPATIAL: tl.constexpr,
):
    """dx; with running statistics (not TRAINING) only rstd w dy. `size` is batch x spatial. Grid: (tiles,)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    offset, mask, c, c_mask = plane_tile(planes, channels, spatial, ROWS, COLS, SPATIAL)
    scale = tl.load(rstd + c, mask=c_mask, other=0).to(dtype)
    g = tl.load(dy + offset, mask=mask).to(dtype)
    if TRAINING:
        xhat = (tl.load(x + offset, mask=mask).to(dtype) - tl.load(mean + c, mask=c_mask, other=0)) * scale
        total = tl.load(totals + c, mask=c_mask, other=0)
        product = tl.load(totals + channels + c, mask=c_mask, other=0)
        g = g - (total + xhat * product) / size.to(dtype)
    result = g * (scale * channel_value(weight, c, c_mask, 1, dtype))
    tl.store(dx + offset, result.to(dx.dtype.element_ty), mask=mask)


def config(facts: DeviceFacts, batch: int, channels: int, spatial: int) -> dict:
    """Constexprs of the tiles (`tile`), FOLD of `statistics`, those of kernels over channels and over splits, launch options."""
    elements = 1024 if facts.kind == "cpu" else 4096
    by_plane = spatial != 1
    columns = min(next_power_of_2(max(spatial if by_plane else channels, 1)), 1024 if by_plane else 64)
    rows = min(next_power_of_2(max(batch, 1)), max(elements // columns, 1))
    tile = {"ROWS": rows, "COLS": columns, "SPATIAL": by_plane}
    fold = 0 if facts.kind == "cpu" else min(max(rows * columns // 1024, 1), rows)  # 8 elements of each of 128 threads
    on_gpu = facts.kind == "gpu"
    merging = {"BLOCK": 16 if on_gpu else 64, "PARTS": 128 if on_gpu else 0}
    return {
        "tile": tile,
        "fold": fold,
        "channels": {"BLOCK": 64},
        "merging": merging,
        "num_warps": facts.warps(4),
        "num_stages": 1,
    }


def splits_of_batch(facts: DeviceFacts, batch: int, programs: int) -> int:
    """The number of splits of the batch for the statistics: there are then enough programs."""
    if facts.kind == "gpu":
        return max(1, min(batch, 8 * facts.processors // max(programs, 1)))
    return max(1, min(batch, 2 // max(programs, 1), 64))
