"""Nested lists, tuples, dicts, dataclasses and packed sequences of tensors taken apart, and put together again.

A structure is hashable. A mark stands for each tensor and each number; everything else is part of the structure itself. So are the
batch sizes of packed sequences, by which recurrent layers know how many steps to take, what small NumPy arrays hold, and the
numbers in objects of a library's classes: its code is not watched, and may ask what only a plain number tells, such as its `type`.
"""

from __future__ import annotations

import datetime
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterator
from enum import Enum
from itertools import repeat
from operator import getitem
from pathlib import PurePath
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy

from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentTypeError, CaptureError
from tritonflow.framework.runtime_scalar import NumpyScalar, RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
from tritonflow.graph.capture.objects import (
    ObjectClass,
    has_attributes,
    is_plain_class,
    is_small_array,
    is_whole,
    new_object,
    object_class,
)
from tritonflow.graph.watch.slots import attributes_of, own_attribute_of, own_dict, put_attributes
from tritonflow.graph.watch.user_code import is_library_class
from tritonflow.members.torch_names import strided
from tritonflow.nn import Module
from tritonflow.nn.utils.rnn import PackedSequence
from tritonflow.optim import Optimizer

TENSOR, NUMBER, CONSTANT, OBJECT, SAME = "<tensor>", "<number>", "<constant>", "<object>", "<same>"
REFUSED = "<refused>"  # in what was met: why an object is not taken apart
DEPTH = "<depth>"  # in what was met: how many objects are around
_MOST = 1000  # items of a container in an object that is taken apart, and objects
_DEEPEST = 32  # how many objects are around one that is taken apart
_SIZED = (list, tuple, dict, set, deque)
_WHOLE = (set, deque, numpy.ndarray)
_NUMBERS = (int, float, RuntimeScalar)  # of their `type`: the `__class__` of a RuntimeScalar is its number's
_OF_NUMBERS = {int: (NUMBER, int), float: (NUMBER, float)}
_NEVER = (Module, Optimizer, Generator, MethodType)  # no object with one of these is taken apart
_SETTINGS = (
    bool, numpy.generic, str, bytes, type(None), complex, DType, Device, Enum, slice, range, frozenset, Module, Optimizer,
    Generator, type(Ellipsis), type(NotImplemented), datetime.date, datetime.time, datetime.timedelta, PurePath,
)  # fmt: skip


def flatten(value: Any, tensors: list[Tensor], numbers: list[Any], met: dict[Any, Any] | None = None) -> Any:
    """The structure of a value; its tensors and its ints and floats are added to the lists.

    Args:
        met: objects of plain classes are taken apart as dataclasses are: by their identities, the number of each. None leaves
            them whole.
    """
    kind = type(value)
    if kind is Tensor:
        tensors.append(value)
        return TENSOR
    if kind is tuple or kind is list:
        parts: list[Any] = [kind]
        for item in value:
            if type(item) is Tensor:  # the usual one, without a call
                tensors.append(item)
                parts.append(TENSOR)
            else:
                parts.append(flatten(item, tensors, numbers, met))
        return tuple(parts)
    if kind in _NUMBERS:
        numbers.append(value)
        return (NUMBER, kind)
    if kind is dict:
        return (
            kind,
            None,
            *[
                (key, flatten(item, tensors, numbers, met))
                if key.__class__ is str
                else _entry(key, flatten(item, tensors, numbers, met))
                for key, item in value.items()
            ],
        )
    if kind in _PLAIN:
        return (CONSTANT, kind, value)
    return _flatten_other(value, kind, tensors, numbers, met)


def _flatten_other(value: Any, kind: Any, tensors: list[Tensor], numbers: list[Any], met: dict[Any, Any] | None) -> Any:
    """The structure of a value of a kind that is rare."""
    if kind is DType or kind is Device:
        return (CONSTANT, kind, value)
    known = object_class(kind)
    if known is not None and (known.content is None or has_attributes(value)) and (known.is_free or met is not None):
        return _parts(value, known, tensors, numbers, None) if met is None else _flatten_object(value, known, tensors, numbers, met)
    if isinstance(value, Tensor):
        if value.layout is not strided:
            facts = (value.layout, tuple(value.meta.shape), value.coalesced, value.is_own_leaf)  # type: ignore[attr-defined]
            parts = (*value.index, value.entries)  # type: ignore[attr-defined]
            return (kind, facts, *[flatten(part, tensors, numbers, met) for part in parts])
        tensors.append(value)
        return TENSOR
    if isinstance(value, PackedSequence):
        data, _, *orders = value
        return (kind, tuple(value.sizes), *[flatten(part, tensors, numbers, met) for part in (data, *orders)])
    if issubclass(kind, (list, tuple)) and not has_attributes(value):
        return _flatten_sequence(value, kind, tensors, numbers, met)
    if issubclass(kind, dict) and not has_attributes(value):
        return _flatten_dict(value, kind, tensors, numbers, met)
    if issubclass(kind, (numpy.integer, numpy.floating)):
        numbers.append(value.item())
        return (NUMBER, kind)
    if kind is slice:
        return (slice, *[flatten(part, tensors, numbers, met) for part in (value.start, value.stop, value.step)])
    if kind is set and met is not None and all(map(_is_plain_element, value)):
        return (set, _Constant(tuple(value), (repr(value), *map(type, value))))
    if kind is deque and met is not None:
        return (deque, value.maxlen, *[flatten(item, tensors, numbers, met) for item in value])
    if kind is numpy.ndarray and met is not None and is_small_array(value):
        return (numpy.ndarray, value.dtype.str, value.shape, value.flags.writeable, value.tobytes())
    return _flatten_constant(value, kind, met)


def _flatten_sequence(value: Any, kind: Any, tensors: list[Tensor], numbers: list[Any], met: dict[Any, Any] | None) -> Any:
    items = (list if issubclass(kind, list) else tuple).__iter__(value)
    return (kind, *[flatten(item, tensors, numbers, met) for item in items])


def _flatten_dict(value: Any, kind: Any, tensors: list[Tensor], numbers: list[Any], met: dict[Any, Any] | None) -> Any:
    factory = value.default_factory if isinstance(value, defaultdict) else None
    if factory is not None and met is not None and not _is_setting(factory, type(factory)):
        met[REFUSED] = f"it holds a {type(factory).__name__}"
    items = (OrderedDict if issubclass(kind, OrderedDict) else dict).items(value)
    return (kind, factory, *[_entry(key, flatten(item, tensors, numbers, met)) for key, item in items])


def _flatten_object(
    value: Any, known: ObjectClass, tensors: list[Tensor], numbers: list[Any], met: dict[Any, Any]
) -> tuple[Any, ...]:
    """The structure of an object. One that holds what is not taken apart is a constant, unless its class is free to."""
    key = id(value)
    if key in met:
        return (SAME, met[key])
    refused, depth = met.pop(REFUSED, None), met.pop(DEPTH, 0)
    number, tensors_before, numbers_before = len(met), len(tensors), len(numbers)
    met[key] = number
    if not known.is_free and (is_whole(value) or depth == _DEEPEST or number >= _MOST):
        met[REFUSED] = "the function asks which object it is" if is_whole(value) else "there are too many objects in objects"
        structure: tuple[Any, ...] = ()
    else:
        met[DEPTH] = depth + 1
        structure = _parts(value, known, tensors, numbers, met)
        del met[DEPTH]
    if depth:
        met[DEPTH] = depth
    if REFUSED in met and not known.is_free:
        del tensors[tensors_before:], numbers[numbers_before:]
        for each in [each for each, of in met.items() if type(each) is int and of >= number]:
            del met[each]
        return _constant(value, type(value))
    if refused is not None:
        met[REFUSED] = refused
    return structure


def _parts(value: Any, known: ObjectClass, tensors: list[Tensor], numbers: list[Any], met: Any) -> tuple[Any, ...]:
    """The structures of what an object has."""
    kind, first, content = type(value), len(numbers), None
    own = attributes_of(value) if known.has_slots else own_dict(value)
    if own is value:
        met[REFUSED] = "its attributes are its items"
        return ()
    if not known.is_free:  # before anything is taken apart in vain
        for kind_of_item in {*map(type, own.values())}:
            if issubclass(kind_of_item, _NEVER):
                met[REFUSED] = f"it holds a {kind_of_item.__name__}"
                return ()
    if known.content is not None:
        flatten_items = _flatten_sequence if known.content is list else _flatten_dict
        content = flatten_items(value, kind, tensors, numbers, met)
    parts: list[Any] = []
    for item in own.values():
        kind_of_item = type(item)
        if kind_of_item is Tensor:
            tensors.append(item)
            parts.append(TENSOR)
        elif kind_of_item in _COMMON:
            parts.append((CONSTANT, kind_of_item, item))
        elif kind_of_item is int or kind_of_item is float:
            numbers.append(item)
            parts.append(_OF_NUMBERS[kind_of_item])
        elif known.is_free:
            parts.append(flatten(item, tensors, numbers, met))
        elif kind_of_item in _SIZED and len(item) > _MOST:
            met[REFUSED] = f"it holds a {kind_of_item.__name__} of more than {_MOST} items"
            break
        else:
            parts.append(flatten(item, tensors, numbers, met))
            if REFUSED in met:
                break
    fixed = tuple(map(repr, numbers[first:])) if known.is_library and not known.is_free else None
    return (OBJECT, kind, content, fixed, tuple(own), *parts)


def _flatten_constant(value: Any, kind: Any, met: dict[Any, Any] | None) -> Any:
    """The structure of what is no container: it itself."""
    if met is not None and not _is_setting(value, kind):
        met[REFUSED] = f"it holds a {kind.__name__}"
    return _constant(value, kind)


def _constant(value: Any, kind: Any) -> Any:
    if kind in (complex, range, frozenset):  # which may be equal and not the same: 0 and -0, 1 and True
        return (CONSTANT, kind, value, repr(value))
    if issubclass(kind, numpy.generic):
        return (CONSTANT, kind, _Constant(value, (kind, repr(value))))
    if not isinstance(value, Enum) and _compares(kind) and (not is_library_class(kind) or _is_object(value)):
        return (CONSTANT, kind, _Constant(value, id(value)))
    return (CONSTANT, value.__class__, value)


_PLAIN = (str, bool, type(None), bytes)
_COMMON = (*_PLAIN, DType, Device)  # attributes
_ELEMENTS = (*_PLAIN, int, float, complex)


def _is_plain_element(value: Any) -> bool:
    """Whether an element of a set may be in the structure of arguments."""
    kind = type(value)
    return all(map(_is_plain_element, value)) if kind is tuple else kind in _ELEMENTS or isinstance(value, Enum)


def _is_setting(value: Any, kind: Any) -> bool:
    """Whether a value may be an attribute of an object that is taken apart: it has nothing in it that refers to the object."""
    if kind is frozenset:
        return all(map(_is_plain_element, value))
    if kind is FunctionType:
        return value.__closure__ is None
    if kind is BuiltinFunctionType:
        return isinstance(value.__self__, (ModuleType, type(None)))
    if issubclass(kind, (str, bytes, complex)) and kind not in _ELEMENTS:
        return False
    return issubclass(kind, (*_SETTINGS, type, numpy.generic, numpy.dtype)) and not issubclass(kind, _NEVER)


def _compares(kind: Any) -> bool:
    """Whether objects of a class may be equal to others."""
    return kind.__eq__ is not object.__eq__


def _is_object(value: Any) -> bool:
    """Whether a value is an object whose attributes or items a capture can follow: no setting, function or iterator."""
    kind = type(value)
    if issubclass(kind, (*_SETTINGS, type, ModuleType)) or callable(value) or hasattr(kind, "__next__"):
        return False
    return issubclass(kind, _WHOLE) or hasattr(kind, "__weakref__")


class _Constant:
    """A value in a structure that is not compared by its own `==`.

    Attributes:
        value: the value.
        key: equal for values that are the same argument. Of an object that says itself what it is equal to, its identity.
    """

    __slots__ = ("value", "key")

    def __init__(self, value: Any, key: Any) -> None:
        self.value = value
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Constant) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


def _entry(key: Any, structure: Any) -> tuple[Any, ...]:
    """An entry of a dict in its structure: 1 and True are equal keys, of other classes."""
    return (key, structure) if key.__class__ is str else (key, structure, key.__class__)


def unflatten(structure: Any, tensors: Iterator[Any], numbers: Iterator[Any], made: list[Any] | None = None) -> Any:
    """The value with this structure and these tensors and numbers.

    Args:
        made: the objects that are made already, by their numbers.
    """
    if structure is TENSOR:
        return next(tensors)
    made = [] if made is None else made
    kind, *items = structure
    if kind is NUMBER:
        return _number(next(numbers), items[0])
    if kind is CONSTANT:
        return items[1].value if isinstance(items[1], _Constant) else items[1]
    if kind is SAME:
        return made[items[0]]
    if kind is OBJECT:
        return _made_object(structure, tensors, numbers, made)
    if kind is slice:
        return slice(*[unflatten(item, tensors, numbers, made) for item in items])
    if kind is set:
        return _made_set(items[0].value)
    if kind is deque:
        return deque([unflatten(item, tensors, numbers, made) for item in items[1:]], items[0])
    if kind is numpy.ndarray:
        dtype, shape, is_writeable, content = items
        array = numpy.frombuffer(content, dtype).reshape(shape).copy()
        array.flags.writeable = is_writeable
        return array
    if issubclass(kind, dict):
        return _fill_dict(_new_dict(kind), items, tensors, numbers, made)
    if issubclass(kind, Tensor):
        layout, shape, coalesced, own_leaf = items[0]
        *index, entries = [unflatten(item, tensors, numbers, made) for item in items[1:]]
        return kind.make(layout, tuple(index), entries, shape, coalesced, own_leaf)  # type: ignore[attr-defined]
    if issubclass(kind, PackedSequence):
        data, *orders = [unflatten(item, tensors, numbers, made) for item in items[1:]]
        return kind(data, items[0], *orders)
    if issubclass(kind, list):
        filled: list[Any] = list.__new__(kind)
        list.extend(filled, [unflatten(item, tensors, numbers, made) for item in items])
        return filled
    return tuple.__new__(kind, [unflatten(item, tensors, numbers, made) for item in items])


def _number(number: Any, kind: type) -> Any:
    """A number of its class: NumPy's numbers come as Python's."""
    if not issubclass(kind, numpy.generic):
        return number
    return NumpyScalar(number, kind) if isinstance(number, RuntimeScalar) else kind(number)


def _made_object(structure: Any, tensors: Iterator[Any], numbers: Iterator[Any], made: list[Any]) -> Any:
    _, kind, content, fixed, names, *items = structure
    if fixed is not None:
        numbers = (number.value if type(number) is RuntimeScalar else number for number in numbers)
    value = new_object(kind)
    made.append(value)  # it may be an attribute of itself
    if content is not None and issubclass(kind, dict):
        _fill_dict(value, content[1:], tensors, numbers, made)
    elif content is not None:
        list.extend(value, [unflatten(item, tensors, numbers, made) for item in content[1:]])
    put_attributes(value, {name: unflatten(item, tensors, numbers, made) for name, item in zip(names, items)})
    return value


def _made_set(elements: Any) -> set[Any]:
    """A set that is iterated over in this order.

    Raises:
        CaptureError: what it went through before gives it an order of its own.
    """
    for made in ({*elements}, {*elements[::-1]}):
        if tuple(made) == elements:
            return made
    raise CaptureError("a set among the arguments has elements in an order that no copy of it has: pass a sorted list")


def _new_dict(kind: Any) -> Any:
    if is_plain_class(kind):
        return new_object(kind)
    return kind() if is_library_class(kind) else kind.__new__(kind)


def _fill_dict(made: Any, items: Any, tensors: Iterator[Any], numbers: Iterator[Any], others: list[Any]) -> Any:
    put = OrderedDict.__setitem__ if isinstance(made, OrderedDict) else dict.__setitem__
    if items[0] is not None:
        made.default_factory = items[0]
    for key, item, *_ in items[1:]:
        put(made, key, unflatten(item, tensors, numbers, others))
    return made


def is_leaf(structure: Any) -> bool:
    """Whether there are no structures in one."""
    return structure is TENSOR or structure[0] in (NUMBER, CONSTANT, SAME, set, numpy.ndarray)


def children(structure: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The structures in one: what finds each in a value, a function of the value and a key, and the key."""
    if is_leaf(structure):
        return
    kind, *items = structure
    if kind is OBJECT:
        _, content, _, names, *parts = items
        yield from children(content) if content is not None else ()
        yield from zip(repeat(own_attribute_of), names, parts)
    elif kind is slice:
        yield from zip(repeat(getattr), ("start", "stop", "step"), items)
    elif kind is deque:
        yield from zip(repeat(getitem), range(len(items)), items[1:])
    elif issubclass(kind, dict):
        yield from [(dict.__getitem__, entry[0], entry[1]) for entry in items[1:]]
    elif not issubclass(kind, (PackedSequence, Tensor)):
        yield from zip(repeat((list if issubclass(kind, list) else tuple).__getitem__), range(len(items)), items)


def _constants(structure: Any) -> Iterator[Any]:
    """What stands in a structure itself."""
    if structure is not TENSOR and structure[0] is CONSTANT:
        yield structure[2].value if isinstance(structure[2], _Constant) else structure[2]
    for _, _, child in children(structure):
        yield from _constants(child)


def what_holds_whole(value: Any) -> str:
    """Why an object of a plain class is not taken apart, in words; empty for another object."""
    met: dict[Any, Any] = {}
    flatten(value, [], [], met)
    return str(met.get(REFUSED, "")) if object_class(type(value)) is not None else ""


def constants_in(structure: Any) -> list[Any]:
    """What stands in a structure itself: settings, functions, modules and objects that are not taken apart."""
    return [*_constants(structure)]


def contents_in(structure: Any) -> Iterator[Any]:
    """The structures of NumPy arrays in one, and of the outermost objects that are of no dataclass: what these hold."""
    known = object_class(structure[1]) if structure is not TENSOR and structure[0] is OBJECT else None
    if (known is not None and not known.is_free) or (structure is not TENSOR and structure[0] is numpy.ndarray):
        yield structure
    else:
        for _, _, child in children(structure):
            yield from contents_in(child)


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
            why = what_holds_whole(value)
            raise ArgumentTypeError(
                f"{name}: the inputs must be tensors, numbers, texts, bools, None, modules, optimizers and objects with attributes,"
                f" nested in containers and dataclasses, not {type(value).__name__}{why and f' ({why})'}"
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
