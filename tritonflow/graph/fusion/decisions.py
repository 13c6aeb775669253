"""Why ops are one kernel or several: what the fusing passes note for `explain`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tritonflow.graph.fusion.price import Prices
from tritonflow.graph.ir import Compute

BETWEEN = "something outside has to run between them"


class Decision(NamedTuple):
    """Whether some ops became one kernel with others.

    Attributes:
        ops, others: of both sides.
        how: what the ops do with the others, or do not.
        reason: why, or why it cannot be; empty where prices tell.
        prices: what was compared, by estimate.
        settled: whether they did, where the reason tells.
    """

    ops: Sequence[Compute]
    others: Sequence[Compute]
    how: str
    reason: str = ""
    prices: Prices | None = None
    settled: bool = False

    @property
    def taken(self) -> bool:
        """Whether they did."""
        return self.settled if self.prices is None else self.prices.pays
