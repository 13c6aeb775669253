"""What the binding and the functors are put together with.

A functor is the Python callable behind a signature: it checks what belongs to its op and dispatches. The generator finds it by its
decorator, and the binding that it writes imports it by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Functor = Callable[..., Any]
F = TypeVar("F", bound=Functor)


def functor(name: str) -> Callable[[F], F]:
    """Decorate a function as the functor `name`: a mark for the generator, which reads the source. At run time it does nothing.

    Example (in functional/functors/<family>.py):

        @functor("ScalarAdd")
        def scalar_add(input, other, alpha=1, inplace=False):
            ...
    """

    def same(function: F) -> F:
        return function

    return same


def named_result(function: Functor, result: Callable[..., Any]) -> Functor:
    """A functor whose tuple of outputs is returned as a named tuple."""

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return result(*function(*args, **kwargs))

    return wrapped


def attach_methods(cls: type, methods: dict[str, Functor]) -> None:
    """Set functions as methods of a class; the function itself is the method, so a method call costs no more.

    Raises:
        ValueError: the class defines one of them itself.
    """
    for name, function in methods.items():
        if name in vars(cls) and not name.startswith("__"):
            raise ValueError(f"{cls.__name__}.{name} is defined by the class and by op_registry.yaml")
        setattr(cls, name, function)
