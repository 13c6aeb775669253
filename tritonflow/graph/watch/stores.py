"""What a captured program sets of Python: stored behind each run."""

from __future__ import annotations

from typing import Any

from tritonflow.graph.watch.contents import Content
from tritonflow.graph.watch.makers import Maker, Run
from tritonflow.graph.watch.outcome import Describer
from tritonflow.graph.watch.records import ArgumentChange, ContainerChange, SlotRecord
from tritonflow.graph.watch.slots import ABSENT, ModuleSlot, StateSlot, put_attributes
from tritonflow.graph.watch.watch import Watch


class Stores:
    """The slots and containers that a program changes.

    Args:
        watch: what the capture has seen.
        written: the slots that it has set, and what to.
        arguments: what it has changed of the containers and objects among its arguments.

    Attributes:
        of_modules: the keys of the slots that are attributes of modules.
    """

    def __init__(self, watch: Watch, written: list[tuple[SlotRecord, Any]], arguments: list[ArgumentChange]) -> None:
        whole = watch.replayed_whole()
        self._written: list[tuple[StateSlot, Any]] = []
        for record, value in written:
            if id(record.slot.holder) not in whole:
                if record.removed and record.before is not ABSENT and value is not ABSENT:
                    self._written.append((record.slot, ABSENT))
                self._written.append((record.slot, value))
        refilled = watch.refilled
        self._operations = [o for o in watch.operations if _is_repeated(o, whole, refilled)]
        self._arguments = [*arguments, *[ArgumentChange(each, items_of(each), {}, []) for each in refilled.values()]]
        self._slots: list[tuple[StateSlot, Maker | None]] = []
        self._calls: list[tuple[ContainerChange, Maker]] = []
        self._contents: list[tuple[Maker, Maker, list[str]]] = []
        self.of_modules = frozenset([slot.key for slot, _ in self._written if isinstance(slot, ModuleSlot)])

    def __bool__(self) -> bool:
        return bool(self._slots or self._calls or self._contents)

    def values(self) -> list[Any]:
        """What has to be made for them in each run."""
        kept = [value for _, value in self._written if value is not ABSENT]
        called = [[operation.arguments, operation.keywords] for operation in self._operations]
        return [*kept, *called, *[part for each in self._arguments for part in (each.items, each.attributes)]]

    def describe(self, describer: Describer) -> None:
        """Work out how the values are made.

        Raises:
            CaptureError: one cannot be.
        """
        describe = describer.describe
        self._slots = [(slot, None if value is ABSENT else describe(value)) for slot, value in self._written]
        self._calls = [(each, describe((each.arguments, each.keywords))) for each in self._operations]
        self._contents = [
            (describe(each.value), describe((each.items, each.attributes)), each.removed) for each in self._arguments
        ]
        self._written, self._operations, self._arguments = [], [], []  # with the tensors of the capture

    def apply(self, run: Run) -> None:
        """Store what a run has computed."""
        contents = [(container(run), *held(run), removed) for container, held, removed in self._contents]
        for slot, make in self._slots:
            if make is None:
                slot.put(ABSENT)
            else:
                slot.set(make(run))
        for container, items, attributes, removed in contents:
            if items is not None:
                _fill(container, items)
            put_attributes(container, attributes, removed)
        for operation, make in self._calls:
            arguments, keywords = make(run)
            if operation.container is None:
                operation.method(*arguments, **keywords)
            else:
                operation.method(operation.container, *arguments, **keywords)


def _is_repeated(operation: ContainerChange, whole: set[int], refilled: dict[int, Any]) -> bool:
    container = operation.container
    return container is None or (id(container) in whole and id(container) not in refilled)


def items_of(container: Any) -> Any:
    """The items of a container, as a dict, a set or a list."""
    if isinstance(container, dict):
        return dict(Content(container).pairs())
    return set(container) if isinstance(container, set) else [*Content(container).items]


def _fill(container: Any, items: Any) -> None:
    """Let a container hold items."""
    if isinstance(container, set):
        set.difference_update(container, set(container) - items)
        set.update(container, items)
        return
    content = Content(items)
    content.container = container
    content.restore()
