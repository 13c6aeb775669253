"""Objects of Python classes that are taken apart into their attributes, and put together again: no code of their class runs."""

from __future__ import annotations

import argparse
import sys
import types
import weakref
from collections import OrderedDict, defaultdict
from dataclasses import is_dataclass
from typing import Any, NamedTuple

import numpy

from tritonflow.graph.watch.slots import attributes_of, names_of_slots, own_dict
from tritonflow.graph.watch.user_code import is_library_class
from tritonflow.nn import Module
from tritonflow.nn.modules.state import StateDict

_CONTENTS: tuple[Any, ...] = (list, dict, OrderedDict, defaultdict)  # what an object may be besides its attributes
_PLAIN = (types.SimpleNamespace, argparse.Namespace, OrderedDict, defaultdict, StateDict)
_WITHOUT_STATE = ("abc", "collections", "collections.abc", "typing")  # Python modules whose base classes are written in Python
_OTHERS = frozenset(("tritonflow", "torch", "triton", "numpy", *sys.stdlib_module_names))
_HEAP_TYPE = 1 << 9  # a flag of classes that were made by a `class` statement
_MOST_BYTES = 4096
_POINTER = object.__basicsize__ // 2

_whole: dict[int, weakref.ref[Any]] = {}  # by their identities


class ObjectClass(NamedTuple):
    """What is known of a class whose objects are taken apart.

    Attributes:
        is_free: whether they are so whatever they hold: those of dataclasses, unless these are containers, too.
        has_slots: whether there are attributes in `__slots__`.
        is_library: whether the class is a library's, and has methods that look at its attributes.
        content: list or dict, if they have items, too.
    """

    is_free: bool
    has_slots: bool
    is_library: bool
    content: type | None


_known: dict[int, tuple[weakref.ref[type], ObjectClass | None]] = {}  # by the identities of classes, which is found in less time


def object_class(kind: type) -> ObjectClass | None:
    """What is known of a class whose objects are taken apart; None for another one."""
    known = _known.get(id(kind))
    if known is None:
        key = id(kind)
        known = _known[key] = weakref.ref(kind, lambda _: _known.pop(key, None)), _object_class(kind)
    return known[1]


def _object_class(kind: type) -> ObjectClass | None:
    is_free = is_dataclass(kind) and not issubclass(kind, (type, dict, list, tuple, Module))
    if not is_free and not _is_plain(kind):
        return None
    content = next((each for each in (list, dict) if issubclass(kind, each)), None)
    is_library = is_library_class(kind) and kind not in _PLAIN and kind.__module__ not in _WITHOUT_STATE
    return ObjectClass(is_free, bool(names_of_slots(kind)), is_library, content)


def is_plain_class(kind: type) -> bool:
    """Whether objects of a class have nothing but attributes, and items of a list or dict.

    Such a class is written in Python, by the user or in an installed package. It has no `__del__`, which a copy would run, too.
    """
    known = object_class(kind)
    return known is not None and (not known.is_free or _is_plain(kind))


def _is_plain(kind: type) -> bool:
    if kind in _PLAIN:
        return True
    if hasattr(kind, "__del__") or not all(map(_is_plain_base, kind.__mro__)):
        return False
    built_in = _built_in(kind)
    names = [name for each in kind.__mro__ for name, member in vars(each).items() if isinstance(member, types.MemberDescriptorType)]
    has_room_for = _POINTER * (len(names) + 2)  # with the references to its dict and to its weak references
    return len({*names}) == len(names) and kind.__basicsize__ <= built_in.__basicsize__ + has_room_for and built_in is not kind


def _is_plain_base(kind: type) -> bool:
    if kind is object or kind in _CONTENTS:
        return True
    kind_of_class: Any = type(kind)
    is_written_in_python = kind.__flags__ & _HEAP_TYPE and (kind_of_class is type or kind_of_class.__flags__ & _HEAP_TYPE)
    if not is_written_in_python:
        return False
    is_of_another = is_library_class(kind) and kind.__module__.partition(".")[0] in _OTHERS
    return kind.__module__ in _WITHOUT_STATE or not is_of_another


def has_attributes(value: Any) -> bool:
    """Whether an object has attributes of its own."""
    return bool(own_dict(value)) or bool(names_of_slots(type(value)) and attributes_of(value))


def is_small_array(value: numpy.ndarray[Any, Any]) -> bool:
    """Whether the content of an array may be compared in each call to find the program for it."""
    return value.nbytes <= _MOST_BYTES and value.dtype.kind in "biufcSU" and value.flags.c_contiguous


def new_object(kind: Any) -> Any:
    """An object without attributes and items."""
    if kind is types.SimpleNamespace:
        return kind()
    return _built_in(kind).__new__(kind)


def _built_in(kind: type) -> Any:
    return next(each for each in kind.__mro__ if each in (object, *_CONTENTS))


# ------------------------------------------------------------------------------------------- objects that are left whole


def keep_whole(value: Any) -> bool:
    """Take an object apart no more: which object it is matters to a program. False if that cannot be noted."""
    key = id(value)
    try:
        _whole[key] = weakref.ref(value, lambda _: _whole.pop(key, None))
    except TypeError:
        return False
    return True


def is_whole(value: Any) -> bool:
    """Whether an object is to be left whole."""
    return id(value) in _whole
