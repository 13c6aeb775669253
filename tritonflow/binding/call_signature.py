"""The signature of a function of the binding for `inspect.signature`: one that admits every overload, with real defaults.

A generated function takes `*extra, **unknown`, and `<required>` is its default for what must be given, so that wrong calls can be
explained. A reader wants to see `softmax(x: Tensor, dim: int | None = None, dtype: DType | None = None)` instead. This is computed
at the first look: an import makes one empty object for each function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from inspect import Parameter as Python
from inspect import Signature as InspectSignature
from typing import Any

from tritonflow.binding.prototype import MISSING, prototype
from tritonflow.binding.python_signature import PythonParameter, PythonSignature, python_signatures, with_out
from tritonflow.binding.signature import DataTypeName, Signature, parse_signature

_STARRED = Python.VAR_POSITIONAL


class Annotation(str):
    """The source of an annotation; it is printed without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


class LazySignature(InspectSignature):
    """An `inspect.Signature` whose parameters are made when they are read."""

    __slots__ = ("_source",)
    _source: tuple[str, tuple[str, ...], bool, bool]

    @classmethod
    def of(cls, name: str, signatures: tuple[str, ...], is_method: bool, inplace: bool) -> LazySignature:
        """The signature of a function of the binding.

        Args:
            name: of the function.
            signatures: of its overloads, as in the registry.
            is_method: whether it is the method of a tensor.
            inplace: whether it writes over its first argument.
        """
        made = cls.__new__(cls)
        made._source = name, signatures, is_method, inplace
        return made

    def of_method(self) -> LazySignature:
        """That of the method that the function is."""
        name, signatures, _, inplace = self._source
        return self.of(name, signatures, True, inplace)

    def of_inplace(self) -> LazySignature:
        """That of the function with `inplace=True`."""
        name, signatures, is_method, _ = self._source
        return self.of(name, signatures, is_method, True)

    def __getattr__(self, name: str) -> Any:
        if name not in ("_parameters", "_return_annotation"):
            raise AttributeError(name)
        parameters, returns = _call_signature(*self._source)
        InspectSignature.__init__(self, parameters, return_annotation=Annotation(returns))
        return object.__getattribute__(self, name)


def _call_signature(name: str, texts: tuple[str, ...], is_method: bool, inplace: bool) -> tuple[list[Python], str]:
    signatures = [parse_signature(name, f"{text} => {name}") for text in texts]
    if is_method:
        signatures = [s for s in signatures if s.positional[0].type.name == "Tensor"]
    returns = " | ".join(dict.fromkeys(s.returns for s in python_signatures(name, signatures, is_method)))
    parameters = [_python(p) for p in parameters_of(name, signatures, is_method, inplace)]
    if is_method:
        parameters[0] = Python("self", Python.POSITIONAL_OR_KEYWORD)
    return parameters, returns


def _python(parameter: PythonParameter) -> Python:
    default = Python.empty if parameter.default is MISSING else parameter.default
    if isinstance(default, DataTypeName):
        default = import_module("tritonflow.dtypes").from_name(default.name.rstrip("_"))  # which the generator does without
    return Python(parameter.name, parameter.kind, default=default, annotation=Annotation(parameter.annotation))


# ---------------------------------------------------------------------------------------------------- several overloads


def takes_out(signatures: Sequence[Signature]) -> bool:
    """Whether the function has the keyword `out`, a tensor or tensors for the result."""
    form = python_signatures(signatures[0].name, signatures[:1], False)[0]
    return with_out(form) is not form


def parameters_of(
    name: str, signatures: Sequence[Signature], is_method: bool = False, inplace: bool = False
) -> list[PythonParameter]:
    """The parameters of one Python signature for all overloads of a name.

    A parameter that some overload does without has a default. Its type is that of all overloads, also of those that have a
    parameter of another name at its position.
    """
    shape = prototype(signatures, is_method)
    forms = [python_signatures(name, [signature], is_method)[0] for signature in signatures]
    names = [slot.name for slot in shape.positional]
    starred = _is_starred(shape.varargs, len(names), is_method, signatures)
    positional = [_joined(slot, forms, names, position, starred) for position, slot in enumerate(names)]
    keyword_only = [_joined(slot.name, forms, names) for slot in shape.keyword_only]
    optional = False
    for position, parameter in enumerate(positional):
        if optional and parameter.default is MISSING:
            positional[position] = _optional(parameter)
        optional = optional or parameter.default is not MISSING
    if starred:
        form = python_signatures(name, signatures[:1], is_method)[1]
        positional[-1] = next(p for p in form.parameters if p.kind is _STARRED)
        keyword_only = [p for p in keyword_only if p.name != "arguments"]  # those of einsum in the order of NumPy
    if not is_method and not inplace:
        keyword_only += _out(forms[0])
    return [p for p in (*positional, *keyword_only) if not (inplace and p.name == "inplace")]


def _is_starred(varargs: tuple[int, ...], count: int, is_method: bool, signatures: Sequence[Signature]) -> bool:
    """Whether the last position is shown with a star: `zeros(*size)`, `einsum(equation, *operands)`, `x.permute(*dims)`."""
    if varargs[0] != count - 1 or len(signatures) > 1 and signatures[0].name != "einsum":
        return False
    return is_method or varargs[0] == 0 or signatures[0].positional[0].type.name == "String"


def _out(form: PythonSignature) -> Iterator[PythonParameter]:
    return (p for p in with_out(form).parameters if p not in form.parameters)


def _joined(
    name: str, forms: Sequence[PythonSignature], names: Sequence[str], position: int | None = None, starred: bool = False
) -> PythonParameter:
    """One parameter for all overloads.

    Args:
        names: all parameters that may be given by position.
        position: its own, None if it has none.
        starred: whether another overload has the parameter under another name, which is not shown.
    """
    named = [p for form in forms for p in form.parameters if p.name == name]
    placed = [_at(form, position) for form in forms]
    others = [p for p in placed if p is not None and p.name not in names]
    distinct = dict.fromkeys(a for p in (*named, *others) for a in p.annotation.split(" | "))
    annotation = "Any" if "Any" in distinct else " | ".join(sorted(distinct, key=lambda a: a == "None"))
    kind = Python.KEYWORD_ONLY if position is None else Python.POSITIONAL_OR_KEYWORD
    parameter = PythonParameter(name, annotation, MISSING, kind)
    needed = [any(p.name == name and p.required for p in form.parameters) for form in forms]
    if position is not None:  # it must be given by position as well
        needed = [at is not None and (by_name or starred and at.required) for at, by_name in zip(placed, needed)]
    if all(needed):
        return parameter
    return _optional(parameter, next((p.default for p in named if p.default is not MISSING), None))


def _optional(parameter: PythonParameter, default: Any = None) -> PythonParameter:
    """The parameter with a default."""
    annotation = parameter.annotation
    if default is None and annotation != "Any" and not annotation.endswith("None"):
        annotation += " | None"
    return replace(parameter, annotation=annotation, default=default)


def _at(form: PythonSignature, position: int | None) -> PythonParameter | None:
    """The parameter at a position, if one may be given there."""
    found = [p for p in form.parameters if p.kind is not Python.KEYWORD_ONLY]
    return found[position] if position is not None and position < len(found) else None
