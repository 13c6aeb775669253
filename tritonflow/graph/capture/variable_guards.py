"""Guards on Python variables: what a captured program has read of global variables, closures and attributes of objects.

Python does not tell which names a function reads while it runs. So its bytecode is walked after the capture, and that of the
functions that it names: `SCALE`, `config.scale`, `self.sizes`, `helper(x)`. Nothing is called. Code of libraries counts as
constant. What is reached by calls alone (an object that is an argument of a helper) is not seen.
"""

from __future__ import annotations

import dis
import functools
import os
import sys
import weakref
from collections.abc import Iterable, Iterator
from enum import Enum
from operator import is_, itemgetter
from pathlib import Path
from types import CellType, CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy

from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.module_guards import guard_key, vars_of
from tritonflow.nn import Module
from tritonflow.optim import Optimizer

_LARGEST = 64  # items of a list or dict that are compared in every run
_UNKNOWN = object()
_PACKAGE = str(Path(__file__).parents[2]) + os.sep
_LIBRARIES = (_PACKAGE, os.path.dirname(os.__file__) + os.sep, os.path.dirname(numpy.__file__) + os.sep)
_VARYING = ("random", "time", "secrets", "uuid", "numpy.random")  # modules whose functions give another number in every call


class VariableGuards:
    """Variables, and what they are.

    Args:
        entry: the function that is captured.
        modules: those whose forward it calls.

    Attributes:
        varying: names of functions that it calls and that give another number in every call, as `random.random`.
    """

    def __init__(self, entry: Any, modules: Iterable[Module]) -> None:
        walk = _Walk(getattr(entry, "__self__", None))
        walk.visit(entry)
        for module in modules:
            walk.visit(_method(module, "forward"))
        self.varying = sorted(walk.varying)
        self._tables = [_Table(table, names) for table, names in walk.names.values()]
        self._cells = [(cell, name, cell.cell_contents) for cell, name in walk.cells.values()]
        self._inherited = [(_reference(owner), name, getattr(owner, name)) for owner, name in walk.inherited.values()]
        self._containers = [(container, name, guard_key(container)) for container, name in walk.containers.values()]

    def __bool__(self) -> bool:
        return bool(self._tables or self._cells or self._inherited or self._containers)

    def changed(self) -> str:
        """The name of the first that is not what it was; empty if they all are."""
        for table in self._tables:
            try:
                if all(map(is_, table.get(table.own), table.values)):
                    continue
            except KeyError:  # deleted
                return table.names[0]
            if name := table.changed():
                return name
        for cell, name, value in self._cells:
            if cell.cell_contents is not value and not _alike(cell.cell_contents, value):
                return name
        for owner, name, value in self._inherited:
            if getattr(owner(), name, _UNKNOWN) is not value:
                return name
        for container, name, key in self._containers:
            if guard_key(container) != key:
                return name
        return ""


class _Table:
    """Names of a dictionary, and what they stand for.

    Args:
        own: the dictionary.
        names: which.
    """

    __slots__ = ("own", "names", "get", "values")

    def __init__(self, own: Any, names: Iterable[str]) -> None:
        self.own = own
        self.names = (*names, *names)[: max(2, len(tuple(names)))]  # itemgetter of a single name gives no tuple
        self.get = itemgetter(*self.names)
        self.values = self.get(own)

    def changed(self) -> str:
        """The name of the first that stands for something else; empty if it is an equal number or text, another object."""
        now = self.get(self.own)
        for name, a, b in zip(self.names, now, self.values):
            if a is not b and not _alike(a, b):
                return name
        self.values = now
        return ""


class _OwnTable:
    """The dictionary of an object that has the program, and that the program must not keep alive."""

    def __init__(self, owner: Any) -> None:
        self._owner = _reference(owner)

    def __getitem__(self, name: str) -> Any:
        return vars(self._owner())[name]


def _alike(a: Any, b: Any) -> bool:
    return not isinstance(a, (list, dict)) and guard_key(a) == guard_key(b)


class _Walk:
    """Finds what functions name.

    Args:
        root: the object whose method is captured.
    """

    def __init__(self, root: Any) -> None:
        self._root = root
        self.names: dict[int, tuple[Any, dict[str, None]]] = {}
        self.cells: dict[int, tuple[CellType, str]] = {}
        self.inherited: dict[tuple[int, str], tuple[Any, str]] = {}  # objects, and what they have of their classes
        self.containers: dict[int, tuple[Any, str]] = {}
        self.varying: set[str] = set()
        self._seen: dict[tuple[int, int], Any] = {}

    def visit(self, value: Any) -> None:
        """Walk what a call of a value runs."""
        bound = _UNKNOWN
        while True:
            if isinstance(value, MethodType):
                value, bound = value.__func__, value.__self__
            elif isinstance(value, functools.partial):
                value = value.func
            elif isinstance(value, FunctionType) and not _is_library(value.__code__):
                self.function(value, bound)
                return
            elif "__wrapped__" in getattr(value, "__dict__", ()):
                value = value.__dict__["__wrapped__"]
            else:
                break
        if isinstance(value, (list, tuple)) and len(value) <= _LARGEST:
            for item in value:
                if callable(item):
                    self.visit(item)

    def function(self, function: FunctionType, bound: Any) -> None:
        """Walk a function; `bound` is its first argument."""
        key = id(function), id(bound)
        if key in self._seen:
            return
        self._seen[key] = function, bound  # kept alive, so that no other object gets their ids
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        known = dict(zip(reversed(names), reversed(function.__defaults__ or ())))
        known.update(function.__kwdefaults__ or {})
        for name, value in known.items():
            self.note_container(value, name)
        if names and bound is not _UNKNOWN:
            known[names[0]] = bound
        self.code(code, function.__globals__, dict(zip(code.co_freevars, function.__closure__ or ())), known)

    def code(self, code: CodeType, variables: dict[str, Any], cells: dict[str, CellType], known: dict[str, Any]) -> None:
        """Walk code whose local variables are known in part."""
        for chain in _chains(code):
            name = chain.name
            if chain.scope is _Scope.GLOBAL:
                value = self.look_up(variables, name) if name in variables else _UNKNOWN
            elif chain.scope is _Scope.CELL and name in cells:
                value = self.content(cells[name], name)
            else:
                value = known.get(name, _UNKNOWN)
            for attribute in chain.attributes:
                value = self.attribute(value, attribute)
            if value is _UNKNOWN:
                continue
            if chain.target:
                known.setdefault(chain.target, value)
            if chain.scope is not _Scope.LOCAL or chain.attributes:
                self.visit(value)
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self.code(inner, variables, cells, {name: known[name] for name in inner.co_freevars if name in known})

    def look_up(self, table: Any, name: str, own: Any = None) -> Any:
        """What a name of a dictionary stands for; `own` is what gives it in every run."""
        value = table[name]
        self.note_varying(value, name)
        if not isinstance(value, ModuleType):
            self.names.setdefault(id(table), (table if own is None else own, {}))[1][name] = None
            self.note_container(value, name)
        return value

    def content(self, cell: CellType, name: str) -> Any:
        try:
            value = cell.cell_contents
        except ValueError:  # not assigned yet
            return _UNKNOWN
        self.cells[id(cell)] = cell, name
        self.note_container(value, name)
        return value

    def attribute(self, value: Any, name: str) -> Any:
        """What an object has under a name, if that is read without running anything."""
        if value is _UNKNOWN or isinstance(value, (Tensor, Optimizer)):
            return _UNKNOWN
        if isinstance(value, ModuleType):
            return self.of_module(value, name)
        if isinstance(value, type):
            return self.of_class(value, name, _UNKNOWN)
        if isinstance(value, Module):  # ModuleReads has noted it
            held = vars_of(value)
            return held[name] if name in held else held["_modules"].get(name) or self.of_class(type(value), name, value)
        own = getattr(value, "__dict__", None)
        if isinstance(own, dict) and name in own and not _is_ours(type(value)):
            if getattr(type(value), "notes_changes", False):
                self.note_container(own[name], name)
                return own[name]
            return self.look_up(own, name, _OwnTable(value) if value is self._root else None)
        self.note_varying(getattr(value, name, None) if type(value).__module__.startswith("numpy.random") else None, name)
        return self.of_class(type(value), name, value)

    def of_module(self, module: ModuleType, name: str) -> Any:
        own = vars(module)
        if name not in own:
            return _UNKNOWN
        if not (getattr(module, "__file__", None) or _PACKAGE).startswith(_LIBRARIES):
            return self.look_up(own, name)
        self.note_varying(own[name], name)
        return own[name] if isinstance(own[name], ModuleType) else _UNKNOWN

    def of_class(self, kind: type, name: str, bound: Any) -> Any:
        """What a class has under a name; methods and properties are walked."""
        owner = next((each for each in kind.__mro__ if name in vars(each)), None)
        if owner is None or _is_ours(owner) or owner.__module__ in sys.stdlib_module_names:
            return _UNKNOWN
        value = vars(owner)[name]
        if isinstance(value, (FunctionType, property, staticmethod, classmethod)):
            function: Any = getattr(value, "fget", None) or getattr(value, "__func__", value)
            self.visit(MethodType(function, bound) if bound is not _UNKNOWN and not isinstance(value, staticmethod) else function)
            return _UNKNOWN
        if bound is _UNKNOWN:
            return self.look_up(vars(owner), name)
        if hasattr(value, "__get__") and not isinstance(value, MemberDescriptorType):  # it may run anything
            return _UNKNOWN
        value = getattr(bound, name, _UNKNOWN)
        if value is not _UNKNOWN:
            self.inherited[id(bound), name] = bound, name
        return value

    def note_container(self, value: Any, name: str) -> None:
        if isinstance(value, (list, dict)) and _is_small(value):
            self.containers[id(value)] = value, name

    def note_varying(self, value: Any, name: str) -> None:
        if not callable(value) or isinstance(value, type) or name == "sleep":
            return
        owners = getattr(value, "__module__", None), type(getattr(value, "__self__", None)).__module__
        for owner in owners:
            if isinstance(owner, str) and (owner in _VARYING or owner.startswith("numpy.random")):
                self.varying.add(f"{owner.partition('._')[0].removesuffix('.mtrand')}.{name}")
                return


class _Scope(Enum):
    """Where code finds a variable: CELL is one of a closure."""

    GLOBAL = "global"
    CELL = "cell"
    LOCAL = "local"


class _Chain(NamedTuple):
    """A variable that code reads, and what it reads of that: `config.sizes[0]` is `config` and ["sizes"].

    Attributes:
        scope, name: of the variable.
        attributes: the first is one of the variable, each further one is one of what was read before.
        target: the local variable to which the last is assigned, or "".
    """

    scope: _Scope
    name: str
    attributes: list[str]
    target: str


def _chains(code: CodeType) -> Iterator[_Chain]:
    """What code reads, in its order."""
    scope: _Scope | None = None
    name = ""
    attributes: list[str] = []
    for step in dis.get_instructions(code):
        operation, value = step.opname, step.argval
        if operation in ("LOAD_ATTR", "LOAD_METHOD"):
            attributes.append(value)
            continue
        if operation in ("PUSH_NULL", "EXTENDED_ARG", "CACHE", "NOP"):
            continue
        names = value if isinstance(value, tuple) and "_FAST" in operation else (value,)  # a superinstruction loads two
        if scope is not None:
            yield _Chain(scope, name, attributes, names[0] if operation.startswith("STORE_FAST") else "")
        scope, name, attributes = _scope(operation, value), names[-1], []


def _scope(operation: str, value: Any) -> _Scope | None:
    """Which kind of variable an operation leaves on top of the stack, if one."""
    if operation in ("LOAD_GLOBAL", "LOAD_NAME"):
        return _Scope.GLOBAL
    if operation in ("LOAD_DEREF", "LOAD_CLASSDEREF"):
        return _Scope.CELL
    return _Scope.LOCAL if "LOAD_FAST" in operation and isinstance(value, (str, tuple)) else None


def _method(module: Module, name: str) -> Any:
    """A module's method, read without being noted."""
    function = getattr(type(module), name)
    return MethodType(function, module) if isinstance(function, FunctionType) else function


def _is_library(code: CodeType) -> bool:
    return code.co_filename.startswith(_LIBRARIES) or "site-packages" in code.co_filename


def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith("tritonflow.")


def _is_small(value: Any) -> bool:
    """Whether a container and those in it have few items together; one that contains itself has not."""
    inside, count = [value], 0
    while inside and count <= _LARGEST:
        each = inside.pop()
        if isinstance(each, (list, tuple, dict)):
            count += len(each)
            inside += each.values() if isinstance(each, dict) else each
    return count <= _LARGEST


def _reference(value: Any) -> Any:
    """What gives an object and does not keep it alive, where it lets itself be referred to so."""
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value
