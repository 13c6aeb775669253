"""Captured functions as methods: bound to an object that they do not keep alive."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tritonflow.thread_state import saved_hooks

if TYPE_CHECKING:
    from tritonflow.graph.api.function import CapturedFunction


class BoundMethod:
    """A captured function bound to an object, which it keeps alive.

    Args:
        captured: the function; it does not keep the object alive.
        function: what was captured, which takes the object first.
        instance: the object.
    """

    __slots__ = ("_captured", "_function", "__self__")

    def __init__(self, captured: CapturedFunction[..., Any], function: Callable[..., Any], instance: Any) -> None:
        self._captured = captured
        self._function = function
        self.__self__ = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        captured = self._captured
        unexamined = captured.unexamined
        if unexamined and not saved_hooks.count:  # as in the function itself, which takes half a microsecond more
            captured.unexamined = unexamined - 1
            return self._function(self.__self__, *args, **kwargs)
        return captured(*args, **kwargs)

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
    function, reference = method.__func__, weakref.ref(method.__self__)  # each call of a WeakMethod makes the method anew

    def call(*args: Any, **kwargs: Any) -> Any:
        instance = reference()
        assert instance is not None
        return function(instance, *args, **kwargs)

    return call


def weak_reference(method: Any) -> Callable[[], Any]:
    """Gives the method while its object is alive. A function, as copies of a captured function share it."""
    reference = weakref.WeakMethod(method)
    return lambda: reference()
