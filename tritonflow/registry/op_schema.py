"""Ops as typed data, read from the registry's entries and checked. Every error names its entry."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tritonflow.binding.argument_types import DATA_TYPES
from tritonflow.binding.signature import RESERVED_NAMES, SchemaError, Signature, snake
from tritonflow.ops.op_def import OWN_KERNEL
from tritonflow.registry.fields import (
    check_keys,
    flag_at,
    mapping_at,
    names_at,
    nearest,
    reason_without_derivative,
    whole_number_at,
    word_at,
)


@dataclass(frozen=True)
class OpInput:
    """An input of an op; `name?` may be absent, `name*` is any number of tensors."""

    name: str
    optional: bool = False
    variadic: bool = False


@dataclass(frozen=True)
class Op:
    """An op as the registry describes it; the keys are explained at the head of `op_registry.yaml`.

    `target` is an expression for pointwise ops, `file.function` otherwise. `tolerance` is "" where it follows from the scalar
    function. `no_derivative` is why there is none, and `broadcast_only` why the op cannot lie otherwise over ranks.
    """

    name: str
    entry: str
    inputs: tuple[OpInput, ...]
    outputs: tuple[str, ...]
    attrs: tuple[str, ...]
    dynamic: tuple[str, ...]
    kind: str
    target: str
    result: str
    dtypes: tuple[tuple[str, str], ...]
    divisor: str
    contiguous: tuple[str, ...]
    channels_last: bool
    columns: tuple[str, ...]
    mut: tuple[str, ...]
    updates: str
    nondifferentiable: tuple[str, ...]
    derivative: tuple[tuple[tuple[str, ...], str], ...]
    inplace_derivative: tuple[tuple[tuple[str, ...], str], ...]
    decomposition: tuple[tuple[tuple[str, ...], str], ...]
    no_derivative: str
    flops: str
    tolerance: str
    sbp: str
    broadcast_only: str
    complex: str
    batch: str
    split: str
    fusion: str
    prologue: bool
    identity: int | None
    selects: str
    storage: bool
    unsigned: bool
    zero_second_derivative: bool

    @property
    def input_names(self) -> tuple[str, ...]:
        """The inputs' names, in order."""
        return tuple(i.name for i in self.inputs)


FORMULAS = ("derivative", "inplace_derivative", "decomposition")
RULES = ("complex", "batch", "split")  # functions of files in rules/<kind>
FACTS = ("flops", "tolerance", "sbp", "fusion", *RULES)
TOLERANCE_CLASSES = ("exact", "pointwise", "transcendental", "reduction", "norm", "matmul")  # the least first
FUSION_CLASSES = (
    *("any_layout", "conv", "conv_filter", "matmul", "none", "padded_rows", "pointwise", "row_gradients", "view"),
    "weight_gradient",
)
FUSION_FILES = ("rows", "random")  # of kernels/functions, whose functions are fusion classes as well
_KINDS = ("pointwise", "plan", "view", "consistent")
DTYPE_RULES = {"floating", "numeric", "integral", "barebones", *(name.removesuffix("_") for name in DATA_TYPES.values())}
_OP_KEYS = {
    *("inputs", "outputs", "attrs", "dynamic", "result", "dtypes", "divisor", "contiguous", "channels_last", "columns", "mut"),
    *("updates", "nondifferentiable", "prologue", "identity", "selects", "storage", "unsigned", *FORMULAS, *FACTS),
    *("zero_second_derivative", *_KINDS),
}


def parse_ops(name: str, raw: Mapping[str, Any], signatures: tuple[Signature, ...]) -> tuple[Op, ...]:
    """The ops of an entry, under its keys `op` or `ops`."""
    if "op" in raw and "ops" in raw:
        raise SchemaError(f"{name}: has both 'op' and 'ops'")
    if "op" in raw:
        shared = {key: raw[key] for key in (*FORMULAS, *FACTS) if key in raw}
        doubled = shared.keys() & raw["op"].keys() if isinstance(raw["op"], Mapping) else set()
        if doubled:
            raise SchemaError(f"{name}: {', '.join(sorted(doubled))} given at the entry and in its op")
        return (_parse_op(name, name, {**shared, **mapping_at(name, raw, "op")}, signatures[0]),)
    if "ops" in raw or not reason_without_derivative(name, raw):
        for key in FORMULAS:
            if key in raw:
                raise SchemaError(f"{name}: '{key}' belongs to an op: write it under one of 'ops'")
    shared = {key: raw[key] for key in FACTS if key in raw}
    ops = mapping_at(name, raw, "ops") if "ops" in raw else {}
    own = {snake(signature.functor): signature for signature in signatures}
    return tuple(_parse_op(name, op, {**shared, **mapping_at(name, ops, op)}, own.get(op)) for op in ops)


def _operands(signature: Signature) -> dict[str, list[str]]:
    """The inputs and dynamic scalars of a pointwise op that does not say them: tensors and numbers of its signature."""
    return {
        "inputs": [p.name for p in signature.parameters if p.type.name == "Tensor"],
        "dynamic": [p.name for p in signature.parameters if p.type.name in ("Scalar", "Float", "Double")],
    }


def _parse_op(entry: str, name: str, raw: Mapping[str, Any], signature: Signature | None) -> Op:
    where = entry if name == entry else f"{entry}.{name}"
    check_keys(where, raw, _OP_KEYS)
    kinds = [kind for kind in _KINDS if kind in raw]
    if len(kinds) != 1:
        raise SchemaError(f"{where}: needs exactly one of {', '.join(_KINDS)}")
    kind, target = kinds[0], str(raw[kinds[0]])
    if kind != "pointwise" and not re.fullmatch(r"\w+\.\w+", target):
        raise SchemaError(f"{where}: {kind}: {target!r} is not of the form 'file.function'")
    if kind == "pointwise" and signature is not None and not raw.keys() & {"inputs", "dynamic"}:
        raw = {**raw, **_operands(signature)}
    inputs = tuple(_parse_input(where, text) for text in names_at(where, raw, "inputs"))
    if any(i.variadic for i in inputs[:-1]):
        raise SchemaError(f"{where}: only the last input may be variadic")
    outputs = names_at(where, raw, "outputs") or ("out",)
    result = str(raw.get("result", "promoted"))
    op = Op(
        name=name,
        entry=entry,
        inputs=inputs,
        outputs=outputs,
        attrs=names_at(where, raw, "attrs"),
        dynamic=names_at(where, raw, "dynamic"),
        kind=kind,
        target=target,
        result=result,
        dtypes=_parse_dtypes(where, raw, kind, inputs),
        divisor=str(raw.get("divisor", "")),
        contiguous=names_at(where, raw, "contiguous"),
        channels_last=flag_at(where, raw, "channels_last", False),
        columns=names_at(where, raw, "columns"),
        mut=names_at(where, raw, "mut"),
        updates=str(raw.get("updates", "")),
        nondifferentiable=outputs if result == "bool" else names_at(where, raw, "nondifferentiable"),
        derivative=_parse_formulas(where, raw, "derivative"),
        inplace_derivative=_parse_formulas(where, raw, "inplace_derivative"),
        decomposition=_parse_formulas(where, raw, "decomposition"),
        no_derivative=reason_without_derivative(where, raw),
        flops=str(raw.get("flops", f"{outputs[0]}.numel" if kind == "pointwise" else 0)),
        tolerance=word_at(where, raw, "tolerance", "exact" if kind in ("view", "consistent") else "", TOLERANCE_CLASSES),
        sbp="" if kind == "consistent" else _sbp(where, raw),
        broadcast_only=raw["sbp"]["broadcast"] if isinstance(raw.get("sbp"), Mapping) else "",
        complex=OWN_KERNEL if raw.get("complex") == OWN_KERNEL else _rule(where, raw, "complex"),
        batch=_rule(where, raw, "batch"),
        split=_rule(where, raw, "split"),
        fusion=_fusion(where, raw, {"pointwise": "pointwise", "view": "view"}.get(kind, "none")),
        prologue=flag_at(where, raw, "prologue", False),
        identity=whole_number_at(where, raw, "identity"),
        selects=str(raw.get("selects", "")),
        storage=flag_at(where, raw, "storage", False),
        unsigned=flag_at(where, raw, "unsigned", False),
        zero_second_derivative=flag_at(where, raw, "zero_second_derivative", False),
    )
    _check_op(where, op)
    _check_facts(where, raw, op)
    return op


def _check_op(where: str, op: Op) -> None:
    names = [*op.input_names, *op.outputs, *op.attrs, *op.dynamic]
    for n in names:
        if not n.isidentifier() or keyword.iskeyword(n) or n in RESERVED_NAMES:
            raise SchemaError(f"{where}: {n!r} cannot be a name")
        if names.count(n) > 1:
            raise SchemaError(f"{where}: {n!r} occurs twice among inputs, outputs and attributes")
    inputs = op.input_names
    for key, values, allowed in (
        ("contiguous", op.contiguous, inputs),
        ("mut", op.mut, (*inputs, *op.columns)),
        ("updates", (op.updates,) if op.updates else (), inputs),
        ("selects", (op.selects,) if op.selects else (), inputs),
        ("nondifferentiable", op.nondifferentiable, op.outputs),
        ("divisor", (op.divisor,) if op.divisor else (), inputs if op.kind == "pointwise" else ()),
        ("dtypes", tuple(name for name, _ in op.dtypes if name), inputs),
        *(("derivative", keys, inputs) for keys, _ in op.derivative + op.inplace_derivative),
    ):
        for value in values:
            if value not in allowed:
                raise SchemaError(f"{where}: {key} names {value!r}, expected one of {', '.join(allowed)}{nearest(value, allowed)}")
    if op.result not in ("promoted", "bool", "float", *inputs):
        raise SchemaError(f"{where}: result {op.result!r}: expected promoted, bool, float or the name of an input")
    if ("inplace" in op.attrs) != bool(op.updates):
        raise SchemaError(f"{where}: an op with the attribute 'inplace' says which input that form updates, and no other op does")
    if op.columns and not (op.attrs and inputs and op.inputs[-1].variadic):
        raise SchemaError(f"{where}: columns are those of a variadic input, and the first attribute is how many tensors each has")
    if op.kind == "pointwise" and len(op.outputs) != 1:
        raise SchemaError(f"{where}: a pointwise op has one output")
    if op.kind == "pointwise" and any(i.optional or i.variadic for i in op.inputs):
        raise SchemaError(f"{where}: the inputs of a pointwise op are neither optional nor variadic")


def _parse_input(where: str, text: str) -> OpInput:
    name = text.rstrip("?*")
    if text[len(name) :] not in ("", "?", "*"):
        raise SchemaError(f"{where}: input {text!r}: expected a name, 'name?' or 'name*'")
    return OpInput(name, text.endswith("?"), text.endswith("*"))


def _parse_dtypes(where: str, raw: Mapping[str, Any], kind: str, inputs: tuple[OpInput, ...]) -> tuple[tuple[str, str], ...]:
    """Pairs (input, rule). A lone rule is for what the operands of a pointwise op promote to, or for every input of another."""
    value = raw.get("dtypes")
    if value is None:
        return ()
    if isinstance(value, str):
        pairs = [("", value)] if kind == "pointwise" else [(i.name, value) for i in inputs]
    else:
        pairs = [(str(name), str(rule)) for name, rule in mapping_at(where, raw, "dtypes").items()]
    for _, rule in pairs:
        for word in rule.split("|"):
            if word not in DTYPE_RULES:
                raise SchemaError(f"{where}: dtypes {word!r}: expected one of {', '.join(sorted(DTYPE_RULES))}")
    return tuple(pairs)


def _parse_formulas(where: str, raw: Mapping[str, Any], key: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    if key not in raw:
        return ()
    formulas = mapping_at(where, raw, key)
    if set(formulas) == {"none"}:
        return ()
    return tuple((tuple(n.strip() for n in str(k).split(",")), str(v)) for k, v in formulas.items())


def _sbp(where: str, raw: Mapping[str, Any]) -> str:
    """The rule of an op's signatures: "file.function" of ops/sbp, a factor string, or broadcast where there is a reason."""
    value = raw.get("sbp", "pointwise.pointwise")
    if isinstance(value, Mapping) and set(value) == {"broadcast"} and isinstance(value["broadcast"], str) and value["broadcast"]:
        return "broadcast"
    if isinstance(value, str) and ("->" in value or re.fullmatch(r"[a-z_]+\.[a-z_]+", value)):
        return value
    raise SchemaError(
        f"{where}: sbp {value!r}: expected a rule of ops/sbp as file.function, a factor string such as"
        " '... m k, ... k n -> ... m n', or {broadcast: <why nothing else>}"
    )


def _rule(where: str, raw: Mapping[str, Any], key: str) -> str:
    """The function of rules/<key> that the op names, "" where it names none."""
    value = raw.get(key, "")
    if value != "" and not (isinstance(value, str) and re.fullmatch(r"\w+\.\w+", value)):
        raise SchemaError(f"{where}: {key} {value!r}: expected a function of tritonflow/rules/{key} as file.function")
    return str(value)


def _check_facts(where: str, raw: Mapping[str, Any], op: Op) -> None:
    """What cannot be derived is said: the cost of an op with a planner, how exact it is, its sbp, and its derivative."""
    words = {
        "flops": ("an expression such as 5 * elements", "or 0"),
        "tolerance": TOLERANCE_CLASSES,
        "sbp": ("a rule of ops/sbp as file.function", "a factor string", "or {broadcast: <why nothing else>}"),
    }
    if op.kind == "consistent" and "sbp" in raw:
        raise SchemaError(f"{where}: an op with 'consistent' says by itself how its results lie: leave out 'sbp'")
    needed = {"pointwise": (), "view": ("sbp",), "plan": ("flops", "tolerance", "sbp"), "consistent": ()}[op.kind]
    missing = [f"{key} ({', '.join(words[key])})" for key in needed if key not in raw]
    if missing:
        raise SchemaError(f"{where}: an op with '{op.kind}' says its {', its '.join(missing)}")
    outputs = [name for name in op.outputs if name not in op.nondifferentiable]
    if op.inputs and outputs and not op.derivative and not op.no_derivative:
        raise SchemaError(
            f"{where}: no derivative: give 'derivative' a formula for an input, or {{none: <why there is none>}}, or say"
            f" 'nondifferentiable: [{', '.join(outputs)}]'"
        )


def _fusion(where: str, raw: Mapping[str, Any], default: str) -> str:
    """A fusion class, or `file.function`; Project checks that there is such a function."""
    file, dot, function = str(raw.get("fusion", "")).partition(".")
    if dot and function and file in FUSION_FILES:
        return str(raw["fusion"])
    return word_at(where, raw, "fusion", default, (*FUSION_CLASSES, *(f"{file}.<function>" for file in FUSION_FILES)))
