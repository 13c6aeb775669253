"""The tiles of matrix products on a GPU, and into how many sums K is split: what takes the least time by estimate.

    clocks = rounds * (start + max(multiply-adds / unit, bytes / LOADED)) + second kernel, where K is split

A round is a program on each multiprocessor. Shape and device facts alone decide, so that a product's bits are the same in every
run.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .block_sizes import on_chip, shape_class
from .facts import DeviceFacts

HALVES = ("fp16", "bf16")

START = 2000  # clocks from the start of a program to its first product, and from its last one to its end
LOADED = 40  # bytes that a multiprocessor loads in a clock from the second-level cache
SECOND = 6000  # clocks of the launch that adds the sums of splits, the host's share among them
SPLITS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
SHORTEST = 256  # of K in a split
MOST_PARTS = 16  # of a tile that is shared out: each is a matrix in memory
ROUNDS = 2  # tiles of a program that computes one after the other: with fewer, nothing is loaded while a tile is stored


class Tile(NamedTuple):
    """The block sizes of a program, its warps, and the stages in which it loads."""

    block_m: int
    block_n: int
    block_k: int
    warps: int
    stages: int


# From the largest. 128 x 256 is a program that has a multiprocessor of sm_90 to itself, with 128 sums in a thread. Matrix units
# of a warp have their operands in registers, which are too few for that, and for 64 x 128 with a depth of 64.
HALF_TILES = (
    Tile(128, 256, 64, 8, 4), Tile(128, 128, 64, 8, 3), Tile(64, 128, 64, 4, 3), Tile(128, 64, 64, 4, 3), Tile(64, 64, 64, 4, 4),
)  # fmt: skip
WARP_HALF_TILES = (Tile(128, 128, 64, 8, 3), Tile(64, 128, 32, 4, 4), Tile(128, 64, 32, 4, 4), Tile(64, 64, 64, 4, 4))
TF32_TILES = (Tile(128, 128, 32, 8, 3), Tile(64, 128, 32, 4, 3), Tile(128, 64, 32, 4, 3), Tile(64, 64, 32, 4, 3))
TF32X3_TILES = (Tile(64, 128, 16, 4, 3), Tile(64, 64, 16, 4, 3))  # deeper ones spill on sm_80
# Of a block's products of float8 the matrix units' sums are added in float32: threads hold two sums of each element.
FP8_TILES = (Tile(128, 128, 128, 8, 4), Tile(64, 128, 128, 4, 3), Tile(128, 64, 128, 4, 3), Tile(64, 64, 128, 4, 4))
WARP_FP8_TILES = (Tile(128, 128, 64, 8, 3), Tile(64, 128, 64, 4, 3), Tile(128, 64, 64, 4, 3), Tile(64, 64, 64, 4, 4))
CAST_FP8_TILES = (Tile(64, 128, 32, 4, 3), Tile(64, 64, 64, 4, 3))  # cast to float16 in registers


def product_tile(
    facts: DeviceFacts, dtype: str, m: int, n: int, k: int, batch: int, few_registers: bool, repeats: int = 1
) -> Tile:
    """The tile for a product of `batch` matrices.

    Args:
        few_registers: whether threads need some for more than their sums.
        repeats: how often a matrix has each element that is in memory: those of a convolution have it for each tap.
    """
    found = [tile for tile in _tiles_for(facts, dtype) if _suits(facts, tile, dtype, m, n, few_registers)]
    if not found:
        return _small_tile(dtype, m, n, k)
    tile = min(
        found,
        key=lambda t: min(
            _clocks(facts, dtype, t, m, n, k, batch, s, repeats) for s in _splits(facts, t, m, n, k, batch)
        ),
    )
    if few_registers and dtype in HALVES and not facts.architecture.operands_on_chip:
        tile = tile._replace(block_k=min(tile.block_k, 32))  # whose operands are in registers as well
    stages = min(tile.stages, on_chip(facts) // _stage(tile, dtype))
    depths = (32, 64, 128) if dtype == "fp8" else (16, 32, 64)
    return tile._replace(block_k=min(tile.block_k, shape_class(k, depths)), stages=stages)


def product_splits(
    facts: DeviceFacts,
    dtype: str,
    m: int,
    n: int,
    k: int,
    batch: int,
    tile: Tile,
    repeats: int = 1,
    choices: Iterable[int] = (),
) -> int:
    """The number of splits of K, among `choices` if there are any, for a product with that tile; `repeats` as in `product_tile`."""
    found = choices or _splits(facts, tile, m, n, k, batch)
    return min(found, key=lambda s: _clocks(facts, dtype, tile, m, n, k, batch, s, repeats))


def persistent_share(facts: DeviceFacts, dtype: str, tile: Tile, m: int, n: int, k: int) -> int | None:
    """The steps along K of each program that computes one tile after the other, where tiles are shared out; 0 where they are not.

    None where a program for each tile is faster.
    """
    tiles, steps = _tiles(tile, m, n, 1), -(-k // tile.block_k)
    if tiles >= ROUNDS * facts.processors:
        return 0
    share = -(-tiles * steps // facts.processors)
    step, parts = max(_clocks_of_step(facts, dtype, tile)), tiles + facts.processors
    added = SECOND + 8 * parts * tile.block_m * tile.block_n / (facts.architecture.moved * facts.processors)
    clocks = {0: START + -(-tiles // facts.processors) * steps * step, share: START + share * step + added}
    if share * tile.block_k < SHORTEST or -(-steps // share) >= MOST_PARTS:
        del clocks[share]
    found = min(clocks, key=lambda share: clocks[share])
    others = [t for t in _tiles_for(facts, dtype) if _suits(facts, t, dtype, m, n, False)]
    ordinary = [_clocks(facts, dtype, t, m, n, k, 1, s) for t in others for s in _splits(facts, t, m, n, k, 1)]
    return found if clocks[found] <= min(ordinary, default=0.0) else None


def _tiles_for(facts: DeviceFacts, dtype: str) -> tuple[Tile, ...]:
    has = facts.architecture
    if dtype in HALVES:
        return HALF_TILES if has.operands_on_chip else WARP_HALF_TILES
    if dtype == "fp8":
        return FP8_TILES if has.operands_on_chip else WARP_FP8_TILES if has.float8 else CAST_FP8_TILES
    return {"tf32": TF32_TILES, "tf32x3": TF32X3_TILES}.get(dtype, ())


def _suits(facts: DeviceFacts, tile: Tile, dtype: str, m: int, n: int, few_registers: bool) -> bool:
    """Whether a result fills more than half of a tile in both directions, two stages fit on chip, and sums in registers."""
    if min(m, n) <= 32 or few_registers and tile.block_m * tile.block_n > 128 * 128:
        return False
    return tile.block_m < 2 * m and tile.block_n < 2 * n and 2 * _stage(tile, dtype) <= on_chip(facts)


def _stage(tile: Tile, dtype: str) -> int:
    """Bytes of a stage."""
    return (tile.block_m + tile.block_n) * tile.block_k * size_of(dtype)


def size_of(dtype: str) -> int:
    """Bytes of an operand's element in shared memory."""
    return 1 if dtype == "fp8" else 2 if dtype in HALVES else 4


def _small_tile(dtype: str, m: int, n: int, k: int) -> Tile:
    """The tile for few rows or columns, and for what no matrix unit multiplies."""
    half = size_of(dtype) < 4
    side = (16, 32, 64, 128) if half else (16, 32, 64)
    block_m, block_n = shape_class(m, side), shape_class(n, side)
    warps = 4 if block_m * block_n >= 32 * 32 else 1 if dtype == "tf32x3" and block_m * block_n == 16 * 16 else 2
    if {block_m, block_n} == {16, 128}:
        warps = 8  # with 4, the compiler spills to have room for another program
    depths = (32, 64, 128) if dtype == "fp8" else (16, 32, 64)
    return Tile(block_m, block_n, shape_class(k, depths) if half else 16, warps, 3 if half else 2)


def _tiles(tile: Tile, m: int, n: int, batch: int) -> int:
    return -(-m // tile.block_m) * -(-n // tile.block_n) * batch


def _splits(facts: DeviceFacts, tile: Tile, m: int, n: int, k: int, batch: int) -> list[int]:
    """How often K may be split: not where each multiprocessor has a tile, nor in batches."""
    whole = batch > 1 or _tiles(tile, m, n, batch) >= facts.processors
    return [1] if whole else [1, *[s for s in SPLITS if s * SHORTEST <= k]]


def _clocks(
    facts: DeviceFacts, dtype: str, tile: Tile, m: int, n: int, k: int, batch: int, splits: int, repeats: int = 1
) -> float:
    """The estimate of the time."""
    rounds = -(-_tiles(tile, m, n, batch) * splits // facts.processors)
    depth, size = -(-k // splits), size_of(dtype)
    multiplying, loading = _clocks_of_step(facts, dtype, tile)
    from_memory = (m + n) * k * size * batch / (repeats * facts.architecture.moved * facts.processors)
    clocks = rounds * (START + depth / tile.block_k * max(multiplying, loading))
    return max(clocks, from_memory) + _second(facts, m, n, splits)


def _clocks_of_step(facts: DeviceFacts, dtype: str, tile: Tile) -> tuple[float, float]:
    """Of BLOCK_K: its multiply-adds, and its loads."""
    multiplying = tile.block_m * tile.block_n * tile.block_k / _multiply_adds(facts, dtype)
    return multiplying, (tile.block_m + tile.block_n) * tile.block_k * size_of(dtype) / LOADED


def _multiply_adds(facts: DeviceFacts, dtype: str) -> float:
    """Of a multiprocessor in a clock."""
    has = facts.architecture
    if dtype in HALVES:
        return has.halves
    if dtype == "fp8":
        return 2 * has.halves if has.float8 else has.halves
    return {"tf32": has.tf32, "tf32x3": has.tf32 / 3}.get(dtype) or has.singles  # what has no TF32 multiplies in float32


def _second(facts: DeviceFacts, m: int, n: int, splits: int) -> float:
    """Of the launch that adds the sums of splits: they are written and read."""
    return 0.0 if splits == 1 else SECOND + 8 * splits * m * n / (facts.architecture.moved * facts.processors)
