"""tritonflow/_C/functional/<family>.py: one specialised Python function for each functional name.

The function itself tests for exact types. Every other call goes to a `Binding`, which converts or explains.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace

from tritonflow.binding.prototype import MISSING, Prototype, Slot, prototype
from tritonflow.binding.signature import DataTypeName, Parameter, SchemaError, Signature, snake
from tritonflow.registry.emit import FUNCTORS, HEADER, UNSORTED, docstrings, operators
from tritonflow.registry.emit.values import WIDTH, filled, literal
from tritonflow.registry.project import Project
from tritonflow.registry.schema import Entry

# Whether a generated function catches keywords that it does not know, to name them as OneFlow does (`relu(): got an
# unexpected keyword argument 'foo'`). It costs 20 ns a call; without it Python's own text appears, without the colon.
CATCH_UNKNOWN_KEYWORDS = True

INTEGERS = ("Int", "Int32", "Int64")


@dataclass(frozen=True)
class Function:
    """A Python function to write. `inplace` fixes the parameter of that name to True, as in `relu_`; `autocast` is the rule by
    which arguments are cast first, where autocast is on: never what is overwritten. `copied` says of each signature of an in-place
    function whether its functor has no such parameter, so that the result is copied over the first argument."""

    name: str
    signatures: tuple[Signature, ...]
    is_method: bool
    inplace: bool = False
    autocast: str = ""
    methods: tuple[str, ...] = ()
    copied: tuple[bool, ...] = ()
    like: str = ""

    def functor(self, index: int) -> str:
        """The name of a signature's functor in the generated module."""
        return f"_{snake(self.signatures[index].functor)}" + "_over" * any(self.copied[index : index + 1])

    @property
    def prototype(self) -> Prototype:
        """The parameters that Python matches."""
        return prototype(self.signatures, self.is_method)


def functions_of(entry: Entry) -> list[Function]:
    """The functions of an entry: its own, and `<name>_` if that is one of its methods."""
    methods = operators.method_table(entry)
    own = tuple(m for m, function in methods.items() if function == entry.name)
    is_method = bool(entry.methods)
    functions = [Function(entry.name, entry.signatures, is_method, autocast=entry.autocast, methods=own, like=entry.like)]
    name = f"{entry.name}_"
    if name in entry.methods:
        found = [s for s in entry.signatures if s.inplace or _may_be_copied_over(s)]
        if not found:
            raise SchemaError(f"{entry.name}: method {name} needs a signature that begins with a Tensor and returns one")
        copied = tuple(not s.inplace for s in found)
        signatures = tuple(
            replace(s, name=name, parameters=tuple(p for p in s.parameters if p.name != "inplace")) for s in found
        )
        own = tuple(m for m, function in methods.items() if function == name)
        autocast = "" if all(copied) else entry.autocast
        functions.append(Function(name, signatures, True, True, autocast, own, copied))
    return functions


def _may_be_copied_over(signature: Signature) -> bool:
    """Whether the result may be written over the first argument."""
    first = signature.positional[:1]
    return signature.returns == "Tensor" and bool(first) and first[0].type.name == "Tensor"


def emit(project: Project, family: str = "") -> str:
    """The text of tritonflow/_C/functional/<family>.py."""
    _check(project)
    entries = [entry for entry in project.entries if entry.family == family]
    functions = [f for entry in entries for f in functions_of(entry)]
    body = "\n\n".join(
        text
        for entry in entries
        for text in (*(_function(f, _docstring(project, entry, f)) for f in functions_of(entry)), *operators.functions_of(entry))
    )
    imports = [f"from {module} import {name} as _{name}" for module, name in _RUN_TIME if f"_{name}" in body]
    functors: dict[str, list[str]] = {}
    for name in sorted({s.functor for f in functions for s in f.signatures}):
        functor = project.functor(name)
        functors.setdefault(functor.module, []).append(f"{functor.function} as _{snake(name)}")
    helpers = sorted(n for n in ("FOREIGN", "all_ints", "all_tensors", "with_foreign") if f"_{n}" in body)
    imports += [
        "from tritonflow.binding.arguments import " + ", ".join(f"{n} as _{n}" for n in ["Binding", *helpers]),
        *(filled(f"from {FUNCTORS}.{module} import ({', '.join(names)})") for module, names in sorted(functors.items())),
        "from tritonflow.binding.library import publish as _publish",
        "from tritonflow.binding.prototype import MISSING as _missing" if "_missing" in body else "",
        "from tritonflow.binding.torch_calls import in_place as _in_place" if "_in_place(" in body else "",
    ]
    head = f'"""Functions of the binding: {family or "any"}.\n\n{HEADER}\n"""\n{UNSORTED}'
    return "\n".join([head, *filter(None, imports), "", body, "", "_methods = _publish(globals())", ""])


_RUN_TIME = (
    ("tritonflow", "dtypes"),
    ("tritonflow._C", "return_types"),
    ("tritonflow.device.device", "Device"),
    ("tritonflow.dtypes", "DType"),
    ("tritonflow.framework.size", "Size"),
    ("tritonflow.framework.tensor", "Tensor"),
)


def _check(project: Project) -> None:
    """Names and autocast rules, against each other."""
    functions = [f for entry in project.entries for f in functions_of(entry)]
    names: set[str] = set()
    rules: dict[str, str] = {}
    for function in functions:
        if function.name in names:
            raise SchemaError(f"{function.name}: an entry and an in-place method have the same name")
        names.add(function.name)
        for signature, copied in zip(function.signatures, function.copied or (False,) * len(function.signatures)):
            if copied:
                continue
            if rules.setdefault(signature.functor, function.autocast) != function.autocast:
                raise SchemaError(f"{function.name}: functor {signature.functor} has another autocast rule elsewhere")


def emit_return_types(project: Project) -> str:
    """The text of tritonflow/_C/return_types.py."""
    found = _return_types([f for entry in project.entries for f in functions_of(entry)])
    return "\n".join(
        [
            f'"""Named tuples that ops with several named outputs return.\n\n{HEADER}\n"""',
            "from tritonflow.binding.return_type import return_type" if found else "",
            "",
            *(f'{n} = return_type("{n}", {list(fields)!r})' for n, fields in found.items()),
            "",
        ]
    )


def _return_types(functions: list[Function]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for function in functions:
        for signature in function.signatures:
            names = signature.return_names
            if names and found.setdefault(function.name, names) != names:
                raise SchemaError(f"{function.name}: its signatures name their results differently")
    return found


def _docstring(project: Project, entry: Entry, function: Function) -> str:
    """That of an op; functions have their own, and in-place forms and other names are told of by `publish`."""
    if entry.is_function or entry.like or function.inplace:
        return ""
    return docstrings.docstring(project, entry)


def _function(function: Function, doc: str) -> str:
    shape = function.prototype
    over = dict.fromkeys(function.functor(i) for i, copied in enumerate(function.copied) if copied)
    lines = [f"{name} = _in_place({name.removesuffix('_over')})" for name in over]
    lines += [_binding(function), filled(f"def {function.name}({_parameters(shape)}):")]
    if doc:
        end = "\n" if "\n" in doc else ""
        text = textwrap.indent(f"{'r' * (chr(92) in doc)}\"\"\"{doc}{end}", "    ")
        lines.append(f'{text}{"    " * bool(end)}"""')
    for index in range(len(function.signatures)):
        lines += _fast_branches(function, shape, index)
    unknown = "unknown" if CATCH_UNKNOWN_KEYWORDS else "{}"
    slots = ", ".join(s.name for s in shape.slots)
    comma = "," if len(shape.slots) == 1 else ""
    lines.append(filled(f"    return _{function.name}_slow(({slots}{comma}), extra, {unknown})"))
    return "\n".join(lines)


def _binding(function: Function) -> str:
    overloads = [f'"{_escape(str(s))}", {function.functor(i)}' for i, s in enumerate(function.signatures)]
    options = [
        f'{key}="{value}"'
        for key, value in (
            ("methods", " ".join(function.methods)),
            ("autocast", function.autocast),
            ("like", function.like),
        )
        if value
    ]
    options += ["is_method=True"] * (function.is_method and not function.methods) + ["inplace=True"] * function.inplace
    if any(s.return_names for s in function.signatures):
        options.append(f"result=_return_types.{function.name}")
    return filled(f'_{function.name}_slow = _Binding({", ".join([repr_of(function.name), *overloads, *options])})')


def repr_of(text: str) -> str:
    """A string literal."""
    return f'"{_escape(text)}"'


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _parameters(shape: Prototype) -> str:
    def written(slot: Slot) -> str:
        return f"{slot.name}={'_missing' if slot.default is MISSING else _literal(slot.default)}"

    parts = [*map(written, shape.positional), "*extra", *map(written, shape.keyword_only)]
    return ", ".join([*parts, "**unknown"] if CATCH_UNKNOWN_KEYWORDS else parts)


def _literal(value: object) -> str:
    return literal(value).replace("dtypes.", "_dtypes.") if isinstance(value, DataTypeName) else literal(value)


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
        self.functor = function.functor(function.signatures.index(signature))
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
                self.conditions.append(f"{name}.__class__ is _Tensor")
                self.late.append("_all_tensors(extra)")
            else:
                self.conditions.append(f"{name}.__class__ is int")
                self.late.append("_all_ints(extra)")
            argument = f"({name}, *extra)"
        elif slot.default is MISSING and not parameter.required:
            self.conditions.append(f"{name} is _missing")
            argument = _literal(parameter.default)
        elif parameter.keyword_only and slot in self.shape.positional:
            self.possible = self.possible and not parameter.required
            self.conditions.append(_not_given(slot))
        else:
            self._add_test(parameter, name)
            if parameter.type.is_list and parameter.type.element in INTEGERS:
                argument = f"tuple({name}) if {name}.__class__ is list else {name}"
            if _is_sized_int_list(parameter):
                repeated = f"({name},)" if parameter.size == 1 else f"({name},) * {parameter.size}"
                argument = f"{repeated} if {name}.__class__ is int else {argument}"
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
        call = f"{self.functor}({', '.join(self.arguments)})"
        if self.signature.return_names:
            call = f"_return_types.{self.function.name}(*{call})"
        test = f"    if {conditions}:"
        return [test if len(test) <= WIDTH else filled(f"    if ({conditions}):"), filled(f"        return {call}")]


def _type_tests(parameter: Parameter, name: str) -> tuple[str, str] | None:
    """(cheap test, test of the elements) that a value is passed on as it is; None where only the `Binding` can tell."""
    kind = parameter.type
    if kind.is_list:
        if kind.element == "Tensor":
            return f"{name}.__class__ is tuple", f"_all_tensors({name})"
        if kind.element in INTEGERS:
            one = f"{name}.__class__ is int or " if parameter.size is not None else ""
            sequence = f"({name}.__class__ is tuple or {name}.__class__ is list)"
            return f"({one}{name}.__class__ is _Size or {sequence} and _all_ints({name}))", ""
        return None
    if kind.name == "Bool":
        usual = parameter.default is True
        return f"({name} is {usual} or {name} is {not usual})", ""
    if kind.name == "Scalar":
        first, second = ("int", "float") if isinstance(parameter.default, int) else ("float", "int")
        return f"({name}.__class__ is {first} or {name}.__class__ is {second})", ""
    known = [c for c in kind.exact if c in ("Tensor", "int", "float", "str", "DType", "Device", "complex")]
    if not known:
        return None
    return f"{name}.__class__ is {'_' * known[0][0].isupper()}{known[0]}", ""


def _is_sized_int_list(parameter: Parameter) -> bool:
    """Whether one int stands for a list of a known length."""
    return parameter.size is not None and parameter.type.element in INTEGERS


def _not_given(slot: Slot) -> str:
    if slot.default is MISSING:
        return f"{slot.name} is _missing"
    if slot.default is None or isinstance(slot.default, (bool, DataTypeName)):
        return f"{slot.name} is {_literal(slot.default)}"
    kind = type(slot.default).__name__
    elements = f" and _all_ints({slot.name})" if kind == "tuple" else ""
    return f"{slot.name}.__class__ is {kind}{elements} and {slot.name} == {_literal(slot.default)}"


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
