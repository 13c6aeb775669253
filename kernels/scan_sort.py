"""Scans and sorts along a dimension of any length.

*Scan*: a program walks its rows tile by tile with a carry. A long dimension is split: `reduce` gives the total of each
split, a scan over the totals gives the carries, and every split is scanned from its carry.

*Sort*: a stable merge sort in which every element finds its own position. In runs of RUN elements, it counts the elements before
it. Then runs are merged in pairs: its own position, plus the number of elements of the neighbouring run before it, found by
bisection. With `keep` < n (topk) a merged run is cut there, and the data shrink with each pass. NaN is larger than every number,
as in torch.
"""

from typing import NamedTuple

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .facts import DeviceFacts
from .functions.comparison import isnan
from .functions.logarithm import logaddexp
from .functions.memory import cast
from .index_math import mixed_radix


@triton.jit
def cumulative_sum(tile, AXIS: tl.constexpr):
    return tl.cumsum(tile, AXIS)


@triton.jit
def cumulative_product(tile, AXIS: tl.constexpr):
    return tl.cumprod(tile, AXIS)


@triton.jit
def larger(a, b):
    return tl.where((a >= b) | isnan(a), a, b)


@triton.jit
def smaller(a, b):
    return tl.where((a <= b) | isnan(a), a, b)


@triton.jit
def cumulative_max(tile, AXIS: tl.constexpr):
    return tl.associative_scan(tile, AXIS, larger)


@triton.jit
def cumulative_min(tile, AXIS: tl.constexpr):
    return tl.associative_scan(tile, AXIS, smaller)


@triton.jit
def cumulative_logaddexp(tile, AXIS: tl.constexpr):
    return tl.associative_scan(tile, AXIS, logaddexp)


@triton.jit
def scan(
    x,
    carries,
    out,
    kept,
    kept_sizes,
    x_strides,
    out_strides,
    n,
    x_step,
    out_step,
    steps,
    SCAN: tl.constexpr,
    COMBINE: tl.constexpr,
    TOTAL: tl.constexpr,
    NEUTRAL: tl.constexpr,
    CARRY: tl.constexpr,
    COMPUTE: tl.constexpr,
    AXIS: tl.constexpr,
    KEPT: tl.constexpr,
    COLS: tl.constexpr,
):
    """out[:, i] = x[:, 0] + ... + x[:, i] for `kept` rows of n elements, `steps` tiles to a program.

    `carries[s]` is the total of the splits up to s, there if CARRY. AXIS as in `reduce`. A tile's total is the function TOTAL of
    its elements on a GPU, whose threads would have to wait for the scan's last one; it is that one where TOTAL is None.
    """
    blocks = tl.cdiv(kept, KEPT)
    program = tl.program_id(0).to(kept.dtype)
    split = program // blocks
    row = program % blocks * KEPT + tl.arange(0, KEPT)
    x_row = tl.expand_dims(mixed_radix(row, kept_sizes, x_strides), AXIS)
    out_row = tl.expand_dims(mixed_radix(row, kept_sizes, out_strides), AXIS)
    alive = tl.expand_dims(row < kept, AXIS)
    carry = tl.full((KEPT,), NEUTRAL, COMPUTE)
    if CARRY:
        carry = tl.load(carries + (split - 1) * kept + row, mask=(row < kept) & (split > 0), other=NEUTRAL)
    for step in range(split * steps, tl.minimum((split + 1) * steps, tl.cdiv(n, COLS))):
        lane = tl.expand_dims(tl.arange(0, COLS), 1 - AXIS)
        c = step * COLS + lane
        inside = alive & (c < n)
        tile = tl.load(x + (x_row + c * x_step), mask=inside, other=NEUTRAL).to(COMPUTE)
        scanned = SCAN(tile, AXIS)
        if TOTAL is None:
            last = tl.gather(scanned, tl.expand_dims(tl.full((KEPT,), COLS - 1, tl.int32), AXIS), AXIS)
            total = tl.reshape(last, (KEPT,))
        else:
            total = TOTAL((tile,), AXIS)[0]
        result = COMBINE(tl.expand_dims(carry, AXIS), scanned)[0]
        tl.store(out + (out_row + c * out_step), cast(result, out.dtype.element_ty), mask=inside)
        carry = COMBINE(carry, total)[0]


@triton.jit
def before(a, b, DESCENDING: tl.constexpr):
    """Whether a comes strictly before b."""
    if DESCENDING:
        return (a > b) | ((a != a) & (b == b))
    else:
        return (a < b) | ((b != b) & (a == a))


@triton.jit
def sort_runs(
    x,
    values,
    order,
    rows,
    n,
    sizes,
    x_strides,
    x_step,
    out_strides,
    out_step,
    keep,
    DESCENDING: tl.constexpr,
    COMPUTE: tl.constexpr,
    RUN: tl.constexpr,
):
    """Sorts each run of RUN elements of each row; writes its first `keep` values and their positions in the row."""
    runs = tl.cdiv(n, RUN)
    program = tl.program_id(0).to(n.dtype)
    row = program // runs
    run = program % runs
    lane = tl.arange(0, RUN)
    i = run * RUN + lane
    base = x + mixed_radix(row, sizes, x_strides)
    mine = tl.load(base + i * x_step, mask=i < n, other=0)
    # The same run once more, along the other axis of a square of comparisons.
    other = tl.load(base + i * x_step, mask=i < n, other=0).to(COMPUTE)[:, None]
    key = mine.to(COMPUTE)[None, :]
    first = before(other, key, DESCENDING) | (~before(key, other, DESCENDING) & (lane[:, None] < lane[None, :]))
    rank = tl.sum((first & (i < n)[:, None]).to(tl.int32), 0)
    to = mixed_radix(row, sizes, out_strides) + (run * tl.minimum(keep, RUN) + rank) * out_step
    use = (i < n) & (rank < keep)
    tl.store(values + to, mine, mask=use)
    tl.store(order + to, i.to(tl.int64), mask=use)


@triton.jit
def merge_runs(
    values,
    order,
    out_values,
    out_order,
    rows,
    n,
    length,
    sizes,
    out_strides,
    out_step,
    keep,
    bisections,
    DESCENDING: tl.constexpr,
    COMPUTE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Merges neighbouring runs of `length` elements; writes the first `keep` of each merged run."""
    blocks = tl.cdiv(n, BLOCK)
    program = tl.program_id(0).to(n.dtype)
    row = program // blocks
    i = program % blocks * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    run = i // length
    at = i - run * length
    left = run % 2 == 0
    start = tl.where(left, run + 1, run - 1) * length
    source = values + row * n
    value = tl.load(source + i, mask=inside, other=0)
    key = value.to(COMPUTE)

    # Of the neighbour's elements those come first that are before mine, and those equal to mine if it is the left one.
    low = i * 0
    high = tl.minimum(tl.maximum(n - start, 0), length)
    for _ in range(bisections):
        middle = (low + high) // 2
        search = low < high
        there = tl.load(source + (start + middle), mask=inside & search, other=0).to(COMPUTE)
        first = tl.where(left, before(there, key, DESCENDING), ~before(key, there, DESCENDING))
        low = tl.where(search & first, middle + 1, low)
        high = tl.where(search & ~first, middle, high)

    rank = at + low
    use = inside & (rank < keep)
    to = mixed_radix(row, sizes, out_strides) + (run // 2 * tl.minimum(keep, 2 * length) + rank) * out_step
    tl.store(out_values + to, value, mask=use)
    tl.store(out_order + to, tl.load(order + row * n + i, mask=use), mask=use)


RUN = 64


class MergePass(NamedTuple):
    """Elements in a row and in a run, before; how many of a merged run stay."""

    width: int
    length: int
    cut: int


def passes(n: int, keep: int) -> list[MergePass]:
    """The merge passes after `sort_runs`.

    `keep` is rounded up to a power of two until the last pass, so that the runs stay equal.
    """
    wide = max(RUN, 1 << (keep - 1).bit_length())
    result, length = [], RUN
    while n > length:
        merged = min(2 * length, wide)
        pairs, rest = divmod(n, 2 * length)
        after = pairs * merged + min(merged, rest)
        result.append(MergePass(n, length, keep if after <= merged else merged))
        n, length = after, merged
    return result


def config(facts: DeviceFacts, kept: int = 1, n: int = 1, axis: int = 1) -> dict:
    """Blocks of `scan` for `kept` rows of n elements, and of the sort."""
    tile = 1024 if facts.kind == "cpu" else 2048
    if axis == 1:
        cols = min(next_power_of_2(max(n, 1)), tile)
        rows = min(next_power_of_2(max(kept, 1)), tile // cols)
    else:
        rows = min(next_power_of_2(max(kept, 1)), 128)
        cols = min(next_power_of_2(max(n, 1)), tile // rows)
    return {
        "scan": {"KEPT": rows, "COLS": cols, "num_warps": 4},
        "sort_runs": {"RUN": RUN, "num_warps": 4},
        "merge_runs": {"BLOCK": 1024, "num_warps": 4},
    }
