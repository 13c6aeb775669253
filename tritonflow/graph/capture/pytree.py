"""Nested lists, tuples, dicts, dataclasses and packed sequences of tensors taken apart, and put together again.

A structure is hashable. A mark stands for each tensor and each number; everything else is part of the structure itself. So are the
batch sizes of packed sequences, by which recurrent layers know how many steps to take.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterator
from enum import Enum
from pathlib import PurePath
from types import ModuleType
from typing import Any

import numpy

from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentTypeError
from tritonflow.framework.runtime_scalar import NumpyScalar, RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
from tritonflow.graph.watch.slots import attributes_of, method_of
from tritonflow.graph.watch.user_code import is_library_class
from tritonflow.nn import Module
from tritonflow.nn.utils.rnn import PackedSequence
from tritonflow.optim import Optimizer

TENSOR, NUMBER, CONSTANT = "<tensor>", "<number>", "<constant>"
_WHOLE = (set, deque, numpy.ndarray)
_NUMBERS = (int, float, RuntimeScalar)  # of their `type`: the `__class__` of a RuntimeScalar is its number's
_SETTINGS = (
    bool, numpy.bool_, str, bytes, type(None), complex, DType, Device, Enum, slice, range, frozenset, Module, Optimizer, Generator,
    type(Ellipsis), type(NotImplemented), datetime.date, datetime.time, datetime.timedelta, PurePath,
)  # fmt: skip


def flatten(value: Any, tensors: list[Tensor], numbers: list[Any]) -> Any:
    """The structure of a value; its tensors and its ints and floats are added to the lists."""
    kind = type(value)
    if kind is Tensor:
        tensors.append(value)
        return TENSOR
    if kind is tuple or kind is list:
        return (kind, *[flatten(item, tensors, numbers) for item in value])
    if kind in _NUMBERS:
        numbers.append(value)
        return (NUMBER, kind)
    if kind is dict:
        return (
            kind,
            None,
            *[
                (key, flatten(item, tensors, numbers)) if key.__class__ is str else _entry(key, flatten(item, tensors, numbers))
                for key, item in value.items()
            ],
        )
    return _flatten_other(value, tensors, numbers)


def _flatten_other(value: Any, tensors: list[Tensor], numbers: list[Any]) -> Any:
    """The structure of a value of a kind that is rare."""
    if isinstance(value, Tensor):
        tensors.append(value)
        return TENSOR
    if isinstance(value, PackedSequence):
        data, _, *orders = value
        return (value.__class__, tuple(value.sizes), *[flatten(part, tensors, numbers) for part in (data, *orders)])
    if isinstance(value, (list, tuple)) and not getattr(value, "__dict__", None):
        return (value.__class__, *[flatten(item, tensors, numbers) for item in value])
    if isinstance(value, dict) and not _has_attributes(value):
        factory = value.default_factory if isinstance(value, defaultdict) else None
        return (value.__class__, factory, *[_entry(key, flatten(item, tensors, numbers)) for key, item in value.items()])
    if dataclasses.is_dataclass(value) and not isinstance(value, (type, dict, Module)):
        own = attributes_of(value)
        return (value.__class__, None, *[(name, flatten(item, tensors, numbers)) for name, item in own.items()])
    if isinstance(value, (numpy.integer, numpy.floating)):
        numbers.append(value.item())
        return (NUMBER, type(value))
    kind = type(value)
    if kind is slice:
        return (slice, *[flatten(part, tensors, numbers) for part in (value.start, value.stop, value.step)])
    if kind in (complex, range, frozenset):  # which may be equal and not the same: 0 and -0, 1 and True
        return (CONSTANT, kind, value, repr(value))
    if kind not in _PLAIN and not isinstance(value, Enum) and _compares(kind) and (not is_library_class(kind) or _is_object(value)):
        return (CONSTANT, kind, _Same(value))
    return (CONSTANT, value.__class__, value)


_PLAIN = (str, bool, type(None), bytes)


def _compares(kind: Any) -> bool:
    """Whether objects of a class may be equal to others."""
    return kind.__eq__ is not object.__eq__


def _is_object(value: Any) -> bool:
    """Whether a value is an object whose attributes or items a capture can follow: no setting, function or iterator."""
    kind = type(value)
    if issubclass(kind, (*_SETTINGS, type, ModuleType)) or callable(value) or hasattr(kind, "__next__"):
        return False
    return issubclass(kind, _WHOLE) or hasattr(kind, "__weakref__")


class _Same:
    """An object that says itself what it is equal to: only it itself is the same argument."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def _entry(key: Any, structure: Any) -> tuple[Any, ...]:
    """An entry of a dict in its structure: 1 and True are equal keys, of other classes."""
    return (key, structure) if key.__class__ is str else (key, structure, key.__class__)


def _has_attributes(value: dict[Any, Any]) -> bool:
    """Whether a dict of a user's class has attributes, which no method of a dict sets."""
    return bool(getattr(value, "__dict__", None)) and method_of(value.__class__, "__setitem__") in _OF_DICTS


_OF_DICTS = (dict.__setitem__, OrderedDict.__setitem__)


def unflatten(structure: Any, tensors: Iterator[Any], numbers: Iterator[Any]) -> Any:
    """The value with this structure and these tensors and numbers."""
    if structure is TENSOR:
        return next(tensors)
    kind, *items = structure
    if kind is NUMBER:
        return _number(next(numbers), items[0])
    if kind is CONSTANT:
        return items[1].value if isinstance(items[1], _Same) else items[1]
    if kind is slice:
        return slice(*[unflatten(item, tensors, numbers) for item in items])
    if issubclass(kind, dict):
        return _made_dict(kind, items, tensors, numbers)
    if dataclasses.is_dataclass(kind):
        made = object.__new__(kind)  # type: ignore[arg-type]
        for name, item in items[1:]:
            object.__setattr__(made, name, unflatten(item, tensors, numbers))
        return made
    if issubclass(kind, PackedSequence):
        data, *orders = [unflatten(item, tensors, numbers) for item in items[1:]]
        return kind(data, items[0], *orders)
    values = [unflatten(item, tensors, numbers) for item in items]
    if kind in (list, tuple):
        return kind(values)
    if issubclass(kind, list):
        made_list = list.__new__(kind)
        list.extend(made_list, values)
        return made_list
    return tuple.__new__(kind, values)


def _number(number: Any, kind: type) -> Any:
    """A number of its class: NumPy's numbers come as Python's."""
    if not issubclass(kind, numpy.generic):
        return number
    return NumpyScalar(number, kind) if isinstance(number, RuntimeScalar) else kind(number)


def _made_dict(kind: Any, items: Any, tensors: Iterator[Any], numbers: Iterator[Any]) -> Any:
    if is_library_class(kind):
        made, put = kind(), kind.__setitem__
    else:
        made, put = kind.__new__(kind), method_of(kind, "__setitem__")
    if items[0] is not None:
        made.default_factory = items[0]
    for key, item, *_ in items[1:]:
        put(made, key, unflatten(item, tensors, numbers))
    return made


def _constants(structure: Any) -> Iterator[Any]:
    """What stands in a structure itself."""
    if structure is TENSOR or structure[0] is NUMBER:
        return
    kind, *items = structure
    if kind is CONSTANT:
        yield items[1].value if isinstance(items[1], _Same) else items[1]
        return
    named = issubclass(kind, dict) or dataclasses.is_dataclass(kind)
    for item in items[1:] if named or issubclass(kind, PackedSequence) else items:
        yield from _constants(item[1] if named else item)


def objects_in(structure: Any) -> list[Any]:
    """The objects among inputs whose attributes a capture follows: it takes just them."""
    return [value for value in _constants(structure) if _is_object(value)]


def check_inputs(name: str, structure: Any) -> None:
    """Refuse what a capture can neither take apart nor follow.

    Raises:
        TypeError: naming the class.
    """
    for value in _constants(structure):
        if not isinstance(value, _SETTINGS) and not callable(value) and not _is_object(value):
            raise ArgumentTypeError(
                f"{name}: the inputs must be tensors, numbers, texts, bools, None, modules, optimizers and objects with attributes,"
                f" nested in containers and dataclasses, not {type(value).__name__}"
            )


def check_result(structure: Any) -> None:
    """Refuse what `build()` of an nn.Graph must not return.

    Raises:
        TypeError: naming the class.
    """
    for value in _constants(structure):
        if not isinstance(value, (bool, str, type(None), Module)):
            raise ArgumentTypeError(
                f"build() must return tensors, nested in lists, tuples, dicts and dataclasses, not {type(value).__name__}"
            )
