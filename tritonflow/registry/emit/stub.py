"""The types of the functional API, of what it returns and of the Tensor methods.

tritonflow/_C/functional/<family>.pyi, _C/return_types.pyi and _C/tensor_methods.pyi.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace
from inspect import Parameter as Python

from tritonflow.binding.python_signature import PythonSignature, by_flags, python_signatures, with_out
from tritonflow.registry.emit import HEADER, UNSORTED
from tritonflow.registry.emit.binding import Function, functions_of
from tritonflow.registry.emit.operators import OPERATORS, method_table
from tritonflow.registry.emit.values import filled
from tritonflow.registry.project import Project

_HEAD = f"# {HEADER}\n{UNSORTED}\n"


def emit(project: Project, family: str = "") -> str:
    """The text of tritonflow/_C/functional/<family>.pyi."""
    functions = [f for entry in project.entries if entry.family == family for f in functions_of(entry)]
    hidden = _BUILTIN_TYPES & {f.name for f in functions}
    body = "\n".join(_defined(f.name, forms_of(f), hidden) for f in functions)
    return f"{_HEAD}{imports_of(body + _TABLES)}\n\n{_TABLES}\n{body}\n"


_TABLES = "_methods: dict[str, Callable[..., Any]]\n"


def emit_return_types(project: Project) -> str:
    """The text of tritonflow/_C/return_types.pyi."""
    classes: dict[str, tuple[str, ...]] = {}
    for entry in project.entries:
        for function in functions_of(entry):
            names = next((s.return_names for s in function.signatures if s.return_names), ())
            if names:
                classes[function.name] = names
    body = "\n".join(
        f"class {name}(NamedTuple):\n" + "".join(f"    {field}: Tensor\n" for field in fields)
        for name, fields in classes.items()
    )
    return f"{_HEAD}{imports_of(body)}\n\n{body}"


def emit_methods(project: Project) -> str:
    """The text of tritonflow/_C/tensor_methods.pyi."""
    forms: list[str] = []
    for entry in project.entries:
        functions = {f.name: f for f in functions_of(entry)}
        methods = {"to": "to"} if entry.name == "to" else method_table(entry)  # members/conversion.py has it
        for method, name in methods.items():
            if method in OPERATORS:
                forms.append(_operator(method))
            else:
                forms.append(_method(method, functions[name]))
    body = "\n".join(forms)
    doc = '    """What `op_registry.yaml` adds to Tensor."""\n'
    return f"{_HEAD}{imports_of(body + ' AttachedMethods')}\n\nclass TensorMethods(AttachedMethods):\n{doc}\n" + _indent(body)


_BUILTIN_TYPES = frozenset({"bool", "int", "float", "complex", "str", "tuple", "list", "dict", "type", "slice"})


def _indent(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())


def imports_of(text: str) -> str:
    """Imports of what occurs in the text."""
    lines = ["import builtins"] * ("builtins." in text)
    return "\n".join([*lines, *(line for module, names in MODULES.items() for line in _import(module, names, text))])


MODULES = {
    "collections.abc": ("Callable", "Iterator", "Sequence"),
    "typing": ("Any", "Literal", "NamedTuple", "overload"),
    "tritonflow._C": ("return_types",),
    "tritonflow._C.attached_methods": ("AttachedMethods",),
    "tritonflow.device.device": ("Device",),
    "tritonflow.distributed.mesh": ("DeviceMesh",),
    "tritonflow.dtypes": ("DType", "int64"),
    "tritonflow.framework.memory_format": ("MemoryFormat",),
    "tritonflow.framework.placement": ("Placement",),
    "tritonflow.framework.sbp": ("Sbp",),
    "tritonflow.framework.size": ("Size",),
    "tritonflow.framework.tensor": ("Tensor",),
    "tritonflow.binding.annotations": ("Scalar",),
    "tritonflow.functions.random_generator": ("Generator",),
}


def _import(module: str, names: tuple[str, ...], text: str) -> list[str]:
    """An import of those names that occur in the text."""
    used = [n for n in names if re.search(rf"(?<![\w.]){n}\b", text)]
    return [f"from {module} import {', '.join(used)}"] if used else []


def _operator(method: str) -> str:
    """A method of two operands."""
    if method in ("__eq__", "__ne__"):
        return f"def {method}(self, other: object) -> Tensor: ...  # type: ignore[override]"
    if method in ("__divmod__", "__rdivmod__"):
        return f"def {method}(self, other: Tensor | Scalar) -> tuple[Tensor, Tensor]: ..."
    return f"def {method}(self, other: Tensor | Scalar) -> Tensor: ..."


def _method(name: str, function: Function) -> str:
    """The forms of a method: those of the function whose first parameter is a tensor, without that."""
    forms = []
    for form in forms_of(function, out=False):
        first = form.parameters[0]
        if first.annotation == "Tensor" and first.kind is Python.POSITIONAL_OR_KEYWORD:
            forms.append(replace(form, parameters=form.parameters[1:]))
    return _defined(name, forms, _BUILTIN_TYPES, "self")


def _defined(name: str, forms: list[PythonSignature], hidden: Set[str] = frozenset(), first: str = "") -> str:
    """A function of these forms; `hidden` are types of Python that have another meaning where it stands."""
    overload = "@overload\n" if len(forms) > 1 else ""
    return "\n".join(overload + filled(f"def {name}{_text(form, hidden, first)}: ...") for form in forms)


def _text(form: PythonSignature, hidden: Set[str], first: str) -> str:
    if hidden:
        pattern = re.compile(rf"\b({'|'.join(sorted(hidden))})\b")
        form = form.with_annotations(lambda annotation: pattern.sub(r"builtins.\1", annotation))
    text = str(form)
    return f"({first}{', ' * bool(form.parameters)}{text[1:]}" if first else text


def forms_of(function: Function, out: bool = True) -> list[PythonSignature]:
    """The ways to call a function; with the keyword `out`, unless it is in place or `out` is False."""
    found = python_signatures(function.name, function.signatures, function.is_method)
    forms = [form for signature in found for form in by_flags(function.name, signature)]
    return [with_out(form) for form in forms] if out and not function.inplace else forms
