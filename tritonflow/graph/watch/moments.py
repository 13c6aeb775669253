"""What values are at one point of a program: a function may change what it has printed, and a run prints at its end."""

from __future__ import annotations

from array import array
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from enum import Enum
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy

from tritonflow.autograd import no_grad
from tritonflow.device.device import META
from tritonflow.errors import CaptureError
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.watch.contents import PLAIN, alike
from tritonflow.graph.watch.slots import attributes_of
from tritonflow.graph.watch.user_code import is_library_class
from tritonflow.nn import Module
from tritonflow.optim import Optimizer
from tritonflow.optim.lr_scheduler import LRScheduler
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import caller, describe

_COPIED = (list, dict, set, deque, OrderedDict, defaultdict, Counter)
_ARRAYS = (numpy.ndarray, bytearray, array)
_LARGEST = 10_000  # parts of an object that are compared
_TEXTS = ("__repr__", "__str__", "__format__", "extra_repr")
_NAMED_TUPLES = namedtuple.__code__.co_filename  # where their texts are made
_WITHOUT_PARTS = (type, FunctionType, MethodType, ModuleType, Enum)


class LeafCopy:
    """A copy of a leaf that is to look like one: for prints, as no gradient reaches it.

    Attributes:
        copy: the copy.
    """

    __slots__ = ("copy",)

    def __init__(self, copy: Tensor) -> None:
        self.copy = copy


class Moment:
    """What a value is at one point of a program that is being captured.

    Args:
        what: who is given the value.
        value: anything.
    """

    def __init__(self, what: str, value: Any) -> None:
        self._what = what
        self._where = describe(caller(4))
        self._makers: dict[int, Callable[[], Any]] = {}
        self._objects: list[tuple[Any, list[Any]]] = []
        self._alive = [value]  # what a maker belongs to
        self._make = self._maker(value)

    def value(self) -> Any:
        """What the value was: it itself where nothing of it has changed, else a copy.

        Raises:
            CaptureError: an object has changed that has a text of its own.
        """
        for value, state in self._objects:
            now = _state(value)
            if len(now) != len(state) or not all(map(_is_same, now, state)):
                kind = type(value).__name__
                raise CaptureError(
                    f"the function gives a {kind} to {self._what}, at {self._where}, and changes it afterwards, but a run prints at"
                    " its end: give what is to be shown, such as a number or a tensor of it"
                )
        return self._make()

    def _maker(self, value: Any) -> Callable[[], Any]:
        kind = type(value)
        if kind in PLAIN:
            return lambda: value
        found = self._makers.get(id(value))
        if found is not None:
            return found
        self._alive.append(value)
        if isinstance(value, Tensor):
            found = _tensor(value)
        elif isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_fields") and not _has_users_text(kind)):
            found = self._tuple(value)
        elif kind in _COPIED:
            return self._container(value)
        elif isinstance(value, _ARRAYS):
            found = _array(value)
        else:
            found = self._object(value)
        self._makers[id(value)] = found
        return found

    def _tuple(self, value: Any) -> Callable[[], Any]:
        makers = [self._maker(item) for item in value]

        def make() -> Any:
            items = [item() for item in makers]
            return value if all(map(_is, items, value)) else tuple.__new__(type(value), items)

        return make

    def _container(self, value: Any) -> Callable[[], Any]:
        made: list[Any] = []

        def make() -> Any:
            if not made:
                made.append(value)  # it may be in itself
                entries = [tuple([part() for part in each]) for each in makers]
                now = _entries(value)
                same = len(now) == len(entries) and all(all(map(_is, a, b)) for a, b in zip(now, entries))
                made[0] = value if same else _filled(value, entries)
            return made[0]

        self._makers[id(value)] = make
        makers = [tuple([self._maker(part) for part in each]) for each in _entries(value)]
        return make

    def _object(self, value: Any) -> Callable[[], Any]:
        if _shows_parts(value):
            self._objects.append((value, _state(value)))
        return lambda: value


def _tensor(value: Tensor) -> Callable[[], Any]:
    """A copy is recorded at once, and used if the tensor is written later."""
    capture: Any = thread_state.observer
    if not capture.is_capturing or not value.meta.is_local or value.meta.device is META:
        return lambda: value
    before = capture.content(value)
    with no_grad():
        copy = value.detach().clone()
    is_leaf = value.requires_grad and value.is_leaf

    def make() -> Any:
        if capture.content(value) is before:
            return value
        if type(value) is not Tensor:
            object.__setattr__(copy, "__class__", type(value))
        return LeafCopy(copy) if is_leaf else copy

    return make


def _array(value: Any) -> Callable[[], Any]:
    copy = value.copy() if isinstance(value, numpy.ndarray) else value[:]

    def make() -> Any:
        same = len(value) == len(copy) and bytes(memoryview(value).cast("B")) == bytes(memoryview(copy).cast("B"))
        return value if same else copy

    return make


def _entries(value: Any) -> list[tuple[Any, ...]]:
    """The items of a container, or its keys with theirs."""
    return list(dict.items(value)) if isinstance(value, dict) else [(item,) for item in value]


def _filled(value: Any, entries: list[tuple[Any, ...]]) -> Any:
    """A container of the same kind with other entries."""
    kind = type(value)
    if kind is defaultdict:
        return defaultdict(value.default_factory, entries)
    if isinstance(value, dict):
        return kind(dict(entries)) if kind is Counter else kind(entries)
    items = [item for (item,) in entries]
    return deque(items, value.maxlen) if kind is deque else kind(items)


def _shows_parts(value: Any) -> bool:
    """Whether the text of an object may show what it holds."""
    kind: Any = type(value)
    if isinstance(value, _WITHOUT_PARTS):
        return False
    if isinstance(value, (Module, Optimizer, LRScheduler)):
        return _has_users_text(kind)
    return any(getattr(kind, name, None) is not getattr(object, name) for name in _TEXTS[:3])


def _has_users_text(kind: type) -> bool:
    """Whether a user wrote how objects of a class look as a text."""
    found = [vars(each)[name] for each in kind.__mro__ if not is_library_class(each) for name in _TEXTS if name in vars(each)]
    return any(getattr(each, "__code__", None) is None or each.__code__.co_filename != _NAMED_TUPLES for each in found)


def _state(value: Any) -> list[Any]:
    """All that an object leads to, and what the storages of the tensors among these hold."""
    found: list[Any] = []
    seen: set[int] = set()
    waiting = [value]
    capture: Any = thread_state.observer
    while waiting and len(found) < _LARGEST:
        each = waiting.pop()
        found.append(each)
        if type(each) in PLAIN or id(each) in seen or isinstance(each, _WITHOUT_PARTS):
            continue
        seen.add(id(each))
        if isinstance(each, Tensor):
            found.append(capture.content(each) if each.meta.is_local else each)
        elif isinstance(each, _ARRAYS):
            found.append(bytes(memoryview(each).cast("B")) if not isinstance(each, numpy.ndarray) else each.tobytes())
        else:
            if isinstance(each, dict):
                waiting += [part for entry in dict.items(each) for part in entry]
            elif isinstance(each, (list, tuple, set, frozenset, deque)):
                waiting += each
            waiting += [part for entry in attributes_of(each).items() for part in entry]
    return found


def _is(a: Any, b: Any) -> bool:
    return a is b or (type(a) in PLAIN and alike(a, b))


def _is_same(a: Any, b: Any) -> bool:
    return a is b or alike(a, b)
