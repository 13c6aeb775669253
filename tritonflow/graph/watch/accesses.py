"""Reads and writes of attributes and items of objects from outside, whichever instruction or built-in function does them."""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
import threading
import types
import weakref
from collections import defaultdict
from types import FunctionType, ModuleType
from typing import Any

from tritonflow.framework.runtime_scalar import NumpyScalar, PinError, RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.watch.contents import CONTAINERS
from tritonflow.graph.watch.modules import attribute_of, vars_of
from tritonflow.graph.watch.outside import ATOMS
from tritonflow.graph.watch.slots import ABSENT, ITEM, AttributeSlot, ItemSlot, class_slot, own_dict, underlying
from tritonflow.graph.watch.user_code import is_library, is_library_class, is_library_module, may_store
from tritonflow.graph.watch.watch import OF_TENSORS, Watch
from tritonflow.nn import Module
from tritonflow.optim import Optimizer


def check_argument(watch: Watch, value: Any) -> None:
    """Refuse a backward that reads a container or an object among the arguments, which may change before `backward()`.

    Raises:
        CaptureError: one does.
    """
    if watch.backward is not None and id(underlying(value)) in watch.argument_copies:
        watch.refuse(f"reads an argument, a {type(value).__name__}, in its backward", "read it in the forward")


def read_attribute(watch: Watch, owner: Any, name: str) -> None:
    """Note that user code reads an attribute."""
    kind = type(owner)
    if (kind is RuntimeScalar and not hasattr(RuntimeScalar, name)) or (kind is NumpyScalar and name != "item"):
        raise PinError
    if kind in ATOMS:
        return
    if name == "__class__":
        watch.read_kind(owner)
    if kind is super:
        if owner.__self_class__ is not None:
            watch.read_member(owner.__self_class__, name, owner.__thisclass__)
    elif kind is ModuleType or isinstance(owner, ModuleType):
        _read_of_python_module(watch, owner, name)
    elif isinstance(owner, type):
        if name in _OF_CLASSES and not is_library_class(owner):
            watch.read_slot(AttributeSlot(owner, name, getattr))
        watch.read_member(owner, name)
    elif isinstance(owner, Tensor):
        own = owner.__dict__
        if owner.impl.is_lazy:
            if name in _LAYOUT:
                watch.read_layout(name)
            elif name == "__class__":
                watch.read_kind(owner)
            elif name not in OF_TENSORS and not hasattr(kind, name):
                watch.read_attribute_of(owner, name)
        elif name not in OF_TENSORS and (name in own or not hasattr(kind, name)):
            watch.read_item(own, name, name, own.get(name, ABSENT))
        elif name in _OF_METAS and watch.is_outside(owner):
            watch.read_slot(AttributeSlot(owner, "meta"))
        elif name in _OF_HISTORY and watch.is_outside(owner):
            watch.read_slot(AttributeSlot(owner, name, getattr))
    elif isinstance(owner, Module):
        if id(owner) not in watch.made:
            if name == "__dict__":
                watch.see(vars_of(owner))
        elif watch.is_outside(kind) and attribute_of(vars_of(owner), name) is ABSENT:
            watch.read_member(kind, name)
    elif kind in weakref.ProxyTypes:
        watch.read_deeply(owner)
    elif watch.is_outside(owner):
        behind = underlying(owner)
        if behind is not owner:
            watch.read_deeply(owner)
            read_attribute(watch, behind, name)
        else:
            _read_of_object(watch, owner, name)
    elif watch.is_outside(kind) and name not in (own_dict(owner) or ()):
        watch.read_member(kind, name)


_LAYOUT = ("is_contiguous", "stride", "storage_offset", "data_ptr", "storage", "untyped_storage", "is_set_to")
_OF_METAS = frozenset(
    "shape size dim ndim numel nelement dtype device element_size is_floating_point is_complex layout itemsize nbytes".split()
) | {*_LAYOUT}
_OF_CLASSES = ("__name__", "__qualname__", "__bases__", "__mro__")  # which are in no `__dict__`
_OF_HISTORY = ("requires_grad", "is_leaf", "grad_fn")
_PLAIN_SETATTR = type(object.__setattr__)


def _read_of_python_module(watch: Watch, module: ModuleType, name: str) -> None:
    own = vars(module)
    value = own.get(name, ABSENT)
    if value is ABSENT and "__getattr__" in own:
        return
    if not is_library_module(module) or not isinstance(value, ModuleType):
        watch.read_item(own, name, name, value)


def read_module(watch: Watch, name: str, package: str = "") -> None:
    """Note that user code imports a module of the user's, in whose place there may be another one; that of a library stays."""
    name = importlib.util.resolve_name(name, package)
    for each in {name, name.partition(".")[0]}:
        module = sys.modules.get(each)
        if module is not None and not is_library_module(module):
            watch.read_item(sys.modules, each, each, module)


def _read_of_object(watch: Watch, owner: Any, name: str) -> None:
    kind = type(owner)
    member = _member(kind, name)
    if name == "__dict__":
        watch.see(_dict_of(owner))
        return
    if isinstance(member, types.MemberDescriptorType):  # one of __slots__
        watch.read_slot(AttributeSlot(owner, name))
        watch.read_kind(owner)
        return
    if isinstance(member, types.GetSetDescriptorType) and name not in _PARTS_OF_FUNCTIONS:
        value = getattr(owner, name, ABSENT)
        if type(value) in ATOMS:
            watch.read_slot(AttributeSlot(owner, name, getattr))
        else:
            watch.see(value)
        return
    if not hasattr(type(member), "__set__"):
        own = _dict_of(owner)
        if own is not None:
            watch.own_dicts[id(own)] = owner
            watch.read_item(own, name, name, own.get(name, ABSENT))
            if name in own:
                return
        elif not is_library_class(kind):
            watch.read_kind(owner)
    watch.read_member(kind, name)
    if type(member) is property and _is_library_code(member.fget) and not isinstance(owner, Optimizer):
        watch.read_object(owner)
    if member is ABSENT and not is_library_class(kind):
        watch.read_special(kind, "__getattr__")
    if member is ABSENT and not isinstance(_member(kind, "__getattr__"), (FunctionType, type(ABSENT))):
        watch.read_deeply(owner)  # a __getattr__ that is not written in Python looks wherever it likes


def _is_library_code(function: Any) -> bool:
    return isinstance(function, FunctionType) and is_library(function.__code__, function.__globals__)


_PARTS_OF_FUNCTIONS = ("__code__", "__defaults__", "__kwdefaults__")  # which are guarded for every function that runs


def _member(kind: type, name: str) -> Any:
    for each in kind.__mro__:
        if name in vars(each):
            return vars(each)[name]
    return ABSENT


def _dict_of(owner: Any) -> dict[str, Any] | None:
    try:
        own = owner.__dict__ if isinstance(owner, threading.local) else object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return None
    return own if isinstance(own, dict) else None


def write_attribute(watch: Watch, owner: Any, name: str, raw: bool = False, removes: bool = False) -> None:
    """Note that user code sets or `removes` an attribute; `raw` says that no `__setattr__` of a user's class is called."""
    kind = type(owner)
    if name == "__class__" and (watch.is_outside(owner) or (isinstance(owner, Module) and id(owner) not in watch.made)):
        watch.refuse(f"gives a {kind.__name__} another class", "do it outside")
    if isinstance(owner, ModuleType):
        watch.write_slot(ItemSlot(vars(owner), name, name))
    elif isinstance(owner, type):
        if watch.is_outside(owner):
            watch.write_slot(class_slot(owner, name))
    elif isinstance(owner, Tensor):
        if not hasattr(kind, name):
            if owner.impl.is_lazy:
                watch.refuse(f"gives a tensor the attribute '{name}', which that of the next run would not have", "set it outside")
            watch.write_slot(ItemSlot(owner.__dict__, name, name))
    elif isinstance(owner, Module):  # whose own `__setattr__` is watched
        return
    elif watch.is_outside(owner) and not raw and not isinstance(_member(kind, "__setattr__"), (FunctionType, _PLAIN_SETATTR)):
        watch.refuse(f"sets an attribute of a {kind.__name__}, whose __setattr__ cannot be followed", "set it outside")
    elif watch.is_outside(owner) and (raw or not _has_own_setattr(kind)):
        member = _member(kind, name)
        if isinstance(member, types.MemberDescriptorType):
            watch.write_slot(AttributeSlot(owner, name))
            return
        own = _dict_of(owner)
        if name == "__dict__":
            watch.refuse(f"replaces the __dict__ of a {kind.__name__}", "set its attributes")
        if own is not None and not hasattr(type(member), "__set__"):
            watch.own_dicts[id(own)] = owner
            watch.write_slot(ItemSlot(own, name, name), removes)


def _has_own_setattr(kind: type) -> bool:
    """Whether a user's function sets attributes, which is watched itself."""
    put: Any = kind.__setattr__
    return put is not object.__setattr__ and any(
        "__setattr__" in vars(each) and not is_library_class(each) for each in kind.__mro__
    )


def read_item(watch: Watch, container: Any, key: Any) -> None:
    """Note that user code reads an item."""
    if type(container) is types.MappingProxyType and not watch.is_outside(container):
        read_of_class(watch, container, "__getitem__", (key,))
    if not watch.is_outside(container):
        return
    if isinstance(container, dict):
        read_key(watch, container, key)
    elif isinstance(container, CONTAINERS):
        is_known = id(container) in watch.contents or id(container) in watch.changed
        if type(key) is int and isinstance(container, list) and not is_known:
            watch.read_item(container, key, "", ItemSlot(container, key).get())
        else:
            watch.read_content(container)
    elif is_environment(container):
        watch.read_slot(ItemSlot(container, key))
    elif not isinstance(container, (tuple, Tensor, Module)):
        check_key(watch, key)
        watch.read_deeply(container)


def read_key(watch: Watch, container: Any, key: Any) -> None:
    """Note that user code looks for a key of a dict."""
    check_key(watch, key)
    refuse_tensors(watch, key)
    try:
        value = dict.get(container, key, ABSENT)
    except TypeError:  # no key of a dict
        return
    before = watch.changed.get(id(container))
    if before is not None and before.item(key) is not value and (id(container), ITEM, key) not in watch.records:
        return  # which the function itself has put there, or removed, with others
    if value is ABSENT and isinstance(container, defaultdict):
        watch.read_item(container, key, "", value)
        watch.read_slot(AttributeSlot(container, "default_factory", getattr))
        watch.before_change(container)
        watch.write_slot(ItemSlot(container, key))
    else:
        watch.read_item(container, key, "", value)


def check_key(watch: Watch, key: Any) -> None:
    """Refuse a key of a class that changes something where it is compared: Python does so more often in a capture than in a run.

    Raises:
        PinError: a number that differs from run to run is in a tuple that is a key.
    """
    kind = type(key)
    if kind not in ATOMS:
        watch.refuse_identity(key)
    if isinstance(key, tuple) and any(type(each) in (RuntimeScalar, NumpyScalar) for each in key):
        raise PinError
    if kind not in ATOMS and not is_library_class(kind):
        for name in ("__hash__", "__eq__"):
            function = getattr(kind, name)
            if isinstance(function, FunctionType) and may_store(watch.original_code(function)):
                watch.refuse(f"uses a key whose {name} may change something", "use a key without such a method")


def refuse_tensors(watch: Watch, key: Any) -> None:
    """Refuse a key of a dict from outside that is a tensor of the program, or has one: each run has other tensors."""
    if isinstance(key, Tensor) and key.is_lazy:
        watch.refuse(
            "uses a tensor of the program as a key of a dict from outside, which is another tensor in each run",
            "use a number or a name",
        )
    elif isinstance(key, tuple):
        for each in key:
            refuse_tensors(watch, each)


def _class_of(table: Any) -> Any:
    """The class whose `__dict__` it is; None for another mapping."""
    own = underlying(table)
    kinds = [each for each in gc.get_referrers(own) if isinstance(each, type) and underlying(each.__dict__) is own]
    return kinds[0] if kinds else None


def read_of_class(watch: Watch, table: Any, name: str, arguments: tuple[Any, ...]) -> None:
    """Note what user code asks of the `__dict__` of a class."""
    kind = _class_of(table)
    if kind is None or is_library_class(kind):
        return
    if name in ("get", "__getitem__", "__contains__") and isinstance(arguments[0], str):
        watch.read_slot(class_slot(kind, arguments[0]))
    elif name in ("keys", "values", "items", "copy", "__iter__", "__len__"):
        watch.refuse(f"reads the whole __dict__ of the class {kind.__name__}", "read its attributes by name")


def is_environment(value: Any) -> bool:
    """Whether a value is `os.environ`."""
    return value is os.environ
