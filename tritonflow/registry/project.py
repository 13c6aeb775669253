"""Everything that the generator knows: the registry, joined with the scalar functions and the functors written by hand.

`Project.read` scans sources with `ast` and imports none of them. It decides which op a signature stands for, which scalar function
computes a pointwise op, what a derivative saves, and which derivatives become one kernel.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tritonflow.binding.signature import SchemaError, Signature, snake
from tritonflow.ops.op_def import OWN_KERNEL
from tritonflow.registry import expression as language
from tritonflow.registry.expression import Expression, NotPointwise
from tritonflow.registry.fields import nearest
from tritonflow.registry.functions import scan_entries
from tritonflow.registry.op_schema import RULES, Op
from tritonflow.registry.scalar_functions import (
    GENERATED,
    ScalarFunction,
    class_of,
    function_definitions,
    scan_functions,
)
from tritonflow.registry.schema import Entry, check_names, load

CONDITION = "when"  # the name in a decomposition that has its condition
ELEMENTS = "elements"  # in `flops`: how many the largest input has
FLOPS_FUNCTIONS = ("max", "min", "numel", "prod")  # that `flops` may call


@dataclass(frozen=True)
class Functor:
    """Where a functor is found: a function in a file under functions."""

    module: str
    function: str


@dataclass(frozen=True)
class FusedOp:
    """The op that computes a pointwise gradient in one kernel."""

    name: str
    inputs: tuple[str, ...]
    dynamic: tuple[str, ...]
    attrs: tuple[str, ...]
    function: ScalarFunction


@dataclass(frozen=True)
class Formula:
    """The gradient of one input, or of several at once."""

    inputs: tuple[str, ...]
    expression: Expression
    fused: FusedOp | None


@dataclass(frozen=True)
class Derivative:
    """The formulas of an op and what they read of inputs and outputs."""

    op: Op
    formulas: tuple[Formula, ...]

    @cached_property
    def saved(self) -> tuple[str, ...]:
        """Inputs and outputs whose data some formula reads, in the op's order."""
        read = {name for formula in self.formulas for name in formula.expression.data}
        return tuple(n for n in (*self.op.input_names, *self.op.outputs) if n in read)

    @cached_property
    def saved_for(self) -> tuple[tuple[int, ...], ...]:
        """For each saved name, the positions of the inputs whose gradients read it."""
        position = {name: i for i, name in enumerate(self.op.input_names)}
        return tuple(
            tuple(sorted(position[i] for f in self.formulas if name in f.expression.data for i in f.inputs))
            for name in self.saved
        )

    @cached_property
    def differentiable(self) -> tuple[str, ...]:
        """Inputs that have a formula, in the op's order."""
        names = {name for formula in self.formulas for name in formula.inputs}
        return tuple(n for n in self.op.input_names if n in names)


@dataclass(frozen=True)
class Decomposition:
    """The simpler ops of a composite op: values by name, each from those before it. Without `condition` there are none."""

    op: Op
    condition: Expression | None
    steps: tuple[tuple[tuple[str, ...], Expression], ...]


@dataclass
class Project:
    """The registry and the sources that it refers to.

    Args:
        entries: the registry.
        functions: scalar functions written by hand, by name.
        functors: the functors written by hand, by name.
        planners: the functions under tritonflow/ops, and under tritonflow/interpreter those of consistent ops, as `file.function`;
            None where they are not looked at.
        sbp_rules: the functions under tritonflow/ops/sbp likewise.
        rules: the functions and names under tritonflow/rules likewise, by kind.
    """

    entries: tuple[Entry, ...]
    functions: dict[str, ScalarFunction]
    functors: dict[str, Functor]
    planners: set[str] | None = None
    sbp_rules: set[str] | None = None
    rules: dict[str, set[str]] | None = None
    pointwise: dict[str, ScalarFunction] = field(default_factory=dict)
    derivatives: dict[str, Derivative] = field(default_factory=dict)
    inplace_derivatives: dict[str, Derivative] = field(default_factory=dict)
    decompositions: dict[str, Decomposition] = field(default_factory=dict)
    flops: dict[str, Expression] = field(default_factory=dict)

    @classmethod
    def read(cls, root: Path, without: Collection[str] = ()) -> Project:
        """Read the project in the checkout `root`, leaving out some entries."""
        folder = root / "tritonflow" / "functions"
        entries = load(root / "op_registry.yaml", without)
        families = list(dict.fromkeys(entry.family for entry in entries))
        functions = [entry for entry in scan_entries(folder, families) if (entry.like or entry.name) not in without]
        check_names([*entries, *functions])
        return cls(
            (*entries, *functions),
            scan_functions(root / "kernels" / "functions"),
            scan_functors(folder),
            functions_in(root / "tritonflow" / "ops") | functions_in(root / "tritonflow" / "interpreter"),
            functions_in(root / "tritonflow" / "ops" / "sbp"),
            {kind: names_in(root / "tritonflow" / "rules" / kind) for kind in RULES},
        )

    def __post_init__(self) -> None:
        self.entry_of = {entry.name: entry for entry in self.entries}
        self.ops = {op.name: op for entry in self.entries for op in entry.ops}
        for op in self.ops.values():
            self._check_targets(op)
            self.flops[op.name] = self._flops(op)
            if op.kind == "pointwise":
                self.pointwise[op.name] = self._scalar_function(op)
        self.inplace_ops = set(self._inplace_ops())
        for op in self.ops.values():
            if op.derivative:
                self.derivatives[op.name] = self._derivative(op, op.derivative, f"{op.name}_backward")
            if op.inplace_derivative:
                prefix = f"{op.name}_inplace_backward"
                self.inplace_derivatives[op.name] = self._derivative(op, op.inplace_derivative, prefix)
            if op.decomposition:
                self.decompositions[op.name] = self._decomposition(op)
        for entry in self.entries:
            for signature in entry.signatures:
                self.op_of(entry, signature)

    # ------------------------------------------------------------------------------------------ signatures to ops

    def op_of(self, entry: Entry, signature: Signature) -> Op | None:
        """The op that a signature's functor stands for; None if it is written by hand and has no op of its name.

        Raises:
            SchemaError: the functor is not written by hand and there is no such op.
        """
        op = None if entry.is_function else self.ops.get(snake(signature.functor))
        if op is None and len(entry.ops) == 1:
            op = entry.ops[0]
        if op is None and signature.functor not in self.functors:
            raise SchemaError(
                f"{entry.name}: functor {signature.functor} is in no file of functions,"
                f" and there is no op {snake(signature.functor)!r} for a default functor"
            )
        return op

    @property
    def families(self) -> list[str]:
        """The families of the entries, in the registry's order."""
        return list(dict.fromkeys(entry.family for entry in self.entries))

    def functor(self, name: str) -> Functor:
        """Where the functor of that name is: written by hand, or the generated one of an op."""
        return self.functors.get(name, Functor(GENERATED, snake(name)))

    def _inplace_ops(self) -> Iterator[str]:
        for entry in self.entries:
            for signature in entry.signatures:
                op = self.op_of(entry, signature)
                if op is not None and signature.inplace:
                    yield op.name

    def _check_targets(self, op: Op) -> None:
        """What an op names by file and function is there."""
        file, dot, name = op.fusion.partition(".")
        if dot and (name not in self.functions or self.functions[name].module != file):
            raise SchemaError(f"{op.entry}: fusion {op.fusion!r}: no function {name!r} in kernels/functions/{file}.py")
        if op.kind != "pointwise" and self.planners is not None and op.target not in self.planners:
            file, _, name = op.target.partition(".")
            room = "interpreter" if op.kind == "consistent" else "ops"
            raise SchemaError(f"{op.entry}: {op.kind} {op.target!r}: no function {name!r} in tritonflow/{room}/{file}.py")
        named = op.kind != "pointwise" and "." in op.sbp and "->" not in op.sbp
        if named and self.sbp_rules is not None and op.sbp not in self.sbp_rules:
            file, _, name = op.sbp.partition(".")
            raise SchemaError(f"{op.entry}: sbp {op.sbp!r}: no function {name!r} in tritonflow/ops/sbp/{file}.py")
        for kind, found in (self.rules or {}).items():
            rule = getattr(op, kind)
            if rule and rule != OWN_KERNEL and rule not in found:
                file, _, name = rule.partition(".")
                raise SchemaError(f"{op.entry}: {kind} {rule!r}: no {name!r} in tritonflow/rules/{kind}/{file}.py")

    # ------------------------------------------------------------------------------------------ facts

    def tolerance(self, op: Op) -> str:
        """The class of tolerances that an op's results are compared in; of a pointwise op that of its scalar function."""
        return op.tolerance or class_of(self.pointwise[op.name])

    def _flops(self, op: Op) -> Expression:
        """The floating-point operations of an op, from sizes of its inputs and outputs and its attributes."""
        where = f"{op.entry}: flops of {op.name}"
        variadic = op.inputs[-1].name if op.inputs and op.inputs[-1].variadic else ""
        formula = language.parse(op.flops, frozenset((*op.input_names, *op.outputs, *op.attrs, ELEMENTS)), where)
        for name in formula.calls:
            if name not in FLOPS_FUNCTIONS:
                allowed = ", ".join(FLOPS_FUNCTIONS) + nearest(name, FLOPS_FUNCTIONS)
                raise SchemaError(f"{where}: calls {name!r}, expected one of {allowed}")
        for name in formula.data:
            if name not in (*op.attrs, ELEMENTS, variadic):
                raise SchemaError(f"{where}: reads {name!r}, expected a size of it, such as {name}.numel or {name}.shape[-1]")
        for each in op.inputs:
            if each.optional and each.name in formula.metas:
                raise SchemaError(f"{where}: reads {each.name!r}, which may be absent")
        return formula

    # ------------------------------------------------------------------------------------------ pointwise ops

    def _scalar_function(self, op: Op) -> ScalarFunction:
        parameters = (*op.input_names, *op.dynamic, *op.attrs)
        where = op.entry if op.entry == op.name else f"{op.entry}.{op.name}"
        parsed = language.parse(op.target, frozenset(parameters), where)
        direct = language.direct_call(parsed)
        if direct is not None and direct[0] in self.functions and direct[1] == parameters:
            self._check_arity(where, direct[0], len(parameters))
            return self.functions[direct[0]]
        if op.name in self.functions:
            raise SchemaError(
                f"{where}: a function {op.name!r} exists in kernels/functions/{self.functions[op.name].module}.py:"
                f" call it ({op.name}({', '.join(parameters)})), or give the op another name"
            )

        def resolve(name: str, count: int) -> str:
            if name not in self.functions:
                raise SchemaError(f"{where}: no scalar function {name!r} in kernels/functions")
            self._check_arity(where, name, count)
            return name

        try:
            source, calls = language.to_triton(parsed, resolve)
        except NotPointwise as reason:
            raise SchemaError(f"{where}: {op.target!r} is not pointwise: {reason}") from None
        return self._generated_function(op.name, parameters, source, calls, op.attrs)

    def _generated_function(
        self, name: str, parameters: tuple[str, ...], source: str, calls: tuple[str, ...], constexprs: tuple[str, ...]
    ) -> ScalarFunction:
        series = any(self.functions[call].transcendental for call in calls if call in self.functions)
        return ScalarFunction(name, GENERATED, parameters, source, calls, constexprs, series)

    def _check_arity(self, where: str, name: str, count: int) -> None:
        wanted = self.functions[name].parameters
        if len(wanted) != count:
            raise SchemaError(f"{where}: {name}({', '.join(wanted)}) is called with {count} arguments")

    # ------------------------------------------------------------------------------------------ derivatives

    def _derivative(self, op: Op, formulas: tuple[tuple[tuple[str, ...], str], ...], prefix: str) -> Derivative:
        where = f"{op.entry}: derivative of {op.name}"
        grads = tuple(f"d{name}" for name in op.outputs)
        known = (*op.input_names, *op.outputs, *op.attrs, *op.dynamic)
        clashes = sorted({*grads, *(f"d{name}" for name in op.input_names)} & set(known))
        if clashes:
            raise SchemaError(f"{where}: {clashes[0]!r} is also the name of a gradient")
        parsed = [(inputs, language.parse(text, frozenset((*known, *grads)), where)) for inputs, text in formulas]
        for _, formula in parsed:
            self._check_formula(where, op, formula)
        return Derivative(
            op, tuple(Formula(inputs, formula, self._fuse(op, inputs, formula, prefix)) for inputs, formula in parsed)
        )

    def _check_calls(self, where: str, formula: Expression) -> None:
        for name in formula.calls:
            if name not in self.entry_of:
                text = f"{where}: {formula.source!r} calls {name!r}, which is no functional name"
                raise SchemaError(text + nearest(name, self.entry_of), missing=name)

    def _check_formula(self, where: str, op: Op, formula: Expression) -> None:
        self._check_calls(where, formula)
        for name in op.nondifferentiable:
            if f"d{name}" in formula.data:
                raise SchemaError(f"{where}: {formula.source!r} reads d{name}, but {name!r} is not differentiable")
        for name in formula.needs:
            if name not in op.input_names:
                raise SchemaError(f"{where}: needs({name}): not an input")

    def _decomposition(self, op: Op) -> Decomposition:
        where = f"{op.entry}: decomposition of {op.name}"
        known = [*op.input_names, *op.attrs, *op.dynamic]
        steps: list[tuple[tuple[str, ...], Expression]] = []
        for names, text in op.decomposition:
            formula = language.parse(text, frozenset(known), where)
            self._check_calls(where, formula)
            again = [name for name in names if name in known]
            if again or formula.needs:
                raise SchemaError(f"{where}: {formula.source!r}: {again[0] if again else 'needs'!r} has a meaning already")
            known += names
            steps.append((names, formula))
        missing = [name for name in op.outputs if name not in known]
        if missing:
            raise SchemaError(f"{where}: no formula for {missing[0]!r}")
        condition = next((formula for names, formula in steps if names == (CONDITION,)), None)
        return Decomposition(op, condition, tuple((names, f) for names, f in steps if f is not condition))

    def _fuse(self, op: Op, inputs: tuple[str, ...], formula: Expression, prefix: str) -> FusedOp | None:
        if len(inputs) != 1 or formula.metas or formula.needs or language.count_operations(formula) < 2:
            return None
        try:
            source, calls = language.to_triton(formula, self._function_of)
        except NotPointwise:
            return None
        grads = [n for n in (f"d{o}" for o in op.outputs) if n in formula.data]
        tensors = (*grads, *(n for n in (*op.input_names, *op.outputs) if n in formula.data))
        dynamic = tuple(n for n in op.dynamic if n in formula.data)
        attrs = tuple(n for n in op.attrs if n in formula.data)
        name = f"{prefix}_{inputs[0]}"
        function = self._generated_function(name, (*tensors, *dynamic, *attrs), source, calls, attrs)
        return FusedOp(name, tensors, dynamic, attrs, function)

    def _function_of(self, name: str, count: int) -> str | None:
        """The scalar function behind a functional name called with `count` arguments."""
        entry = self.entry_of.get(name)
        ops, signatures = (entry.ops, entry.signatures) if entry is not None else ((), ())
        for op in ops:
            function = self.pointwise.get(op.name)
            if function is not None and len(function.parameters) == count and _keeps_order(op, signatures):
                return function.name
        operators = language.OPERATOR_FUNCTIONS.values()
        return name if entry is None and name in operators and name in self.functions else None

    def generated_functions(self) -> list[ScalarFunction]:
        """The scalar functions to write, in the registry's order."""
        found: list[ScalarFunction] = []
        for name in self.ops:
            if name in self.pointwise and self.pointwise[name].module == GENERATED:
                found.append(self.pointwise[name])
            found.extend(f.function for f in self.fused_ops(name))
        return found

    def fused_ops(self, op: str) -> list[FusedOp]:
        """The ops of an op's fused gradients."""
        derivatives = [d[op] for d in (self.derivatives, self.inplace_derivatives) if op in d]
        return [f.fused for d in derivatives for f in d.formulas if f.fused is not None]


def _keeps_order(op: Op, signatures: Sequence[Signature]) -> bool:
    """Whether a call by position means the same to an op as to its functional name, whose signature may be (n, input)."""
    operands = (*op.input_names, *op.dynamic)
    orders = [tuple(p.name for p in s.parameters if p.name in operands) for s in signatures]
    whole = [order for order in orders if len(order) == len(operands)]
    return not whole or operands in whole


def functions_in(folder: Path) -> set[str]:
    """The functions at the top of the files in `folder`, as `file.function`."""
    return {f"{path.stem}.{node.name}" for path, node in function_definitions(folder)}


def names_in(folder: Path) -> set[str]:
    """The functions and the names that are set at the top of the files in `folder`, as `file.name`."""
    trees = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.py"))}
    assigned = [(file, node.targets[0]) for file, tree in trees.items() for node in tree.body if isinstance(node, ast.Assign)]
    return functions_in(folder) | {f"{file}.{target.id}" for file, target in assigned if isinstance(target, ast.Name)}


def scan_functors(folder: Path) -> dict[str, Functor]:
    """The functions decorated with `@functor("Name")`, by Name, and those with `@function`, by their own names."""
    functors: dict[str, Functor] = {}
    for path, node in function_definitions(folder):
        for name in _functor_names(node) if path.stem != GENERATED else ():
            if name in functors:
                raise SchemaError(f"two functors are called {name!r}: in {functors[name].module}.py and {path.name}")
            functors[name] = Functor(path.stem, node.name)
    return functors


def _functor_names(node: ast.FunctionDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(func=ast.Name(id="functor"), args=[ast.Constant(value=str(name))]):
                yield name
            case ast.Call(func=ast.Name(id="function")):
                yield node.name
