"""Slots that become arguments of a program: variables whose values differ from run to run, as each run sets them."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.graph.watch.slots import ABSENT, StateSlot

_MOST_ITEMS = 256  # of a list or dict in a slot: each call takes it apart
_SETTINGS = (str, bool, type(None))


class LiftError(Exception):
    """The function reads slots and sets them: they are to be arguments of the program, and it is captured anew."""

    def __init__(self, slots: list[StateSlot]) -> None:
        super().__init__(", ".join(slot.name for slot in slots))
        self.slots = slots


class SharedSlotError(Exception):
    """A list or dict in such a slot is found elsewhere, too: the function is captured anew, for just that object."""


def is_liftable(value: Any) -> bool:
    """Whether a value may be an argument of a program that differs in each run."""
    if isinstance(value, tuple):
        return bool(value) and all(map(is_liftable, value)) and any(isinstance(item, Tensor) for item in value)
    return type(value) in (int, float) or (isinstance(value, Tensor) and not value.is_lazy and value.meta.is_local)


def is_liftable_container(value: Any) -> bool:
    """Whether a value is a list or dict of such values, of texts, or of lists and dicts of them."""
    if type(value) is dict:
        return all(type(key) is str for key in value) and _are_liftable([*value.values()])
    return type(value) is list and _are_liftable(value)


def is_lifted(value: Any, with_containers: bool) -> bool:
    """Whether a value is an argument of a program that has the slot as an argument.

    Args:
        with_containers: whether lists and dicts are.
    """
    return value is not ABSENT and (with_containers or not isinstance(value, (list, dict)))


def _are_liftable(items: list[Any], depth: int = 4) -> bool:
    if len(items) > _MOST_ITEMS or not depth:
        return False
    for item in items:
        if type(item) in (list, tuple, dict):
            inner = [*item.values()] if type(item) is dict else [*item]
            if not _are_liftable(inner, depth - 1):
                return False
        elif not (type(item) in _SETTINGS or is_liftable(item)):
            return False
    return True
