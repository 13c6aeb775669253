"""One dimension continued beyond its ends: reflected, with its last element, or from its other end; and the gradients.

x is (outer, n, inner), y is (outer, before + n + after, inner), both contiguous. The gradient gathers: an element visits its
copies in order, so nothing is added atomically.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .resample import row_tile


@triton.jit
def origin(q, n, MODE: tl.constexpr):
    """The element of x that stands at q, which may be outside of 0 <= q < n."""
    if MODE == "reflect":
        return (n - 1) - tl.abs((n - 1) - tl.abs(q))
    elif MODE == "replicate":
        return tl.minimum(tl.maximum(q, 0), n - 1)
    else:
        return (q + n) % n


@triton.jit
def pad(
    x, y, rows, n, before, after, inner, MODE: tl.constexpr, LAST: tl.constexpr, BLOCK: tl.constexpr,
    BLOCK_W: tl.constexpr,
):  # fmt: skip
    """y = x continued. Grid: (tiles of the rows of y,)."""
    m = before + n + after
    outer, j, rest, exists = row_tile(rows, m, inner, LAST, BLOCK, BLOCK_W)
    at = (outer * n + origin(j - before, n, MODE)) * inner + rest
    tl.store(y + (outer * m + j) * inner + rest, tl.load(x + at, mask=exists), mask=exists)


@triton.jit
def copy_at(column, j, inner, mask, dtype: tl.constexpr):
    return tl.load(column + j * inner, mask=mask, other=0).to(dtype)


@triton.jit
def pad_backward(
    dy, dx, rows, n, before, after, inner, MODE: tl.constexpr, LAST: tl.constexpr, BLOCK: tl.constexpr,
    BLOCK_W: tl.constexpr,
):  # fmt: skip
    """dx = the sum of dy over an element's copies. Grid: (tiles of the rows of dx,)."""
    outer, h, rest, exists = row_tile(rows, n, inner, LAST, BLOCK, BLOCK_W)
    m = before + n + after
    column = dy + outer * m * inner + rest
    dtype: tl.constexpr = compute_dtype(dy.dtype.element_ty)
    acc = copy_at(column, before + h, inner, exists, dtype)
    if MODE == "replicate":
        for k in range(before):
            acc += copy_at(column, k, inner, exists & (h == 0), dtype)
        for k in range(after):
            acc += copy_at(column, before + n + k, inner, exists & (h == n - 1), dtype)
    elif MODE == "reflect":
        left, right = before - h, before + 2 * (n - 1) - h
        acc += copy_at(column, left, inner, exists & (h > 0) & (left >= 0), dtype)
        acc += copy_at(column, right, inner, exists & (h < n - 1) & (right < m), dtype)
    else:
        left, right = before + h - n, before + h + n
        acc += copy_at(column, left, inner, exists & (left >= 0), dtype)
        acc += copy_at(column, right, inner, exists & (right < m), dtype)
    tl.store(dx + (outer * n + h) * inner + rest, acc.to(dx.dtype.element_ty), mask=exists)
