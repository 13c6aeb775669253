"""Block sizes, which are powers of two because Triton's blocks are, and launch configurations that differ in them."""

from collections.abc import Iterable, Iterator

ON_CHIP = 160 << 10  # bytes of shared memory that a program has on GPUs from sm_80 on, but for small ones


def next_power_of_2(n: int) -> int:
    """The smallest power of two that is at least n, and 1 for n < 1. (triton's own takes 4 us: it is made for kernels.)"""
    return 1 << max(n - 1, 0).bit_length()


def next_power_of_4(n: int) -> int:
    """The smallest power of four that is at least n, and 1 for n < 1."""
    return 1 << 2 * (max(n - 1, 0).bit_length() + 1 >> 1)


def tight_block(size: int, choices: tuple[int, ...]) -> int:
    """The largest block that leaves little of the last one empty, because a block costs the same when it is empty."""
    padded = {block: -(-size // block) * block for block in choices}
    limit = 1.15 * min(padded.values())
    return max(block for block in choices if padded[block] <= limit)


def variants(config: dict, *changes: dict) -> Iterator[dict]:
    """A configuration, and then its variants with other blocks or options, each once."""
    seen: list[dict] = []
    for change in ({}, *changes):
        blocks = {name: change.get(name, value) for name, value in config["constexprs"].items()}
        options = {name: change.get(name, value) for name, value in config.items()}
        found = {**options, "constexprs": blocks}
        if found not in seen:
            seen.append(found)
            yield found


def tiles_on_chip(tiles: Iterable[tuple[int, ...]], size: int, m: int, n: int) -> Iterator[dict]:
    """As changes, those of (BLOCK_M, BLOCK_N, BLOCK_K, warps, stages) that a result of m x n fills more than half of, either
    way, with as many stages as fit of operands of `size` bytes an element, if that is two at least."""
    for block_m, block_n, block_k, warps, stages in tiles:
        fitting = min(stages, ON_CHIP // ((block_m + block_n) * block_k * size))
        if block_m < 2 * m and block_n < 2 * n and fitting > 1:
            blocks = {"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": block_k}
            yield {**blocks, "num_warps": warps, "num_stages": fitting}
