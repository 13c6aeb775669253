"""Binary search in sorted rows.

A row of `count` values belongs to a sorted row of `length`. An element that is not comparable (NaN) counts as the largest.
"""

import triton
import triton.language as tl

from .dtypes import own_dtype


@triton.jit
def positions(sorted_rows, values, out, n, count, length, row_stride, steps, RIGHT: tl.constexpr, BLOCK: tl.constexpr):
    """out = how many elements of the row are less than the value; with RIGHT, less than or equal. All are row-major.

    `row_stride` is 0 where there is one sorted row for all. Each of the `steps` halves what is left of a row.
    """
    i = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    compute: tl.constexpr = own_dtype(values.dtype.element_ty)
    value = tl.load(values + i, mask=inside, other=0).to(compute)
    row = sorted_rows + (i // count) * row_stride
    low = tl.zeros((BLOCK,), n.dtype)
    high = low + length
    for _ in range(steps):
        middle = (low + high) // 2
        open_ = inside & (low < high)
        here = tl.load(row + middle, mask=open_, other=0).to(compute)
        enough = here > value if RIGHT else here >= value
        high = tl.where(open_ & enough, middle, high)
        low = tl.where(open_ & ~enough, middle + 1, low)
    tl.store(out + i, low.to(out.dtype.element_ty), mask=inside)


def config() -> dict:
    return {"BLOCK": 1024, "num_warps": 4}
