"""Reading and writing by integer indices: gather, scatter, embedding, advanced indexing.

One tile of (rows, cols) as in `elementwise.strided`: every operand has a stride for each collapsed dimension, 0 where it
does not have the dimension, and the indexed tensor moves by `index * step` besides, for each of the index tensors. So
gather, index_select, embedding and x[i, j] are one kernel.

Writes are deterministic. `put` walks the positions of the index one after the other, each program for its own columns, so
that no two programs meet and equal indices are combined in order. `check` looks for bad indices first, so that nothing is
written where there are some. `index_sorted` writes in parallel, with the same bits.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .facts import DeviceFacts
from .functions.memory import cast
from .index_math import mixed_radix


@triton.jit
def wrapped(index, limit, inside, err, WRAP: tl.constexpr):
    """(a safe index, whether it may be used); a bad one is reported. WRAP: -1 is the last.

    `limit` is a size, or (the size of a whole dimension, the first index of a shard, the shard's size). Of a shard's good indices
    those may be used that it has.
    """
    if isinstance(limit, tl.tensor):
        position, bad = _checked(index, limit, inside, err, WRAP)
        return tl.where(bad, 0, position).to(limit.dtype), inside & ~bad
    else:
        position, bad = _checked(index, limit[0], inside, err, WRAP)
        own = position - limit[1]
        use = inside & ~bad & (own >= 0) & (own < limit[2])
        return tl.where(use, own, 0).to(limit[0].dtype), use


@triton.jit
def _checked(index, limit, inside, err, WRAP: tl.constexpr):
    """(the index counted from the front, whether it is a bad one)"""
    position = index
    if WRAP:
        position = tl.where(position < 0, position + limit, position)
    bad = (position < 0) | (position >= limit)
    tl.store(err + tl.zeros_like(position), 1, mask=bad & inside)
    return position, bad


@triton.jit
def get(
    x,
    indices,
    out,
    err,
    rows,
    sizes,
    x_strides,
    index_strides,
    out_strides,
    limits,
    steps,
    WRAP: tl.constexpr,
    PER_ROW: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """out[r, c] = x[(r, c) by x_strides + sum over k of indices[k][r, c] * steps[k]]

    PER_ROW: no index has a stride along the columns, so that one index serves a row of the tile.
    """
    cols = sizes[len(sizes) - 1]
    blocks = tl.cdiv(cols, COLS)
    program = tl.program_id(0).to(cols.dtype)
    row = (program // blocks * ROWS + tl.arange(0, ROWS))[:, None]
    col = (program % blocks * COLS + tl.arange(0, COLS))[None, :]
    inside = (row < rows) & (col < cols)
    base = mixed_radix(row, sizes, x_strides, 1)
    here = row < rows if PER_ROW else inside
    use = here
    for k in tl.static_range(len(indices)):
        at = mixed_radix(row, sizes, index_strides[k], 1)
        if not PER_ROW:
            at += col * index_strides[k][len(sizes) - 1]
        index = tl.load(indices[k] + at, mask=here, other=0)
        position, good = wrapped(index, limits[k], here, err, WRAP)
        base += position * steps[k]
        use = use & good
    value = tl.load(x + (base + col * x_strides[len(sizes) - 1]), mask=use & inside, other=0)
    to = mixed_radix(row, sizes, out_strides, 1) + col * out_strides[len(sizes) - 1]
    tl.store(out + to, cast(value, out.dtype.element_ty), mask=inside)


@triton.jit
def replace(old, new):
    return new


@triton.jit
def put(
    value,
    indices,
    out,
    err,
    count,
    cols,
    count_sizes,
    col_sizes,
    value_strides,
    index_strides,
    limits,
    steps,
    col_value_strides,
    col_index_strides,
    col_out_strides,
    count_out_strides,
    FN: tl.constexpr,
    COMPUTE: tl.constexpr,
    WRAP: tl.constexpr,
    PER_ROW: tl.constexpr,
    COLS: tl.constexpr,
):
    """out[target] = FN(out[target], value) for positions 0 .. count-1 in order, each program for COLS columns.

    An operand's element is at (position by its strides) + (column by its col_strides); `out` moves by the indices too.
    PER_ROW: no index has a stride along the columns, so that one index serves all of them.
    """
    col = tl.program_id(0).to(cols.dtype) * COLS + tl.arange(0, COLS)
    inside = col < cols
    from_col = mixed_radix(col, col_sizes, col_value_strides)
    to_col = mixed_radix(col, col_sizes, col_out_strides)
    for i in range(count):
        target = to_col + mixed_radix(i, count_sizes, count_out_strides)
        here = i < count if PER_ROW else inside
        use = here
        for k in tl.static_range(len(indices)):
            at = mixed_radix(i, count_sizes, index_strides[k])
            if not PER_ROW:
                at += mixed_radix(col, col_sizes, col_index_strides[k])
            index = tl.load(indices[k] + at, mask=here, other=0)
            position, good = wrapped(index, limits[k], here, err, WRAP)
            target += position * steps[k]
            use = use & good
        use = use & inside
        new = tl.load(value + (mixed_radix(i, count_sizes, value_strides) + from_col), mask=use).to(COMPUTE)
        old = tl.load(out + target, mask=use).to(COMPUTE)
        tl.store(out + target, cast(FN(old, new), out.dtype.element_ty), mask=use)


@triton.jit
def check(indices, err, n, sizes, index_strides, limits, WRAP: tl.constexpr, BLOCK: tl.constexpr):
    """Reports the bad ones among `n` indices of each index tensor."""
    i = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    for k in tl.static_range(len(indices)):
        index = tl.load(indices[k] + mixed_radix(i, sizes, index_strides[k]), mask=inside, other=0)
        wrapped(index, limits[k], inside, err, WRAP)


def config(facts: DeviceFacts, rows: int, cols: int, per_row: bool = True) -> dict:
    """Blocks of `get` for its collapsed shape, and of `put` and `check` for `cols` columns.

    On a CPU columns with their own indices are few: their lines stay in the cache from one position to the next.
    """
    width = min(next_power_of_2(max(cols, 1)), 1024)
    high = min(1024 // width, next_power_of_2(max(rows, 1)))
    narrow = min(width, 128 if facts.kind == "gpu" else 256 if per_row else 32)
    return {
        "get": {"ROWS": high, "COLS": width, "num_warps": 4},
        "put": {"COLS": narrow, "num_warps": 1 if narrow <= 32 else 4},
        "check": {"BLOCK": 1024, "num_warps": 4},
    }
