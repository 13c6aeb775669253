"""What a captured program sets of Python: stored behind each run."""

from __future__ import annotations

from typing import Any

from tritonflow.graph.watch.contents import Content
from tritonflow.graph.watch.outcome import Describer, Maker, Run
from tritonflow.graph.watch.records import ContainerChange, SlotRecord
from tritonflow.graph.watch.slots import ABSENT, ModuleSlot, StateSlot, attributes_of, names_of_slots, own_dict
from tritonflow.graph.watch.watch import Watch


class Stores:
    """The slots and containers that a program changes.

    Args:
        watch: what the capture has seen.
        written: the slots that it has set, and what to.
        arguments: the containers among its arguments that it has changed, as they are now.

    Attributes:
        of_modules: the keys of the slots that are attributes of modules.
    """

    def __init__(self, watch: Watch, written: list[tuple[SlotRecord, Any]], arguments: list[Any]) -> None:
        whole = watch.replayed_whole()
        self._written: list[tuple[StateSlot, Any]] = []
        for record, value in written:
            if id(record.slot.holder) not in whole:
                if record.removed and record.before is not ABSENT and value is not ABSENT:
                    self._written.append((record.slot, ABSENT))
                self._written.append((record.slot, value))
        refilled = watch.refilled
        self._operations = [o for o in watch.operations if _is_repeated(o, whole, refilled)]
        self._arguments = [*arguments, *refilled.values()]
        self._slots: list[tuple[StateSlot, Maker | None]] = []
        self._calls: list[tuple[ContainerChange, Maker]] = []
        self._contents: list[tuple[Maker, Maker]] = []
        self.of_modules = frozenset([slot.key for slot, _ in self._written if isinstance(slot, ModuleSlot)])

    def __bool__(self) -> bool:
        return bool(self._slots or self._calls or self._contents)

    def values(self) -> list[Any]:
        """What has to be made for them in each run."""
        kept = [value for _, value in self._written if value is not ABSENT]
        called = [[operation.arguments, operation.keywords] for operation in self._operations]
        return [*kept, *called, *map(_items, self._arguments)]

    def describe(self, describer: Describer) -> None:
        """Work out how the values are made.

        Raises:
            CaptureError: one cannot be.
        """
        describe = describer.describe
        self._slots = [(slot, None if value is ABSENT else describe(value)) for slot, value in self._written]
        self._calls = [(each, describe((each.arguments, each.keywords))) for each in self._operations]
        self._contents = [(describe(container), describe(_items(container))) for container in self._arguments]
        self._written, self._operations, self._arguments = [], [], []  # with the tensors of the capture

    def apply(self, run: Run) -> None:
        """Store what a run has computed."""
        contents = [(container(run), items(run)) for container, items in self._contents]
        for slot, make in self._slots:
            if make is None:
                slot.put(ABSENT)
            else:
                slot.set(make(run))
        for container, items in contents:
            _fill(container, items)
        for operation, make in self._calls:
            arguments, keywords = make(run)
            if operation.container is None:
                operation.method(*arguments, **keywords)
            else:
                operation.method(operation.container, *arguments, **keywords)


def _is_repeated(operation: ContainerChange, whole: set[int], refilled: dict[int, Any]) -> bool:
    container = operation.container
    return container is None or (id(container) in whole and id(container) not in refilled)


def _items(container: Any) -> Any:
    """What an argument holds: a dict of the items of a dict or of the attributes of an object, or a list."""
    if isinstance(container, dict):
        return dict(container)
    return list(container) if isinstance(container, list) else attributes_of(container)


def _fill(container: Any, items: Any) -> None:
    """Let an argument hold items."""
    if isinstance(container, (dict, list)):
        content = Content(items)
        content.container = container
        content.restore()
        return
    own = own_dict(container)
    if own is not None:
        own.clear()
    for name, item in items.items():
        if own is None or name in names_of_slots(type(container)):
            object.__setattr__(container, name, item)
        else:
            own[name] = item
