"""What an op of one's own takes and returns: its parameters, the classes of their arguments, which it writes, and its results."""

from __future__ import annotations

import collections.abc
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import InvalidArgumentError, foreign_hint, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.library.arguments import tensors_of

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
_RESULT = re.compile(r"(?P<type>\w+)(\(\w+!?\))?(?P<more>\[\d*\]|\?)?(\s+\w+)?$")
_PARAMETER = re.compile(r"(?P<type>\w+)(\((?P<alias>\w+!?)\))?(?P<more>(\[\d*\])?\??)\s+(?P<name>\w+)(?P<default>\s*=.*)?$")


class Parameter(NamedTuple):
    """A parameter: its name, and the classes that its arguments have; None: any."""

    name: str
    classes: Classes | None


class DeclaredResults(NamedTuple):
    """What an op returns: the classes of that, and those of each of several results; None: any."""

    classes: Classes | None = None
    each: tuple[Classes | None, ...] | None = None

    @property
    def may_hold_lists(self) -> bool:
        """Whether a list may be the result or among the results."""
        return any(classes is None or list in classes for classes in (self.each or (self.classes,)))

    def require(self, op: str, result: Any, args: Sequence[Any]) -> None:
        """Refuse a result that is not what the op declares, is one of `args`, or shares memory with one or another result.

        Raises:
            RuntimeError: names op and result.
        """
        classes, each = self
        if classes is not None and not isinstance(result, classes):
            raise InvalidArgumentError(f"{op}() returned a value of type '{type_name(result)}', but declares {self}")
        if isinstance(result, Tensor):
            impl = result.impl
            for value in args:
                if isinstance(value, Tensor) and value.impl is impl:
                    raise shared_result(op)
        elif each is not None and len(result) != len(each):
            raise InvalidArgumentError(f"{op}() returned {len(result)} values, but declares {self}")
        for value, wanted in zip(result, each) if each is not None else ():
            if wanted is not None and not isinstance(value, wanted):
                raise InvalidArgumentError(f"{op}() returned a '{type_name(value)}' among others, but declares {self}")
        if isinstance(result, (tuple, list)):
            memory = [tensor.impl for tensor in (*tensors_of(args, {}), *tensors_of(result, {}))]
            if any(memory.count(tensor.impl) > 1 for tensor in tensors_of(result, {})):
                raise shared_result(op)

    def __str__(self) -> str:
        if self.each is None:
            return _words(self.classes)
        return f"({', '.join(map(_words, self.each))})"


ANY = DeclaredResults()


class Schema:
    """The parameters of an op, and its results.

    Args:
        parameters: those by position first.
        mutates: the names of the arguments that the op writes, or "unknown".
        results: what it returns.

    Attributes:
        names, classes: of the parameters, in order.
        mutates: the names of the arguments that the op writes, None where they are unknown.
    """

    def __init__(self, parameters: Iterable[Parameter], mutates: str | Iterable[str], results: DeclaredResults = ANY) -> None:
        self.results = results
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
        raise InvalidArgumentError(
            f"{op}() Expected a value of type '{_words(classes)}' for argument '{parameter.name}' but instead found type"
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
    schema = Schema(parameters, mutates, _results(hints["return"]) if "return" in hints else ANY)
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
    inside = re.match(r"[^(]*\((.*)\)\s*->(.*)", text.strip(), re.DOTALL)
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
    return Schema(parameters, mutates, _results_of_text(inside[2].strip()))


def _results_of_text(text: str) -> DeclaredResults:
    """What stands behind the arrow of a schema, such as "Tensor" or "(Tensor, Tensor[])"."""
    parts = [_RESULT.match(part.strip()) for part in text.strip("()").split(",")]
    each = [None if p is None or p["more"] == "?" else (list, tuple) if p["more"] else _WORDS.get(p["type"]) for p in parts]
    if not text.startswith("("):
        return DeclaredResults(each[0])
    return DeclaredResults((tuple, list), tuple(each)) if len(each) > 1 else ANY


def shared_result(op: str) -> InvalidArgumentError:
    """The refusal of a result that an in-place write would change with an argument."""
    return InvalidArgumentError(
        f"{op}: a result is an argument, or shares its memory or that of another result; help: return a copy, such as x.clone(), or"
        " nothing of what is written"
    )


def _words(classes: Classes | None) -> str:
    return "anything" if classes is None else " or ".join(["None" if each is type(None) else each.__name__ for each in classes])


def _results(hint: Any) -> DeclaredResults:
    """What a function returns, by its annotation."""
    parts = typing.get_args(hint)
    if typing.get_origin(hint) is not tuple or Ellipsis in parts:
        return DeclaredResults(_classes(hint))
    return DeclaredResults((tuple, list), tuple(map(_classes, parts)))


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
