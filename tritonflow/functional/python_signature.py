"""What a function of the registry looks like to Python: its parameters with annotations and defaults, and what it returns.

The stubs are written from it (`emit/stub.py`), and so can `inspect.signature` be. Imports only the language of signatures.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from inspect import Parameter as Python
from inspect import _ParameterKind as Kind
from typing import Any

from tritonflow.functional.prototype import MISSING, prototype
from tritonflow.functional.signature import DataTypeName, Parameter, Signature

RETURNS = {
    "Tensor": "Tensor",
    "TensorTuple": "tuple[Tensor, ...]",
    "Void": "None",
    "Bool": "bool",
    "Shape": "Size",
    "Scalar": "Scalar",
    "Int64": "int",
    "Any": "Any",
}
_OUT = {"Tensor": "Tensor | None", "TensorTuple": "Sequence[Tensor] | None"}


@dataclass(frozen=True)
class PythonParameter:
    """One parameter, such as `dim: int | Sequence[int] | None = None`.

    Args:
        name: its name.
        annotation: the source of its type; names such as `Tensor` and `DType` are those of the classes.
        default: its default, MISSING where a value is required. A dtype is a `DataTypeName`.
        kind: one of the kinds of `inspect.Parameter`.
    """

    name: str
    annotation: str
    default: Any = MISSING
    kind: Kind = Python.POSITIONAL_OR_KEYWORD

    @property
    def required(self) -> bool:
        """Whether a call must give it; a starred parameter may be empty."""
        return self.default is MISSING and self.kind is not Python.VAR_POSITIONAL

    @property
    def default_text(self) -> str:
        """The source of the default."""
        if isinstance(self.default, DataTypeName):
            return self.default.name
        text = repr(self.default)
        return f'float("{text}")' if text.lstrip("-") in ("inf", "nan") else text

    def __str__(self) -> str:
        star = "*" * (self.kind is Python.VAR_POSITIONAL)
        return f"{star}{self.name}: {self.annotation}" + ("" if self.default is MISSING else f" = {self.default_text}")


@dataclass(frozen=True)
class PythonSignature:
    """One way to call a function: `(x: Tensor, dim: int | None = None) -> Tensor`."""

    parameters: tuple[PythonParameter, ...]
    returns: str

    def __str__(self) -> str:
        parts: list[str] = []
        starred = False
        for parameter in self.parameters:
            if parameter.kind is Python.KEYWORD_ONLY and not starred:
                parts.append("*")
                starred = True
            starred = starred or parameter.kind is Python.VAR_POSITIONAL
            parts.append(str(parameter))
        return f"({', '.join(parts)}) -> {self.returns}"

    def without(self, *names: str) -> PythonSignature:
        """The signature without some parameters."""
        return replace(self, parameters=tuple(p for p in self.parameters if p.name not in names))


def python_signatures(name: str, signatures: Sequence[Signature], is_method: bool) -> list[PythonSignature]:
    """The signatures of one name, in the order in which calls are tried; a lone list has a second one with a star.

    Args:
        name: of the function, after which a tuple of named results is called.
        signatures: as in the registry.
        is_method: whether the function is also a Tensor method.
    """
    found: list[PythonSignature] = []
    for signature, varargs in zip(signatures, prototype(signatures, is_method).varargs):
        found.append(_signature(name, signature, None))
        if varargs >= 0:
            found.append(_signature(name, signature, varargs))
    return found


def with_out(signature: PythonSignature, returns: str) -> PythonSignature:
    """A signature with the keyword `out`, for what the result is written into; as it is where there is no such keyword.

    Args:
        signature: of a function that is not in place.
        returns: the registry's word for what it returns, such as "TensorTuple".
    """
    if returns not in _OUT or any(p.name == "out" for p in signature.parameters):
        return signature
    out = PythonParameter("out", _OUT[returns], None, Python.KEYWORD_ONLY)
    return replace(signature, parameters=(*signature.parameters, out))


def _signature(name: str, signature: Signature, varargs: int | None) -> PythonSignature:
    parameters = []
    for position, parameter in enumerate(signature.parameters):
        if position == varargs:
            element = "Tensor" if parameter.type.element == "Tensor" else "int"
            parameters.append(PythonParameter(parameter.name, element, MISSING, Python.VAR_POSITIONAL))
            continue
        kind = Python.KEYWORD_ONLY if parameter.keyword_only else Python.POSITIONAL_OR_KEYWORD
        parameters.append(PythonParameter(parameter.name, annotation_of(parameter), default_of(parameter), kind))
    returns = f"return_types.{name}" if signature.return_names else RETURNS[signature.returns]
    return PythonSignature(tuple(parameters), returns)


def annotation_of(parameter: Parameter) -> str:
    """The source of a parameter's type: one element stands for a list of a known length, and None where it is the default."""
    annotation = parameter.type.annotation
    if parameter.size is not None and parameter.type.element != "Sbp":
        element = annotation.removeprefix("Sequence[").removesuffix("]")
        annotation = f"{element} | {annotation}"
    return f"{annotation} | None" if parameter.optional and annotation != "Any" else annotation


def default_of(parameter: Parameter) -> Any:
    """The default as the registry has it: `stride=1` is 1, and not the (1, 1) that the functor is given."""
    if parameter.required:
        return MISSING
    if parameter.type.is_list and parameter.default is not None:
        return ast.literal_eval(parameter.default_text)
    return parameter.default
