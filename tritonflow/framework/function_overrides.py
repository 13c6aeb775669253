"""Classes that take over functions by `__torch_function__`: subclasses of Tensor, and classes of arguments that are no tensors.

A call of a function of tensors (`func`) with such arguments is a call of their `__torch_function__(func, types, args, kwargs)`.
Plain tensors pay nothing for that: functions look for it behind their test for exact types, where any subclass was ever defined,
and a subclass gets forms of Tensor's methods and properties that look (`adopt`).

Source: torch.overrides, torch/csrc/utils/python_arg_parser.cpp (handle_torch_function_no_python_arg_parser), NEP 18.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from tritonflow.errors import ArgumentTypeError
from tritonflow.thread_state import thread_state


class Adopted:
    """Whether any subclass of Tensor takes over functions: until then, nobody looks for one."""

    __slots__ = ("any",)

    def __init__(self) -> None:
        self.any = False


adopted = Adopted()


class DisableTorchFunctionSubclass:
    """A block in which functions compute with the tensors that they are given, of whatever class."""

    def __enter__(self) -> None:
        self._before, thread_state.overrides_off = thread_state.overrides_off, True

    def __exit__(self, *error: object) -> None:
        thread_state.overrides_off = self._before


def disabled(func: Callable[..., Any], types: Iterable[type], args: Any = (), kwargs: Any = None) -> Any:
    """The `__torch_function__` of a class that takes over nothing: results are plain tensors."""
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


def takes_over(kind: type) -> bool:
    """Whether a class has a `__torch_function__` that is to be called."""
    if getattr(kind, "__torch_function__", disabled) is disabled or "_is_plain_tensor" in kind.__dict__:
        return False
    return all(base.__module__ != "torch" for base in kind.__mro__)  # torch's own tensors know no functions of ours


def overriding(values: Iterable[Any]) -> list[Any]:
    """The arguments, or items of lists and tuples among them, whose classes take over a function: one of each class, from the left,
    a subclass before its bases; none while that is disabled."""
    found: list[Any] = []
    if thread_state.overrides_off:
        return found
    for value in values:
        for each in value if type(value) in (list, tuple) else (value,):
            kind = type(each)
            if takes_over(kind) and kind not in [type(other) for other in found]:
                at = next((k for k, other in enumerate(found) if issubclass(kind, type(other))), len(found))
                found.insert(at, each)
    return found


def call(func: Callable[..., Any], found: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the classes of the arguments `found` make of a call.

    Raises:
        TypeError: each returned NotImplemented.
    """
    types = tuple(map(type, found))
    for value in found:
        result = value.__torch_function__(func, types, args, kwargs)
        if result is not NotImplemented:
            return result
    name = getattr(func, "__name__", str(func))
    kinds = "".join(f"\n\n  - {kind}" for kind in types)
    raise ArgumentTypeError(
        f"Multiple dispatch failed for '{name}'; all __torch_function__ handlers returned NotImplemented:{kinds}"
    )


def default_call(cls: type, base: type, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
    """`Tensor.__torch_function__`: the function itself, whose results are of the class `cls`."""
    if thread_state.overrides_off or not all(issubclass(cls, kind) for kind in types):
        return NotImplemented  # functions that ask all the same are those of the real torch
    result = disabled(func, types, args, kwargs)
    return result if func in nowrap_functions(base) else _of_class(result, cls, base)


def _of_class(result: Any, cls: Any, base: Any) -> Any:
    if cls is base:
        return result
    if isinstance(result, base):
        return result if isinstance(result, cls) else base.as_subclass(result, cls)
    if isinstance(result, (tuple, list)):
        values = [_of_class(value, cls, base) for value in result]
        return type(result)(*values) if hasattr(result, "_fields") else type(result)(values)
    return result


@functools.cache
def nowrap_functions(base: Any) -> set[Callable[..., Any]]:
    """The functions that give a tensor which another one has, and not a new one: it stays as it is."""
    return {base.grad.__get__}


# ------------------------------------------------------------------------------------------------------- methods, properties

# Members that compute with tensors of any class as they are, as in torch.
IGNORED = frozenset({
    "__init__", "__init_subclass__", "__torch_function__", "__iter__", "__delitem__", "as_subclass", "new", "new_tensor",
})  # fmt: skip

# What torch calls operators, which have a name of their own otherwise.
_NAMES = {
    "__add__": "add", "__radd__": "add", "__iadd__": "add_", "__sub__": "sub", "__isub__": "sub_", "__mul__": "mul",
    "__rmul__": "mul", "__imul__": "mul_", "__truediv__": "div", "__rtruediv__": "__rdiv__", "__itruediv__": "div_",
    "__matmul__": "matmul", "__mod__": "remainder", "__lt__": "lt", "__le__": "le", "__gt__": "gt", "__ge__": "ge",
    "__rand__": "bitwise_and", "__ror__": "bitwise_or", "__rxor__": "bitwise_xor",
}  # fmt: skip


def overridable_members(base: Any) -> dict[str, Any]:
    """The methods and properties of Tensor that a subclass takes over."""
    return {
        name: member
        for name, member in vars(base).items()
        if isinstance(member, (FunctionType, property)) and name not in IGNORED and (name[:1] != "_" or name[:2] == "__")
    }


def asked_members(base: Any) -> list[tuple[Any, Any]]:
    """These members, each with the function that a call of it is said to be of."""
    return [(member, vars(base).get(_NAMES.get(name, name), member)) for name, member in overridable_members(base).items()]


def adopt(cls: type, base: type) -> None:
    """Let a new subclass of Tensor take over functions: its methods and properties are those of Tensor that ask for it."""
    if not takes_over(cls):
        return
    adopted.any = True
    above = cls.__mro__[: cls.__mro__.index(base)]
    if any(takes_over(kind) and issubclass(kind, base) for kind in above[1:]):
        return  # which has them
    own = set().union(*[vars(kind) for kind in above])
    for name, member in _asking_members(base).items():
        if name not in own:
            setattr(cls, name, member)


@functools.cache
def _asking_members(base: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, member in overridable_members(base).items():
        if isinstance(member, property):
            found[name] = _asking_property(member)
        else:
            forward = f"__{name[3:]}" if name[:3] == "__r" and hasattr(base, f"__{name[3:]}") else ""
            found[name] = _asking(member, vars(base).get(_NAMES.get(name, name), member), forward, base)
    return found


def _asking(member: Any, func: Any, forward: str, base: type) -> Any:
    """A method that asks the classes of its arguments. `forward` is the operator that a reflected one is of."""

    @functools.wraps(member)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        found = overriding((self, *args, *kwargs.values()))
        if not found:
            return member(self, *args, **kwargs)
        if forward and isinstance(args[0], base):  # Python asks the class on the right first, where it is a subclass
            return call(getattr(base, _NAMES.get(forward, forward)), found, (args[0], self), kwargs)
        return call(func, found, (self, *args), kwargs)

    return method


def _asking_property(member: Any) -> property:
    def get(self: Any) -> Any:
        return member.fget(self) if thread_state.overrides_off else call(member.__get__, [self], (self,), {})

    def set_value(self: Any, value: Any) -> None:
        if thread_state.overrides_off:
            member.fset(self, value)
        else:
            call(member.__set__, overriding((self, value)), (self, value), {})

    return property(get, None if member.fset is None else set_value, member.fdel, member.__doc__)
