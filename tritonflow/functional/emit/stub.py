"""tritonflow/_C/__init__.pyi: the types of the functional API."""

from __future__ import annotations

import re

from tritonflow.functional.emit import HEADER
from tritonflow.functional.emit.binding import Function, functions_of
from tritonflow.functional.project import Project
from tritonflow.functional.schema import Parameter, Signature

_RETURNS = {
    "Tensor": "Tensor",
    "TensorTuple": "tuple[Tensor, ...]",
    "Void": "None",
    "Bool": "bool",
    "Shape": "Size",
    "Scalar": "Scalar",
    "Int64": "int",
    "Any": "Any",
}


def emit(project: Project) -> str:
    """The text of tritonflow/_C/__init__.pyi."""
    functions = [f for entry in project.entries for f in functions_of(entry)]
    body = "\n".join(_function(f) for f in functions)
    results = "\n".join(_result(f) for f in functions)
    return "\n".join(
        [
            f"# {HEADER}",
            *_import("collections.abc", ("Callable", "Sequence"), "Callable " + body),
            *_import("typing", ("Any", "NamedTuple", "overload"), "Any " + results + body),
            *_import("tritonflow.device.device", ("Device",), body),
            *_import("tritonflow.dtypes", ("DType",), body),
            *_import("tritonflow.framework.tensor", ("Size", "Tensor"), body),
            "",
            "Scalar = float | complex",
            "Generator = Any",
            "Placement = Any",
            "Sbp = Any",
            "",
            "METHODS: dict[str, Callable[..., Any]]",
            "EXPORTS: dict[str, list[str]]",
            "",
            results,
            body,
        ]
    )


def _import(module: str, names: tuple[str, ...], text: str) -> list[str]:
    """An import of those names that occur in the text."""
    used = [n for n in names if re.search(rf"\b{n}\b", text)]
    return [f"from {module} import {', '.join(used)}"] if used else []


def _result(function: Function) -> str:
    names = next((s.return_names for s in function.signatures if s.return_names), ())
    if not names:
        return ""
    return f"class {function.name}_result(NamedTuple):\n" + "\n".join(f"    {n}: Tensor" for n in names) + "\n"


def _function(function: Function) -> str:
    shape = function.prototype
    forms: list[str] = []
    for signature, varargs in zip(function.signatures, shape.varargs):
        forms.append(_form(function.name, signature, None))
        if varargs >= 0:
            forms.append(_form(function.name, signature, varargs))
    overload = "@overload\n" if len(forms) > 1 else ""
    return "\n".join(overload + form for form in forms)


def _form(name: str, signature: Signature, varargs: int | None) -> str:
    parts: list[str] = []
    for i, parameter in enumerate(signature.parameters):
        if i == varargs:
            element = "Tensor" if parameter.type.element == "Tensor" else "int"
            parts.append(f"*{parameter.name}: {element}")
            continue
        if parameter.keyword_only and varargs is None and "*" not in parts:
            parts.append("*")
        parts.append(f"{parameter.name}: {_annotation(parameter)}" + ("" if parameter.required else " = ..."))
    returns = f"{name}_result" if signature.return_names else _RETURNS[signature.returns]
    return f"def {name}({', '.join(parts)}) -> {returns}: ..."


def _annotation(parameter: Parameter) -> str:
    annotation = parameter.type.annotation
    if parameter.size is not None:
        element = annotation.removeprefix("Sequence[").removesuffix("]")
        annotation = f"{element} | {annotation}"
    return f"{annotation} | None" if parameter.optional and annotation != "Any" else annotation
