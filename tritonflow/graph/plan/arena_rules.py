"""Where the buffers of a program for many sizes lie, as rules: each on top of those on which it lies for the first sizes.

For these the largest buffers get their offsets first (`arena.py`). Then an offset is no number any more, but the largest end among
the buffers below that live at the same time. That is valid for all sizes. Only the direct neighbours below count.

        | c  |            offset of a: 0,  of b: 0,  of c: the larger one of the ends of a and b
    | a |  b   |
    ---------------> time
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.framework.symbolic_int import is_symbolic
from tritonflow.graph.plan.arena import ALIGNMENT
from tritonflow.graph.plan.memory import Buffer


class ArenaRules:
    """The rules of some buffers.

    Args:
        buffers: with the offsets that they have for some sizes.
        sizes: what bytes they have, for other sizes, too: integers that may be symbolic.
    """

    def __init__(self, buffers: Sequence[Buffer], sizes: Sequence[Any]) -> None:
        keys = [size.expression if is_symbolic(size) else size for size in sizes]
        self._sizes = list(dict(zip(keys, sizes)).values())
        of = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        order = sorted(range(len(buffers)), key=lambda k: buffers[k].offset)
        below = _neighbours([buffers[k] for k in order])
        self._rules = [(k, of[keys[k]], [order[j] for j in below[number]]) for number, k in enumerate(order)]

    def at(self, numbers: Sequence[Any]) -> tuple[int, list[int]]:
        """The bytes of all, and the offset of each, for the numbers of a run."""
        nbytes = [-(-(n if type(n) is int else n.evaluate(numbers)) // ALIGNMENT) * ALIGNMENT for n in self._sizes]
        offsets, ends = [0] * len(self._rules), [0] * len(self._rules)
        for k, size, below in self._rules:
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
