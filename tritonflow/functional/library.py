"""The FunctionLibrary: functors by name.

A functor is the Python callable behind a signature: it checks what belongs to its op and dispatches. It is added once,
when its module is imported, found once by the generated binding, and then called directly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Functor = Callable[..., Any]
F = TypeVar("F", bound=Functor)


class FunctionLibrary:
    """Functors by name.

    Example:
        >>> library = FunctionLibrary()
        >>> library.add_functor("Twice", lambda x: 2 * x)
        >>> library.find("Twice")(3)
        6
    """

    def __init__(self) -> None:
        self._functors: dict[str, Functor] = {}

    def add_functor(self, name: str, functor: Functor) -> None:
        """Add the functor of the signatures that end in `=> name`.

        Raises:
            ValueError: there is one of that name.
        """
        if name in self._functors:
            raise ValueError(f"there are two functors called {name}: {self._functors[name]} and {functor}")
        self._functors[name] = functor

    def find(self, name: str) -> Functor:
        """The functor of that name.

        Raises:
            LookupError: there is none.
        """
        try:
            return self._functors[name]
        except KeyError:
            raise LookupError(
                f"no functor is called {name}: regenerate the binding (python tritonflow/functional/generate.py)"
            ) from None

    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(self._functors)


function_library = FunctionLibrary()
find_functor = function_library.find
add_functor = function_library.add_functor


def functor(name: str) -> Callable[[F], F]:
    """Decorate a function as the functor `name`.

    Example (in functional/functors/<family>.py):

        @functor("ScalarAdd")
        def scalar_add(input, other, alpha=1, inplace=False):
            ...
    """

    def add(function: F) -> F:
        add_functor(name, function)
        return function

    return add


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
