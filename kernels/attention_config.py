"""Launch configurations of the kernels of attention.py and attention_gradients.py."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from .block_sizes import next_power_of_2, on_chip, shape_class, variants
from .facts import DeviceFacts
from .matmul import precision_of

# Of a GPU's kernels: (rows or columns that a program owns, those of a block that it walks over, warps, stages), by the kernel, the
# widest head and the bytes of a number, and what is computed beside where that wants others. A fifth number is the most registers
# of a thread, for one more program on a multiprocessor. Wide heads and wide numbers take smaller tiles, as their sums are in
# registers.
TILES: dict[tuple[str | int, ...], tuple[int, ...]] = {
    ("forward", 64, 2): (64, 64, 4, 2, 128), ("forward", 128, 2): (128, 64, 8, 3), ("forward", 256, 2): (128, 64, 8, 2),
    ("forward", 64, 4): (64, 32, 4, 2), ("forward", 128, 4): (32, 32, 4, 2), ("forward", 256, 4): (16, 16, 8, 1),
    ("forward", 64, 8): (64, 32, 4, 2), ("forward", 128, 8): (32, 32, 4, 1),
    ("queries", 64, 2): (64, 64, 4, 2, 128), ("queries", 128, 2): (64, 64, 4, 2), ("queries", 256, 2): (128, 32, 8, 2),
    ("queries", 64, 4): (64, 32, 4, 2), ("queries", 128, 4): (16, 16, 4, 1), ("queries", 256, 4): (16, 16, 8, 1),
    ("queries", 64, 8): (32, 32, 4, 1), ("queries", 128, 8): (16, 16, 4, 1),
    ("keys", 64, 2): (64, 64, 4, 2), ("keys", 128, 2): (128, 64, 8, 2), ("keys", 256, 2): (64, 16, 8, 2),
    ("keys", 64, 4): (64, 16, 4, 2), ("keys", 128, 4): (16, 32, 4, 1), ("keys", 256, 4): (16, 16, 8, 1),
    ("keys", 64, 8): (32, 32, 4, 1), ("keys", 128, 8): (16, 16, 4, 1),
    ("forward", 64, 2, "mask"): (128, 64, 8, 2), ("forward", 64, 2, "dropout"): (128, 64, 8, 2),
    ("forward", 64, 2, "mask and dropout"): (128, 64, 8, 2), ("queries", 64, 2, "mask and dropout"): (128, 64, 8, 2),
    ("queries", 64, 2, "mask"): (64, 64, 4, 2), ("queries", 64, 2, "dropout"): (64, 64, 4, 2),
    ("queries", 128, 2, "mask"): (128, 64, 8, 2), ("queries", 128, 2, "dropout"): (128, 32, 8, 2),
    ("keys", 128, 2, "dropout"): (64, 64, 8, 2),
    ("keys", 128, 2, "mask and dropout"): (64, 64, 8, 2), ("queries", 128, 2, "mask and dropout"): (128, 32, 8, 2),
    ("forward", 64, 2, "window"): (64, 64, 4, 2, 168),
    ("queries", 64, 2, "window"): (64, 64, 4, 2), ("keys", 64, 2, "window"): (64, 32, 4, 2),
    ("keys", 64, 4, "window"): (32, 32, 8, 2),
    ("keys", 128, 2, "window"): (64, 32, 8, 2), ("keys", 128, 4, "window"): (16, 32, 8, 1),
    ("forward", 128, 2, "window and dropout"): (128, 32, 8, 2),
    ("forward", 256, 2, "edit"): (128, 32, 8, 2), ("queries", 128, 4, "edit"): (16, 16, 8, 1),
}  # fmt: skip
LIKE = {"edit": "mask", "window and dropout": "mask and dropout"}  # whose tiles another one has, where it has none of its own
# Of groups of four warps that multiply float32: beside masks and dropout they have registers for few sums.
MASKED_TILES = {
    ("forward", 64, 4, "mask and dropout"): (64, 16, 8, 2),
    ("queries", 64, 4, "mask"): (64, 16, 8, 2), ("queries", 64, 4, "dropout"): (64, 16, 8, 2),
    ("queries", 64, 4, "mask and dropout"): (16, 32, 4, 1),
    ("keys", 64, 4, "mask"): (16, 64, 4, 1), ("keys", 64, 4, "dropout"): (16, 64, 4, 1),
    ("keys", 64, 4, "mask and dropout"): (16, 64, 4, 1),
    ("forward", 128, 4, "mask"): (16, 32, 4, 1), ("forward", 128, 4, "dropout"): (16, 32, 4, 1),
    ("forward", 128, 4, "mask and dropout"): (16, 32, 4, 1),
    ("queries", 128, 4, "dropout"): (16, 16, 8, 1), ("queries", 128, 4, "mask and dropout"): (16, 16, 8, 1),
    ("keys", 128, 4, "dropout"): (16, 32, 8, 1), ("keys", 128, 4, "mask and dropout"): (16, 32, 8, 1),
}  # fmt: skip
# Of GPUs that have operands of products in registers, where others' tiles spill.
SMALL_TILES: dict[tuple[str | int, ...], tuple[int, ...]] = {
    ("forward", 64, 2): (128, 64, 8, 2), ("queries", 64, 2): (128, 64, 8, 2),
    ("forward", 128, 2): (128, 32, 8, 2), ("forward", 256, 2): (64, 32, 8, 2),
    ("forward", 64, 4): (64, 16, 4, 2, 240), ("forward", 128, 4): (32, 32, 8, 2),
    ("queries", 128, 2): (128, 32, 8, 2), ("queries", 256, 2): (64, 32, 8, 1), ("queries", 64, 4): (32, 16, 4, 2),
    ("keys", 64, 2): (64, 32, 4, 2), ("keys", 128, 2): (64, 64, 8, 2), ("keys", 256, 2): (32, 32, 8, 2),
    ("keys", 64, 4): (32, 32, 8, 2),
    ("forward", 128, 2, "mask"): (64, 32, 4, 2), ("forward", 128, 2, "mask and dropout"): (64, 32, 4, 2),
    ("queries", 64, 2, "mask"): (128, 32, 8, 2), ("queries", 64, 2, "dropout"): (64, 32, 4, 1),
    ("queries", 64, 2, "mask and dropout"): (64, 32, 4, 1), ("queries", 128, 2, "mask"): (128, 32, 8, 2),
    ("queries", 128, 2, "dropout"): (32, 32, 4, 2), ("queries", 128, 2, "mask and dropout"): (64, 32, 4, 1),
    ("keys", 128, 2, "dropout"): (64, 32, 8, 2), ("forward", 128, 2, "window"): (64, 32, 4, 2),
}  # fmt: skip
# Of products of float32 by no matrix unit, and of those in tensor memory, which takes tiles of 64 rows and more: sums and parts of
# operands pass through registers.
SINGLE_TILES = {
    ("forward", 64, 4): (64, 16, 8, 2), ("forward", 128, 4): (32, 16, 8, 2),
    ("queries", 64, 4): (32, 16, 4, 2), ("queries", 128, 4): (16, 16, 8, 1), ("queries", 256, 4): (16, 16, 8, 1),
    ("keys", 64, 4): (64, 16, 8, 1), ("keys", 128, 4): (16, 16, 4, 1), ("keys", 256, 4): (16, 16, 8, 1),
}  # fmt: skip
TENSOR_MEMORY_TILES = {
    ("queries", 64, 2): (64, 64, 4, 2), ("keys", 256, 2): (64, 32, 8, 2),
    ("queries", 64, 4): (64, 32, 8, 2), ("keys", 64, 4): (64, 16, 8, 2),
    ("forward", 256, 4): (64, 32, 8, 1), ("queries", 256, 4): (64, 16, 8, 1), ("keys", 256, 4): (64, 16, 8, 1),
}  # fmt: skip
# Rows up to which broadcasting beats products on a CPU, which multiplies pairs of 16-bit numbers at once.
FEW_ROWS = {"fp32": 8, "fp64": 8}
BYTES = {"fp32": 4, "tf32": 4, "tf32x3": 4, "fp64": 8}  # of an element, by what products are computed in


def config(
    facts: DeviceFacts, dtype: str, m: int, n: int, d: int, e: int, backward: bool = False, beside: str = ""
) -> dict:
    """Constexprs and launch options. On a GPU those of the backward's kernel that owns columns are apart, in `keys`.

    beside: "mask", "dropout", "mask and dropout", "edit" or, of windows, sequences and edits, "window and dropout", for which
        kernels have no registers beside large tiles; "window", also of sequences, whose edges take some; "" for none.
    """
    width = {"BLOCK_D": max(next_power_of_2(d), 16), "BLOCK_E": max(next_power_of_2(e), 16)}
    if facts.kind == "cpu":
        wide = max(width.values()) * {"fp32": 2, "fp64": 4}.get(dtype, 1) * (2 if backward else 1)
        few = not backward and m <= FEW_ROWS.get(dtype, 1)
        rows, columns = (shape_class(m, (1, 2, 4, 8)), 32) if few else (min(_class(m), 64), min(_class(n), 64))
        constexprs = {"BLOCK_M": rows, "BLOCK_N": columns, **width, "PRECISION": "ieee", "SPLIT": False}
        if not backward:
            constexprs["FEW"] = few
        return {"constexprs": constexprs, "num_warps": 1, "num_stages": 2 if wide <= 256 else 1}
    rows, columns, options = _tile(facts, "queries" if backward else "forward", dtype, m, n, *width.values(), beside)
    constexprs = {"BLOCK_M": rows, "BLOCK_N": columns, **width, "PRECISION": precision_of(dtype), "SPLIT": True}
    found = {"constexprs": constexprs, **options}
    if not backward:
        constexprs["FEW"] = False
    else:
        columns, rows, options = _tile(facts, "keys", dtype, n, m, *width.values(), beside)
        rows = max(rows // 2, 16) if beside not in ("", "window") else rows
        found["keys"] = {"BLOCK_M": rows, "BLOCK_N": columns, **options}
    return found


def _class(size: int) -> int:
    return shape_class(size, (16, 32, 64, 128))


@lru_cache(maxsize=16)
def _tiles_for(facts: DeviceFacts, dtype: str) -> dict[tuple[Any, ...], tuple[int, int, int, int]]:
    """Those of TILES, or what takes their place."""
    has = facts.architecture
    others = TENSOR_MEMORY_TILES if has.matrix_units == "tensor memory" else MASKED_TILES
    others = others if has.operands_on_chip else SMALL_TILES
    return {**TILES, **others, **(SINGLE_TILES if dtype == "fp32" else {})}


def _tile(
    facts: DeviceFacts, kernel: str, dtype: str, own: int, other: int, d: int, e: int, beside: str
) -> tuple[int, int, dict]:
    """(rows or columns that a program owns, those of a block, launch options) of a GPU's kernel."""
    size = BYTES.get(dtype, 2)
    tiles = _tiles_for(facts, dtype)
    key = kernel, max(d, e, 64), size
    most, block, warps, stages, *registers = tiles.get((*key, beside), tiles.get((*key, LIKE.get(beside)), tiles[key]))
    owned, block = min(_class(own), most), min(_class(other), block)
    fixed = owned * (d if kernel == "forward" else d + e) * size
    while fixed + stages * block * (d + e) * size > facts.shared_memory and block > 16:
        block //= 2
    drawn = kernel != "keys" and owned == 32 and "dropout" in beside  # random words take registers, and 4 warps of it get few
    few = 8 if drawn else 4
    most_registers = registers[0] if registers and owned == most else None
    if owned < most and beside and size == 4:
        most_registers = 240  # the compiler would mean to have small tiles in 128 registers, and miss it by some bytes
    return owned, block, {"num_warps": warps if owned == most else few, "num_stages": stages, "maxnreg": most_registers}


# (BLOCK_M, BLOCK_N, warps, stages); forward the rule's BLOCK_N stays, in which a row's scores are added up. On a GPU those of the
# backward are (rows or columns that a program owns, 0, warps, stages): blocks in which sums go on stay as they are.
ROWS = {
    "cpu": ((32, 0, 1, 1), (64, 0, 1, 1), (128, 0, 1, 1)),
    "gpu": ((32, 0, 4, 2), (64, 0, 4, 2), (64, 0, 4, 3), (128, 0, 4, 2), (128, 0, 8, 2), (128, 0, 8, 3)),
}
PAIRS = {
    "cpu": ((32, 32, 1, 1), (32, 64, 1, 1), (64, 32, 1, 1), (64, 128, 1, 1), (128, 64, 1, 1), (128, 128, 1, 1)),
    "gpu": ((32, 0, 4, 2), (64, 0, 4, 2), (64, 0, 4, 3), (64, 0, 8, 2), (128, 0, 8, 2), (128, 0, 8, 1)),
}


def candidates(
    facts: DeviceFacts, dtype: str, m: int, n: int, d: int, e: int, backward: bool = False, beside: str = ""
) -> Iterator[dict]:
    """What `config` gives, and what may be faster; all add in the same order."""
    rule = config(facts, dtype, m, n, d, e, backward, beside)
    blocks, size, changes = rule["constexprs"], BYTES.get(dtype, 2), []
    for block_m, block_n, num_warps, num_stages in (PAIRS if backward else ROWS)[facts.kind] if dtype != "fp64" else ():
        block_n = block_n or blocks["BLOCK_N"]
        rows = (block_m + block_n) * (blocks["BLOCK_D"] + blocks["BLOCK_E"])
        fits = facts.kind == "cpu" or rows * size * num_stages <= on_chip(facts)
        if fits and block_m < 2 * m and block_n < 2 * n:
            options = {} if facts.kind == "cpu" else {"num_warps": num_warps, "num_stages": num_stages, "maxnreg": None}
            change = {"BLOCK_M": block_m, "BLOCK_N": block_n, **options}
            if "keys" in rule:
                change["keys"] = {**rule["keys"], "BLOCK_N": min(block_m, _class(n)), **options}
            changes.append(change)
    return variants(rule, *changes)
