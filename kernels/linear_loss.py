"""Cross entropy of a linear map, over chunks of rows: the logits of a chunk become their gradients where they lie.

With x = c tanh(logits / c) where they are capped, t the target, w the class weights, e the label smoothing, m = max x and
z = log sum exp(x - m), a row's loss is that of `loss.py`, and its z-loss is q (m + z)^2:

    d loss / d x[i] = (1 - e) w[t] (p[i] - [i = t]) + e/C (sum(w) p[i] - w[i]) + 2 q (m + z) p[i],   p = exp((x - m) - z)

Products with the chunk's gradients add to those of the factors, in the order of the chunks. A row's loss,
weight, whether it counts and its z-loss lie in a workspace, (4, rows); `add_up` adds them in the rows' order.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype
from .facts import DeviceFacts
from .functions.exponential import tanh
from .loss import class_weight, load_target, weighted_gaps
from .rows import lane_sums, lane_vector, load_tile, row_sums, row_tile, store_tile, tile_mask, whole_tile
from .softmax import exponential, finite_or_zero, online_total, online_update


@triton.jit
def capped(x, cap, CAPPED: tl.constexpr):
    """(the logit, d logit / d x)"""
    if CAPPED:
        t = tanh(x / cap)
        return cap * t, 1 - t * t
    else:
        return x, 1.0


@triton.jit
def rows_of_chunk(
    target,
    weight,
    dout,
    factor,
    logits,
    gradient,
    results,
    parts,
    err,
    smoothing,
    cap,
    square,
    ignore_index,
    first,
    rows,
    cols,
    pitch,
    all_rows,
    SMOOTH: tl.constexpr,
    CAPPED: tl.constexpr,
    SQUARE: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    AXIS: tl.constexpr,
    FOLD: tl.constexpr,
    ALIGN: tl.constexpr,
):
    """The losses of ROWS rows behind row `first`, and their logits' gradients, times `dout` of the row.

    `dout`, `factor` (of z-losses), `gradient`, `results` (the loss with the z-loss, and that) and `parts` are tuples, empty where
    there is none. Grid: (tiles of rows,).
    """
    dtype: tl.constexpr = logits.dtype.element_ty
    _, r, c = row_tile(rows, ROWS, COLS, AXIS)
    row_mask, index, start_of = r < rows, first + r, logits + r * pitch
    m = lane_vector(-float("inf"), ROWS, COLS, AXIS, FOLD, dtype)
    s = lane_vector(0, ROWS, COLS, AXIS, FOLD, dtype)
    gaps = lane_vector(0, ROWS, COLS, AXIS, FOLD, dtype)
    smooth_w = lane_vector(0, ROWS, COLS, AXIS, FOLD, dtype)
    for start in range(0, cols, COLS):
        column, whole = start + c, whole_tile(start, cols, COLS, ALIGN)
        v = load_tile(start_of + column, column, cols, row_mask, 0, whole, ALIGN)
        mask = tile_mask(column, cols, row_mask, ALIGN)
        v = tl.where(mask, capped(v, cap, CAPPED)[0], -float("inf"))
        before = m
        m, s = online_update(m, s, v, AXIS, FOLD)
        if SMOOTH:
            w = class_weight(weight, column, mask, dtype)
            gaps += smooth_w * (finite_or_zero(m) - finite_or_zero(before)) + weighted_gaps(m, v, w, mask, AXIS, FOLD)
            smooth_w += lane_sums(w, AXIS, FOLD)
    lanes_m = m
    m, s = online_total(m, s, AXIS, FOLD)
    if SMOOTH:
        gaps += smooth_w * (finite_or_zero(m) - finite_or_zero(lanes_m))
        gaps, smooth_w = row_sums(gaps, AXIS, FOLD), row_sums(smooth_w, AXIS, FOLD)
    z = tl.log(s)
    t, counts = load_target(target, index, row_mask, cols, ignore_index, err)
    w_t = class_weight(weight, t, counts, dtype)
    x_t, _ = capped(tl.load(start_of + t, mask=counts, other=0), cap, CAPPED)
    loss = tl.where(counts, w_t * (z + (m - x_t)), 0)
    if SMOOTH:
        loss = (1 - smoothing) * loss + smoothing * (tl.where(counts, smooth_w * z + gaps, 0) / cols)
    z_loss = tl.zeros_like(loss)
    if SQUARE:
        if len(factor) > 0:
            square = square * tl.load(factor[0])
        z_loss = tl.where(counts, square * (m + z) * (m + z), 0)
    if len(results) > 0:
        tl.store(results[0] + index, loss + z_loss, mask=row_mask)
        if SQUARE:
            tl.store(results[1] + index, z_loss, mask=row_mask)
    if len(parts) > 0:
        tl.store(parts[0] + index, loss + z_loss, mask=row_mask)
        tl.store(parts[0] + all_rows + index, w_t, mask=row_mask)
        tl.store(parts[0] + 2 * all_rows + index, counts.to(dtype), mask=row_mask)
        tl.store(parts[0] + 3 * all_rows + index, z_loss, mask=row_mask)
    if len(gradient) > 0:
        g = tl.where(counts, 1.0, 0.0).to(dtype)
        if len(dout) > 0:
            g = tl.load(dout[0] + index, mask=row_mask, other=0).to(dtype)
        if SMOOTH:
            w_t = w_t * (1 - smoothing)
        to = gradient[0] + r * pitch
        for start in range(0, cols, COLS):
            column, whole = start + c, whole_tile(start, cols, COLS, ALIGN)
            v, slope = capped(load_tile(start_of + column, column, cols, row_mask, 0, whole, ALIGN), cap, CAPPED)
            p = exponential((v - m) - z, FOLD)
            result = w_t * (p - tl.where(column == t.to(column.dtype), 1.0, 0.0).to(dtype))
            if SMOOTH:
                w = class_weight(weight, column, tile_mask(column, cols, row_mask, ALIGN), dtype)
                result += smoothing * ((smooth_w * p - w) / cols)
            if SQUARE:
                result += 2 * square * (m + z) * p
            result = tl.where(counts, g * result * slope, 0)
            store_tile(to + column, result, column, cols, row_mask, whole, ALIGN)


@triton.jit
def scale_of_z(target, weight, factor, ignore_index, rows, cols, BLOCK: tl.constexpr):
    """factor = (sum of the weights of rows that count) / (their number): a mean divides losses by one, z-losses by the other."""
    i = tl.arange(0, BLOCK)
    dtype: tl.constexpr = factor.dtype.element_ty
    weights, number = tl.zeros((BLOCK,), dtype), tl.zeros((BLOCK,), dtype)
    for start in range(0, rows, BLOCK):
        t = tl.load(target + start + i, mask=start + i < rows, other=-1).to(tl.int64)
        counts = (start + i < rows) & (t != ignore_index) & (t >= 0) & (t < cols)
        weights += class_weight(weight, t, counts, dtype)
        number += counts.to(dtype)
    tl.store(factor, tl.sum(weights, 0) / tl.maximum(tl.sum(number, 0), 1))


@triton.jit
def total_of(parts, rows, BLOCK: tl.constexpr):
    """The sum of a number of each row."""
    i = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), parts.dtype.element_ty)
    for start in range(0, rows, BLOCK):
        acc += tl.load(parts + start + i, mask=start + i < rows, other=0)
    return tl.sum(acc, 0)


@triton.jit
def add_up(parts, results, totals, rows, BLOCK: tl.constexpr):
    """results[0] = the sum of losses, results[1] of z-losses; totals = (sum of the weights, rows that count). Grid: (1,)."""
    tl.store(results[0], total_of(parts, rows, BLOCK))
    tl.store(totals, total_of(parts + rows, rows, BLOCK))
    tl.store(totals + 1, total_of(parts + 2 * rows, rows, BLOCK))
    if len(results) > 1:
        tl.store(results[1], total_of(parts + 3 * rows, rows, BLOCK))


@triton.jit
def column_sums(gradient, out, rows, cols, pitch, FIRST: tl.constexpr, BLOCK: tl.constexpr):
    """out += the sums of the columns of a chunk; = those of the FIRST. Grid: (tiles of columns,)."""
    c = tl.program_id(0).to(cols.dtype) * BLOCK + tl.arange(0, BLOCK)
    mask = c < cols
    dtype: tl.constexpr = compute_dtype(gradient.dtype.element_ty)
    acc = tl.zeros((BLOCK,), dtype) if FIRST else tl.load(out + c, mask=mask, other=0)
    for r in range(rows):
        acc += tl.load(gradient + r * pitch + c, mask=mask, other=0).to(dtype)
    tl.store(out + c, acc, mask=mask)


def chunk_rows(facts: DeviceFacts, rows: int) -> int:
    """The rows of a chunk: about 16 chunks, each high enough for its products to run at speed."""
    return min(max(next_power_of_2(max(rows, 1)) // 16, 128), 1024 if facts.kind == "cpu" else 4096)


def sums_config(facts: DeviceFacts) -> dict:
    """BLOCK of the kernels that add one number for each row, and launch options."""
    return {"BLOCK": 64, "num_warps": 1} if facts.kind == "cpu" else {"BLOCK": 1024, "num_warps": 8}


def columns_config(facts: DeviceFacts) -> dict:
    """BLOCK of `column_sums`, and launch options."""
    return {"BLOCK": 512, "num_warps": 1} if facts.kind == "cpu" else {"BLOCK": 256, "num_warps": 2}
