"""Pieces of nearly one size."""

from __future__ import annotations

from tritonflow.framework.shards import balanced


def BalancedRanges(total: int, part_size: int) -> list[tuple[int, int]]:
    """Where each of so many pieces begins and ends, whose sizes differ by one at most."""
    return [balanced(total, part_size, k) for k in range(part_size)]


def BalancedPartNums(total: int, part_size: int) -> list[int]:
    """The sizes of so many pieces."""
    return [stop - start for start, stop in BalancedRanges(total, part_size)]
