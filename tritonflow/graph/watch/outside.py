"""What of a program's Python is from outside of its call: found by what was read, and watched when it runs."""

from __future__ import annotations

import functools
from collections.abc import Container
from dataclasses import is_dataclass
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

from tritonflow.framework.hooks import HookTable
from tritonflow.framework.runtime_scalar import NumpyScalar, RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.watch.contents import CONTAINERS, PLAIN
from tritonflow.graph.watch.modules import vars_of
from tritonflow.graph.watch.records import FunctionRead, IdentityError
from tritonflow.graph.watch.rewrite import Rewriter
from tritonflow.graph.watch.slots import (
    ABSENT,
    StateSlot,
    class_slot,
    own_dict,
)
from tritonflow.graph.watch.user_code import is_library, is_library_class
from tritonflow.nn import Module
from tritonflow.vm.failure import caller, describe

ATOMS = frozenset((*PLAIN, type(Ellipsis), type(NotImplemented), range, slice, RuntimeScalar, NumpyScalar, CodeType))
_HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_hooks", "_backward_pre_hooks")
BOUND = (BuiltinFunctionType, MethodWrapperType)  # functions, and methods of objects, that are written in C


class Outside:
    """What was there before the call, and the user's functions among it, which run with probes while they are watched.

    Args:
        rewritten: makes code with probes.

    Attributes:
        functions: the user's functions that may have run.
        classes: attributes of classes that were read: by class and name what is there.
        argument_copies: the identities of the copies of containers and objects among the arguments.
        argument_objects: those of objects that no other one is equal to.
    """

    def __init__(self, rewritten: Rewriter) -> None:
        self._rewritten = rewritten
        self.functions: dict[int, FunctionRead] = {}
        self.classes: dict[tuple[type, str], Any] = {}
        self.argument_copies: set[int] = set()
        self.argument_objects: set[int] = set()
        self._outside: dict[int, Any] = {}
        self._swapped: list[tuple[FunctionType, CodeType]] = []
        self._codes: set[int] = set()
        self._seen_classes: set[type] = set()
        self._own: dict[int, Any] = {}  # objects that the function makes itself

    def read_content(self, container: Any) -> None:
        """Note that all that a container from outside holds is read."""
        raise NotImplementedError

    def read_slot(self, slot: StateSlot) -> None:
        """Note that user code reads a slot."""
        raise NotImplementedError

    def own(self, value: Any) -> None:
        """Note an object that the function makes itself, or gets as a copy."""
        self._own[id(value)] = value

    def has_probes(self, code: Any) -> bool:
        """Whether code is watched."""
        return id(code) in self._codes

    def is_outside(self, value: Any) -> bool:
        """Whether a value was there before the call."""
        return id(value) in self._outside

    def refuse_identity(self, value: Any) -> None:
        """Refuse to tell which object an argument is, as `id`, `hash` and a key of a dict do: the function has a copy of it.

        Raises:
            IdentityError: the value is such a copy, or has one in it.
        """
        if id(value) in self.argument_objects:
            raise IdentityError(
                f"the function asks which object a {type(value).__name__} among its arguments is, by its hash or its id, at"
                f" {describe(caller(3))}: pass a number or a name"
            )
        if isinstance(value, (tuple, frozenset)):
            for each in value:
                self.refuse_identity(each)

    def outside_ids(self, but: Container[int]) -> frozenset[int]:
        """The identities of containers and objects from outside."""
        return frozenset(key for key, value in self._outside.items() if key not in but and _may_be_argument(value))

    def see(self, value: Any) -> None:
        """Note that a value is from outside, and let the functions that it has be watched."""
        kind = type(value)
        if kind in ATOMS or id(value) in self._outside or (kind is FunctionType and id(value.__code__) in self._codes):
            return
        self._outside[id(value)] = value
        if kind is FunctionType:
            self._see_function(value)
        elif isinstance(value, (tuple, frozenset)):
            for item in value:
                self.see(item)
        elif kind is MethodType:
            self.see(value.__func__)
            self.see(value.__self__)
        elif isinstance(value, functools.partial):
            self.see(value.keywords)
            self.read_content(value.keywords)
            for item in (value.func, *value.args):
                self.see(item)
        elif kind in BOUND:
            if not isinstance(value.__self__, (ModuleType, type, type(None))):
                self.see(value.__self__)
        elif isinstance(value, (staticmethod, classmethod)):
            self.see(value.__func__)
        elif isinstance(value, property):
            for function in (value.fget, value.fset, value.fdel):
                self.see(function)
        elif isinstance(value, functools.cached_property):
            self.see(value.func)
        elif isinstance(value, type):
            self.see_class(value)
        elif not isinstance(value, (Tensor, ModuleType)):
            self.see_class(kind)
            if isinstance(value, Module):
                self._see_hooks(value)
            elif isinstance(own := own_dict(value), dict):
                self.see(own.get("__wrapped__"))

    def _see_function(self, function: FunctionType) -> None:
        code = function.__code__
        if is_library(code, function.__globals__):
            self.see(function.__dict__.get("__wrapped__"))
            for cell in function.__closure__ or ():
                content = _content(cell)
                if isinstance(content, (FunctionType, MethodType, functools.partial)):
                    self.see(content)
                elif isinstance(content, CONTAINERS) and not function.__module__.startswith(("tritonflow", "triton.")):
                    self.see(content)
                    self.read_content(content)  # such as the functions of `functools.singledispatch`
            return
        self.functions[id(function)] = FunctionRead(function, code, function.__defaults__, function.__kwdefaults__)
        self.see(function.__dict__.get("__wrapped__"))
        for cell in function.__closure__ or ():
            self._outside[id(cell)] = cell
        for default in function.__defaults__ or ():
            self.see(default)
        if function.__kwdefaults__:
            self.see(function.__kwdefaults__)
            self.read_content(function.__kwdefaults__)
        self._swapped.append((function, code))
        function.__code__ = self._with_probes(code, function.__globals__)

    def _with_probes(self, code: CodeType, variables: dict[str, Any]) -> CodeType:
        new = self._rewritten(code, variables)
        waiting = [new]
        while waiting:
            each = waiting.pop()
            self._codes.add(id(each))
            waiting += [constant for constant in each.co_consts if isinstance(constant, CodeType)]
        return new

    def see_class(self, kind: type) -> None:
        """Let the functions of a class, and of its user's bases, be watched."""
        for each in kind.__mro__:
            if each in self._seen_classes:
                continue
            self._seen_classes.add(each)
            if not is_library_class(each):
                self._outside[id(each)] = each
                for name, value in list(vars(each).items()):
                    if type(value) not in ATOMS:
                        self._see_member(value)
                    if name.startswith("__") and isinstance(value, FunctionType):  # which Python calls, and no code names
                        self.read_class(each, name, value)
        if type(kind) is not type and type(kind) not in self._seen_classes:
            self.see_class(type(kind))

    def _see_member(self, value: Any) -> None:
        """Of what a class has, only what is called counts as seen: the rest is read as any attribute."""
        if isinstance(value, (FunctionType, staticmethod, classmethod, property, functools.cached_property, functools.partial)):
            self.see(value)
        elif hasattr(type(value), "__get__"):  # a descriptor of the user's, or what wraps a function
            self.see_class(type(value))
            self.see(getattr(value, "__wrapped__", None))

    def _see_hooks(self, module: Module) -> None:
        own = vars_of(module)
        for table in _HOOKS:
            for hook in own.get(table, {}).values():
                self.see(hook)

    def original_code(self, function: FunctionType) -> CodeType:
        """A function's code without probes."""
        return self._rewritten.original(function.__code__)

    def read_class(self, kind: type, name: str, value: Any) -> None:
        """Note that user code reads an attribute of a class; ABSENT says that it is not there."""
        if (kind, name) not in self.classes:
            self.classes[kind, name] = value
            if value is not ABSENT:
                self.see(value)

    def read_member(self, kind: type, name: str, after: type | None = None) -> None:
        """Note that an attribute is read that a class has, or inherits from a user's class; by `super`, from those after one."""
        for each in kind.__mro__[kind.__mro__.index(after) + 1 if after else 0 :]:
            if is_library_class(each):
                if name in vars(each):
                    return
            elif name in vars(each):
                value = vars(each)[name]
                if hasattr(type(value), "__get__"):
                    self.read_class(each, name, value)
                else:
                    self.read_slot(class_slot(each, name))
                return
            else:
                self.read_class(each, name, ABSENT)

    def read_special(self, kind: type, *names: str) -> None:
        """Note that Python asks whether a user's class has methods that it calls by itself: those that it has are noted anyway."""
        if not is_library_class(kind):
            for name in names:
                self.read_member(kind, name)

    def put_back_codes(self) -> None:
        """Let all functions run without probes again."""
        for function, code in reversed(self._swapped):
            function.__code__ = code
        self._swapped.clear()


def _may_be_argument(value: Any) -> bool:
    """Whether a value is what a program has a copy of, where it is an argument."""
    kind = type(value)
    if issubclass(kind, (Tensor, Module, type, HookTable)):
        return False
    return issubclass(kind, CONTAINERS) or is_dataclass(kind) or bool(kind.__flags__ & _HEAP_TYPE) or kind is SimpleNamespace


_HEAP_TYPE = 1 << 9  # a flag of classes that were made by a `class` statement


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None
