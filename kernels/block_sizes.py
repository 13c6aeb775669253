"""Block sizes, which are powers of two because Triton's blocks are, and launch configurations that differ in them."""

from collections.abc import Iterable, Iterator

from .facts import DeviceFacts


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


def shape_class(size: int, classes: tuple[int, ...]) -> int:
    """The smallest class that holds `size`, the largest one if none does."""
    for c in classes:
        if size <= c:
            return c
    return classes[-1]


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


def in_one_unit(facts: DeviceFacts, found: Iterable[dict]) -> Iterator[dict]:
    """Of configurations of a product those that a CPU multiplies by the same instructions as the first one.

    Its matrix unit takes whole tiles alone, and adds in an order of its own.
    """
    first = None
    for config in found:
        whole = [config["constexprs"][f"BLOCK_{d}"] % 16 == 0 for d in "MN"] + [config["constexprs"]["BLOCK_K"] % 32 == 0]
        first = first or whole
        if whole == first or not facts.tiles:
            yield config


def on_chip(facts: DeviceFacts) -> int:
    """Bytes of shared memory that tiles may fill: not what a program's barriers and other values take."""
    return facts.shared_memory - (3 << 10)


def tiles_on_chip(facts: DeviceFacts, tiles: Iterable[tuple[int, ...]], size: int, m: int, n: int) -> Iterator[dict]:
    """The `tiles` (BLOCK_M, BLOCK_N, BLOCK_K, warps, stages) that suit a result of m x n, as changes of a configuration.

    A tile suits if the result fills more than half of it in both directions, and if two stages at least fit on chip. It gets as
    many stages as fit, with operands of `size` bytes an element.
    """
    for block_m, block_n, block_k, warps, stages in tiles:
        fitting = min(stages, on_chip(facts) // ((block_m + block_n) * block_k * size))
        if block_m < 2 * m and block_n < 2 * n and fitting > 1:
            blocks = {"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": block_k}
            yield {**blocks, "num_warps": warps, "num_stages": fitting}
