"""tritonflow/_C/functional.py: one specialised Python function per functional name.

The exact types are tested in the function itself; everything else goes to a `Binding`, which converts or explains.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tritonflow.functional.emit import FUNCTORS, HEADER
from tritonflow.functional.emit.values import literal, tuple_of
from tritonflow.functional.project import Project, snake
from tritonflow.functional.prototype import MISSING, Prototype, Slot, prototype
from tritonflow.functional.schema import DataTypeName, Entry, Parameter, SchemaError, Signature

# Whether a generated function catches keywords that it does not know, to name them as OneFlow does (`relu(): got an
# unexpected keyword argument 'foo'`). It costs 20 ns a call; without it Python's own text appears, without the colon.
CATCH_UNKNOWN_KEYWORDS = True


@dataclass(frozen=True)
class Function:
    """A Python function to write. `inplace` fixes the parameter of that name to True, as in `relu_`; `autocast` is the rule by
    which arguments are cast first, where autocast is on: never what is overwritten."""

    name: str
    signatures: tuple[Signature, ...]
    is_method: bool
    doc: str
    inplace: bool = False
    autocast: str = ""

    @property
    def prototype(self) -> Prototype:
        """The parameters that Python matches."""
        return prototype(self.signatures, self.is_method)


def functions_of(entry: Entry) -> list[Function]:
    """The functions of an entry: its own, and `<name>_` if that is one of its methods."""
    functions = [Function(entry.name, entry.signatures, bool(entry.methods), entry.doc, autocast=entry.autocast)]
    if f"{entry.name}_" in entry.methods:
        signatures = tuple(
            replace(s, name=f"{entry.name}_", parameters=tuple(p for p in s.parameters if p.name != "inplace"))
            for s in entry.signatures
            if s.inplace
        )
        if not signatures:
            raise SchemaError(f"{entry.name}: method {entry.name}_ needs a signature with 'Bool inplace=False'")
        functions.append(Function(f"{entry.name}_", signatures, True, "In place: " + entry.doc, True, entry.autocast))
    return functions


def emit(project: Project) -> str:
    """The text of tritonflow/_C/functional.py."""
    functions = [f for entry in project.entries for f in functions_of(entry)]
    names = [f.name for f in functions]
    for name in names:
        if names.count(name) > 1:
            raise SchemaError(f"{name}: an entry and an in-place method have the same name")
    functors = sorted({s.functor for f in functions for s in f.signatures})
    return_types = _return_types(functions)
    body = "\n".join(_function(f) for f in functions)
    helpers = sorted(n for n in ("all_ints", "all_tensors") if n in body)
    return "\n".join(
        [
            f'"""The functional API: picks a signature, checks the arguments, calls the functor.\n\n{HEADER}\n"""',
            "from functools import partial" if "partial(" in body else "",
            "from tritonflow import dtypes" if "dtypes." in body else "",
            *(_import(project, functor) for functor in functors),
            "from tritonflow.device.device import Device" if " is Device" in body else "",
            "from tritonflow.dtypes import DType" if " is DType" in body else "",
            f"from tritonflow.framework.tensor import {'Size, ' if ' is Size' in body else ''}Tensor",
            f"from tritonflow.functional.arguments import Binding{''.join(', ' + h for h in helpers)}",
            "from tritonflow.functional.library import named_result" if return_types else "",
            "from tritonflow.interpreter.autocast import bind_casts, with_casts" if "CASTING[" in body else "",
            "from tritonflow.functional.prototype import MISSING as _missing",
            "from tritonflow._C import return_types" if return_types else "",
            "",
            *_casting_functors(functions),
            "",
            body,
            "bind_casts(globals(), CASTING)" if "CASTING[" in body else "",
            "",
        ]
    )


def _import(project: Project, name: str) -> str:
    functor = project.functor(name)
    return f"from {FUNCTORS}.{functor.module} import {functor.function} as _{snake(name)}"


def emit_return_types(project: Project) -> str:
    """The text of tritonflow/_C/return_types.py."""
    found = _return_types([f for entry in project.entries for f in functions_of(entry)])
    module = "tritonflow._C.return_types"
    return "\n".join(
        [
            f'"""Named tuples that ops with several named outputs return.\n\n{HEADER}\n"""',
            "from collections import namedtuple" if found else "",
            "",
            *(f'{n} = namedtuple("{n}", {list(fields)!r}, module="{module}")' for n, fields in found.items()),
            "",
        ]
    )


def _casting_functors(functions: list[Function]) -> list[str]:
    """The table of functors that cast their arguments first; a functor has one rule, whoever calls it."""
    rules: dict[str, set[str]] = {}
    found: dict[str, str] = {}
    for function in functions:
        for signature in function.signatures:
            rules.setdefault(signature.functor, set()).add(function.autocast)
            if len(rules[signature.functor]) > 1:
                raise SchemaError(f"{function.name}: functor {signature.functor} has another autocast rule elsewhere")
            if function.autocast:
                names = [p.name for p in signature.parameters]
                inplace = f", inplace={names.index('inplace')}" if "inplace" in names else ""
                name = f"_{snake(signature.functor)}"
                found.setdefault(name, f'with_casts({name}, "{function.autocast}"{inplace})')
    if not found:
        return []
    rows = [f'    "{name}": {value},' for name, value in sorted(found.items())]
    return ["", "# What casts its arguments first: bound to these names while autocast is on.", "CASTING = {", *rows, "}"]


def _return_types(functions: list[Function]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for function in functions:
        for signature in function.signatures:
            names = signature.return_names
            if names and found.setdefault(function.name, names) != names:
                raise SchemaError(f"{function.name}: its signatures name their results differently")
    return found


def _function(function: Function) -> str:
    shape = function.prototype
    lines = [_binding(function), f"def {function.name}({_parameters(shape)}):"]
    lines.append(_docstring(function))
    for index in range(len(function.signatures)):
        lines += _fast_branches(function, shape, index)
    unknown = "unknown" if CATCH_UNKNOWN_KEYWORDS else "{}"
    slots = ", ".join(s.name for s in shape.slots)
    comma = "," if len(shape.slots) == 1 else ""
    lines.append(f"    return _{function.name}_slow(({slots}{comma}), extra, {unknown})")
    return "\n".join(lines) + "\n\n"


def _docstring(function: Function) -> str:
    doc = function.doc.strip()
    lines = [*([doc, ""] if doc else []), *(str(s) for s in function.signatures)]
    return f'    """{lines[0]}"""' if len(lines) == 1 else '    """' + "\n    ".join([*lines, '"""'])


def _binding(function: Function) -> str:
    texts = tuple_of([f'"{_escape(str(s))} => {s.functor}"' for s in function.signatures])
    functors = tuple_of([_functor_name(function, s) for s in function.signatures])
    method = ", is_method=True" if function.is_method else ""
    return f'_{function.name}_slow = Binding("{function.name}", {texts}, {functors}{method})\n\n'


def _functor_name(function: Function, signature: Signature) -> str:
    name = f"_{snake(signature.functor)}"
    if function.autocast:
        name = f'CASTING["{name}"]'
    if function.inplace:
        return f"partial({name}, inplace=True)"
    return f"named_result({name}, return_types.{function.name})" if signature.return_names else name


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _parameters(shape: Prototype) -> str:
    def written(slot: Slot) -> str:
        return f"{slot.name}={'_missing' if slot.default is MISSING else literal(slot.default)}"

    parts = [*map(written, shape.positional), "*extra", *map(written, shape.keyword_only)]
    return ", ".join([*parts, "**unknown"] if CATCH_UNKNOWN_KEYWORDS else parts)


# ---------------------------------------------------------------------------------------------- the fast branches


def _fast_branches(function: Function, shape: Prototype, index: int) -> list[str]:
    """`if` statements for the calls of one signature whose arguments have the exact types."""
    signature = function.signatures[index]
    if any(not _excludes(earlier, signature) for earlier in function.signatures[:index]):
        return []
    lines: list[str] = []
    for as_varargs in (False, True) if shape.varargs[index] >= 0 else (False,):
        branch = _Branch(function, shape, signature, shape.varargs[index] if as_varargs else None)
        if branch.possible:
            lines += branch.lines()
    return lines


class _Branch:
    """One fast branch: the conditions on the parameters, and the arguments of the functor."""

    def __init__(self, function: Function, shape: Prototype, signature: Signature, varargs: int | None) -> None:
        self.function = function
        self.shape = shape
        self.signature = signature
        self.varargs = varargs
        self.possible = True
        self.late: list[str] = []
        self.conditions: list[str] = []
        self.arguments: list[str] = []
        slots = {s.name: s for s in shape.slots}
        used: set[str] = set()
        for i, parameter in enumerate(signature.parameters):
            slot = shape.positional[i] if i < len(signature.positional) else slots[parameter.name]
            used.add(slot.name)
            self._add(i, parameter, slot)
        for slot in shape.slots:
            if slot.name not in used:
                self.conditions.append(_not_given(slot))
        if function.inplace:
            self._insert_inplace()

    def _add(self, position: int, parameter: Parameter, slot: Slot) -> None:
        name, argument = slot.name, slot.name
        if self.varargs == position:
            if parameter.type.element == "Tensor":
                self.conditions.append(f"{name}.__class__ is Tensor")
                self.late.append("all_tensors(extra)")
            else:
                self.conditions.append(f"{name}.__class__ is int")
                self.late.append("all_ints(extra)")
            argument = f"({name}, *extra)"
        elif slot.default is MISSING and not parameter.required:
            self.conditions.append(f"{name} is _missing")
            argument = literal(parameter.default)
        elif parameter.keyword_only and slot in self.shape.positional:
            self.possible = self.possible and not parameter.required
            self.conditions.append(_not_given(slot))
        else:
            self._add_test(parameter, name)
            if _is_sized_int_list(parameter):
                repeated = f"({name},)" if parameter.size == 1 else f"({name},) * {parameter.size}"
                argument = f"{repeated} if {name}.__class__ is int else {name}"
        self.arguments.append(argument)

    def _add_test(self, parameter: Parameter, name: str) -> None:
        tests = _type_tests(parameter, name)
        if tests is None:
            if parameter.default is None and not parameter.required:
                self.conditions.append(f"{name} is None")
            elif not parameter.required:
                self.conditions.append(f"{name} is _missing")
                self.possible = False
            elif parameter.type.accepts is not None:
                self.possible = False
            else:
                self.conditions.append(f"{name} is not _missing")
            return
        early, late = tests
        if parameter.optional:
            joined = f"{early} and {late}" if late else early.removeprefix("(").removesuffix(")")
            self.conditions.append(f"({name} is None or {joined})")
            return
        self.conditions.append(early)
        self.late += [late] if late else []

    def _insert_inplace(self) -> None:
        """Pass True where the registry's signature has `inplace`, which the in-place function's has not."""
        self.arguments.append("inplace=True")

    def lines(self) -> list[str]:
        none_extra = ["not extra"] if self.varargs is None else []
        unknown = ["not unknown"] if CATCH_UNKNOWN_KEYWORDS else []
        conditions = " and ".join([*self.conditions, *none_extra, *unknown, *self.late])
        functor = f"_{snake(self.signature.functor)}"
        call = f"{functor}({', '.join(self.arguments)})"
        if self.signature.return_names:
            call = f"return_types.{self.function.name}(*{call})"
        return [f"    if {conditions}:", f"        return {call}"]


def _type_tests(parameter: Parameter, name: str) -> tuple[str, str] | None:
    """(cheap test, test of the elements) that a value is passed on as it is; None where only the general road knows."""
    kind = parameter.type
    if kind.is_list:
        if kind.element == "Tensor":
            return f"{name}.__class__ is tuple", f"all_tensors({name})"
        if kind.element in ("Int", "Int32", "Int64"):
            one = f"{name}.__class__ is int or " if parameter.size is not None else ""
            return f"({one}{name}.__class__ is Size or {name}.__class__ is tuple and all_ints({name}))", ""
        return None
    if kind.name == "Bool":
        usual = parameter.default is True
        return f"({name} is {usual} or {name} is {not usual})", ""
    if kind.name == "Scalar":
        first, second = ("int", "float") if isinstance(parameter.default, int) else ("float", "int")
        return f"({name}.__class__ is {first} or {name}.__class__ is {second})", ""
    known = [c for c in kind.exact if c in ("Tensor", "int", "float", "str", "DType", "Device", "complex")]
    return (f"{name}.__class__ is {known[0]}", "") if known else None


def _is_sized_int_list(parameter: Parameter) -> bool:
    """Whether one int stands for a list of a known length."""
    return parameter.size is not None and parameter.type.element in ("Int", "Int32", "Int64")


def _not_given(slot: Slot) -> str:
    if slot.default is MISSING:
        return f"{slot.name} is _missing"
    if slot.default is None or isinstance(slot.default, (bool, DataTypeName)):
        return f"{slot.name} is {literal(slot.default)}"
    kind = type(slot.default).__name__
    elements = f" and all_ints({slot.name})" if kind == "tuple" else ""
    return f"{slot.name}.__class__ is {kind}{elements} and {slot.name} == {literal(slot.default)}"


def _excludes(earlier: Signature, later: Signature) -> bool:
    """Whether no call with the exact types of `later` could also be one of `earlier`, which has precedence."""
    for i, parameter in enumerate(later.positional):
        if not parameter.required:
            continue
        if i >= len(earlier.positional):
            return True
        if _disjoint(earlier.positional[i], parameter):
            return True
    if any(p.required for p in earlier.positional[len(later.positional) :]):
        return True
    names = {p.name for p in later.parameters}
    return any(p.required and p.keyword_only and p.name not in names for p in earlier.parameters)


def _disjoint(earlier: Parameter, later: Parameter) -> bool:
    accepts = earlier.type.accepts
    if accepts is None:
        return False
    exact: set[str] = set(later.type.exact) or set(later.type.accepts or ())
    exact |= {"int"} if _is_sized_int_list(later) else set()
    if earlier.type.is_list and earlier.size is not None and exact & {"int", "float"}:
        return False
    if later.type.is_list and earlier.type.is_list:
        return False
    return bool(exact) and not exact & accepts
