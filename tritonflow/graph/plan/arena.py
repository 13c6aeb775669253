"""Offsets in an arena: each buffer at the lowest offset that is free for its whole life.

Time is halved again and again, down to single steps, as in a segment tree; a life is the few largest parts that it is made of.
What is taken is noted there as ranges of bytes, those that meet as one. So a search looks at about four parts a level, each a few
ranges where buffers lie close together, and not at every buffer that lives at that time.

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
        # Part 1 is all of the time, part k is parts 2k and 2k + 1, and part `steps + t` is step t.
        self._throughout: defaultdict[int, _Ranges] = defaultdict(_Ranges)  # taken by lives that have this part
        self._within: defaultdict[int, _Ranges] = defaultdict(_Ranges)  # taken at some time of this part

    def take(self, nbytes: int, first: int, last: int) -> int:
        """The offset of a buffer that lives from one step to another, both included."""
        parts, above = self._parts(first, last)
        taken = [self._within[part] for part in parts if part in self._within]
        taken += [self._throughout[part] for part in above if part in self._throughout]
        offset, free, k = 0, 0, 0
        while free < len(taken):  # where the last ones have room
            found = taken[k].free(offset, nbytes)
            free = free + 1 if found == offset else 1
            offset, k = found, (k + 1) % len(taken)
        end = offset + -(-nbytes // ALIGNMENT) * ALIGNMENT
        self.nbytes = max(self.nbytes, end)
        if nbytes:
            for part in parts:
                self._throughout[part].add(offset, end)
            for part in (*parts, *above):
                self._within[part].add(offset, end)
        return offset

    def _parts(self, first: int, last: int) -> tuple[list[int], dict[int, None]]:
        """The largest parts that a life is made of, and those that hold them."""
        parts: list[int] = []
        start, stop = self._steps + first, self._steps + last + 1
        while start < stop:
            if start % 2:
                parts.append(start)
                start += 1
            if stop % 2:
                stop -= 1
                parts.append(stop)
            start, stop = start // 2, stop // 2
        above: dict[int, None] = {}
        for part in parts:
            while (part := part // 2) and part not in above:
                above[part] = None
        return parts, above


class _Ranges:
    """Ranges of bytes, in order, none of which meets another."""

    __slots__ = ("starts", "ends")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, start: int, end: int) -> None:
        """Take a range, whether parts of it are taken or not."""
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
