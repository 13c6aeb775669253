"""What `flow.compile` makes of a module: a module itself, that runs as a graph."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import MethodType
from typing import Any

from tritonflow.nn import Module

_CHAINED = frozenset(
    "apply bfloat16 cpu cuda double eval float half register_module requires_grad_ share_memory to to_empty to_global to_local"
    " train type".split()
)  # methods that give the module itself


class CompiledModule(Module):
    """Calls a module as a graph. All else is the module's: parameters, children, hooks, modes, methods, attributes that are set.

    So it may be a child of another module, whose parameters and state dict have the names that they have without `flow.compile`.
    It is an instance of the module's class, as far as `isinstance` tells.

    Args:
        captured: the module's calls. What the module itself does not have is looked up here: `captures()`, `explain()`, `config`.
    """

    __slots__ = ("_captured_function",)
    _captured_function: Any

    def __init__(self, captured: Any) -> None:
        object.__setattr__(self, "_captured_function", captured)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        """Run as a graph."""
        return _captured_of(self)(*args, **kwargs)

    def __getattribute__(self, name: str) -> Any:
        captured = _captured_of(self)
        module = captured.function
        if name in ("__class__", "__dict__"):
            return getattr(module, name)
        if name.startswith("__") or name == "_captured_function":
            return object.__getattribute__(self, name)
        try:
            found = getattr(module, name)
        except AttributeError:
            if hasattr(captured, name):
                return getattr(captured, name)
            raise
        if name in _CHAINED and type(found) is MethodType and found.__self__ is module:
            return _chained(found, self)
        return found

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'{self.__class__.__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_captured_of(self).function, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_captured_of(self).function, name)

    def __dir__(self) -> list[str]:
        captured = _captured_of(self)
        return sorted({*dir(captured.function), *dir(captured)})

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return CompiledModule, (_captured_of(self),)

    def __repr__(self) -> str:
        return repr(_captured_of(self))

    # What Python looks up in the class, of those modules that are containers.

    def __getitem__(self, key: Any) -> Any:
        return _captured_of(self).function[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        _captured_of(self).function[key] = value

    def __delitem__(self, key: Any) -> None:
        del _captured_of(self).function[key]

    def __contains__(self, key: Any) -> bool:
        return key in _captured_of(self).function

    def __iter__(self) -> Iterator[Any]:
        return iter(_captured_of(self).function)

    def __len__(self) -> int:
        return len(_captured_of(self).function)

    def __bool__(self) -> bool:
        return bool(_captured_of(self).function)


_captured_of: Any = vars(CompiledModule)["_captured_function"].__get__


def _chained(method: Any, compiled: CompiledModule) -> Any:
    """A method that gives the compiled module where it gives the module."""

    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = method(*args, **kwargs)
        return compiled if result is method.__self__ else result

    return call
