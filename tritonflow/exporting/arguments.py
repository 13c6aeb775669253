"""The tensors among the arguments of an exported function, and what its results are made of."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tritonflow.errors import ArgumentTypeError, ExportError
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl
from tritonflow.nn import Parameter

_CONSTANTS = (type(None), bool, int, float, str)


class _InputSlot:
    """Where a tensor stands among arguments or results: its number."""

    def __init__(self, number: int) -> None:
        self.number = number


class Arguments:
    """The arguments of a call: tensors are the inputs of the program, everything else is part of it.

    Args:
        function: what is called.
        args, kwargs: with what.

    Attributes:
        tensors: those among them, in order.
        names: of each what it is called: its parameter, and behind a dot where it stands in that.
    """

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        self.tensors: list[Tensor] = []
        self.names: list[str] = []
        self._args = [self._taken(value, name) for value, name in zip(args, _names(function, args))]
        self._kwargs = {name: self._taken(value, name) for name, value in kwargs.items()}

    def _taken(self, value: Any, name: str) -> Any:
        """A value in which tensors are slots."""
        if isinstance(value, Tensor):
            self.tensors.append(value)
            self.names.append(name)
            return _InputSlot(len(self.tensors) - 1)
        if type(value) in (list, tuple):
            return type(value)([self._taken(item, f"{name}.{k}") for k, item in enumerate(value)])
        if type(value) is dict:
            return {key: self._taken(item, f"{name}.{key}") for key, item in value.items()}
        return value

    def call(self, function: Callable[..., Any], tensors: Sequence[Tensor]) -> Any:
        """What the function gives with other tensors in their stead."""
        args = [_filled(value, tensors) for value in self._args]
        return function(*args, **{name: _filled(value, tensors) for name, value in self._kwargs.items()})


def _names(function: Callable[..., Any], args: Sequence[Any]) -> list[str]:
    """What positional arguments are called."""
    try:
        parameters = list(inspect.signature(getattr(function, "forward", function)).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    named: list[str] = []
    for k in range(len(args)):
        rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "input")
        own = parameters[k] if k < len(parameters) else None
        plain = own is not None and own.kind in (own.POSITIONAL_ONLY, own.POSITIONAL_OR_KEYWORD)
        named.append(own.name if own is not None and plain else f"{rest}.{k}")
    return named


def _filled(value: Any, tensors: Sequence[Any]) -> Any:
    if isinstance(value, _InputSlot):
        return tensors[value.number]
    if type(value) in (list, tuple):
        return type(value)([_filled(item, tensors) for item in value])
    return {key: _filled(item, tensors) for key, item in value.items()} if type(value) is dict else value


class FunctionResults:
    """What a function returns: tensors in memory of their own, and how they are put together.

    Attributes:
        structure: as data: `["tensor", 0]`, `["tuple", ...]`, `["dict", ["key", ...], ...]`, `["constant", None]`.
        names: of each tensor what it is called.
    """

    structure: Any
    names: list[str]

    def taken(self, value: Any, arguments: Iterable[Tensor]) -> list[Tensor]:
        """The tensors in a result. What lies in memory of an argument, a parameter, or another result is copied."""
        self._found: list[Tensor] = []
        self._memory = {id(tensor.impl) for tensor in arguments}
        self.names = []
        self.structure = self._described(value, "")
        if not self._found:
            raise ExportError("export(): the function returns no tensor")
        found, self._found = self._found, []
        return found

    def _described(self, value: Any, name: str) -> Any:
        if isinstance(value, Tensor):
            return self._tensor(value, name)
        if isinstance(value, (list, tuple)):
            keys = getattr(value, "_fields", range(len(value)))
            kind = "list" if isinstance(value, list) else "tuple"
            return [kind, *[self._described(item, _below(name, key)) for key, item in zip(keys, value)]]
        if isinstance(value, dict):
            if not all(isinstance(key, str) for key in value):
                raise ExportError("export(): a dict among the results has keys that are no strings")
            return ["dict", *[[key, self._described(item, _below(name, key))] for key, item in value.items()]]
        if type(value) in _CONSTANTS:
            return ["constant", value]
        raise ExportError(f"export(): a result of type {type(value).__name__}, which an exported program cannot return")

    def _tensor(self, value: Tensor, name: str) -> Any:
        is_old = isinstance(value.impl, EagerLocalTensorImpl) or id(value.impl) in self._memory
        own = value.clone() if is_old or not value.meta.is_contiguous else value
        self._memory.add(id(own.impl))
        self._found.append(own)
        self.names.append(name or "output")
        return ["tensor", len(self._found) - 1]


def _below(name: str, key: Any) -> str:
    """What a part of a result is called."""
    return f"{name}.{key}" if name else f"output.{key}" if isinstance(key, int) else str(key)


def check_tensors(tensors: Sequence[Tensor], names: Sequence[str]) -> None:
    """Refuse inputs that no exported program takes.

    Raises:
        ExportError: one is over ranks, on a GPU, or of another class of tensors.
    """
    for tensor, name in zip(tensors, names):
        if type(tensor) not in (Tensor, Parameter):
            raise ExportError(f"export(): the input {name!r} is a {type(tensor).__name__}, not a plain tensor")
        if not tensor.meta.is_local:
            raise ExportError(f"export(): the input {name!r} lies over ranks: programs of several ranks are not exported")
        if tensor.meta.device.type != "cpu":
            raise ExportError(f"export(): the input {name!r} is on {tensor.meta.device}: programs are exported for CPUs")
    if not tensors:
        raise ExportError("export(): the arguments have no tensor")


def all_names(names: Sequence[str]) -> Iterator[str]:
    """The names.

    Raises:
        TypeError: two are one.
    """
    for position, name in enumerate(names):
        if name in names[:position]:
            raise ArgumentTypeError(f"export(): two inputs are called {name!r}")
        yield name
