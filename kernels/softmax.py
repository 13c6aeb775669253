"""softmax(x)[c] = exp(x[c] - m) / s and log_softmax(x)[c] = x[c] - m - log(s), with m = max x, s = sum exp(x - m).

A row that fits in a tile is read once. A longer one is walked twice: the first walk keeps the running maximum and
rescales the running sum when the maximum grows (Milakov and Gimelshein, 2018). Rows and tiles: see rows.py.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .facts import DeviceFacts
from .index_math import cut
from .rows import (
    RowLayout,
    lane_vector,
    load_tile,
    row_align,
    row_blocks,
    row_fold,
    row_lead,
    row_start,
    row_tile,
    store_tile,
    tiles_start,
    whole_tile,
)


@triton.jit
def finite_or_zero(m):
    """A row that is -inf so far has maximum -inf: subtracting 0 instead keeps its exponentials 0, not NaN."""
    return tl.where(m == -float("inf"), 0.0, m)


@triton.jit
def exponential(x, FOLD: tl.constexpr):
    """exp(x). A GPU's exp2 is one instruction, its exp are six, for the sake of results that are no normal numbers."""
    if FOLD > 0 and x.dtype.is_fp32():
        return tl.exp2(x * 1.4426950408889634)
    else:
        return tl.exp(x)


@triton.jit
def share_of(e, s, FOLD: tl.constexpr):
    """e / s for the sum s of a row; a GPU divides once for each row."""
    return e * (1 / s) if FOLD > 0 else e / s


@triton.jit
def online_update(m, s, x, AXIS: tl.constexpr, FOLD: tl.constexpr):
    """Running (maximum, sum of exponentials) of every lane after the tile x."""
    if FOLD == 0:
        m_new = tl.maximum(m, tl.max(x, axis=AXIS, keep_dims=True))
        shift = finite_or_zero(m_new)
        s = s * tl.exp(m - shift) + tl.sum(tl.exp(x - shift), axis=AXIS, keep_dims=True)
    else:
        parts = cut(x, FOLD, AXIS)
        m_new = tl.maximum(m, tl.max(parts, axis=AXIS))
        shift = finite_or_zero(m_new)
        terms = tl.sum(exponential(parts - tl.expand_dims(shift, AXIS), FOLD), axis=AXIS)
        s = s * exponential(m - shift, FOLD) + terms
    return m_new, s


@triton.jit
def online_total(m, s, AXIS: tl.constexpr, FOLD: tl.constexpr):
    """(maximum, sum of exponentials) of rows from those of their lanes."""
    if FOLD == 0:
        return m, s
    else:
        largest = tl.max(m, axis=AXIS, keep_dims=True)
        return largest, tl.sum(s * exponential(m - finite_or_zero(largest), FOLD), axis=AXIS, keep_dims=True)


@triton.jit
def max_and_sum(
    row,
    lead,
    row_mask,
    c,
    cols,
    col_stride,
    dtype: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    AXIS: tl.constexpr,
    FOLD: tl.constexpr,
    ALIGN: tl.constexpr,
):
    """(max, sum of exp(x - max)) of rows longer than a tile, whose tiles begin at `row`."""
    m = lane_vector(-float("inf"), ROWS, COLS, AXIS, FOLD, dtype)
    s = lane_vector(0, ROWS, COLS, AXIS, FOLD, dtype)
    for start in range(0, cols + ALIGN, COLS):
        column, whole = start + c - lead, whole_tile(start, cols, COLS, ALIGN)
        x = load_tile(row + (start + c) * col_stride, column, cols, row_mask, -float("inf"), whole, ALIGN).to(dtype)
        m, s = online_update(m, s, x, AXIS, FOLD)
    return online_total(m, s, AXIS, FOLD)


@triton.jit
def forward(
    x,
    y,
    rows,
    cols,
    strides,
    LOG: tl.constexpr,
    WHOLE: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    AXIS: tl.constexpr,
    FOLD: tl.constexpr,
    ALIGN: tl.constexpr,
):
    """y = softmax(x), or log_softmax(x) if LOG. Grid: (tiles of rows,)."""
    dtype: tl.constexpr = compute_dtype(y.dtype.element_ty)
    group, r, c = row_tile(rows, ROWS, COLS, AXIS)
    row_mask = r < rows
    source, target = row_start(x, group, r, strides), row_start(y, group, r, strides)
    if WHOLE:
        mask = row_mask & (c < cols)
        v = tl.load(source + c * strides[2], mask=mask, other=-float("inf")).to(dtype)
        v -= tl.max(v, axis=AXIS, keep_dims=True)
        e = exponential(v, FOLD)
        s = tl.sum(e, axis=AXIS, keep_dims=True)
        result = v - tl.log(s) if LOG else share_of(e, s, FOLD)
        tl.store(target + c * strides[2], result.to(y.dtype.element_ty), mask=mask)
    else:
        source, lead = tiles_start(x, group, r, strides, ALIGN), row_lead(group, r, strides, ALIGN)
        target = tiles_start(y, group, r, strides, ALIGN)
        m, s = max_and_sum(source, lead, row_mask, c, cols, strides[2], dtype, ROWS, COLS, AXIS, FOLD, ALIGN)
        for start in range(0, cols + ALIGN, COLS):
            column, whole = start + c - lead, whole_tile(start, cols, COLS, ALIGN)
            offset = (start + c) * strides[2]
            v = load_tile(source + offset, column, cols, row_mask, -float("inf"), whole, ALIGN).to(dtype) - m
            result = v - tl.log(s) if LOG else share_of(exponential(v, FOLD), s, FOLD)
            store_tile(target + offset, result, column, cols, row_mask, whole, ALIGN)


@triton.jit
def input_gradient(dy, y, total, LOG: tl.constexpr, FOLD: tl.constexpr):
    """dx of one element; `total` is sum(dy) over the row if LOG, sum(dy * y) otherwise."""
    return dy - exponential(y, FOLD) * total if LOG else y * (dy - total)


@triton.jit
def backward(
    dy,
    y,
    dx,
    rows,
    cols,
    strides,
    LOG: tl.constexpr,
    WHOLE: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    AXIS: tl.constexpr,
    FOLD: tl.constexpr,
    ALIGN: tl.constexpr,
):
    """softmax: dx = y * (dy - sum(dy * y)); log_softmax: dx = dy - exp(y) * sum(dy). Grid: (tiles of rows,)."""
    dtype: tl.constexpr = compute_dtype(dy.dtype.element_ty)
    group, r, c = row_tile(rows, ROWS, COLS, AXIS)
    row_mask = r < rows
    g_row, y_row = row_start(dy, group, r, strides), row_start(y, group, r, strides)
    target = row_start(dx, group, r, strides)
    if WHOLE:
        mask = row_mask & (c < cols)
        g = tl.load(g_row + c * strides[2], mask=mask, other=0).to(dtype)
        v = tl.load(y_row + c * strides[2], mask=mask, other=0).to(dtype)
        total = tl.sum(g if LOG else g * v, axis=AXIS, keep_dims=True)
        tl.store(target + c * strides[2], input_gradient(g, v, total, LOG, FOLD).to(dx.dtype.element_ty), mask=mask)
    else:
        g_row, lead = tiles_start(dy, group, r, strides, ALIGN), row_lead(group, r, strides, ALIGN)
        y_row = tiles_start(y, group, r, strides, ALIGN)
        target = tiles_start(dx, group, r, strides, ALIGN)
        total = tl.zeros((ROWS, COLS) if AXIS == 1 else (COLS, ROWS), dtype)
        for start in range(0, cols + ALIGN, COLS):
            column, whole = start + c - lead, whole_tile(start, cols, COLS, ALIGN)
            offset = (start + c) * strides[2]
            g = load_tile(g_row + offset, column, cols, row_mask, 0, whole, ALIGN).to(dtype)
            total += g if LOG else g * load_tile(y_row + offset, column, cols, row_mask, 0, whole, ALIGN).to(dtype)
        total = tl.sum(total, axis=AXIS, keep_dims=True)
        for start in range(0, cols + ALIGN, COLS):
            column, whole = start + c - lead, whole_tile(start, cols, COLS, ALIGN)
            offset = (start + c) * strides[2]
            g = load_tile(g_row + offset, column, cols, row_mask, 0, whole, ALIGN).to(dtype)
            v = load_tile(y_row + offset, column, cols, row_mask, 0, whole, ALIGN).to(dtype)
            store_tile(target + offset, input_gradient(g, v, total, LOG, FOLD), column, cols, row_mask, whole, ALIGN)


def config(facts: DeviceFacts, layout: RowLayout) -> dict:
    """Constexprs that depend on the rows, and launch options."""
    if facts.kind == "cpu":
        whole = 8192 if layout.axis == 1 else 256
        return {
            "constexprs": row_blocks(layout, whole, 1024) | {"FOLD": 0, "ALIGN": 0},
            "num_warps": 1,
            "num_stages": 1,
        }
    blocks = row_blocks(layout, 8192 if layout.axis == 1 else 128, 4096)
    num_warps = 4 if blocks["ROWS"] * blocks["COLS"] <= 4096 else 8
    blocks["FOLD"] = row_fold(facts, blocks, num_warps)
    blocks["ALIGN"] = row_align(facts, layout, blocks)
    return {"constexprs": blocks, "num_warps": num_warps, "num_stages": 1}
