"""Functors, and how the binding is assembled from them.

A functor is the Python callable behind a signature: it does the checks that belong to its op, and dispatches. The generator finds
it by its decorator, and the binding that it writes imports it by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, TypeVar

from tritonflow.binding.arguments import Binding
from tritonflow.binding.call_signature import LazySignature
from tritonflow.binding.shared_docs import another_name, in_place_doc
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

    return _same


def function(
    *signatures: str, name: str = "", methods: str | Sequence[str] = (), export: str | Sequence[str] = "flow", reference: str = "",
    samples: Any = None, tolerance: str = "exact", autocast: str = "", derivative: Any = None, bind_python: bool = True,
) -> Callable[[F], F]:  # fmt: skip
    """Decorate a public function that is no op, made of others: a mark for the generator. At run time it does nothing.

    The generator writes what binds its calls; its docstring is what help() shows.

    Args:
        signatures: "Type (Type name=default, *, ...)", tried in order; one with "=> Name" is that of the functor `Name`.
        name: the functional name, where Python has another meaning for it.
        methods: the Tensor methods, as in the registry.
        export: the packages whose name it is.
        reference, samples, tolerance: what tests compare with, the samples that they take, how exact it is; as in the registry.
        autocast: to what `flow.autocast` casts its tensors.
        derivative: {"none": why} where there is none.
        bind_python: whether users see it.

    Example (in functions/<family>_<subject>.py):

        @function("Tensor (Tensor input, *, Int32 correction=1)", methods="cov", samples="variables", tolerance="matmul")
        def cov(input, correction=1):
            '''The covariances of variables ...'''
    """
    return _same


def also(name: str, *signatures: str, methods: str | Sequence[str] = (), reference: str = "") -> Callable[[F], F]:
    """Decorate a public function that has another name, too: a mark for the generator, below `@function`."""
    return _same


def _same(function: F) -> F:
    return function


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
        if function.__doc__ is None:
            function.__doc__ = _documentation(binding, namespace)
        function.__name__ = binding.name.removeprefix("linalg_").removeprefix("special_")  # `flow.linalg.norm` for users
        function.__signature__ = LazySignature.of(binding.name, binding.signatures, False, binding.inplace)  # type: ignore[attr-defined]
        casting |= binding.casting
        methods |= {name: _method(name, function, binding) for name in binding.methods}
    functors = {name: f for name, f in functions.items() if f in casting}
    if functors:
        bind_casts(namespace, {name: casting[f] for name, f in functors.items()})
    return methods


def _documentation(binding: Binding, namespace: dict[str, Any]) -> str | None:
    """What help() shows of a function whose text is elsewhere: an in-place form, another name, a function that is no op."""
    if binding.inplace:
        name = binding.name.removesuffix("_")
        return in_place_doc(name, namespace[name].__doc__)
    if binding.like:
        return another_name(binding.like, namespace[binding.like].__doc__)
    return next((f for f in binding.functors if f.__name__ == binding.name), binding.functors[0]).__doc__


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
