"""What containers hold: taken down when a captured program reads them, compared in each run, and put back after a capture."""

from __future__ import annotations

import math
from array import array
from collections import OrderedDict, deque
from itertools import count
from operator import is_
from types import MethodType
from typing import Any

import numpy

from tritonflow.framework.hooks import HookTable
from tritonflow.graph.watch.slots import ABSENT

PLAIN = (bool, int, float, complex, str, bytes, type(None))
CONTAINERS = (list, dict, set, deque, bytearray, array, numpy.ndarray)
_LARGEST_ARRAY = 1 << 16  # bytes that are compared in every run
clock = count()  # numbers what is noted of containers and of slots, in the order of time


def alike(a: Any, b: Any) -> bool:
    """Whether a program cannot tell two values apart: the same object, or equal numbers, texts or tuples of such."""
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    if kind is float:
        return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (a != a and b != b)  # type: ignore[no-any-return]
    if kind in PLAIN or kind is MethodType or isinstance(a, numpy.generic):
        return bool(a == b) and str(a) == str(b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return False


class Content:
    """What a container held at one time.

    Args:
        container: a list, dict, set, deque, bytearray or NumPy array, or one of a class that inherits from these.

    Attributes:
        noted: when that was, by `clock`.
    """

    __slots__ = ("container", "items", "keys", "noted")

    def __init__(self, container: Any) -> None:
        self.container = container
        self.noted = next(clock)
        self.keys: Any = ()
        self.items: Any
        if isinstance(container, dict):
            kind = _dict_of(container)
            self.keys = tuple(kind.keys(container))
            self.items = tuple(kind.values(container))
        elif isinstance(container, set):
            self.items = frozenset(container)
        elif isinstance(container, numpy.ndarray):
            self.items = _described(container)
        else:
            self.items = tuple(type_of(container).__iter__(container))

    def holds(self) -> bool:
        """Whether it holds the same now."""
        return self.holds_in(self.container)

    def holds_in(self, container: Any) -> bool:
        """Whether another container holds the same now."""
        if isinstance(container, dict):
            kind = _dict_of(container)
            if len(container) != len(self.keys) or not all(map(alike, kind.keys(container), self.keys)):
                return False
            now = kind.values(container)
        elif isinstance(container, set):
            return bool(container == self.items)
        elif isinstance(container, numpy.ndarray):
            return bool(_described(container) == self.items)
        else:
            if len(container) != len(self.items):
                return False
            now = type_of(container).__iter__(container)
        if all(map(is_, now, self.items)):
            return True
        return all(map(alike, Content(container).items, self.items))

    def pairs(self) -> zip[tuple[Any, Any]]:
        """The keys and items of a dict, in its order."""
        return zip(self.keys, self.items)

    def item(self, key: Any) -> Any:
        """What a dict held under a key; ABSENT for nothing."""
        return dict(zip(self.keys, self.items)).get(key, ABSENT)

    def _restore_hooks(self, table: HookTable) -> None:
        """Take away the hooks that were added, and give back those that were removed, but for those of a block that has ended."""
        before = dict(zip(self.keys, self.items))
        for key in [key for key in table if key not in before]:
            del table[key]
        if any(key not in table and not _is_ours(hook) for key, hook in before.items()):
            kept = {key: hook for key, hook in before.items() if key in table or not _is_ours(hook)}
            table.clear()
            table.update(kept)

    def restore(self) -> None:
        """Let the container hold that again."""
        container = self.container
        if isinstance(container, HookTable):
            self._restore_hooks(container)
        elif isinstance(container, dict):
            kind = _dict_of(container)
            kind.clear(container)
            for key, item in zip(self.keys, self.items):
                kind.__setitem__(container, key, item)
        elif isinstance(container, set):
            set.clear(container)
            set.update(container, self.items)
        elif isinstance(container, deque):
            deque.clear(container)
            deque.extend(container, self.items)
        elif isinstance(container, numpy.ndarray):
            dtype, shape, numbers = self.items
            if container.shape == shape:
                container[...] = numpy.frombuffer(numbers, dtype).reshape(shape)
        elif isinstance(container, array):
            container[:] = array(container.typecode, self.items)
        elif isinstance(container, (list, bytearray)):
            type_of(container).__setitem__(container, slice(None), self.items)  # type: ignore[arg-type]


def _dict_of(container: dict[Any, Any]) -> Any:
    """The built-in class of a dict; of one that is ordered by itself, dict knows another order."""
    return OrderedDict if isinstance(container, OrderedDict) else dict


def _is_ours(hook: Any) -> bool:
    return (getattr(hook, "__module__", None) or "").startswith("tritonflow.")


def type_of(container: Any) -> Any:
    """The built-in class of a container."""
    return next(kind for kind in CONTAINERS if isinstance(container, kind))


def is_large(container: Any) -> bool:
    """Whether a container is an array that is too large to be compared in every run."""
    return isinstance(container, numpy.ndarray) and container.nbytes > _LARGEST_ARRAY


def _described(array: Any) -> Any:
    return array.dtype.str, array.shape, array.tobytes()
