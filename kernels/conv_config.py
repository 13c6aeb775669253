"""Launch configurations of the kernels of conv.py, and the sizes that these are given."""

import math
from collections.abc import Iterable, Iterator

from .block_sizes import in_one_unit, shape_class, tight_block, tiles_on_chip, variants
from .facts import DeviceFacts
from .matmul import FLOATS, TILES, precision_of
from .product_tiles import HALVES, SHORTEST, Tile, product_splits, product_tile
from .windows import position_block, position_tiles


def output_size(size: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def tap_step(stride: int, dilation: int) -> int:
    """Distance of two taps of the input gradient that meet outputs of one phase."""
    return stride // math.gcd(stride, dilation)


def last_config(
    facts: DeviceFacts,
    dtype: str,
    rows: int,
    columns: int,
    depth: int,
    taps: int,
    run: int,
    few_registers: bool,
    apart: bool = False,
) -> dict:
    """`config` where channels are neighbours, of a reduction of `depth` in runs of `run`.

    Tiles are those of a product, and positions follow each other through all images. Where results of a channel lie `apart` from
    those of the next one, a thread has registers for the addresses of few columns.
    """
    tile = product_tile(facts, dtype, rows, columns, depth, 1, few_registers or apart, taps)
    if min(rows, columns) <= 32 and tile.block_m * tile.block_n >= 2048 and dtype == "tf32":
        tile = tile._replace(warps=8)  # addresses of pixels, of four bytes each, leave few registers to 4 warps
    if apart:
        few, warps = (64, tile.warps) if facts.architecture.operands_on_chip else (32, 4)
        tile = tile._replace(block_n=min(tile.block_n, few), warps=warps)
    block_k = min(tile.block_k, shape_class(run, (16, 32, 64)))
    blocks = {"BLOCK_M": tile.block_m, "BLOCK_N": tile.block_n, "BLOCK_K": block_k, "BLOCK_W": 0}
    constexprs = {**blocks, "DOT": True, "PRECISION": precision_of(dtype)}
    return {"constexprs": constexprs, "num_warps": tile.warps, "num_stages": tile.stages}


def weight_config(
    facts: DeviceFacts, dtype: str, rows: int, channels: int, taps: int, depth: int, few_registers: bool
) -> dict:
    """`last_config` for the weight's gradient: columns are those of one tap where tiles divide channels, else (r, c, i)."""
    rule = last_config(facts, dtype, rows, channels * taps, depth, taps, depth, few_registers)
    if channels % rule["constexprs"]["BLOCK_N"] == 0:
        return rule
    return last_config(facts, dtype, rows, channels * taps, depth, taps, depth, True)


def tile_config(
    facts: DeviceFacts, dtype: str, rows: int, rows_of_positions: int, width: int, depth: int, prologue: bool = False
) -> dict:
    """`config` for a tile of channels x positions; the latter lie in `rows_of_positions` rows of `width`."""
    found = config(facts, dtype, rows, rows_of_positions * width, depth, prologue)
    blocks = found["constexprs"]
    sizes = (32, 64, 128) if is_cpu_dot(facts, dtype) else (blocks["BLOCK_N"],)
    blocks["BLOCK_N"], blocks["BLOCK_W"] = position_block(rows_of_positions, width, sizes)
    return found


def depth_config(
    facts: DeviceFacts,
    dtype: str,
    rows: int,
    columns: int,
    height: int,
    width: int,
    prologue: bool = False,
    flat: bool = False,
) -> dict:
    """`config` for a tile of output channels x columns of the weight, reduced over positions of images.

    Few columns, as of one input channel, get a narrow tile on a CPU: 1x28 to 32 channels, 3x3, 2.3 -> 1.3 ms. So do `flat` ones on
    a GPU, where a thread has an address and a mask for each element in registers.
    """
    found = config(facts, dtype, rows, columns, height * width, prologue)
    blocks = found["constexprs"]
    if is_cpu_dot(facts, dtype) and columns <= 16:
        blocks["BLOCK_N"] = 16
    if facts.kind == "gpu" and flat:
        blocks["BLOCK_N"] = min(blocks["BLOCK_N"], 64)
    sizes = (16, 32, 64, 128, 256) if is_cpu_dot(facts, dtype) else (blocks["BLOCK_K"],)
    blocks["BLOCK_K"], blocks["BLOCK_W"] = position_block(height, width, sizes)
    return found


def last_candidates(
    facts: DeviceFacts, dtype: str, rows: int, columns: int, rule: dict, prologue: bool = False
) -> Iterator[dict]:
    """The configuration of `last_config`, and others that may be faster. All add in the same order."""
    size = 2 if dtype in HALVES and not prologue else 4
    return variants(rule, *tiles_on_chip(facts, TILES.get(dtype, ()), size, rows, columns))


def tile_candidates(
    facts: DeviceFacts, dtype: str, rows: int, rows_of_positions: int, width: int, depth: int, prologue: bool = False
) -> Iterator[dict]:
    """The configuration of `tile_config`, and others that may be faster. All add in the same order."""
    rule = tile_config(facts, dtype, rows, rows_of_positions, width, depth, prologue)
    if is_cpu_dot(facts, dtype):
        columns = [{"BLOCK_N": n} for n in (32, 64, 128)]
        changes: Iterable[dict] = [*columns, *[{"BLOCK_M": m} for m in (16, 32, 64, 128) if m < 2 * rows]]
    else:
        size = 2 if dtype in HALVES and not prologue else 4
        changes = tiles_on_chip(facts, TILES.get(dtype, ()), size, rows, rows_of_positions * width)
    found = []
    for change in changes:
        wanted = change.get("BLOCK_N", rule["constexprs"]["BLOCK_N"])
        positions, block_w = position_block(rows_of_positions, width, (wanted,))
        found.append({**change, "BLOCK_N": positions, "BLOCK_W": block_w})
    return in_one_unit(facts, variants(rule, *found))


def depth_candidates(
    facts: DeviceFacts, dtype: str, rows: int, columns: int, rule: dict, prologue: bool = False
) -> Iterator[dict]:
    """The configuration of `depth_config`, and others that may be faster: with its BLOCK_K and BLOCK_W, which order the sum."""
    if is_cpu_dot(facts, dtype):
        tiles = ((16, 64), (32, 32), (32, 128), (64, 64), (64, 128), (128, 32), (128, 128))
        fitting = [{"BLOCK_M": m, "BLOCK_N": n} for m, n in tiles if m < 2 * rows and n < 2 * columns]
        return in_one_unit(facts, variants(rule, *fitting))
    deep = rule["constexprs"]["BLOCK_K"]
    tiles_ = [(m, n, deep, warps, stages) for m, n, _, warps, stages in TILES.get(dtype, ())]
    return variants(rule, *tiles_on_chip(facts, tiles_, 2 if dtype in HALVES and not prologue else 4, rows, columns))


def is_cpu_dot(facts: DeviceFacts, dtype: str) -> bool:
    return facts.kind == "cpu" and dtype in FLOATS


def tiles(blocks: dict, rows: int, rows_of_positions: int, width: int) -> int:
    return -(-rows // blocks["BLOCK_M"]) * position_tiles(
        rows_of_positions, width, blocks["BLOCK_N"], blocks["BLOCK_W"]
    )


def config(facts: DeviceFacts, dtype: str, rows: int, columns: int, depth: int, prologue: bool = False) -> dict:
    """Constexprs for a tile of (rows, columns) reduced over `depth`, and launch options; `prologue` as in `matmul.config`."""
    if dtype not in FLOATS:
        blocks = {"BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16}
        return {"constexprs": {**blocks, "DOT": False, "PRECISION": "ieee"}, "num_warps": 4, "num_stages": 1}
    if facts.kind == "cpu":
        blocks = {
            "BLOCK_M": tight_block(rows, (4, 8, 16, 32, 64, 128)),
            "BLOCK_N": tight_block(columns, (32, 64, 128)),
            "BLOCK_K": shape_class(depth, (16, 32, 64, 128, 256)),
        }
        return {"constexprs": {**blocks, "DOT": True, "PRECISION": "ieee"}, "num_warps": 1, "num_stages": 1}
    half = dtype in HALVES
    block_m = shape_class(rows, (16, 32, 64, 128) if half else (16, 32, 64))
    blocks = {
        "BLOCK_M": block_m,
        "BLOCK_N": shape_class(columns, (64, 128) if half else (32, 64)),
        "BLOCK_K": shape_class(depth, (16, 32)) if half or dtype == "tf32" else 16,
    }
    num_warps = 8 if block_m == 128 else 4
    return {
        "constexprs": {**blocks, "DOT": True, "PRECISION": precision_of(dtype)},
        "num_warps": num_warps,
        "num_stages": 3 if half and not prologue else 2,
    }


def last_splits(
    facts: DeviceFacts, dtype: str, rule: dict, rows: int, columns: int, batch: int, image: int, taps: int
) -> int:
    """The number of splits of the batch in the weight gradient where channels are neighbours, of images of so many positions."""
    blocks = rule["constexprs"]
    tile = Tile(blocks["BLOCK_M"], blocks["BLOCK_N"], blocks["BLOCK_K"], rule["num_warps"], rule["num_stages"])
    choices = range(1, 1 + max(1, min(batch, batch * image // SHORTEST, 64)))
    return product_splits(facts, dtype, rows, columns, batch * image, 1, tile, taps, choices)


def splits_of_batch(facts: DeviceFacts, batch: int, tiles: int, weight: int, image: int) -> int:
    """The number of splits of the batch in the weight gradient: for enough programs and, on a CPU, for its caches.

    A program for every tap reads the images again. Those of one part stay in cache if they are few, which pays where
    a part's `weight` elements are few beside its images' (64x56 3x3: 0.83 of torch's speed instead of 0.72; 32x14 to 64
    channels: 9.5 -> 7.7 ms).
    """
    if facts.kind == "cpu" and image:
        images = max(1, 8 * weight // image)
        if images * image <= facts.cache // 4:
            return max(1, -(-batch // images))
    if facts.kind == "cpu" and 2 * weight <= image:
        return max(1, batch)
    wanted = 256 if facts.kind == "gpu" else 4
    return max(1, min(batch, wanted // max(tiles, 1), 64))
