"""Where the buffers of a program for many sizes lie, as rules: each on top of those on which it lies for the first sizes.

For these the largest buffers get their offsets first (`arena.py`). Then an offset is no number any more, but the largest end among
the buffers below that live at the same time. That is valid for all sizes. Only the direct neighbours below count.

        | c  |            offset of a: 0,  of b: 0,  of c: the larger one of the ends of a and b
    | a |  b   |
    ---------------> time

Which buffers are large changes with the sizes. Rules serve sizes for which they need at most a tenth more than what lives at one
time, or no more of it than for their own sizes. For others there are other rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any

from tritonflow.framework.symbolic_int import is_symbolic
from tritonflow.graph.plan.arena import ALIGNMENT
from tritonflow.graph.plan.memory import Buffer, assign_offsets
from tritonflow.graph.plan.memory_kind import MemoryKind

ENOUGH = 1.1  # of what lives at one time: rules that need so many bytes serve
MOST = 8  # rules of the same buffers


class ArenaRules:
    """The rules of some buffers, whose bytes may be symbolic."""

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        sizes: list[Any] = [each.nbytes for each in buffers]
        keys = [size.expression if is_symbolic(size) else size for size in sizes]
        self._sizes = list(dict(zip(keys, sizes)).values())
        of = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self._buffers = [(of[key], each.first, each.last) for key, each in zip(keys, buffers)]
        # A negative position is of what ends: positions in the sizes, and in their negatives in the other order.
        ends = [(each.last + 1, ~of[key]) for key, each in zip(keys, buffers)]
        begins = [(each.first, of[key]) for key, each in zip(keys, buffers)]
        self._changes = itemgetter(*[position for _, position in sorted([*begins, *ends])]) if keys else tuple
        self._rules: list[_Rules] = []

    def at(self, numbers: Sequence[Any]) -> tuple[int, list[int]]:
        """The bytes of all, and the offset of each, for the numbers of a run."""
        nbytes = [-(-(n if type(n) is int else n.evaluate(numbers)) // ALIGNMENT) * ALIGNMENT for n in self._sizes]
        changes = [*nbytes, *[-n for n in reversed(nbytes)]]
        living = max(accumulate(self._changes(changes)), default=0)
        found: list[tuple[int, list[int]]] = []
        for position, rules in enumerate(self._rules):
            found.append(rules.at(nbytes))
            if found[-1][0] <= rules.enough * living:
                if position:
                    self._rules.insert(0, self._rules.pop(position))
                return found[-1]
        if len(self._rules) < MOST:
            self._rules.append(_Rules(self._buffers, nbytes))
            found.append(self._rules[-1].at(nbytes))
            self._rules[-1].enough = max(ENOUGH, found[-1][0] / max(living, 1))
        return min(found, key=lambda each: each[0])


class _Rules:
    """Those that are best for some bytes.

    Attributes:
        enough: of what lives at one time: if they need at most so many bytes, they serve.
    """

    enough: float

    def __init__(self, buffers: Sequence[tuple[int, int, int]], nbytes: Sequence[int]) -> None:
        placed = [Buffer(MemoryKind.ARENA, nbytes[size], 0, first, last) for size, first, last in buffers]
        assign_offsets(placed)
        order = sorted(range(len(placed)), key=lambda k: placed[k].offset)
        below = _neighbours([placed[k] for k in order])
        self._each = [(k, buffers[k][0], [order[j] for j in below[number]]) for number, k in enumerate(order)]

    def at(self, nbytes: Sequence[int]) -> tuple[int, list[int]]:
        """The bytes of all buffers, and the offset of each, for these bytes."""
        offsets, ends = [0] * len(self._each), [0] * len(self._each)
        for k, size, below in self._each:
            offset = offsets[k] = max([ends[j] for j in below]) if below else 0
            ends[k] = offset + nbytes[size]
        return max(ends, default=0), offsets


def _neighbours(buffers: Sequence[Buffer]) -> list[list[int]]:
    """Of each of the buffers, which are sorted by offset, those directly below it that live at the same time."""
    last = max([buffer.last for buffer in buffers], default=-1)
    begun, ended = [0] * (last + 2), [0] * (last + 2)  # by steps: sets, as bits, of the buffers that begin at it, and end before it
    for number, buffer in enumerate(buffers):
        begun[buffer.first] |= 1 << number
        ended[buffer.last + 1] |= 1 << number
    for step in range(1, last + 2):
        begun[step] |= begun[step - 1]
        ended[step] |= ended[step - 1]
    below: list[int] = []
    found: list[list[int]] = []
    for number, buffer in enumerate(buffers):
        below.append(begun[buffer.last] & ~ended[buffer.first] & ((1 << number) - 1))
        left, direct = below[-1], list[int]()
        while left:
            direct.append(left.bit_length() - 1)
            left &= ~(below[direct[-1]] | 1 << direct[-1])
        found.append(direct)
    return found
