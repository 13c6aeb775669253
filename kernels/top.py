"""The first few elements of rows in order, and their positions: topk where a row fits in a tile and few elements are wanted.

Each step takes the first element of those that are left, by a reduction of the tile. For few of many elements, these reductions are
far less work than the sort of scan_sort.py. Equal elements come in the order of their positions, as there.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .facts import DeviceFacts
from .functions.memory import cast
from .index_math import mixed_radix
from .scan_sort import before

FEW, LONGEST = 16, 8192


@triton.jit
def _first(a, i, b, j, DESCENDING: tl.constexpr):
    """The first of two pairs (element, position) in the order of the result; one that was taken has position -1 and is last."""
    sooner = before(b, a, DESCENDING) | (~before(a, b, DESCENDING) & (j < i))
    second = (j >= 0) & ((i < 0) | sooner)
    return tl.where(second, b, a), tl.where(second, j, i)


@triton.jit
def _largest(a, i, b, j):
    return _first(a, i, b, j, True)


@triton.jit
def _smallest(a, i, b, j):
    return _first(a, i, b, j, False)


@triton.jit
def top_few(
    x,
    values,
    order,
    n,
    sizes,
    x_strides,
    x_step,
    out_strides,
    out_step,
    keep,
    DESCENDING: tl.constexpr,
    COMPUTE: tl.constexpr,
    COLS: tl.constexpr,
):
    """Grid: (rows,)."""
    row = tl.program_id(0).to(n.dtype)
    column = tl.arange(0, COLS)
    source = x + mixed_radix(row, sizes, x_strides)
    target = mixed_radix(row, sizes, out_strides)
    elements = tl.load(source + column * x_step, mask=column < n, other=0).to(COMPUTE)
    left = tl.where(column < n, column, -1)
    for k in range(keep):
        if DESCENDING:
            element, position = tl.reduce((elements, left), 0, _largest)
        else:
            element, position = tl.reduce((elements, left), 0, _smallest)
        tl.store(values + (target + k * out_step), cast(element, values.dtype.element_ty))
        tl.store(order + (target + k * out_step), position.to(tl.int64))
        left = tl.where(left == position, -1, left)


def fits(n: int, keep: int) -> bool:
    return keep <= FEW and n <= LONGEST


def config(facts: DeviceFacts, n: int) -> dict:
    cols = max(next_power_of_2(n), 16)
    return {"COLS": cols, "num_warps": facts.warps(1 if cols <= 512 else 4)}
