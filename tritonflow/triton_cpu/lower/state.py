"""What is known of a kernel's values while it is lowered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from tritonflow.triton_cpu.ir import Block, Value

from .lanes import Lanes
from .memory import StackBuffer


@dataclass(frozen=True, slots=True)
class Induction:
    """A loop-carried tensor of pointers or integers: `initial` plus one offset for all elements.

    Attributes:
        initial: the value before the first iteration.
        cell: the stack slot of the offset, an i64.
    """

    initial: Value
    cell: str


@dataclass(slots=True)
class KnownValues:
    """How each value of a kernel can be read. A tensor in none of these tables is evaluated anew.

    Attributes:
        scalars: the SSA name or literal of each scalar.
        buffers: tensors in memory.
        inductions: loop-carried tensors that are their initial value and an offset.
        chosen: lazy tensors that are worth a buffer (`analysis.values_to_materialise`).
        pending: chosen tensors that the loop nest under emission computes anyway, and their
            buffers. It writes each chunk there as soon as it is evaluated.
    """

    scalars: dict[Value, Lanes] = field(default_factory=dict)
    buffers: dict[Value, StackBuffer] = field(default_factory=dict)
    inductions: dict[Value, Induction] = field(default_factory=dict)
    chosen: set[Value] = field(default_factory=set)
    pending: dict[Value, StackBuffer] = field(default_factory=dict)

    @contextmanager
    def filling(self, pending: Mapping[Value, StackBuffer]) -> Iterator[None]:
        """Around a loop nest that fills the buffers of `pending`. Behind it they are read."""
        outer = self.pending
        self.pending = {**outer, **pending}
        try:
            yield
        finally:
            self.pending = outer
        self.buffers.update(pending)

    @contextmanager
    def may_not_run(self, block: Block) -> Iterator[None]:
        """Around a block that control may pass by: buffers filled in it are unknown behind it.

        Buffers of the block's own values stay, since nothing behind the block reads those values.
        """
        before = set(self.buffers)
        try:
            yield
        finally:
            self.buffers = {v: buffer for v, buffer in self.buffers.items() if v in before or v.block is block}
