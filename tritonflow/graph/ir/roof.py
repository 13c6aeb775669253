"""The best that a device can do: operations a second, with matrix units too, and the times of copies of several sizes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

from tritonflow.graph.ir.cost import Cost


class Products(NamedTuple):
    """The matrix products in a kernel.

    Attributes:
        dtype: of the operands, as `ops/precision.py` names it: Triton's name, "tf32" or "tf32x3".
        flops: their operations.
    """

    dtype: str
    flops: int


@dataclass(frozen=True)
class Roof:
    """What a device can do.

    Attributes:
        flops: operations a second.
        copies: bytes moved by a copy, and the seconds that it takes; in ascending order.
        products: by dtype, operations a second of matrix products, where matrix units have a rate of their own.
        spread: of the runs that measured it now, the median's time above the fastest one's, as part of that; of the worst kernel.
    """

    flops: float
    copies: list[tuple[int, float]]
    products: Mapping[str, float] = field(default_factory=dict)
    spread: float = field(default=0.0, compare=False)

    def seconds(self, cost: Cost, products: Products | None = None) -> float:
        """The least time for a kernel of this cost, `products` being a part of it: matrix units work beside all others."""
        rate = None if products is None else self.products.get(products.dtype)
        if products is None or rate is None:
            return max(cost.flops / self.flops, self.moving(cost.bytes))
        return max((cost.flops - products.flops) / self.flops, products.flops / rate, self.moving(cost.bytes))

    @property
    def bandwidth(self) -> float:
        """Bytes a second of the largest copy."""
        nbytes, seconds = self.copies[-1]
        return nbytes / seconds

    def or_better(self, other: Roof) -> Roof:
        """The better of both, in each respect."""
        copies = [(nbytes, min(a, b)) for (nbytes, a), (_, b) in zip(self.copies, other.copies)]
        return Roof(max(self.flops, other.flops), copies, spread=other.spread).without_stalls()

    def without_stalls(self) -> Roof:
        """The same with the times that cannot be: fewer bytes never take longer than more, but where others had the machine."""
        copies, least = [], inf
        for nbytes, seconds in reversed(self.copies):
            least = min(least, seconds)
            copies.append((nbytes, least))
        return replace(self, copies=copies[::-1])

    def moving(self, nbytes: int) -> float:
        """The least time in which so many bytes are moved."""
        at = bisect_left(self.copies, (nbytes, 0.0))
        if at == 0:
            return self.copies[0][1]
        if at == len(self.copies):
            return nbytes / self.bandwidth
        (below, fast), (above, slow) = self.copies[at - 1 : at + 1]
        return fast + (slow - fast) * (nbytes - below) / (above - below)
