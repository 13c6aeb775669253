"""A gather of a few bytes over many ranks: up a tree and down again, so that a rank has a few messages and not one of each.

        0               up: a rank has its own entry, behind it those of the ranks below it
      / | \\
     1  2  3            down: all entries
    /|\\
   4 5 6                An entry is a position among the ranks, a length, and so many bytes.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate
from time import monotonic
from typing import Any

from tritonflow.wire.memory import CPU
from tritonflow.wire.record import Message, Ranks

WIDTH = 8  # ranks directly below one
_ENTRY = struct.Struct("<iq")

Part = tuple[int, int, int]  # of a buffer, to or from a rank: that rank, the offset, how many bytes


def gather_over_tree(channel: Any, ranks: Ranks, me: int, payload: bytes, what: str) -> list[bytes]:
    """What every rank gives, in the order of `ranks`.

    Args:
        channel: a `Channel`.
        ranks: who takes part.
        me: this rank.
        payload: what it gives.
        what: for people.
    """

    def pass_on(buffer: Any, receives: Iterable[Part], sends: Iterable[Part], between: Callable[[], None] = lambda: None) -> None:
        """One collective: receive parts of a buffer, then send others."""
        received, sent = (
            [Message(rank, ctypes.addressof(buffer) + offset, nbytes, CPU) for rank, offset, nbytes in parts]
            for parts in (receives, sends)
        )
        record = channel.record("control_gather", what, ranks, sent, received)
        record.begin()
        channel.begin(record, [buffer], [], received, CPU)()
        between()
        channel.begin(record, [buffer], sent, [], CPU)()
        record.done = monotonic()

    position = ranks.index(me)
    above = [ranks[(position - 1) // WIDTH]] if position else []
    below = ranks[WIDTH * position + 1 : WIDTH * position + 1 + WIDTH]
    own = _ENTRY.pack(position, len(payload)) + payload

    sizes = (ctypes.c_int64 * (len(below) + 1))()  # of the entries of each rank below with those below it, and of this rank's
    sizes[-1] = len(own)
    add_up = partial(_add_up, sizes)
    pass_on(sizes, [(rank, 8 * k, 8) for k, rank in enumerate(below)], [(rank, 8 * len(below), 8) for rank in above], add_up)

    entries = ctypes.create_string_buffer(own, sizes[-1])
    offsets = accumulate(sizes[: len(below)], initial=len(own))
    pass_on(entries, list(zip(below, offsets, sizes)), [(rank, 0, sizes[-1]) for rank in above])

    total = ctypes.c_int64(sizes[-1])
    pass_on(total, [(rank, 0, 8) for rank in above], [(rank, 0, 8) for rank in below])

    whole = ctypes.create_string_buffer(entries.raw, total.value)
    pass_on(whole, [(rank, 0, total.value) for rank in above], [(rank, 0, total.value) for rank in below])
    return _parted(whole.raw, len(ranks))


def _add_up(sizes: Any) -> None:
    sizes[-1] = sum(sizes)


def _parted(entries: bytes, count: int) -> list[bytes]:
    """What the entries give, in the order of their positions."""
    found, offset = [b""] * count, 0
    while offset < len(entries):
        position, length = _ENTRY.unpack_from(entries, offset)
        offset += _ENTRY.size + length
        found[position] = entries[offset - length : offset]
    return found
