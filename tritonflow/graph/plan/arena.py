"""Offsets in an arena: each buffer gets the lowest offset that is free for its whole life.

Time is a binary tree of periods, as in a segment tree: two children halve a period, and the leaves are single steps. A life is cut
into as few periods as possible, and each of them notes the bytes that are taken. Ranges of bytes that meet become one. So a search
reads about four periods a level, each with a few ranges, and not every buffer that lives at that time.

    >>> arena = Arena(steps=4)
    >>> [arena.take(*buffer) for buffer in ((64, 0, 1), (64, 1, 2), (128, 2, 3), (64, 3, 3))], arena.nbytes
    ([0, 64, 128, 0], 256)
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict

ALIGNMENT = 64


class Arena:
    """Memory for buffers that live from one step to another, of so many `steps`.

    Attributes:
        nbytes: what the buffers need together.
    """

    def __init__(self, steps: int) -> None:
        self.nbytes = 0
        self._steps = steps
        # Period 1 is all of the time, period k is periods 2k and 2k + 1, and period `steps + t` is step t.
        self._throughout: defaultdict[int, _Ranges] = defaultdict(_Ranges)  # bytes of lives that are cut into this period
        self._within: defaultdict[int, _Ranges] = defaultdict(_Ranges)  # bytes that are taken at some time in it

    def take(self, nbytes: int, first: int, last: int) -> int:
        """The offset of a buffer that lives from one step to another, both included."""
        periods, above = self._periods(first, last)
        taken = [self._within[period] for period in periods if period in self._within]
        taken += [self._throughout[period] for period in above if period in self._throughout]
        offset, free, k = 0, 0, 0
        while free < len(taken):  # so many of them have room at this offset
            found = taken[k].free(offset, nbytes)
            free = free + 1 if found == offset else 1
            offset, k = found, (k + 1) % len(taken)
        end = offset + -(-nbytes // ALIGNMENT) * ALIGNMENT
        self.nbytes = max(self.nbytes, end)
        if nbytes:
            for period in periods:
                self._throughout[period].add(offset, end)
            for period in (*periods, *above):
                self._within[period].add(offset, end)
        return offset

    def _periods(self, first: int, last: int) -> tuple[list[int], dict[int, None]]:
        """The periods that a life is cut into, and those above them in the tree."""
        periods: list[int] = []
        start, stop = self._steps + first, self._steps + last + 1
        while start < stop:
            if start % 2:
                periods.append(start)
                start += 1
            if stop % 2:
                stop -= 1
                periods.append(stop)
            start, stop = start // 2, stop // 2
        above: dict[int, None] = {}
        for period in periods:
            while (period := period // 2) and period not in above:
                above[period] = None
        return periods, above


class _Ranges:
    """Ranges of bytes, in order, none of which meets another."""

    __slots__ = ("starts", "ends")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, start: int, end: int) -> None:
        """Take a range, whether some of it is taken or not."""
        i, j = bisect_left(self.ends, start), bisect_right(self.starts, end)
        if i < j:
            start, end = min(start, self.starts[i]), max(end, self.ends[j - 1])
        self.starts[i:j], self.ends[i:j] = [start], [end]

    def free(self, offset: int, nbytes: int) -> int:
        """The first offset from this one on that has so many bytes behind it."""
        for k in range(bisect_right(self.ends, offset), len(self.ends)):
            if offset + nbytes <= self.starts[k]:
                break
            offset = self.ends[k]
        return offset
