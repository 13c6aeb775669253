"""What a watch notes: slots that were read and set, calls that change containers, functions, what a backward reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from tritonflow.errors import CaptureError
from tritonflow.graph.watch.contents import Content, alike, clock
from tritonflow.graph.watch.slots import ABSENT, ItemSlot, StateSlot

UNCHANGED: Any = type("Unchanged", (), {})()


class ChangedError(CaptureError):
    """A library has changed a container that the function reads, and no run would do so.

    Attributes:
        container: which.
    """

    def __init__(self, container: Any, line: str = "") -> None:
        kind = type(container).__name__
        super().__init__(
            f"a library changes a {kind} that the function reads, which it would not do in a run{line}: call it outside of the"
            " function"
        )
        self.container = container


class IdentityError(CaptureError):
    """It matters to the function which object an argument is. A program of an object that is taken apart has a copy of it."""


@dataclass(slots=True)
class SlotRecord:
    """A slot that user code has read or set.

    Attributes:
        slot: which.
        before: what it held when it was first met.
        read: whether it was read before it was set.
        written: whether it was set.
        placed: what the capture has put there: for a slot that is an argument of the program, or a function that it defers.
        removed: whether it was empty in between, so that a dict has its key behind others.
        noted: when it was met, by `clock`.
    """

    slot: StateSlot
    before: Any
    read: bool
    written: bool = False
    placed: Any = ABSENT
    removed: bool = False
    noted: int = field(default_factory=clock.__next__)

    def is_restored_with(self, content: Content | None) -> bool:
        """Whether it holds what it did before the call once its container holds again what was noted of that earlier."""
        return content is not None and content.noted < self.noted and self.placed is ABSENT

    def now(self) -> Any:
        """What the slot has to hold after a run; `UNCHANGED` if the program leaves it alone."""
        value = self.slot.get()
        if self.removed and value is not ABSENT:
            return value
        expected = self.before if self.placed is ABSENT else self.placed
        return UNCHANGED if value is expected or alike(value, expected) else value


@dataclass(slots=True)
class ContainerChange:
    """A call that changes a container from outside: `container.append(x)`.

    Attributes:
        container: which.
        method: a function of the container and the arguments.
        arguments, keywords: of the call.
    """

    container: Any
    method: Callable[..., Any]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]

    def is_of_a_slot(self) -> bool:
        """Whether it does nothing but to set an item, or to remove that of a key."""
        name = getattr(self.method, "__name__", "")
        if isinstance(self.container, dict):
            return name in ("__setitem__", "__delitem__")
        return isinstance(self.container, list) and name == "__setitem__" and not isinstance(self.arguments[0], slice)


class ArgumentChange(NamedTuple):
    """What a program changes of a container or an object among its arguments.

    Attributes:
        value: which, as the function got it.
        items: what the container holds now; None where that is as it was.
        attributes: those that are set now.
        removed: the names of those that are removed, which may be set again, behind others.
    """

    value: Any
    items: Any
    attributes: dict[str, Any]
    removed: list[str]


class BackwardReads:
    """What the backward of a call has read of Python while it was captured. It runs later than the guards are compared.

    Attributes:
        slots: by their keys slots, and what they held.
        contents: by the identities of containers what they held.
    """

    def __init__(self) -> None:
        self.slots: dict[Any, tuple[StateSlot, Any]] = {}
        self.contents: dict[int, Content] = {}


@dataclass(frozen=True, slots=True)
class FunctionRead:
    """A user's function that may have been called, and what it is made of."""

    function: FunctionType
    code: CodeType
    defaults: Any
    keyword_defaults: Any


def in_order(found: list[tuple[SlotRecord, Any]]) -> list[tuple[SlotRecord, Any]]:
    """Slots that are set, in such an order that dicts have their new keys in the order in which they have them now."""
    first, last, positions = [], [], {}
    for each in found:
        record, holder = each[0], each[0].slot.holder
        if isinstance(holder, dict) and isinstance(record.slot, ItemSlot) and (record.before is ABSENT or record.removed):
            positions[id(holder)] = holder
            last.append(each)
        else:
            first.append(each)
    if len(last) < 2:
        return found
    places = {key: {name: place for place, name in enumerate(dict.keys(holder))} for key, holder in positions.items()}
    return first + sorted(last, key=lambda each: places[id(each[0].slot.holder)].get(each[0].slot.item, -1))  # type: ignore[attr-defined]
