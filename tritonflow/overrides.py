"""`flow.overrides`: what libraries ask about `__torch_function__`, by which classes take over functions of tensors.

Source: torch.overrides.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import tritonflow as flow
from tritonflow._C import functional
from tritonflow.binding.arguments import Binding
from tritonflow.framework import function_overrides
from tritonflow.framework.function_overrides import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from tritonflow.framework.function_overrides import (
    asked_members,
    call,
    nowrap_functions,
    overridable_members,
    overriding,
)
from tritonflow.framework.tensor import Tensor

__all__ = [
    "TorchFunctionMode", "get_default_nowrap_functions", "get_ignored_functions", "get_overridable_functions",
    "handle_torch_function", "has_torch_function", "is_tensor_like", "is_tensor_method_or_property", "resolve_name",
    "wrap_torch_function",
]  # fmt: skip


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether the class of an argument takes over functions: a subclass of Tensor, or a class with `__torch_function__`.

    Example:
        >>> import tritonflow as flow
        >>> class Named(flow.Tensor):
        ...     pass
        >>> x = flow.ones(1)
        >>> flow.overrides.has_torch_function((x,)), flow.overrides.has_torch_function((x, x.as_subclass(Named)))
        (False, True)
    """
    return bool(overriding(relevant_args))


def has_torch_function_unary(obj: Any) -> bool:
    """`has_torch_function` of one argument."""
    return has_torch_function((obj,))


def has_torch_function_variadic(*args: Any) -> bool:
    """`has_torch_function` of these arguments."""
    return has_torch_function(args)


def handle_torch_function(public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
    """What the classes of the arguments make of a call of `public_api(*args, **kwargs)`.

    Raises:
        TypeError: each returned NotImplemented, or none takes over functions.
    """
    return call(public_api, overriding(relevant_args), args, kwargs)


class TorchFunctionMode:
    """A block in which each function of tensors is first a call of the mode's `__torch_function__(func, types, args, kwargs)`.

    Functions that make tensors are among them, and those of plain tensors. What the mode calls itself goes to the mode around
    it, or runs. Captured functions run in eager mode in such a block.

    Raises:
        NotImplementedError: the class has no `__torch_function__` of its own, and a function is called.

    Source: torch.overrides.TorchFunctionMode.

    Example:
        >>> import tritonflow as flow
        >>> class Names(flow.overrides.TorchFunctionMode):
        ...     def __torch_function__(self, func, types, args=(), kwargs=None):
        ...         print(func.__name__)
        ...         return func(*args, **(kwargs or {}))
        >>> with Names():
        ...     y = flow.ones(2).relu()
        ones
        relu
    """

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise NotImplementedError

    def __enter__(self) -> TorchFunctionMode:
        from tritonflow.framework import function_modes

        function_modes.push(self, _asked_functions)
        return self

    def __exit__(self, *error: object) -> None:
        from tritonflow.framework import function_modes

        function_modes.pop()


def _asked_functions() -> Iterator[tuple[Any, Any]]:
    """The functions that a mode is asked for, and what it is told that was called."""
    functions = {*binding_functions(), flow.tensor, flow.as_tensor, flow.from_numpy}
    for module in (flow.fft, flow.nn.init):
        functions |= {value for name, value in vars(module).items() if name[:1] != "_" and type(value) is FunctionType}
    yield from [(function, function) for function in functions]
    for member, func in asked_members(Tensor):
        if isinstance(member, property):
            accesses = (member.fget, member.__get__), (member.fset, member.__set__)
            yield from [(access, func) for access, func in accesses if access is not None]
        else:
            yield member, func


def is_tensor_like(inp: Any) -> bool:
    """Whether it is a tensor, or its class has `__torch_function__`."""
    return isinstance(inp, Tensor) or hasattr(inp, "__torch_function__")


def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """The functions whose result `Tensor.__torch_function__` leaves as it is: it is a tensor that another one has."""
    return set(nowrap_functions(Tensor))


def get_ignored_functions() -> set[Callable[..., Any]]:
    """The methods of Tensor that call no `__torch_function__`."""
    return {getattr(Tensor, name) for name in function_overrides.IGNORED}


def binding_functions() -> set[Any]:
    """The functions that the registry has made."""
    families = [value for value in vars(functional).values() if isinstance(value, ModuleType)]
    bindings = [value for family in families for value in vars(family).values() if isinstance(value, Binding)]
    return {binding.function for binding in bindings}


@functools.cache
def _overridable() -> dict[Any, list[Callable[..., Any]]]:
    functions = binding_functions()
    found: dict[Any, list[Callable[..., Any]]] = {}
    for module in (flow, flow.nn.functional, flow.linalg, flow.special):
        values = [value for name, value in vars(module).items() if name[:1] != "_" and callable(value)]
        found[module] = [value for value in values if value in functions]
    found[Tensor] = []
    for member in overridable_members(Tensor).values():
        accesses = [member.__get__] if isinstance(member, property) else [member]
        found[Tensor] += accesses + ([member.__set__] if isinstance(member, property) and member.fset else [])
    return found


def get_overridable_functions() -> dict[Any, list[Callable[..., Any]]]:
    """The functions by module, and the methods and properties of Tensor, that call `__torch_function__`.

    Functions that are made of others, as `flow.fft.fft`, are not among them: those that they call do.
    """
    return {where: list(functions) for where, functions in _overridable().items()}


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Whether it is a method of Tensor, or the reading or writing of a property."""
    return func in _overridable()[Tensor]


def resolve_name(f: Callable[..., Any]) -> str | None:
    """The name of an overridable function, as "flow.Tensor.add"; None of another one."""
    for where, functions in _overridable().items():
        if f in functions:
            if where is not Tensor:
                return f"{where.__name__.replace('tritonflow', 'flow', 1)}.{f.__name__}"
            for name, member in overridable_members(Tensor).items():
                if f == member:
                    return f"flow.Tensor.{name}"
                if isinstance(member, property) and f in (member.__get__, member.__set__):
                    return f"flow.Tensor.{name}.{f.__name__}"
    return None


def wrap_torch_function(dispatcher: Callable[..., Iterable[Any]]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator of a function of one's own, for which `dispatcher` gives the arguments whose classes may take it over.

    Example:
        >>> import tritonflow as flow
        >>> @flow.overrides.wrap_torch_function(lambda x: (x,))
        ... def twice(x):
        ...     return 2 * x
        >>> twice(flow.ones(2)).tolist()
        [2.0, 2.0]
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def asking(*args: Any, **kwargs: Any) -> Any:
            found = overriding(dispatcher(*args, **kwargs))
            return call(asking, found, args, kwargs) if found else function(*args, **kwargs)

        return asking

    return decorate
