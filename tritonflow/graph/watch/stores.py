"""What a captured program sets of Python: stored behind each run."""

from __future__ import annotations

from typing import Any

from tritonflow.graph.watch.outcome import Describer, Maker, Run
from tritonflow.graph.watch.slots import ABSENT, ModuleSlot, Slot
from tritonflow.graph.watch.watch import Operation, Record, Watch


class Stores:
    """The slots and containers that a program changes.

    Args:
        watch: what the capture has seen.
        written: the slots that it has set, and what to.
        describer: says how that is made in each run.
    """

    def __init__(self, watch: Watch, written: list[tuple[Record, Any]], describer: Describer) -> None:
        whole = watch.replayed_whole()
        self._describer = describer
        self._written = [(record.slot, value) for record, value in written if id(record.slot.holder) not in whole]
        self._operations = [o for o in watch.operations if o.container is None or id(o.container) in whole]
        self._slots: list[tuple[Slot, Maker | None]] = []
        self._calls: list[tuple[Operation, Maker]] = []
        self._sets_modules = any(isinstance(slot, ModuleSlot) for slot, _ in self._written)

    def __bool__(self) -> bool:
        return bool(self._written or self._operations)

    def count(self) -> None:
        """Tell the describer which tensors are kept."""
        for _, value in self._written:
            self._describer.count(value)
        for operation in self._operations:
            self._describer.count([operation.arguments, operation.keywords])

    def describe(self) -> None:
        """Work out how the values are made.

        Raises:
            CaptureError: one cannot be.
        """
        describe = self._describer.describe
        self._slots = [(slot, None if value is ABSENT else describe(value)) for slot, value in self._written]
        self._calls = [(each, describe((each.arguments, each.keywords))) for each in self._operations]

    def apply(self, run: Run) -> bool:
        """Store what a run has computed; whether that has changed modules."""
        for slot, make in self._slots:
            if make is None:
                slot.put(ABSENT)
            else:
                slot.set(make(run))
        for operation, make in self._calls:
            arguments, keywords = make(run)
            if operation.container is None:
                operation.method(*arguments, **keywords)
            else:
                operation.method(operation.container, *arguments, **keywords)
        return self._sets_modules

