"""Functors, and how the binding is assembled from them.

A functor is the Python callable behind a signature: it does the checks that belong to its op, and dispatches. The generator finds
it by its decorator, and the binding that it writes imports it by name.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from tritonflow.binding.arguments import Binding
from tritonflow.binding.call_signature import LazySignature
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.autocast import bind_casts

Functor = Callable[..., Any]
F = TypeVar("F", bound=Functor)


def functor(name: str) -> Callable[[F], F]:
    """Decorate a function as the functor `name`: a mark for the generator, which reads the source. At run time it does nothing.

    Example (in functions/<family>.py):

        @functor("ScalarAdd")
        def scalar_add(input, other, alpha=1, inplace=False):
            ...
    """

    def same(function: F) -> F:
        return function

    return same


def publish(namespace: dict[str, Any]) -> dict[str, Functor]:
    """Complete the functions of a generated module: their signatures, and what functors they call while autocast is on.

    Returns:
        The Tensor methods among them.
    """
    functions = {name: f for name, f in namespace.items() if isinstance(f, FunctionType)}
    methods: dict[str, Functor] = {name: f for name, f in functions.items() if name.startswith("__")}
    casting: dict[Functor, Functor] = {}
    for binding in [value for value in namespace.values() if isinstance(value, Binding)]:
        function = binding.function = namespace[binding.name]
        function.__name__ = binding.name.removeprefix("linalg_").removeprefix("special_")  # `flow.linalg.norm` for users
        function.__signature__ = LazySignature.of(binding.name, binding.signatures, False, binding.inplace)  # type: ignore[attr-defined]
        casting |= binding.casting
        methods |= {name: _method(name, function, binding) for name in binding.methods}
    functors = {name: f for name, f in functions.items() if f in casting}
    if functors:
        bind_casts(namespace, {name: casting[f] for name, f in functors.items()})
    return methods


def _method(name: str, function: Any, binding: Binding) -> Functor:
    """The same function for a class, where its name and its signature are others; it runs the same code."""
    method = FunctionType(function.__code__, function.__globals__, name, function.__defaults__)
    method.__kwdefaults__ = function.__kwdefaults__
    method.__doc__ = function.__doc__
    method.__module__, method.__qualname__ = Tensor.__module__, f"{Tensor.__qualname__}.{name}"
    method.__signature__ = LazySignature.of(name, binding.signatures, True, binding.inplace)  # type: ignore[attr-defined]
    return method


def attach_methods(cls: type, methods: dict[str, Functor]) -> None:
    """Set functions as methods of a class; the function itself is the method, so a method call costs no more.

    Raises:
        ValueError: the class defines one of them itself.
    """
    for name, function in methods.items():
        if name in vars(cls) and not name.startswith("__"):
            raise ValueError(f"{cls.__name__}.{name} is defined by the class and by op_registry.yaml")
        setattr(cls, name, function)
