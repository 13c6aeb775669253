"""What an explanation knows: a row for each kernel of a graph, and the totals of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tritonflow.graph.ir.cost import Cost
from tritonflow.graph.ir.roof import Roof
from tritonflow.ops.tuning import Choice


@dataclass(frozen=True)
class KernelRow:
    """A step of the graph: one kernel, or the few that an op takes.

    Attributes:
        number: its position in the order of execution.
        title, kind, launches: the ops in it; "product", "reduction", "fused", "optimizer", "copy", "wire" or "other"; its kernels.
        lines: (op, "file.py:12", the line) of each op in it.
        reads, writes: its operands.
        follows: the numbers of the steps that wrote what it uses.
        cost, seconds, share: its bytes and operations, its measured time, and that as part of all.
        roof: the least time that the device allows, as part of the measured one.
        sources: the names of the sources of its functions, keys of `Explanation.sources`.
        why: what was decided about its ops: which became one kernel with which, for what price, and which did not; what tuning
            has measured.
        choice: of its configuration, by tuning; None without.
        folded: how many of its kernels are left out of a run as long as no parameter that they read is written.
    """

    number: int
    title: str
    kind: str
    launches: int
    lines: list[tuple[str, str, str]]
    reads: list[str]
    writes: list[str]
    follows: list[int]
    cost: Cost
    seconds: float
    share: float
    roof: float
    sources: list[str]
    why: list[str]
    choice: Choice | None = None
    folded: int = 0

    @property
    def source_line(self) -> str:
        """The line that the last op comes from."""
        return next((line for _, line, _ in reversed(self.lines) if line), "")


@dataclass(frozen=True)
class Totals:
    """Of a graph: launches, bytes read and written, operations, bytes between kernels, and with inputs, outputs and states; and how
    many of the launches are folded, with the bytes of what they write.
    """

    launches: int
    bytes: int
    flops: int
    arena: int
    peak: int
    folded_launches: int = 0
    folded_bytes: int = 0


@dataclass(eq=False, repr=False)
class Report:
    """What is known of a graph.

    Attributes:
        name, device: of the graph.
        kernels: in the order of execution.
        before, after: totals of the captured program, an op a kernel, and of what runs instead.
        seconds: of a whole run.
        roof: of the device.
        sources: texts by name.
    """

    name: str
    device: Any
    kernels: list[KernelRow]
    before: Totals
    after: Totals
    seconds: float
    roof: Roof
    sources: dict[str, str]
