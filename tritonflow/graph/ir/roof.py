"""The best that a device can do: operations a second, and the times of copies of several sizes."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from tritonflow.graph.ir.cost import Cost


@dataclass(frozen=True)
class Roof:
    """What a device can do.

    Attributes:
        flops: operations a second.
        copies: bytes moved by a copy, and the seconds that it takes; in ascending order.
    """

    flops: float
    copies: list[tuple[int, float]]

    def seconds(self, cost: Cost) -> float:
        """The least time for a kernel of this cost."""
        return max(cost.flops / self.flops, self.moving(cost.bytes))

    @property
    def bandwidth(self) -> float:
        """Bytes a second of the largest copy."""
        nbytes, seconds = self.copies[-1]
        return nbytes / seconds

    def or_better(self, other: Roof) -> Roof:
        """The better of both, in each respect."""
        copies = [(nbytes, min(a, b)) for (nbytes, a), (_, b) in zip(self.copies, other.copies)]
        return Roof(max(self.flops, other.flops), copies)

    def moving(self, nbytes: int) -> float:
        """The least time in which so many bytes are moved."""
        at = bisect_left(self.copies, (nbytes, 0.0))
        if at == 0:
            return self.copies[0][1]
        if at == len(self.copies):
            return nbytes / self.bandwidth
        (below, fast), (above, slow) = self.copies[at - 1 : at + 1]
        return fast + (slow - fast) * (nbytes - below) / (above - below)
