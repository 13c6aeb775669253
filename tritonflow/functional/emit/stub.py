"""tritonflow/_C/functional/<family>.pyi and _C/tensor_methods.pyi: the types of the functional API and of the Tensor methods."""

from __future__ import annotations

import re

from tritonflow.functional.emit import HEADER, UNSORTED
from tritonflow.functional.emit.binding import Function, functions_of
from tritonflow.functional.emit.operators import BINARY_OPERATORS, INPLACE_OPERATORS, method_table
from tritonflow.functional.emit.values import filled
from tritonflow.functional.project import Project
from tritonflow.functional.signature import Parameter, Signature

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


def emit(project: Project, family: str = "") -> str:
    """The text of tritonflow/_C/functional/<family>.pyi."""
    functions = [f for entry in project.entries if entry.family == family for f in functions_of(entry)]
    body = "\n".join(_function(f) for f in functions)
    results = "\n".join(filter(None, map(_result, functions)))
    return f"# {HEADER}\n{UNSORTED}\n{_imports(results + body + _TABLES)}\n\n{_TABLES}\n{results}\n{body}\n"


_TABLES = "_methods: dict[str, Callable[..., Any]]\n"


def emit_methods(project: Project) -> str:
    """The text of tritonflow/_C/tensor_methods.pyi."""
    forms: list[str] = []
    results: dict[str, str] = {}
    for entry in project.entries:
        functions = {f.name: f for f in functions_of(entry)}
        for method, name in method_table(entry).items():
            if method in BINARY_OPERATORS | INPLACE_OPERATORS:
                ignore = "  # type: ignore[override]" if method in ("__eq__", "__ne__") else ""
                forms.append(f"def {method}(self, other: Any) -> Tensor: ...{ignore}")
            else:
                forms.append(_method(method, functions[name]))
                if f"-> {name}_result" in forms[-1]:
                    results[f"{name}_result"] = entry.family
    body = "\n".join(forms)
    imported = "".join(f"from tritonflow._C.functional.{family} import {n}\n" for n, family in sorted(results.items()))
    doc = '    """What `op_registry.yaml` adds to Tensor."""\n'
    return f"# {HEADER}\n{UNSORTED}\n{imported}{_imports(body)}\n\nclass TensorMethods:\n{doc}\n" + _indent(body)


def _indent(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())


def _imports(text: str) -> str:
    """Imports and aliases of what occurs in the text."""
    aliases = [f"{n} = {v}" for n, v in _ALIASES.items() if re.search(rf"\b{n}\b", text)]
    text += "\n".join(aliases)
    lines = [line for module, names in _MODULES.items() for line in _import(module, names, text)]
    return "\n".join([*lines, "", *aliases])


_ALIASES = {"Scalar": "float"}
_MODULES = {
    "collections.abc": ("Callable", "Sequence"),
    "typing": ("Any", "NamedTuple", "overload"),
    "tritonflow.device.device": ("Device",),
    "tritonflow.dtypes": ("DType",),
    "tritonflow.functional.random_generator": ("Generator",),
    "tritonflow.framework.placement": ("Placement",),
    "tritonflow.framework.sbp": ("Sbp",),
    "tritonflow.framework.tensor": ("Size", "Tensor"),
}


def _method(name: str, function: Function) -> str:
    """The forms of a method: the function's, without the first parameter's type."""
    forms = [
        re.sub(rf"^def {function.name}\(\w+: Tensor", f"def {name}(self", form)
        for form in _forms(function)
        if re.match(rf"def {function.name}\(\w+: Tensor\b(?! \|)", form)
    ]
    overload = "@overload\n" if len(forms) > 1 else ""
    return "\n".join(overload + filled(form) for form in forms)


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
    forms = _forms(function)
    overload = "@overload\n" if len(forms) > 1 else ""
    return "\n".join(overload + filled(form) for form in forms)


def _forms(function: Function) -> list[str]:
    forms: list[str] = []
    for signature, varargs in zip(function.signatures, function.prototype.varargs):
        forms.append(_form(function.name, signature, None))
        if varargs >= 0:
            forms.append(_form(function.name, signature, varargs))
    return forms


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
