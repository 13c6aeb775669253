"""The check for zeros in an integer divisor, which runs before anything is written."""

import triton
import triton.language as tl

from .elementwise import config
from .index_math import mixed_radix

__all__ = ["config", "refuse_zeros"]


@triton.jit
def refuse_zeros(x, err, rows, sizes, strides, ROWS: tl.constexpr, COLS: tl.constexpr):
    """Set the error word if an element of x, a matrix of `rows` as in `elementwise.strided`, is 0."""
    cols = sizes[len(sizes) - 1]
    blocks = tl.cdiv(cols, COLS)
    program = tl.program_id(0).to(cols.dtype)
    row = program // blocks * ROWS + tl.arange(0, ROWS)
    col = program % blocks * COLS + tl.arange(0, COLS)
    inside = (row < rows)[:, None] & (col < cols)[None, :]
    offset = mixed_radix(row, sizes, strides, 1)[:, None] + (col * strides[len(sizes) - 1])[None, :]
    value = tl.load(x + offset, mask=inside, other=1)
    tl.store(err + tl.zeros_like(offset), 1, mask=inside & (value == 0))
