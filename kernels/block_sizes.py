"""Block sizes: powers of two, because Triton's blocks are."""


def next_power_of_2(n: int) -> int:
    """The smallest power of two that is at least n, and 1 for n < 1. (triton's own takes 4 us: it is made for kernels.)"""
    return 1 << max(n - 1, 0).bit_length()


def next_power_of_4(n: int) -> int:
    """The smallest power of four that is at least n, and 1 for n < 1."""
    return 1 << 2 * (max(n - 1, 0).bit_length() + 1 >> 1)


def tight_block(size: int, choices: tuple[int, ...]) -> int:
    """The largest block that leaves little of its last one empty: a block's cost does not fall with what it has to do."""
    padded = {block: -(-size // block) * block for block in choices}
    limit = 1.15 * min(padded.values())
    return max(block for block in choices if padded[block] <= limit)
