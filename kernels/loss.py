"""Losses of class indices: cross entropy of logits, and nll_loss of log-probabilities.

With t the target of a row, w the class weights (1 if absent) and e the label smoothing:

    cross entropy:  l = (1 - e) w[t] (z + (m - x[t])) + e/C sum_c w[c] (z + (m - x[c])),   m = max x,  z = log sum_c exp(x[c] - m)
    nll:            l = -w[t] x[t]

All terms are positive, so that nothing cancels, however far logits are from zero: m + z would be rounded by as much as they are.

A row whose target is `ignore_index` adds 0 to the loss and to the total weight, by which `mean` divides. Every program adds its
rows in a fixed order, and `finish` adds the programs' sums. A target outside [0, C) sets the error word. Rows and tiles: see
rows.py; targets lie in the rows' order: target[group * rows + r].
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .facts import DeviceFacts
from .index_math import cut
from .rows import (
    RowLayout,
    lane_sums,
    lane_vector,
    load_tile,
    row_align,
    row_blocks,
    row_fold,
    row_lead,
    row_start,
    row_sums,
    row_tile,
    store_tile,
    tile_mask,
    tiles_start,
    whole_tile,
)
from .softmax import exponential, finite_or_zero, online_total, online_update

NONE = tl.constexpr(0)
SUM = tl.constexpr(1)
MEAN = tl.constexpr(2)


@triton.jit
def load_target(target, index, row_mask, cols, ignore_index, err):
    """(class, whether the row counts): bad classes are reported and do not count."""
    t = tl.load(target + index, mask=row_mask, other=0).to(tl.int64)
    counts = row_mask & (t != ignore_index)
    good = (t >= 0) & (t < cols)
    tl.store(err + t * 0, t * 0 + 1, mask=counts & (good == 0))
    return t, counts & good


@triton.jit
def class_weight(weight, c, mask, dtype: tl.constexpr):
    """w[c], or ones where there are no class weights; 0 where masked."""
    if len(weight) == 0:
        return mask.to(dtype)
    else:
        return tl.load(weight[0] + c, mask=mask, other=0).to(dtype)


@triton.jit
def write_loss(out, totals, parts, index, loss, w, row_mask, REDUCTION: tl.constexpr, SINGLE: tl.constexpr):
    """Every row's loss, or this program's sums; the only program of a launch writes the final value itself."""
    if REDUCTION == NONE:
        tl.store(out + index, loss.to(out.dtype.element_ty), mask=row_mask)
    else:
        loss_sum, w_sum = tl.sum(tl.sum(loss, 1), 0), tl.sum(tl.sum(w, 1), 0)
        if SINGLE:
            write_total(out, totals, loss_sum, w_sum, REDUCTION)
        else:
            tl.store(parts + 2 * tl.program_id(0), loss_sum)
            tl.store(parts + 2 * tl.program_id(0) + 1, w_sum)


@triton.jit
def write_total(out, totals, loss_sum, w_sum, REDUCTION: tl.constexpr):
    """A mean of no weight is NaN, whatever label smoothing adds: it is the sum of two means."""
    tl.store(totals, loss_sum)
    tl.store(totals + 1, w_sum)
    result = tl.where(w_sum == 0, float("nan"), loss_sum / w_sum) if REDUCTION == MEAN else loss_sum
    tl.store(out, result.to(out.dtype.element_ty))


@triton.jit
def finish(parts, totals, out, programs, REDUCTION: tl.constexpr, BLOCK: tl.constexpr):
    """The loss from the sums of all programs: totals[0] = losses, totals[1] = weights. Grid: (1,)."""
    i = tl.arange(0, BLOCK)
    loss_sum = tl.zeros((BLOCK,), parts.dtype.element_ty)
    w_sum = tl.zeros((BLOCK,), parts.dtype.element_ty)
    for start in range(0, programs, BLOCK):
        mask = start + i < programs
        loss_sum += tl.load(parts + 2 * (start + i), mask=mask, other=0)
        w_sum += tl.load(parts + 2 * (start + i) + 1, mask=mask, other=0)
    write_total(out, totals, tl.sum(loss_sum, 0), tl.sum(w_sum, 0), REDUCTION)


@triton.jit
def cross_entropy(
    x,
    target,
    weight,
    out,
    largest,
    log_sum,
    totals,
    parts,
    err,
    smoothing,
    ignore_index,
    rows,
    cols,
    strides,
    REDUCTION: tl.constexpr,
    SMOOTH: tl.constexpr,
    SINGLE: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    AXIS: tl.constexpr,
    FOLD: tl.constexpr,
    ALIGN: tl.constexpr,
):
    """Losses of ROWS rows, and m and z for the backward. Grid: (tiles of rows,)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    group, r, c = row_tile(rows, ROWS, COLS, AXIS)
    row_mask = r < rows
    tiles, lead = tiles_start(x, group, r, strides, ALIGN), row_lead(group, r, strides, ALIGN)
    m = lane_vector(-float("inf"), ROWS, COLS, AXIS, FOLD, dtype)
    s = lane_vector(0, ROWS, COLS, AXIS, FOLD, dtype)
    gaps = lane_vector(0, ROWS, COLS, AXIS, FOLD, dtype)
    smooth_w = lane_vector(0, ROWS, COLS, AXIS, FOLD, dtype)
    for start in range(0, cols + ALIGN, COLS):
        column, whole = start + c - lead, whole_tile(start, cols, COLS, ALIGN)
        v = load_tile(tiles + (start + c) * strides[2], column, cols, row_mask, -float("inf"), whole, ALIGN).to(dtype)
        before = m
        m, s = online_update(m, s, v, AXIS, FOLD)
        if SMOOTH:
            mask = tile_mask(column, cols, row_mask, ALIGN)
            w = class_weight(weight, column, mask, dtype)
            gaps += smooth_w * (finite_or_zero(m) - finite_or_zero(before)) + weighted_gaps(m, v, w, mask, AXIS, FOLD)
            smooth_w += lane_sums(w, AXIS, FOLD)
    lanes_m = m
    m, s = online_total(m, s, AXIS, FOLD)
    if SMOOTH:
        gaps += smooth_w * (finite_or_zero(m) - finite_or_zero(lanes_m))
        gaps, smooth_w = row_sums(gaps, AXIS, FOLD), row_sums(smooth_w, AXIS, FOLD)
    z = tl.log(s)
    t, counts = load_target(target, group * rows + r, row_mask, cols, ignore_index, err)
    w_t = class_weight(weight, t, counts, dtype)
    x_t = tl.load(row_start(x, group, r, strides) + t * strides[2], mask=counts, other=0).to(dtype)
    loss = tl.where(counts, w_t * (z + (m - x_t)), 0)
    if SMOOTH:
        smooth = tl.where(counts, smooth_w * z + gaps, 0)
        loss = (1 - smoothing) * loss + smoothing * (smooth / cols)
    tl.store(largest + group * rows + r, m, mask=row_mask)
    tl.store(log_sum + group * rows + r, z, mask=row_mask)
    write_loss(out, totals, parts, group * rows + r, loss, w_t, row_mask, REDUCTION, SINGLE)


@triton.jit
def weighted_gaps(m, x, w, mask, AXIS: tl.constexpr, FOLD: tl.constexpr):
    """sum of w (m - x) over every lane of a tile, for the lanes' maxima"""
    if FOLD == 0:
        return tl.sum(tl.where(mask, w * (finite_or_zero(m) - x), 0), axis=AXIS, keep_dims=True)
    else:
        below = tl.expand_dims(finite_or_zero(m), AXIS) - cut(x, FOLD, AXIS)
        return tl.sum(cut(w, FOLD, AXIS) * tl.where(cut(mask, FOLD, AXIS), below, 0), axis=AXIS)


@triton.jit
def row_gradient(dout, totals, index, row_mask, dtype: tl.constexpr, REDUCTION: tl.constexpr):
    """d out / d (loss of a row) * dout: a scalar for all rows unless nothing is reduced."""
    if REDUCTION == NONE:
        return tl.load(dout + index, mask=row_mask, other=0).to(dtype)
    elif REDUCTION == SUM:
        return (index * 0).to(dtype) + tl.load(dout).to(dtype)
    else:
        w_sum = tl.load(totals + 1).to(dtype)
        return (index * 0).to(dtype) + tl.where(w_sum == 0, float("nan"), tl.load(dout).to(dtype) / w_sum)


@triton.jit
def cross_entropy_backward(
    dout,
    x,
    target,
    weight,
    largest,
    log_sum,
    totals,
    dx,
    smoothing,
    ignore_index,
    rows,
    cols,
    strides,
    REDUCTION: tl.constexpr,
    SMOOTH: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    AXIS: tl.constexpr,
    FOLD: tl.constexpr,
    ALIGN: tl.constexpr,
):
    """dx[c] = g ((1 - e) w[t] (p[c] - [c = t]) + e/C (sum(w) p[c] - w[c])), p = exp((x - m) - z)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    group, r, c = row_tile(rows, ROWS, COLS, AXIS)
    row_mask = r < rows
    index = group * rows + r
    tiles, lead = tiles_start(x, group, r, strides, ALIGN), row_lead(group, r, strides, ALIGN)
    dx_tiles = tiles_start(dx, group, r, strides, ALIGN)
    t = tl.load(target + index, mask=row_mask, other=0).to(tl.int64)
    counts = row_mask & (t != ignore_index) & (t >= 0) & (t < cols)
    m, z = tl.load(largest + index, mask=row_mask, other=0), tl.load(log_sum + index, mask=row_mask, other=0)
    g = row_gradient(dout, totals, index, row_mask, dtype, REDUCTION)
    w_t = class_weight(weight, t, counts, dtype)
    smooth_w = lane_vector(0, ROWS, COLS, AXIS, FOLD, dtype)
    if SMOOTH:
        w_t = w_t * (1 - smoothing)
        for start in range(0, cols, COLS):
            mask = row_mask & (start + c < cols)
            smooth_w += lane_sums(class_weight(weight, start + c, mask, dtype), AXIS, FOLD)
        smooth_w = row_sums(smooth_w, AXIS, FOLD)
    for start in range(0, cols + ALIGN, COLS):
        column, whole = start + c - lead, whole_tile(start, cols, COLS, ALIGN)
        offset = (start + c) * strides[2]
        v = load_tile(tiles + offset, column, cols, row_mask, 0, whole, ALIGN).to(dtype)
        p = exponential((v - m) - z, FOLD)
        result = w_t * (p - tl.where(column == t.to(column.dtype), 1.0, 0.0).to(dtype))
        if SMOOTH:
            w = class_weight(weight, column, tile_mask(column, cols, row_mask, ALIGN), dtype)
            result += smoothing * ((smooth_w * p - w) / cols)
        result = tl.where(counts, g * result, 0)
        store_tile(dx_tiles + offset, result, column, cols, row_mask, whole, ALIGN)


@triton.jit
def nll(
    x,
    target,
    weight,
    out,
    totals,
    parts,
    err,
    ignore_index,
    rows,
    cols,
    strides,
    REDUCTION: tl.constexpr,
    SINGLE: tl.constexpr,
    ROWS: tl.constexpr,
):
    """Losses of ROWS rows of log-probabilities: one element is read of each. Grid: (tiles of rows,)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    group, r, _ = row_tile(rows, ROWS, 1, 1)
    row_mask = r < rows
    index = group * rows + r
    t, counts = load_target(target, index, row_mask, cols, ignore_index, err)
    x_t = tl.load(row_start(x, group, r, strides) + t * strides[2], mask=counts, other=0).to(dtype)
    w_t = class_weight(weight, t, counts, dtype)
    write_loss(out, totals, parts, index, tl.where(counts, -w_t * x_t, 0), w_t, row_mask, REDUCTION, SINGLE)


@triton.jit
def nll_backward(
    dout,
    target,
    weight,
    totals,
    dx,
    ignore_index,
    rows,
    cols,
    strides,
    REDUCTION: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    AXIS: tl.constexpr,
):
    """dx[c] = -g w[t] [c = t]: writes the zeros too. Grid: (tiles of rows,)."""
    dtype: tl.constexpr = compute_dtype(dx.dtype.element_ty)
    group, r, c = row_tile(rows, ROWS, COLS, AXIS)
    row_mask = r < rows
    index = group * rows + r
    t = tl.load(target + index, mask=row_mask, other=0).to(tl.int64)
    counts = row_mask & (t != ignore_index) & (t >= 0) & (t < cols)
    g = row_gradient(dout, totals, index, row_mask, dtype, REDUCTION)
    g = tl.where(counts, -g * class_weight(weight, t, counts, dtype), 0)
    t = tl.where(counts, t, -1)  # fits in what counts columns: one that does not count is none of them
    dx_row = row_start(dx, group, r, strides)
    for start in range(0, cols, COLS):
        column = start + c
        mask = row_mask & (column < cols)
        result = tl.where(column == t.to(column.dtype), g, 0)
        tl.store(dx_row + column * strides[2], result.to(dx.dtype.element_ty), mask=mask)


def config(facts: DeviceFacts, layout: RowLayout, backward: bool = False) -> dict:
    """Constexprs that depend on the rows, and launch options. On a GPU a thread of the `backward` has registers for few rows."""
    cap = (2048 if layout.axis == 1 else 64) if facts.kind == "cpu" else (4096 if layout.axis == 1 else 64)
    blocks = row_blocks(layout, cap, 2048 if facts.kind == "cpu" else 1024 if backward else 4096)
    del blocks["WHOLE"]
    warps = facts.warps(4)
    walk = {"FOLD": row_fold(facts, blocks, warps), "ALIGN": row_align(facts, layout, blocks)}
    return {"constexprs": blocks, "walk": walk, "num_warps": warps, "num_stages": 1}


def finish_config(facts: DeviceFacts) -> dict:
    """BLOCK of `finish`, and launch options."""
    return {"BLOCK": 64, "num_warps": 1} if facts.kind == "cpu" else {"BLOCK": 1024, "num_warps": 8}
