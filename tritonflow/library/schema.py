"""What an op of one's own takes: its parameters, the classes of their arguments, and which of them it writes."""

from __future__ import annotations

import collections.abc
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import InvalidArgumentError, foreign_hint, type_name
from tritonflow.framework.tensor import Tensor

UNKNOWN = "unknown"
Classes = tuple[type, ...]
_ACCEPTED: dict[Any, Classes] = {
    Tensor: (Tensor,), int: (int,), float: (float, int), bool: (bool,), str: (str,), DType: (DType,),
    Device: (Device, str), type(None): (type(None),),
}  # fmt: skip
_WORDS: dict[str, Classes] = {
    "Tensor": (Tensor,), "int": (int,), "SymInt": (int,), "float": (float, int), "bool": (bool,), "str": (str,),
    "Scalar": (int, float), "ScalarType": (DType,), "Device": (Device, str),
}  # fmt: skip
_SEQUENCES = (list, tuple, collections.abc.Sequence)
_PARAMETER = re.compile(r"(?P<type>\w+)(\((?P<alias>\w+!?)\))?(?P<more>(\[\d*\])?\??)\s+(?P<name>\w+)(?P<default>\s*=.*)?$")


class Parameter(NamedTuple):
    """A parameter: its name, and the classes that its arguments have; None: any."""

    name: str
    classes: Classes | None


class Schema:
    """The parameters of an op.

    Args:
        parameters: those by position first.
        mutates: the names of the arguments that the op writes, or "unknown".

    Attributes:
        names, classes: of the parameters, in order.
        mutates: the names of the arguments that the op writes, None where they are unknown.
    """

    def __init__(self, parameters: Iterable[Parameter], mutates: str | Iterable[str]) -> None:
        self.parameters = tuple(parameters)
        self.names = tuple([parameter.name for parameter in self.parameters])
        self.classes = tuple([parameter.classes for parameter in self.parameters])
        self.by_name = {parameter.name: parameter for parameter in self.parameters}
        named = [mutates] if isinstance(mutates, str) else mutates
        self.mutates: frozenset[str] | None = None if mutates == UNKNOWN else frozenset(named)

    @property
    def is_functional(self) -> bool:
        """Whether the op writes none of its arguments, as far as is known."""
        return self.mutates == frozenset()

    def may_write(self, name: str) -> bool:
        """Whether the op may write an argument."""
        return self.mutates is None or name in self.mutates

    def require(self, op: str, parameter: Parameter, value: Any) -> None:
        """Refuse an argument of another class than the parameter's.

        Raises:
            RuntimeError: names op and argument, as torch does.
        """
        classes = parameter.classes
        if classes is None or isinstance(value, classes):
            return
        wanted = " or ".join(["None" if each is type(None) else each.__name__ for each in classes])
        raise InvalidArgumentError(
            f"{op}() Expected a value of type '{wanted}' for argument '{parameter.name}' but instead found type"
            f" '{type_name(value)}'{foreign_hint(value)}."
        )

    def require_all(self, op: str, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        """`require` of every argument; what is too much or missing is left to the op's function."""
        for value, classes in zip(args, self.classes):
            if classes is not None and not isinstance(value, classes):
                break
        else:
            if not options:
                return
        for parameter, value in zip(self.parameters, args):
            self.require(op, parameter, value)
        for name, value in options.items():
            if name in self.by_name:
                self.require(op, self.by_name[name], value)


def of_function(op: str, function: Callable[..., Any], mutates: str | Iterable[str]) -> Schema:
    """The schema of a function, from its annotations.

    Raises:
        RuntimeError: `mutates` names no parameter.
    """
    found = inspect.signature(function).parameters.values()
    try:
        hints = typing.get_type_hints(function)
    except Exception:  # of names that are known to type checkers alone
        hints = {}
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = [Parameter(each.name, _classes(hints.get(each.name))) for each in found if each.kind in plain]
    schema = Schema(parameters, mutates)
    unknown = sorted((schema.mutates or frozenset()) - schema.by_name.keys())
    if unknown:
        raise InvalidArgumentError(
            f"{op}: mutates_args names {', '.join(unknown)}; the parameters are {', '.join(schema.by_name)}"
        )
    return schema


def of_text(op: str, text: str) -> Schema:
    """The schema of a text such as "(Tensor x, Tensor(a!) out, float factor=1.0) -> Tensor".

    Raises:
        RuntimeError: it cannot be read.
    """
    inside = re.match(r"[^(]*\((.*)\)\s*->", text.strip(), re.DOTALL)
    if inside is None:
        raise InvalidArgumentError(f"{op}: expected a schema such as '(Tensor x) -> Tensor', but got {text!r}")
    parameters, mutates = [], []
    for part in filter(None, [part.strip() for part in re.split(r",(?![^\[(]*[\])])", inside[1])]):
        if part == "*":
            continue
        match = _PARAMETER.match(part)
        if match is None or match["type"] not in _WORDS:
            raise InvalidArgumentError(f"{op}: cannot read {part!r} in the schema {text!r}")
        classes = (list, tuple) if "[" in match["more"] else _WORDS[match["type"]]
        parameters.append(Parameter(match["name"], (*classes, type(None)) if "?" in match["more"] else classes))
        if (match["alias"] or "").endswith("!"):
            mutates.append(match["name"])
    return Schema(parameters, mutates)


def _classes(hint: Any) -> Classes | None:
    """The classes that an annotation stands for; None where it is not known here."""
    if hint is None or hint is Any:
        return None
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        found = [_classes(part) for part in typing.get_args(hint)]
        return None if None in found else tuple([each for classes in found if classes for each in classes])
    if origin in _SEQUENCES or hint in (list, tuple):
        return (list, tuple)
    if isinstance(hint, type) and issubclass(hint, Tensor):
        return (Tensor,)
    return _ACCEPTED.get(hint) if isinstance(hint, collections.abc.Hashable) else None
