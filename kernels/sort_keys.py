"""The sort of scan_sort.py for a GPU: few launches, each with work for every thread.

The key of an element is the element, as an integer of the same order, above its position in the row. So keys are distinct,
and their order is that of a stable sort. Tiles of keys are sorted, then merged eight at a time. With `keep` < n (topk) a merged
run is cut there. The last launch looks the elements up by position. Keys have 64 bits, elements at most 32.
"""

from typing import NamedTuple

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .index_math import mixed_radix
from .merge import merged_rank

LAST: tl.constexpr = tl.constexpr((1 << 63) - 1)  # behind every key, as padding
POSITION: tl.constexpr = tl.constexpr((1 << 32) - 1)  # the bits of a key's position
TILE, WAYS = 2048, 8


@triton.jit
def ordered(x, DESCENDING: tl.constexpr):
    """x as an int32 of the same order: NaN is the largest, the zeros are equal."""
    if x.dtype.is_floating():
        wide = x.to(tl.float32)
        bits = wide.to(tl.int32, bitcast=True)
        bits = bits ^ ((bits >> 31) & 0x7FFFFFFF)
        bits = tl.where(wide == 0, 0, tl.where(wide != wide, 0x7FFFFFFF, bits))
    else:
        bits = x.to(tl.int32)
    return ~bits if DESCENDING else bits


@triton.jit
def _put(x, outs, row, key, rank, use, sizes, x_strides, x_step, out_strides, out_step):
    """Store keys, or with two outputs the elements that they belong to, and their positions."""
    to = mixed_radix(row, sizes, out_strides) + rank * out_step
    if len(outs) == 1:
        tl.store(outs[0] + to, key, mask=use)
    else:
        position = key & POSITION
        source = x + (mixed_radix(row, sizes, x_strides) + position.to(rank.dtype) * x_step)
        tl.store(outs[0] + to, tl.load(source, mask=use), mask=use)
        tl.store(outs[1] + to, position, mask=use)


@triton.jit
def sort_tiles(
    x, outs, n, sizes, x_strides, x_step, out_strides, out_step, keep, DESCENDING: tl.constexpr, TILE: tl.constexpr
):
    """Sorts each tile of rows of n elements, and stores its first `keep` keys. Grid: (rows * tiles of a row,)."""
    tiles = tl.cdiv(n, TILE)
    program = tl.program_id(0).to(n.dtype)
    row, tile = program // tiles, program % tiles
    lane = tl.arange(0, TILE)
    i = tile * TILE + lane
    element = tl.load(x + (mixed_radix(row, sizes, x_strides) + i * x_step), mask=i < n, other=0)
    key = (ordered(element, DESCENDING).to(tl.int64) << 32) + i
    key = tl.sort(tl.where(i < n, key, LAST))
    rank = tile * tl.minimum(keep, TILE) + lane
    _put(x, outs, row, key, rank, (i < n) & (lane < keep), sizes, x_strides, x_step, out_strides, out_step)


@triton.jit
def merge_tiles(
    x,
    keys,
    outs,
    n,
    length,
    sizes,
    x_strides,
    x_step,
    out_strides,
    out_step,
    keep,
    bisections,
    WAYS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Merges each WAYS neighbouring runs of `length` keys of rows of n, and stores the first `keep` of each merged run.

    Grid: (rows * blocks of a row,).
    """
    blocks = tl.cdiv(n, BLOCK)
    program = tl.program_id(0).to(n.dtype)
    row = program // blocks
    i = program % blocks * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    key = tl.load(keys + (row * n + i), mask=inside, other=0)
    rank = merged_rank(keys + row * n, key, i, inside, n, length, bisections, WAYS)
    to = i // length // WAYS * tl.minimum(keep, WAYS * length) + rank
    _put(x, outs, row, key, to, inside & (rank < keep), sizes, x_strides, x_step, out_strides, out_step)


class Merge(NamedTuple):
    """Keys in a row and in a run, before; how many of a merged run stay."""

    width: int
    length: int
    keep: int


class Passes(NamedTuple):
    """What a sort launches: tiles of `tile` keys, of which `keep` stay, then merges."""

    tile: int
    keep: int
    merges: list[Merge]


def passes(n: int, keep: int) -> Passes:
    """The launches for rows of n elements; until the last one, `keep` is rounded up to a power of two, so that runs are equal."""
    tile = min(next_power_of_2(n), TILE)
    if n <= tile:
        return Passes(tile, keep, [])
    wide = next_power_of_2(keep)
    length = min(tile, wide)
    first, merges = length, list[Merge]()
    width = _width(n, tile, length)
    while width > length:
        merged = min(WAYS * length, wide)
        merges.append(Merge(width, length, keep if width <= WAYS * length else merged))
        width, length = _width(width, WAYS * length, merged), merged
    return Passes(tile, first, merges)


def _width(n: int, run: int, keep: int) -> int:
    """Keys of a row of n when `keep` of each run stay."""
    runs, rest = divmod(n, run)
    return runs * keep + min(keep, rest)


def config(tile: int) -> dict:
    """Blocks of the two kernels."""
    return {
        "sort_tiles": {"TILE": tile, "num_warps": max(tile // 128, 1)},
        "merge_tiles": {"WAYS": WAYS, "BLOCK": 128, "num_warps": 4},
    }
