"""What calls of functions that are not watched read and change: those of Python itself and of libraries."""

from __future__ import annotations

import builtins
import collections
import functools
import importlib
import logging
import operator
import os
import re
import sys
import threading
import time
import types
import warnings
import weakref
from abc import ABCMeta, get_cache_token
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any, _get_protocol_attrs  # type: ignore[attr-defined]

import numpy

from tritonflow.amp import GradScaler
from tritonflow.framework.runtime_scalar import NumpyScalar, PinError, RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.watch import accesses, system
from tritonflow.graph.watch.contents import CONTAINERS
from tritonflow.graph.watch.number_functions import called_for
from tritonflow.graph.watch.outside import ATOMS, BOUND
from tritonflow.graph.watch.slots import CalledSlot, ItemSlot, ReferenceSlot, attributes_of, method_of, underlying
from tritonflow.graph.watch.user_code import is_library, is_library_class
from tritonflow.graph.watch.watch import VERSIONED, Watch
from tritonflow.nn import Module
from tritonflow.optim import Optimizer
from tritonflow.optim.lr_scheduler import LRScheduler

_CACHED = functools._lru_cache_wrapper
_OF_OPTIMIZERS = ("load_state_dict", "add_param_group")  # their methods that change more than a step does
_UNBOUND = (types.MethodDescriptorType, types.WrapperDescriptorType)
_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL)
_BLIND = (  # what changes a container, whatever it holds
    "append appendleft extend extendleft add update discard clear insert __ior__ __iadd__ __setitem__ __delitem__"
).split()
_CHANGING = (
    "pop popleft popitem remove sort reverse setdefault rotate difference_update intersection_update symmetric_difference_update"
    " move_to_end subtract fill put itemset resize partition byteswap setflags __imul__ __iand__ __isub__ __ixor__"
).split()
_OF_IDENTITY = ("__hash__", "__repr__", "__str__", "__format__", "__reduce__", "__reduce_ex__")  # methods of `object`
INPLACE = {
    "INPLACE_ADD": "__iadd__", "INPLACE_MULTIPLY": "__imul__", "INPLACE_OR": "__ior__", "INPLACE_AND": "__iand__",
    "INPLACE_SUBTRACT": "__isub__", "INPLACE_XOR": "__ixor__",
}  # fmt: skip
_PURE = (
    re.Pattern, re.Match, numpy.dtype, numpy.ufunc, numpy.generic, types.GenericAlias, operator.itemgetter, operator.attrgetter,
)  # fmt: skip


def call(watch: Watch, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Note that user code calls something."""
    function = called_for(function)
    kind = type(function)
    if kind in (FunctionType, BuiltinFunctionType, type):
        special = _SPECIAL.get(function)
        if special is not None:
            special(watch, *arguments, **keywords)
            return
    if kind is FunctionType:
        _function(watch, function, arguments, keywords)
    elif kind is MethodType:
        _method(watch, function, arguments, keywords)
    elif kind is BuiltinFunctionType or kind is MethodWrapperType:
        owner = function.__self__
        if owner is None or isinstance(owner, (ModuleType, type)):
            _of_library(watch, function, arguments, keywords)
        else:
            _bound(watch, owner, function.__name__, arguments, keywords)
    elif kind in _UNBOUND and arguments:
        _bound(watch, arguments[0], function.__name__, arguments[1:], keywords)
    elif isinstance(function, type):
        if not (watch.is_outside(function) or is_library_class(function)):
            watch.made_classes[id(function)] = function
        watch.see(function)
        if "__init__" not in vars(function) or is_library_class(function):
            _of_library(watch, function, arguments, keywords)
    elif isinstance(function, weakref.ref):
        if watch.is_outside(function):
            if watch.changed or any(record.written for record in watch.records.values()):
                watch.refuse("asks whether an object is alive, after it has changed variables", "ask outside")
            watch.read_slot(ReferenceSlot(function))
            watch.see(function())
    elif isinstance(function, functools.partial):
        watch.see(function.func)
        call(watch, function.func, (*function.args, *arguments), {**function.keywords, **keywords})
    elif isinstance(function, Module):
        watch.read_special(kind, "__call__")
        _read(watch, arguments, keywords)
    elif not isinstance(function, (Tensor, *_PURE)):
        if watch.is_outside(function) and isinstance(function, _CACHED):
            _refuse_cached(watch)
        system.note_call(watch, function)
        if kind.__module__.startswith("tritonflow.library"):
            watch.tracer.begin()  # which calls functions that were registered with it
        if id(function) not in watch.argument_copies:
            watch.see(function)
        if is_library_class(kind) and not kind.__module__.startswith("tritonflow"):
            watch.read_deeply(function)
        _read(watch, arguments, keywords)
    else:
        _read(watch, arguments, keywords)


def _function(watch: Watch, function: FunctionType, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    if watch.has_probes(function.__code__):
        return
    watch.see(function)
    if is_library(function.__code__, function.__globals__):
        _of_library(watch, function, arguments, keywords)


def _method(watch: Watch, function: MethodType, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    owner, inner = function.__self__, function.__func__
    if not isinstance(inner, FunctionType):  # written in C, or a callable object
        if isinstance(inner, _CACHED):
            _refuse_cached(watch)
        watch.see(inner)
        _bound(watch, owner, function.__name__ if hasattr(inner, "__name__") else "__call__", arguments, keywords)
        return
    if not is_library(inner.__code__, inner.__globals__):
        if not watch.has_probes(inner.__code__):
            watch.see(inner)
        return
    if isinstance(owner, CONTAINERS):
        _bound(watch, owner, function.__name__, arguments, keywords)
        return
    if isinstance(owner, threading.Thread):
        watch.refuse(f"calls {function.__name__}() of a thread, which the next run would not", "do it outside")
    system.note_call(watch, function)
    _check_identities(watch, inner, arguments)
    if isinstance(owner, logging.Logger):
        for level in _LEVELS:
            owner.isEnabledFor(level)  # which a logger remembers: so its first record changes nothing of it
    _trace_foreign(watch, function)
    if isinstance(owner, Optimizer) and function.__name__ in _OF_OPTIMIZERS and watch.is_outside(owner):
        watch.refuse(f"calls {function.__name__}() of an optimizer, which a run would not do", "do it outside")
    if id(owner) in watch.behind:
        what = watch.behind[id(owner)]
        watch.refuse(f"calls {function.__name__}(), which reads what {what} changes behind the run", f"call {what} outside")
    if watch.is_outside(owner) and not _tells_itself(owner, function.__name__):
        watch.read_object(owner)
    _read(watch, arguments, keywords)


def _tells_itself(owner: Any, name: str) -> bool:
    """Whether what a method of a library's object reads and sets is known in another way than by its attributes."""
    followed = next((names for kind, names in _FOLLOWED.items() if isinstance(owner, kind)), None)
    return isinstance(owner, (type, *VERSIONED)) if followed is None else name in followed


_FOLLOWED: dict[type, tuple[str, ...]] = {
    LRScheduler: ("step",),
    GradScaler: ("scale", "unscale_", "step", "update"),
}


def _of_library(watch: Watch, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    system.note_call(watch, function)
    _trace_foreign(watch, function)
    _check_identities(watch, function, arguments)
    if not system.takes_stand_ins(function, arguments, keywords):
        _pin(watch, arguments, keywords)
    if not arguments and not keywords and system.is_asked(function):
        watch.read_slot(CalledSlot(function))
    if function in _SHALLOW and not any(map(_reads_unseen, (*arguments, *keywords.values()))):
        for argument in (*arguments, *keywords.values()):
            if type(argument) not in ATOMS:
                read_whole(watch, argument)
                if function in _COMPARING:
                    read_nested(watch, argument)
    else:
        _read(watch, arguments, keywords)


def _check_identities(watch: Watch, function: Any, arguments: tuple[Any, ...]) -> None:
    """Refuse arguments of the program where a function looks for an object, or refers to it weakly."""
    if (getattr(function, "__module__", None) or "") in ("weakref", "_weakref", "_weakrefset"):
        _identity(watch, *arguments)


def _trace_foreign(watch: Watch, function: Any) -> None:
    """Look for unwatched user code while a library runs that is not this package: what ours calls of the user's is seen before."""
    if not (getattr(function, "__module__", None) or "").startswith("tritonflow"):
        watch.tracer.begin()


def _read(watch: Watch, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    for argument in (*arguments, *keywords.values()):
        if type(argument) not in ATOMS:
            accesses.check_argument(watch, argument)
            _hand_over(watch, argument)
            watch.read_deeply(argument)


def _hand_over(watch: Watch, value: Any) -> None:
    """Note that a library is given what it may call, change or go on with unseen.

    Raises:
        CaptureError: a run would not repeat that.
    """
    refuse_iterator(watch, value)
    inner = value.__func__ if type(value) is MethodType else value
    if isinstance(inner, _CACHED) and (watch.is_outside(inner) or inner is not value):
        _refuse_cached(watch)
    if type(value) in BOUND:
        owner, name = value.__self__, value.__name__
        if isinstance(owner, CONTAINERS) and watch.is_outside(owner) and name in (*_BLIND, *_CHANGING, "setdefault"):
            watch.refuse(f"hands {type(owner).__name__}.{name} of a container from outside to a library", "use a lambda")
        if not isinstance(owner, (ModuleType, type, type(None))):
            refuse_iterator(watch, owner)
            system.note_method(watch, owner, name)
    elif watch.is_outside(value):
        system.refuse_opaque(watch, value)


def _pin(watch: Watch, arguments: tuple[Any, ...], keywords: dict[str, Any], depth: int = 4) -> None:
    """Let a library have plain numbers: what stands for one in a program is none to code that is written in C.

    Raises:
        PinError: a number that differs from run to run is among them.
    """
    for value in (*arguments, *keywords.values()):
        if type(value) in (RuntimeScalar, NumpyScalar):
            raise PinError
        if depth and isinstance(value, (list, tuple, set, dict)):
            _pin(watch, tuple(value), dict(value) if isinstance(value, dict) else {}, depth - 1)
        elif depth and id(value) in watch.argument_objects:
            _pin(watch, (), attributes_of(value), depth - 1)


def _reads_unseen(value: Any) -> bool:
    """Whether a value is a function that is not watched: `map` and `max` call it with what containers hold."""
    if type(value) is MethodType:
        return not isinstance(value.__func__, FunctionType)
    return callable(value) and not isinstance(value, (FunctionType, Module, Tensor, *CONTAINERS))


def read_nested(watch: Watch, value: Any, depth: int = 8) -> None:
    """Note that the containers in a value are compared, or asked whether they are empty."""
    if isinstance(value, (tuple, *CONTAINERS)) and not isinstance(value, (numpy.ndarray, bytearray)) and depth:
        for item in dict.values(value) if isinstance(value, dict) else value:
            if isinstance(item, (tuple, *CONTAINERS)):
                if isinstance(item, CONTAINERS) and watch.is_outside(item):
                    watch.read_content(item)
                read_nested(watch, item, depth - 1)


def _refuse_cached(watch: Watch) -> None:
    watch.refuse(
        "calls a function with a cache (functools.lru_cache), which gives what an earlier call computed",
        "fill a dict, or call it outside",
    )


def read_whole(watch: Watch, value: Any) -> None:
    """Note that the items of a container from outside are read."""
    accesses.check_argument(watch, value)
    if isinstance(value, CONTAINERS):
        if watch.is_outside(value):
            watch.read_content(value)
    elif isinstance(value, (FunctionType, MethodType, functools.partial, type)):
        watch.see(value)
    elif watch.is_outside(value) and not isinstance(value, (tuple, frozenset, *VERSIONED)):
        refuse_iterator(watch, value)
        watch.read_deeply(value)


def refuse_iterator(watch: Watch, value: Any) -> None:
    """Refuse to go on with what the outside has begun to iterate over; a user's own iterator is watched as any object.

    Raises:
        CaptureError: it is one of Python's or of a library's.
    """
    kind = type(value)
    goes_on = hasattr(kind, "__next__") or kind in (types.CoroutineType, types.AsyncGeneratorType)
    if goes_on and watch.is_outside(value) and not is_users(kind, "__next__"):
        watch.refuse(f"goes on with a {kind.__name__} that was begun outside", "call next() outside, and pass the item")


# --------------------------------------------------------------------------------------------------- methods of containers


def _bound(watch: Watch, owner: Any, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """A call of a method that is written in C."""
    if name in ("__setattr__", "__delattr__") and arguments:
        accesses.write_attribute(watch, owner, arguments[0], raw=True)
        return
    accesses.check_argument(watch, owner)
    if name in _OF_IDENTITY:
        watch.refuse_identity(owner)
    if type(owner) is types.MappingProxyType and not watch.is_outside(owner):
        accesses.read_of_class(watch, owner, name, arguments)
    if name == "__getattribute__" and arguments:
        accesses.read_attribute(watch, owner, arguments[0])
        return
    if not watch.is_outside(owner) or type(owner) in ATOMS:
        system.note_method(watch, owner, name)
        _read(watch, arguments, keywords)
        return
    if isinstance(owner, CONTAINERS):
        _of_container(watch, owner, name, arguments, keywords)
    elif underlying(owner) is not owner:
        watch.read_deeply(owner)
    elif accesses.is_environment(owner):
        watch.read_slot(ItemSlot(owner, arguments[0]))
    elif isinstance(owner, (tuple, frozenset, Tensor, Module, *_PURE)) or name.startswith("__init"):
        _read(watch, arguments, keywords)
    else:
        refuse_iterator(watch, owner)
        system.note_method(watch, owner, name)
        if not is_library_class(type(owner)):
            watch.read_object(owner)
        elif not hasattr(owner, "__dict__") and not type(owner).__module__.startswith(("numpy", "datetime", "pathlib", "decimal")):
            why = f"calls {name}() of a {type(owner).__name__}, which may differ in the next call"
            watch.refuse(why, "call it outside, and pass what it gives")
        _read(watch, arguments, keywords)


def _of_container(watch: Watch, owner: Any, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    if isinstance(owner, collections.Counter) and name in ("update", "subtract"):
        watch.refuse(f"calls {name}() of a Counter from outside, whose numbers the next run may find changed", "add to its items")
    if isinstance(owner, dict) and name in ("get", "__getitem__", "__contains__") and arguments:
        accesses.read_key(watch, owner, arguments[0])
    elif isinstance(owner, dict) and name == "setdefault":
        accesses.read_key(watch, owner, arguments[0])
        if arguments[0] not in owner:
            change(watch, owner, "__setitem__", (arguments[0], *arguments[1:], None)[:2], {})
    elif isinstance(owner, dict) and name == "pop":
        accesses.read_key(watch, owner, arguments[0])
        if arguments[0] in owner:
            change(watch, owner, "__delitem__", arguments[:1], {})
    elif name in _BLIND:
        change(watch, owner, name, arguments, keywords)
    elif name in _CHANGING:
        watch.read_content(owner)
        change(watch, owner, name, arguments, keywords)
    elif name in ("__getitem__",) and isinstance(owner, list):
        accesses.read_item(watch, owner, arguments[0])
    else:
        watch.read_content(owner)
        _read(watch, arguments, keywords)


def change(watch: Watch, container: Any, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Note a call that is about to change a container from outside."""
    if arguments and isinstance(container, (dict, set)):
        accesses.check_key(watch, arguments[0])
        if isinstance(container, dict) and name in ("__setitem__", "__delitem__"):
            accesses.refuse_tensors(watch, arguments[0])
    for value in arguments:
        if type(value) not in ATOMS:
            read_whole(watch, value)
    if name in ("extend", "extendleft", "update", "__iadd__", "__ior__"):  # what they are given may change afterwards
        arguments = tuple([_copied(watch, value) for value in arguments])
    watch.operate(container, method_of(type(container), name), arguments, keywords)
    if name == "sort":  # whose key, and the comparisons of items, may be the user's functions
        watch.refilled[id(container)] = container
    if name in ("__setitem__", "__delitem__") and not isinstance(arguments[0], slice) and isinstance(container, (dict, list)):
        watch.write_slot(ItemSlot(container, arguments[0]), name == "__delitem__")


def _copied(watch: Watch, value: Any) -> Any:
    if hasattr(type(value), "__next__") or is_users(type(value), "__iter__"):
        watch.refuse(f"changes a container from outside by a {type(value).__name__}", "make a list of it")
    return type(value)(value) if type(value) in (list, dict, set) else value


def is_users(kind: type, name: str) -> bool:
    """Whether a class has a method that a user wrote: what that does is watched."""
    return next((not is_library_class(each) for each in kind.__mro__ if name in vars(each)), False)


# ------------------------------------------------------------------------------------------------------ special functions


def _getattr(watch: Watch, owner: Any, name: Any = "", *default: Any) -> None:
    if isinstance(name, str):
        accesses.check_argument(watch, owner)
        accesses.read_attribute(watch, owner, name)


def _setattr(watch: Watch, owner: Any, name: Any = "", *value: Any) -> None:
    if isinstance(name, str):
        accesses.write_attribute(watch, owner, name)


def _vars(watch: Watch, *owner: Any) -> None:
    own = getattr(owner[0], "__dict__", None) if owner else None
    accesses.check_argument(watch, owner[0] if owner else None)
    if not owner:
        _globals(watch)
    elif isinstance(own, dict) and watch.is_outside(owner[0]):
        watch.own_dicts[id(own)] = owner[0]
        watch.see(own)


def _next(watch: Watch, iterator: Any = None, *default: Any) -> None:
    refuse_iterator(watch, iterator)


def _import(watch: Watch, name: Any = "", *arguments: Any, **keywords: Any) -> None:
    if isinstance(name, str) and not name.startswith("."):
        accesses.read_module(watch, name)
    _of_library(watch, importlib.import_module, (name, *arguments), keywords)


def _getenv(watch: Watch, key: Any = "", *default: Any) -> None:
    watch.read_slot(ItemSlot(os.environ, key))


def _globals(watch: Watch) -> None:
    frame: Any = sys._getframe(1)
    while not watch.has_probes(frame.f_code):
        frame = frame.f_back
    watch.see(frame.f_globals)


def _type(watch: Watch, *arguments: Any, **keywords: Any) -> None:
    if len(arguments) == 1:
        if type(arguments[0]) in (RuntimeScalar, NumpyScalar):
            raise PinError
        watch.read_kind(arguments[0])


def _isinstance(watch: Watch, value: Any = None, classes: Any = ()) -> None:
    kind = value if isinstance(value, type) else type(value)
    watch.read_kind(value)
    for each in classes if type(classes) is tuple else (classes,):
        if getattr(each, "_is_protocol", False):
            for name in sorted(_get_protocol_attrs(each)):
                accesses.read_attribute(watch, value, name)
        if isinstance(each, ABCMeta) and not (is_library_class(each) and is_library_class(kind)):
            watch.read_slot(CalledSlot(get_cache_token))  # which another class may be registered at


def _callable(watch: Watch, value: Any = None) -> None:
    watch.read_kind(value)
    watch.read_special(type(value), "__call__")


def _text(watch: Watch, *arguments: Any, **keywords: Any) -> None:
    for argument in arguments:
        accesses.check_argument(watch, argument)
        watch.read_text(argument)


def _identity(watch: Watch, *values: Any) -> None:
    for value in values:
        watch.refuse_identity(value)


def _hash(watch: Watch, *values: Any) -> None:
    _identity(watch, *values)
    _of_library(watch, hash, values, {})


def _nothing(watch: Watch, *arguments: Any, **keywords: Any) -> None:
    """What reads nothing that may change."""


def _runs_text(watch: Watch, *arguments: Any, **keywords: Any) -> None:
    watch.refuse("runs a text as code", "do it outside")


def _tells(watch: Watch, *arguments: Any, **keywords: Any) -> None:
    """What is replaced by its name while a function is captured, and is found under another one."""
    watch.refuse("calls print() or warn() under another name", "call it by its name")


def _reads_user(watch: Watch, *arguments: Any, **keywords: Any) -> None:
    watch.refuse("reads a file or asks the user", "do it outside")


_SPECIAL: dict[Any, Callable[..., None]] = {
    getattr: _getattr, hasattr: _getattr, setattr: _setattr, delattr: _setattr, vars: _vars, next: _next, os.getenv: _getenv,
    importlib.import_module: _import, builtins.__import__: _import,
    isinstance: _isinstance, issubclass: _isinstance, id: _identity, hash: _hash, type: _type, super: _nothing, callable: _callable,
    globals: _globals,
    str: _text, repr: _text, ascii: _text, builtins.format: _text,
    time.sleep: _nothing, exec: _runs_text, eval: _runs_text, input: _reads_user, open: _reads_user,
    print: _tells, warnings.warn: _tells,
}  # fmt: skip
_SHALLOW = frozenset(
    (len, iter, list, tuple, set, frozenset, dict, sorted, enumerate, zip, reversed, min, max, sum, any, all, map, filter, bool,
     collections.deque, collections.OrderedDict, collections.Counter)
)  # fmt: skip
_COMPARING = frozenset((sorted, min, max, sum, any, all, filter))  # those that look at containers in containers
