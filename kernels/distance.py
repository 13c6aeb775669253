"""The cosine of the angle between rows: y = sum(a * b) / (|a| * |b|), where a length |a| = sqrt(sum(a * a)) is at least eps.

Rows and tiles: see rows.py. Each pair of rows is read once; the results, one for each row, are contiguous.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .rows import RowLayout, row_start, row_tile


@triton.jit
def cosine(
    a,
    b,
    y,
    product,
    a_length,
    b_length,
    eps,
    rows,
    cols,
    strides,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    AXIS: tl.constexpr,
):
    """The cosine, and what derivatives need: the product and both lengths, whose dtype computes. Grid: (tiles of rows,)."""
    dtype: tl.constexpr = a_length.dtype.element_ty
    group, r, c = row_tile(rows, ROWS, COLS, AXIS)
    a_row, b_row = row_start(a, group, r, strides), row_start(b, group, r, strides)
    ab = tl.zeros((ROWS, COLS) if AXIS == 1 else (COLS, ROWS), dtype)
    aa, bb = ab, ab
    for start in range(0, cols, COLS):
        mask = (r < rows) & (start + c < cols)
        v = tl.load(a_row + (start + c) * strides[2], mask=mask, other=0).to(dtype)
        w = tl.load(b_row + (start + c) * strides[2], mask=mask, other=0).to(dtype)
        ab += v * w
        aa += v * v
        bb += w * w
    total = tl.sum(ab, axis=AXIS, keep_dims=True)
    of_a = tl.maximum(tl.sqrt(tl.sum(aa, axis=AXIS, keep_dims=True)), eps)
    of_b = tl.maximum(tl.sqrt(tl.sum(bb, axis=AXIS, keep_dims=True)), eps)
    out = group * rows + r
    tl.store(y + out, (total / of_a / of_b).to(y.dtype.element_ty), mask=r < rows)
    tl.store(product + out, total, mask=r < rows)
    tl.store(a_length + out, of_a, mask=r < rows)
    tl.store(b_length + out, of_b, mask=r < rows)


def blocks(layout: RowLayout) -> dict:
    """ROWS, COLS and AXIS: a tile of about 1024 elements, whose last dimension is contiguous in memory."""
    cols = min(next_power_of_2(max(layout.cols, 1)), 1024 if layout.axis == 1 else 32)
    rows = min(next_power_of_2(max(layout.rows, 1)), max(1024 // cols, 1))
    return {"ROWS": rows, "COLS": cols, "AXIS": layout.axis}
