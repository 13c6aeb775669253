"""Captured functions as methods: bound to an object that they do not keep alive."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tritonflow.graph.api.function import CapturedFunction


class BoundMethod:
    """A captured function bound to an object, which it keeps alive.

    Args:
        captured: the function; it does not keep the object alive.
        instance: the object.
    """

    __slots__ = ("_captured", "__self__")

    def __init__(self, captured: CapturedFunction[..., Any], instance: Any) -> None:
        self._captured = captured
        self.__self__ = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._captured(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._captured, name)

    def __repr__(self) -> str:
        return repr(self._captured)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoundMethod) and other._captured is self._captured

    def __hash__(self) -> int:
        return hash(self._captured)


def weakly(method: Any) -> Any:
    """A method that does not keep its object alive: what nobody has any more gives its memory back at once."""
    reference = weakref.WeakMethod(method)

    def call(*args: Any, **kwargs: Any) -> Any:
        alive = reference()
        assert alive is not None
        return alive(*args, **kwargs)

    return call


def weak_reference(method: Any) -> Callable[[], Any]:
    """Gives the method while its object is alive. A function, as copies of a captured function share it."""
    reference = weakref.WeakMethod(method)
    return lambda: reference()
