"""tritonflow/_C/methods.py and tritonflow/_C/__init__.py: where the functions appear."""

from __future__ import annotations

from tritonflow.functional.emit import HEADER
from tritonflow.functional.emit.binding import functions_of
from tritonflow.functional.project import Project, snake
from tritonflow.functional.schema import Entry, SchemaError

_BINARY = "add sub mul truediv floordiv mod pow and or xor lshift rshift matmul divmod".split()
_COMPARISONS = "eq ne lt le gt ge".split()
INPLACE_OPERATORS = {f"__i{n}__" for n in _BINARY}
_REFLECTED = {f"__r{n}__" for n in _BINARY}
BINARY_OPERATORS = {f"__{n}__" for n in _BINARY + _COMPARISONS} | _REFLECTED


def emit_methods(project: Project) -> str:
    """The text of tritonflow/_C/methods.py."""
    table = method_table(project)
    entries = {method: entry for entry in project.entries for method in entry.methods}
    operators = [_operator(entries[m], m) for m in table if m in BINARY_OPERATORS]
    used = {entries[m].name if m in BINARY_OPERATORS else function for m, function in table.items()}
    text = "\n\n".join(operators)
    known = {snake(s.functor) for entry in project.entries for s in entry.signatures}
    functors = sorted(name for name in known if f" _{name}(" in text)
    casts = any(entries[m].autocast for m in table if m in BINARY_OPERATORS)
    imported = [*["CASTING"] * casts, *sorted(used), *(f"_{f}" for f in functors)]
    return "\n".join(
        [
            f'"""Tensor methods: the functional API\'s functions, and operators with two operands.\n\n{HEADER}\n"""',
            "from tritonflow._C.functional import " + ", ".join(imported),
            "from tritonflow.framework.tensor import Tensor" if operators else "",
            "from tritonflow.interpreter.autocast import bind_casts" if casts else "",
            "",
            text,
            "",
            "METHODS = {",
            *(f'    "{method}": {function},' for method, function in table.items()),
            "}",
            "",
            "bind_casts(globals(), CASTING)" if casts else "",
            "",
        ]
    )


def method_table(project: Project) -> dict[str, str]:
    """The function of every Tensor method: an operator of two operands has one of its own name."""
    table: dict[str, str] = {}
    for entry in project.entries:
        names = {f.name for f in functions_of(entry)}
        for method in entry.methods:
            if method in table:
                raise SchemaError(f"{entry.name}: method {method} is defined by another entry already")
            table[method] = method if method in BINARY_OPERATORS else _function_for(entry, method, names)
    return table


def _function_for(entry: Entry, method: str, names: set[str]) -> str:
    """The function that is the method: the in-place one for `relu_` and `__iadd__`, otherwise the entry's own."""
    if method in INPLACE_OPERATORS or (method.endswith("_") and not method.endswith("__") and method != entry.name):
        wanted = f"{entry.name}_"
        if wanted not in names:
            raise SchemaError(f"{entry.name}: method {method} needs {wanted} among the methods")
        return wanted
    return entry.name


def _operator(entry: Entry, method: str) -> str:
    """A method of two operands, without the parameters that an operator cannot be given."""
    reflected = method in _REFLECTED
    first, second = (1, 0) if reflected else (0, 1)
    call = f"{entry.name}({'other, self' if reflected else 'self, other'})"
    lines = [f"def {method}(self, other):"]
    for signature in entry.signatures:
        positional = signature.positional
        if len(positional) < 2 or any(p.required for p in signature.parameters if p not in positional[:2]):
            continue
        if positional[first].type.name != "Tensor" or positional[second].type.name not in ("Tensor", "Scalar"):
            continue
        is_tensor = positional[second].type.name == "Tensor"
        if is_tensor and reflected:
            continue  # two tensors never come here
        test = "other.__class__ is Tensor" if is_tensor else "other.__class__ is float or other.__class__ is int"
        arguments = "other, self" if reflected else "self, other"
        lines += [f"    if {test}:", f"        return _{snake(signature.functor)}({arguments})"]
    if method in ("__eq__", "__ne__"):
        lines += ["    try:", f"        return {call}", "    except TypeError:"]
        lines += ['        if hasattr(other, "__array__"):', "            raise", "        return NotImplemented"]
    else:
        lines.append(f"    return {call}")
    return "\n".join(lines) + "\n"


def emit_init(project: Project) -> str:
    """The text of tritonflow/_C/__init__.py."""
    names = sorted(f.name for entry in project.entries for f in functions_of(entry))
    exports: dict[str, list[str]] = {}
    for entry in project.entries:
        if not entry.bind_python:
            continue
        for place in entry.export:
            exports.setdefault(place, []).append(entry.name)
    return "\n".join(
        [
            f'"""The functional API (`flow._C.relu`), its derivatives and the Tensor methods.\n\n{HEADER}\n"""',
            f"from tritonflow._C.functional import {', '.join(names)}",
            "from tritonflow._C.derivatives import DERIVATIVES, INPLACE_DERIVATIVES",
            "from tritonflow._C.methods import METHODS",
            "from tritonflow.framework.tensor import Tensor",
            "from tritonflow.functional.derivatives import register_derivatives",
            "from tritonflow.functional.library import attach_methods",
            "",
            "# Where the names appear besides here.",
            f"EXPORTS = {exports!r}",
            "",
            "register_derivatives(DERIVATIVES, INPLACE_DERIVATIVES)",
            "attach_methods(Tensor, METHODS)",
            "",
            f"__all__ = {[*names, 'EXPORTS', 'METHODS']!r}",
            "",
        ]
    )
