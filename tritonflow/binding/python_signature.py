"""What a function of the registry looks like to Python: its parameters with annotations and defaults, and what it returns.

The stubs are written from it (`emit/stub.py`), and so can `inspect.signature` be. Imports only the language of signatures.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter as Python
from inspect import _ParameterKind as Kind
from typing import Any

from tritonflow.binding.prototype import MISSING, prototype
from tritonflow.binding.signature import DataTypeName, Parameter, Signature

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

    def with_annotations(self, change: Callable[[str], str]) -> PythonSignature:
        """The signature with its annotations changed, as that of the result."""
        parameters = tuple(replace(p, annotation=change(p.annotation)) for p in self.parameters)
        return PythonSignature(parameters, change(self.returns))


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


def by_flags(name: str, signature: PythonSignature) -> list[PythonSignature]:
    """The forms of a signature whose result depends on flags such as `return_indices`: one for each of their values.

    A last form is for flags that a checker does not know. Other signatures are returned as they are.
    """
    results = _RESULTS_BY_FLAGS.get(name)
    if results is None:
        return [signature]
    flags = [p.name for p in signature.parameters if p.name in results]
    forms = []
    for values in itertools.product((False, True), repeat=len(flags)):
        given = dict(zip(flags, values))
        count = 1 + sum(results[flag] for flag, value in given.items() if value) + _ALWAYS.get(name, 0)
        returns = "Tensor" if count == 1 else f"tuple[{', '.join(['Tensor'] * count)}]"
        forms.append(replace(signature, parameters=tuple(_with_flags(signature, given)), returns=returns))
    return [*forms, signature]


def _with_flags(signature: PythonSignature, given: dict[str, bool]) -> Iterator[PythonParameter]:
    """The parameters with literal flags; from the first one that is True on, all are given by keyword."""
    kind: Kind | None = None
    for parameter in signature.parameters:
        value = given.get(parameter.name)
        if value:
            kind = Python.KEYWORD_ONLY
        parameter = replace(parameter, kind=kind or parameter.kind)
        if value is not None:
            parameter = replace(parameter, annotation=f"Literal[{value}]", default=MISSING if value else False)
        yield parameter


# By how many tensors a flag makes the result longer, and how many more there are anyway.
_RESULTS_BY_FLAGS: dict[str, dict[str, int]] = {
    **{f"{kind}max_pool{n}d": {"return_indices": 1} for kind in ("", "adaptive_", "fractional_") for n in (1, 2, 3)},
    "unique": {"return_inverse": 1, "return_counts": 1},
    "unique_consecutive": {"return_inverse": 1, "return_counts": 1},
    "lu": {"get_infos": 1},
}
_ALWAYS = {"lu": 1}


def with_out(signature: PythonSignature) -> PythonSignature:
    """The signature of a function that is not in place with the keyword `out`, what results that are tensors are written into."""
    is_tuple = signature.returns.startswith(("tuple[Tensor", "return_types.")) and not signature.returns.endswith("]]")
    if not is_tuple and signature.returns != "Tensor" or any(p.name == "out" for p in signature.parameters):
        return signature
    annotation = "Sequence[Tensor] | None" if is_tuple else "Tensor | None"
    out = PythonParameter("out", annotation, None, Python.KEYWORD_ONLY)
    return replace(signature, parameters=(*signature.parameters, out))


def _signature(name: str, signature: Signature, varargs: int | None) -> PythonSignature:
    parameters = []
    for position, parameter in enumerate(signature.parameters):
        if position == varargs:
            element = parameter.type.annotation.removeprefix("Sequence[").removesuffix("]")
            parameters.append(PythonParameter(parameter.name, element, MISSING, Python.VAR_POSITIONAL))
            continue
        kind = Python.KEYWORD_ONLY if parameter.keyword_only else Python.POSITIONAL_OR_KEYWORD
        parameters.append(PythonParameter(parameter.name, annotation_of(parameter), default_of(parameter), kind))
    returns = f"return_types.{name}" if signature.return_names else RETURNS[signature.returns]
    returns = "tuple[Tensor, tuple[Tensor, ...]]" if name == "histogramdd" else returns
    return PythonSignature(tuple(parameters), returns)


def annotation_of(parameter: Parameter) -> str:
    """The source of a parameter's type: one element stands for a list of a known length, and None where it is the default."""
    annotation = parameter.type.annotation
    if parameter.type.name == "PyObject":
        annotation = _OBJECTS.get(parameter.name, "Any")
    if parameter.size is not None and parameter.type.element != "Sbp":
        element = annotation.removeprefix("Sequence[").removesuffix("]")
        annotation = f"{element} | {annotation}"
    is_complete = annotation == "Any" or annotation.endswith("| None")
    return f"{annotation} | None" if parameter.optional and not is_complete else annotation


# The types of parameters that the language of signatures calls objects, by name.
_OBJECTS = {
    "bins": "int | Sequence[int] | Sequence[Tensor]",
    "compute_mode": "str",
    "dims": "int | Sequence[int] | Sequence[Sequence[int]] | Tensor",
    "input_lengths": "Tensor | Sequence[int]",
    "kernel_size": "int | Sequence[int]",
    "options": "Any",
    "out_dtype": "DType",
    "output_ratio": "float | Sequence[float]",
    "output_size": "int | Sequence[int] | Sequence[int | None] | None",
    "range": "Sequence[float]",
    "scale_factor": "float | Sequence[float]",
    "shape": "int | Sequence[int]",
    "size": "int | Sequence[int]",
    "slice_tup_list": "Sequence[Sequence[int | None]]",
    "target_lengths": "Tensor | Sequence[int]",
    "var": "Tensor | float",
}


def default_of(parameter: Parameter) -> Any:
    """The default as the registry has it: `stride=1` is 1, and not the (1, 1) that the functor is given."""
    if parameter.required:
        return MISSING
    if parameter.type.is_list and parameter.default is not None:
        return ast.literal_eval(parameter.default_text)
    return parameter.default
