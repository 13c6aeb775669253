"""Distances and angles of rows.

The cosine of the angle between rows: y = sum(a * b) / (|a| * |b|), where a length |a| = sqrt(sum(a * a)) is at least eps.

Rows and tiles: see rows.py. Each pair of rows is read once; the results, one for each row, are contiguous.
`pairwise` has the distance of every row of one matrix from every row of another.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .functions.arithmetic import maximum, pow
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


@triton.jit
def _folded(total, d, p, MODE: tl.constexpr):
    """The total with one more difference: what norms of order 0, 1, 2, infinity ("max") and any other ("any") add up."""
    size = tl.abs(d)
    if MODE == 0:
        return total + tl.where(d != d, d, tl.where(d == 0, 0, 1).to(d.dtype))
    elif MODE == 1:
        return total + size
    elif MODE == 2:
        return total + d * d
    elif MODE == "max":
        return maximum(total, size)
    else:
        return total + pow(size, p)


@triton.jit
def pairwise(
    a, b, y, p, n, m, k, b_row, b_step, MODE: tl.constexpr, COMPUTE: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr
):
    """y[s, i, j] = the norm of order p of a[s, i] - b[s, j], row-major. Grid: (tiles of rows and columns of all s,).

    Rows of b and their elements are `b_row` and `b_step` apart: on a CPU, lanes of neighbouring rows read neighbouring elements.
    """
    down, across = tl.cdiv(n, ROWS), tl.cdiv(m, COLS)
    program = tl.program_id(0).to(n.dtype)
    s, tile = program // (down * across), program % (down * across)
    i = tile // across * ROWS + tl.arange(0, ROWS)
    j = tile % across * COLS + tl.arange(0, COLS)
    of_a, of_b = a + (s * n + i) * k, b + (s * m * k + j * b_row)
    total = tl.zeros((ROWS, COLS), COMPUTE)
    for c in range(k):
        v = tl.load(of_a + c, mask=i < n, other=0).to(COMPUTE)
        w = tl.load(of_b + c * b_step, mask=j < m, other=0).to(COMPUTE)
        total = _folded(total, v[:, None] - w[None, :], p, MODE)
    if MODE == 2:
        total = tl.sqrt(total)
    elif MODE == "any":
        total = pow(total, 1 / p)
    inside = (i < n)[:, None] & (j < m)[None, :]
    tl.store(y + ((s * n + i)[:, None] * m + j[None, :]), total.to(y.dtype.element_ty), mask=inside)


def pairwise_blocks(n: int, m: int) -> dict:
    """A tile of up to 32 times 32 pairs."""
    return {"ROWS": min(next_power_of_2(max(n, 1)), 32), "COLS": min(next_power_of_2(max(m, 1)), 32)}
