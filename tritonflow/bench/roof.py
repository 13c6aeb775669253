"""The share of the roof that a call reaches, and whether the roof can be believed.

The roof is that of `explain()`: the best loop of multiply-adds, and the best copy of as many bytes, that this machine has shown. It
is measured where it is used. The loop of multiply-adds also runs once in each round of a case. Where it was slower there than the
roof says, others had the machine, or its clock was lower: then neither the share nor a verdict can be believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import tritonflow as flow
from tritonflow.bench.case import Timed
from tritonflow.bench.timing import Burst, burst_of
from tritonflow.bench.verdict import SLOWED, Quantiles
from tritonflow.device.provider import facts_of
from tritonflow.graph.explain.roof_measurement import CPU_OPERANDS, peak_loop, roof_of
from tritonflow.graph.ir.cost import Cost
from tritonflow.graph.ir.roof import Products
from tritonflow.ops.precision import product_dtype

ABOVE = 1.05  # of the roof


class MeasuredRoof:
    """The roof of a device, and the loop that shows how fast the machine is now.

    Attributes:
        control: runs the loop once, and gives its seconds.
    """

    def __init__(self, device: str) -> None:
        self.device = flow.device(device)
        self.roof = roof_of(self.device)
        self.control, self._operations = peak_loop(self.device)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        products = roof_of(self.device, CPU_OPERANDS if self.device.type == "cpu" else ()).products
        return {"flops": self.roof.flops, "products": products, "bytes": self.roof.bandwidth, "copies": self.roof.copies}

    def share(self, timed: Timed, seconds: float) -> float | None:
        """The least time for what the call moves and computes, by its time; None where neither is known."""
        if not timed.bytes and not timed.flops:
            return None
        cost = Cost(round(timed.flops or 0), round(timed.bytes or 0))
        if not timed.products:
            return self.roof.seconds(cost) / seconds
        precision = self.precision(timed.products)
        roof = replace(self.roof, products=roof_of(self.device, [precision]).products)
        return roof.seconds(cost, Products(precision, cost.flops)) / seconds

    def precision(self, products: str) -> str:
        """In what products of a dtype are computed; "conv bfloat16" is of a convolution."""
        kind, _, dtype = products.rpartition(" ")
        if "float8" in dtype:
            return dtype
        return product_dtype(facts_of(self.device), getattr(flow, dtype), kind or "matmul")

    def learn(self, control: Sequence[float]) -> None:
        """The loop was faster than the roof says: that was measured while others had the machine."""
        self.roof = replace(self.roof, flops=max(self.roof.flops, self._operations / min(control)))

    def speed(self, control: Sequence[float]) -> float:
        """The speed that the loop had in four fifths of a case's rounds at least, by its best: how much of the machine was ours."""
        return self._operations / Quantiles.of(control).p80 / self.roof.flops

    def doubt(self, share: float | None, speed: float) -> str:
        """Why the share is doubtful; "" where it is not."""
        if share is None:
            return ""
        if share > ABOVE:
            return "above the roof: the call moves less than was counted, or only reads"
        return f"the machine computed at {speed:.0%} of its roof meanwhile" if speed < SLOWED else ""

    def control_burst(self, clock: str) -> Burst:
        """The loop as a rival among others: one run a burst, whatever the count."""
        if clock == "wall":  # on a GPU its own clock
            return lambda count: float(self.control())
        return lambda count: burst_of(self.control, clock=clock)(1)
