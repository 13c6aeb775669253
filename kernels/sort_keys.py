"""The sort of scan_sort.py for a GPU: few launches, each with work for every thread.

The key of an element is the element, as an integer of the same order, above its position in the row. So keys are distinct,
and their order is that of a stable sort. Tiles of keys are sorted, then merged eight at a time. With `keep` < n (topk) a merged
run is cut there. The last launch looks the elements up by position. Keys have 64 bits, elements at most 32.

The first few elements of long rows lie in as many *blocks*: those whose smallest keys come first, for before an element of another
block there are that many. `block_keys` reads a row once, and only the blocks' keys are sorted, then the elements of few blocks.
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
FEWEST = 16  # keys of a tile that are sorted at least
LONG, BLOCKS = 4096, (16, 32, 64, 128)  # elements of a row that is cut into blocks, and of a block


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
def key_of(x, position, inside, offset, x_step, DESCENDING: tl.constexpr):
    """The keys of elements of a row that begins at `offset`. What is not inside has one behind them, distinct as well."""
    element = tl.load(x + (offset + position * x_step), mask=inside, other=0)
    value = tl.where(inside, ordered(element, DESCENDING), 0x7FFFFFFF)
    return (value.to(tl.int64) << 32) + position


@triton.jit
def block_keys(x, keys, n, sizes, x_strides, x_step, DESCENDING: tl.constexpr, BLOCK: tl.constexpr, ROWS: tl.constexpr):
    """The smallest key of each BLOCK elements of rows of n. Grid: (rows * ceil(blocks of a row / ROWS),)."""
    blocks = tl.cdiv(n, BLOCK)
    programs = tl.cdiv(blocks, ROWS)
    program = tl.program_id(0).to(n.dtype)
    row = program // programs
    block = program % programs * ROWS + tl.arange(0, ROWS)
    i = block[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    key = key_of(x, i, i < n, mixed_radix(row, sizes, x_strides), x_step, DESCENDING)
    tl.store(keys + (row * blocks + block), tl.min(key, 1), mask=block < blocks)


@triton.jit
def first_sorted(key, FIRST: tl.constexpr):
    """The FIRST smallest keys in order: parts of so many are sorted, and pairs of them halved, instead of all."""
    if FIRST == key.shape[0]:
        return tl.sort(key)
    else:
        return ~tl.topk(~key, FIRST)


@triton.jit
def sort_tiles(
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
    DESCENDING: tl.constexpr,
    TILE: tl.constexpr,
    FIRST: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Stores the first `keep` keys of each tile of n of a row, in order. Grid: (rows * tiles of a row,).

    They are those of the elements of x, or `keys`; with a BLOCK, those of the elements of the blocks that `keys` lie in, in rows of
    `length` elements. FIRST: a power of 2 from `keep` on.
    """
    tiles = tl.cdiv(n, TILE)
    program = tl.program_id(0).to(n.dtype)
    row, tile = program // tiles, program % tiles
    i = tile * TILE + tl.arange(0, TILE)
    if keys is None:
        key = key_of(x, i, i < n, mixed_radix(row, sizes, x_strides), x_step, DESCENDING)
    elif BLOCK == 0:
        key = tl.load(keys + (row * n + i), mask=i < n, other=0)
    else:
        chosen = tl.load(keys + (row * (n // BLOCK) + i // BLOCK), mask=i < n, other=0) & POSITION
        position = (chosen // BLOCK * BLOCK).to(n.dtype) + i % BLOCK
        inside = (i < n) & (position < length)
        key = key_of(x, position, inside, mixed_radix(row, sizes, x_strides), x_step, DESCENDING)
    key = first_sorted(tl.where(i < n, key, LAST), FIRST)
    first = tl.arange(0, FIRST)
    use = (tile * TILE + first < n) & (first < keep)
    _put(x, outs, row, key, tile * tl.minimum(keep, TILE) + first, use, sizes, x_strides, x_step, out_strides, out_step)


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


def first_keys(found: Passes) -> int:
    """How many keys of a tile are sorted: all, or those that stay. Classes are few: each is a compilation."""
    return min(max(next_power_of_2(found.keep), FEWEST), found.tile)


def block_for(n: int, keep: int) -> int:
    """Elements of a block where the first `keep` of a row of n are looked for in blocks: few launches, then few keys; else 0."""
    if n < LONG or 4 * 64 * keep > n:
        return 0

    def cost(block: int) -> tuple[int, int]:
        counts = -(-n // block), keep * block
        return sum(len(passes(count, keep).merges) for count in counts), sum(counts)

    return min(BLOCKS, key=cost)


def _width(n: int, run: int, keep: int) -> int:
    """Keys of a row of n when `keep` of each run stay."""
    runs, rest = divmod(n, run)
    return runs * keep + min(keep, rest)


def config(tile: int) -> dict:
    """Blocks of the kernels; BLOCK of `block_keys` is the caller's."""
    return {
        "block_keys": {"ELEMENTS": 2048, "num_warps": 4},
        "sort_tiles": {"TILE": tile, "num_warps": max(tile // 128, 1)},
        "merge_tiles": {"WAYS": WAYS, "BLOCK": 128, "num_warps": 4},
    }
