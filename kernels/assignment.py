"""The cheapest assignment of rows to columns (Crouse, 2016: shortest augmenting paths), as SciPy computes it.

Each row gets a column of its own, so that the sum of the costs is least. Rows are added one by one. From a new row the cheapest
path to a free column is looked for, over columns that have a row already; along it each row goes on to the next column.

    reduced cost of (i, j) = cost[i, j] - u[i] - v[j], which is never negative, and 0 where row i has column j

A program has one matrix. All it knows is of columns: the row that each has, and that row's u. Of several shortest paths it takes
the one that SciPy takes: `order` is what SciPy's list of columns that are left would be. All is computed in float64.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2

INFINITE = tl.constexpr(float("inf"))


@triton.jit
def _at(values, lane, position):
    """An element of a block."""
    return tl.sum(tl.where(lane == position, values, 0), axis=0)


@triton.jit
def assign(cost, columns, err, rows, width, BLOCK: tl.constexpr):
    """columns[i] = the column of row i. Grid: (matrices,). There are at least as many columns as rows.

    err: set where a cost is NaN or -inf, or where each assignment costs infinitely much.
    """
    program = tl.program_id(0).to(tl.int64)
    cost += program * rows * width
    columns += program * rows
    lane = tl.arange(0, BLOCK)
    inside = lane < width
    tl.store(columns + lane, tl.zeros((BLOCK,), columns.dtype.element_ty), mask=lane < rows)
    none = tl.zeros((), tl.int32) - 1
    zero = tl.zeros((), tl.float64)
    owner = tl.zeros((BLOCK,), tl.int32) - 1
    u = tl.zeros((BLOCK,), tl.float64)
    v = tl.zeros((BLOCK,), tl.float64)
    failed = none + 1
    for row in range(rows):
        shortest = tl.full((BLOCK,), float("inf"), tl.float64)
        path = tl.zeros((BLOCK,), tl.int32) - 1
        order = width.to(tl.int32) - 1 - lane
        left = inside.to(tl.int32)
        count = none + 1 + width
        length = zero
        own = zero
        here = none + 1 + row
        sink = none
        while (sink < 0) & (failed == 0):
            price = tl.load(cost + (here.to(tl.int64) * width + lane), mask=inside, other=0).to(tl.float64)
            wrong = inside & ((price != price) | (price == -INFINITE))
            failed = tl.maximum(failed, tl.max(wrong.to(tl.int32), axis=0))
            reduced = length + price - own - v
            better = (left > 0) & (reduced < shortest)
            path = tl.where(better, here, path)
            shortest = tl.where(better, reduced, shortest)
            length = tl.min(tl.where(left > 0, shortest, float("inf")), axis=0)
            failed = tl.maximum(failed, (length == INFINITE).to(tl.int32))
            tied = (left > 0) & (shortest == length)
            free = tl.max(tl.where(tied & (owner < 0), order, -1), axis=0)
            first = tl.min(tl.where(tied, order, width), axis=0)
            index = tl.where(free >= 0, free, first).to(tl.int32)
            column = tl.sum(tl.where((left > 0) & (order == index), lane, 0), axis=0).to(tl.int32)
            taken = _at(owner, lane, column).to(tl.int32)
            own = _at(u, lane, column)
            sink = tl.where(taken < 0, column, sink)
            here = tl.where(taken < 0, here, taken)
            left = tl.where(lane == column, 0, left)
            count -= 1
            order = tl.where(order == count, index, order)
        met = inside & (left == 0)
        u = tl.where(met & (owner >= 0), u + (length - shortest), u)
        v = tl.where(met, v - (length - shortest), v)
        j = tl.where(failed == 0, sink, none)
        while j >= 0:
            i = _at(path, lane, j).to(tl.int32)
            before = tl.max(tl.where(owner == i, lane, -1), axis=0).to(tl.int32)
            value = tl.where(before < 0, length, _at(u, lane, before))
            owner = tl.where(lane == j, i, owner)
            u = tl.where(lane == j, value, u)
            j = before
    tl.debug_barrier()
    tl.store(columns + owner, lane.to(columns.dtype.element_ty), mask=inside & (owner >= 0))
    tl.store(err, failed, mask=failed > 0)


def blocks(width: int) -> dict:
    """The columns in a block: all of them."""
    return {"BLOCK": next_power_of_2(width)}
