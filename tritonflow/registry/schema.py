"""The registry as typed data: entries and ops, read from `op_registry.yaml` and checked.

Every error names its entry. Imports nothing of tritonflow but the language of signatures, and PyYAML only in `load`.
"""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tritonflow.binding.argument_types import DATA_TYPES
from tritonflow.binding.signature import RESERVED_NAMES, SchemaError, Signature, parse_signature, snake


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
    zero_second_derivative: bool

    @property
    def input_names(self) -> tuple[str, ...]:
        """The inputs' names, in order."""
        return tuple(i.name for i in self.inputs)


@dataclass(frozen=True)
class Help:
    """What help() says of a name besides what follows from its ops.

    Args:
        details: the paragraphs after the summary.
        args: a text for parameters that the common table does not describe.
        shape: of the operands and the result.
        dtypes: of the operands and the result, where the derived sentence is not right.
        raises: errors with what is refused.
        source: the function of torch or OneFlow that it is like; the reference unless given.
        example: lines of a doctest.
    """

    details: str = ""
    args: tuple[tuple[str, str], ...] = ()
    shape: str = ""
    dtypes: str = ""
    raises: tuple[tuple[str, str], ...] = ()
    source: str = ""
    example: str = ""


@dataclass(frozen=True)
class Entry:
    """One functional name: its signatures, where it appears, and the ops behind it. `doc` is the summary, one line.

    `is_function`: it is no op's entry, but a function that has its docstring itself. `like`: the entry that it is another name of.
    """

    name: str
    signatures: tuple[Signature, ...]
    bind_python: bool
    methods: tuple[str, ...]
    export: tuple[str, ...]
    ops: tuple[Op, ...]
    reference: str
    samples: Any
    doc: str
    autocast: str = ""
    family: str = ""
    tolerance: str = ""
    no_derivative: str = ""
    help: Help = Help()
    is_function: bool = False
    like: str = ""

    @property
    def is_public(self) -> bool:
        """Whether users see the function: a name of a package, a method, or what has an example because a method calls it."""
        return self.bind_python and bool(self.export or self.methods or self.help.example)


_ENTRY_KEYS = {
    *("name", "signature", "bind_python", "methods", "export", "op", "ops", "reference", "samples", "doc"),
    *("derivative", "inplace_derivative", "decomposition", "flops", "tolerance", "sbp", "fusion", "autocast"),
    *("complex", "batch", "split", "also"),
    *("args", "shape", "dtypes", "raises", "source", "example"),
}
_FORMULAS = ("derivative", "inplace_derivative", "decomposition")
RULES = ("complex", "batch", "split")  # functions of files in rules/<kind>
_FACTS = ("flops", "tolerance", "sbp", "fusion", *RULES)
AUTOCAST_RULES = ("lower", "float32", "float32_result", "widest")
EXPORTS = ("flow", "nn.functional", "special", "linalg")
TOLERANCE_CLASSES = ("exact", "pointwise", "transcendental", "reduction", "norm", "matmul")  # the least first
FUSION_CLASSES = (
    *("any_layout", "conv", "conv_filter", "matmul", "none", "padded_rows", "pointwise", "row_gradients", "view"),
    "weight_gradient",
)
FUSION_FILES = ("rows", "random")  # of kernels/functions, whose functions are fusion classes as well
_KINDS = ("pointwise", "plan", "view", "consistent")
DTYPE_RULES = {"floating", "numeric", "integral", *(name.removesuffix("_") for name in DATA_TYPES.values())}
_OP_KEYS = {
    *("inputs", "outputs", "attrs", "dynamic", "result", "dtypes", "divisor", "contiguous", "channels_last", "columns", "mut"),
    *("updates", "nondifferentiable", "prologue", "identity", "selects", "storage", "zero_second_derivative", *_FORMULAS, *_FACTS),
    *_KINDS,
}


def load(path: Path, without: Collection[str] = ()) -> tuple[Entry, ...]:
    """Read the registry at `path`, leaving out the entries of the names given."""
    import yaml  # only the generator needs it, and programs need not have it

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """YAML in which a key occurs once: the last one would win without a word."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            keys = [key.value for key, _ in node.value]
            double = next((key for key in keys if keys.count(key) > 1), None)
            if double is not None:
                raise SchemaError(f"line {node.start_mark.line + 1}: the key {double!r} occurs twice")
            return super().construct_mapping(node, deep)

    try:
        families = yaml.load(path.read_text(encoding="utf-8"), Loader=Loader)
    except yaml.YAMLError as error:
        raise SchemaError(f"not YAML: {error}") from None
    if not isinstance(families, dict) or not all(isinstance(e, list) for e in families.values()):
        raise SchemaError("expected families, each with a list of entries")
    wrong = next((name for name in families if not str(name).isidentifier()), None)
    if wrong is not None:
        raise SchemaError(f"family {wrong!r}: not a Python name")
    pairs = [(entry, family) for family, entries in families.items() for entry in entries]
    pairs = [(e, family) for e, family in pairs if not (isinstance(e, dict) and e.get("name") in without)]
    entries = parse_entries([entry for entry, _ in pairs], [family for _, family in pairs])
    without_op = next((entry.name for entry in entries if not entry.ops and not entry.like), None)
    if without_op is not None:
        raise SchemaError(f"{without_op}: has no op: write it as a function, with @function, in tritonflow/functions")
    return entries


def parse_entries(raw: Sequence[Mapping[str, Any]], families: Sequence[str] | None = None) -> tuple[Entry, ...]:
    """Check the entries as YAML gives them, and their names against each other; `families` has the family of each."""
    entries: list[Entry] = []
    for item, family in zip(raw, families or [""] * len(raw)):
        entries.append(parse_entry(item, family))
        entries.extend(other_names(entries[-1], _mapping(entries[-1].name, item, "also") if "also" in item else {}))
    check_names(entries)
    return tuple(entries)


def check_names(entries: Sequence[Entry]) -> None:
    """Every entry and every op has a name of its own."""
    names: set[str] = set()
    ops: dict[str, str] = {}
    for entry in entries:
        if entry.name in names:
            raise SchemaError(f"{entry.name}: the registry has two entries of this name")
        names.add(entry.name)
        for op in entry.ops:
            if op.name in ops:
                raise SchemaError(f"{entry.name}: op {op.name!r} is defined by entry {ops[op.name]!r} already")
            ops[op.name] = entry.name


def parse_entry(raw: Mapping[str, Any], family: str = "") -> Entry:
    """Check one entry as YAML gives it."""
    if not isinstance(raw, Mapping) or not isinstance(raw.get("name"), str):
        raise SchemaError(f"an entry needs a name: {str(raw)[:80]}")
    name = raw["name"]
    if not name.isidentifier() or keyword.iskeyword(name):
        raise SchemaError(f"{name}: not a Python name")
    _check_keys(name, raw, _ENTRY_KEYS)
    texts = raw.get("signature")
    texts = [texts] if isinstance(texts, str) else texts
    if not isinstance(texts, list) or not texts:
        raise SchemaError(f"{name}: needs a 'signature', a text or a list of texts")
    export = _names(name, raw, "export") if "export" in raw else ("flow",)
    for package in export:
        _check_word(name, "export", package, EXPORTS)
    signatures = tuple(parse_signature(name, text) for text in texts)
    summary, _, details = _text(name, raw, "doc").partition("\n")
    return Entry(
        name=name,
        signatures=signatures,
        bind_python=_flag(name, raw, "bind_python", True),
        methods=_names(name, raw, "methods"),
        export=export,
        ops=_parse_ops(name, raw, signatures),
        reference=str(raw.get("reference", f"torch.{name}")),
        samples=raw.get("samples"),
        doc=summary.strip(),
        autocast=_word(name, raw, "autocast", "", AUTOCAST_RULES),
        family=family,
        tolerance=_word(name, raw, "tolerance", "", TOLERANCE_CLASSES),
        no_derivative=_reason(name, raw),
        help=_parse_help(name, raw, signatures, details),
    )


_FUNCTION_KEYS = {
    *("name", "signature", "methods", "export", "reference", "samples", "tolerance", "autocast", "bind_python", "derivative"),
    *("doc", "args", "shape", "raises", "source", "example"),
}


def entry_of_function(raw: Mapping[str, Any], family: str) -> Entry:
    """Check what a function's decorator and docstring say."""
    _check_keys(raw["name"], raw, _FUNCTION_KEYS)
    return replace(parse_entry(raw, family), is_function=True)


def _package_of(name: str) -> list[str]:
    """The package that a name says it belongs to, as `linalg_inv` does."""
    return [package for package in EXPORTS if name.startswith(f"{package}_")]


_ALIAS_KEYS = {"signature", "methods", "reference", "samples"}


def other_names(entry: Entry, names: Mapping[str, Any]) -> Iterator[Entry]:
    """The entries of the other names of an entry. A name that begins as a package's is exported there."""
    for name, raw in names.items():
        _check_keys(name, raw, _ALIAS_KEYS)
        texts = raw.get("signature") or [f"{s} => {s.functor}" for s in entry.signatures]
        texts = [texts] if isinstance(texts, str) else texts
        own = {p.name for s in entry.signatures for p in s.parameters}
        export = _package_of(name) or (["flow"] if _package_of(entry.name) else list(entry.export))
        shared = {"autocast": entry.autocast, "tolerance": entry.tolerance, "samples": entry.samples}
        facts = {key: value for key, value in {**shared, **raw}.items() if value}
        texts = [text if "=>" in text else f"{text} => {entry.signatures[0].functor}" for text in texts]
        alias = parse_entry({**facts, "name": name, "signature": texts, "export": export}, entry.family)
        strange = [p.name for s in alias.signatures for p in s.parameters if p.name not in own]
        if strange:
            raise SchemaError(f"{name}: another name of {entry.name} has its parameters, and no {strange[0]!r}")
        yield replace(alias, doc=entry.doc, help=entry.help, is_function=entry.is_function, like=entry.name)


def _parse_help(name: str, raw: Mapping[str, Any], signatures: tuple[Signature, ...], details: str) -> Help:
    args = {key: _text(name, raw["args"], key) for key in _mapping(name, raw, "args")} if "args" in raw else {}
    parameters = {p.name for signature in signatures for p in signature.parameters} | {"out"}
    for key in args:
        _check_word(name, "args", key, sorted(parameters))
    example = _text(name, raw, "example")
    if example and not example.startswith(">>> "):
        raise SchemaError(f"{name}: example {example[:40]!r}: expected lines of a doctest, the first of them begins with '>>> '")
    return Help(
        details=details.strip("\n"),
        args=tuple(args.items()),
        shape=_text(name, raw, "shape"),
        dtypes=_text(name, raw, "dtypes"),
        raises=tuple(_parse_raises(name, raw)),
        source=_text(name, raw, "source"),
        example=example,
    )


def _parse_raises(name: str, raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Pairs (error, what is refused) of a mapping, or of a list of such mappings or texts, where an error occurs twice."""
    value = raw.get("raises", {})
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str):
            item = dict([item.split(": ", 1)]) if re.match(r"[A-Z]\w+(, [A-Z]\w+)*: ", item) else item
        if not isinstance(item, Mapping) or not all(isinstance(t, str) for pair in item.items() for t in pair):
            raise SchemaError(f"{name}: raises {item!r}: expected {{Error: text}}, or a list of 'Error: text'")
        yield from item.items()


def _text(where: str, raw: Mapping[str, Any], key: str) -> str:
    """A text, without the blanks at its ends."""
    value = raw.get(key, "")
    if not isinstance(value, str):
        raise SchemaError(f"{where}: {key} {value!r}: expected a text; quote what has a colon")
    return value.strip()


def _parse_ops(name: str, raw: Mapping[str, Any], signatures: tuple[Signature, ...]) -> tuple[Op, ...]:
    if "op" in raw and "ops" in raw:
        raise SchemaError(f"{name}: has both 'op' and 'ops'")
    if "op" in raw:
        shared = {key: raw[key] for key in (*_FORMULAS, *_FACTS) if key in raw}
        doubled = shared.keys() & raw["op"].keys() if isinstance(raw["op"], Mapping) else set()
        if doubled:
            raise SchemaError(f"{name}: {', '.join(sorted(doubled))} given at the entry and in its op")
        return (_parse_op(name, name, {**shared, **_mapping(name, raw, "op")}, signatures[0]),)
    if "ops" in raw or not _reason(name, raw):
        for key in _FORMULAS:
            if key in raw:
                raise SchemaError(f"{name}: '{key}' belongs to an op: write it under one of 'ops'")
    shared = {key: raw[key] for key in _FACTS if key in raw}
    ops = _mapping(name, raw, "ops") if "ops" in raw else {}
    own = {snake(signature.functor): signature for signature in signatures}
    return tuple(_parse_op(name, op, {**shared, **_mapping(name, ops, op)}, own.get(op)) for op in ops)


def _operands(signature: Signature) -> dict[str, list[str]]:
    """The inputs and dynamic scalars of a pointwise op that does not say them: tensors and numbers of its signature."""
    return {
        "inputs": [p.name for p in signature.parameters if p.type.name == "Tensor"],
        "dynamic": [p.name for p in signature.parameters if p.type.name in ("Scalar", "Float", "Double")],
    }


def _parse_op(entry: str, name: str, raw: Mapping[str, Any], signature: Signature | None) -> Op:
    where = entry if name == entry else f"{entry}.{name}"
    _check_keys(where, raw, _OP_KEYS)
    kinds = [kind for kind in _KINDS if kind in raw]
    if len(kinds) != 1:
        raise SchemaError(f"{where}: needs exactly one of {', '.join(_KINDS)}")
    kind, target = kinds[0], str(raw[kinds[0]])
    if kind != "pointwise" and not re.fullmatch(r"\w+\.\w+", target):
        raise SchemaError(f"{where}: {kind}: {target!r} is not of the form 'file.function'")
    if kind == "pointwise" and signature is not None and not raw.keys() & {"inputs", "dynamic"}:
        raw = {**raw, **_operands(signature)}
    inputs = tuple(_parse_input(where, text) for text in _names(where, raw, "inputs"))
    if any(i.variadic for i in inputs[:-1]):
        raise SchemaError(f"{where}: only the last input may be variadic")
    outputs = _names(where, raw, "outputs") or ("out",)
    result = str(raw.get("result", "promoted"))
    op = Op(
        name=name,
        entry=entry,
        inputs=inputs,
        outputs=outputs,
        attrs=_names(where, raw, "attrs"),
        dynamic=_names(where, raw, "dynamic"),
        kind=kind,
        target=target,
        result=result,
        dtypes=_parse_dtypes(where, raw, kind, inputs),
        divisor=str(raw.get("divisor", "")),
        contiguous=_names(where, raw, "contiguous"),
        channels_last=_flag(where, raw, "channels_last", False),
        columns=_names(where, raw, "columns"),
        mut=_names(where, raw, "mut"),
        updates=str(raw.get("updates", "")),
        nondifferentiable=outputs if result == "bool" else _names(where, raw, "nondifferentiable"),
        derivative=_parse_formulas(where, raw, "derivative"),
        inplace_derivative=_parse_formulas(where, raw, "inplace_derivative"),
        decomposition=_parse_formulas(where, raw, "decomposition"),
        no_derivative=_reason(where, raw),
        flops=str(raw.get("flops", f"{outputs[0]}.numel" if kind == "pointwise" else 0)),
        tolerance=_word(where, raw, "tolerance", "exact" if kind in ("view", "consistent") else "", TOLERANCE_CLASSES),
        sbp="" if kind == "consistent" else _sbp(where, raw),
        broadcast_only=raw["sbp"]["broadcast"] if isinstance(raw.get("sbp"), Mapping) else "",
        complex=_rule(where, raw, "complex"),
        batch=_rule(where, raw, "batch"),
        split=_rule(where, raw, "split"),
        fusion=_fusion(where, raw, {"pointwise": "pointwise", "view": "view"}.get(kind, "none")),
        prologue=_flag(where, raw, "prologue", False),
        identity=_whole_number(where, raw, "identity"),
        selects=str(raw.get("selects", "")),
        storage=_flag(where, raw, "storage", False),
        zero_second_derivative=_flag(where, raw, "zero_second_derivative", False),
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
        pairs = [(str(name), str(rule)) for name, rule in _mapping(where, raw, "dtypes").items()]
    for _, rule in pairs:
        for word in rule.split("|"):
            if word not in DTYPE_RULES:
                raise SchemaError(f"{where}: dtypes {word!r}: expected one of {', '.join(sorted(DTYPE_RULES))}")
    return tuple(pairs)


def _parse_formulas(where: str, raw: Mapping[str, Any], key: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    if key not in raw:
        return ()
    formulas = _mapping(where, raw, key)
    if set(formulas) == {"none"}:
        return ()
    return tuple((tuple(n.strip() for n in str(k).split(",")), str(v)) for k, v in formulas.items())


def _word(where: str, raw: Mapping[str, Any], key: str, default: str, allowed: Sequence[str]) -> str:
    """The value of a key that has a fixed vocabulary."""
    if key not in raw:
        return default
    _check_word(where, key, raw[key], allowed)
    return str(raw[key])


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


def _reason(where: str, raw: Mapping[str, Any]) -> str:
    """Why there is no derivative: `derivative: {none: "..."}`."""
    formulas = raw.get("derivative")
    if not isinstance(formulas, Mapping) or set(formulas) != {"none"}:
        return ""
    if not isinstance(formulas["none"], str) or not formulas["none"]:
        raise SchemaError(f"{where}: derivative {dict(formulas)!r}: expected the reason why there is none, a text")
    return str(formulas["none"])


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


def _flag(where: str, raw: Mapping[str, Any], key: str, default: bool) -> bool:
    value = raw.get(key, default)
    if not isinstance(value, bool):
        raise SchemaError(f"{where}: {key} {value!r}: expected true or false")
    return value


def _whole_number(where: str, raw: Mapping[str, Any], key: str) -> int | None:
    value = raw.get(key)
    if value is not None and type(value) is not int:
        raise SchemaError(f"{where}: {key} {value!r}: expected a whole number")
    return value


def _fusion(where: str, raw: Mapping[str, Any], default: str) -> str:
    """A fusion class, or `file.function`; Project checks that there is such a function."""
    file, dot, function = str(raw.get("fusion", "")).partition(".")
    if dot and function and file in FUSION_FILES:
        return str(raw["fusion"])
    return _word(where, raw, "fusion", default, (*FUSION_CLASSES, *(f"{file}.<function>" for file in FUSION_FILES)))


def _check_word(where: str, key: str, value: Any, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise SchemaError(f"{where}: {key} {value!r}: expected one of {', '.join(allowed)}{nearest(value, allowed)}")


def nearest(word: Any, allowed: Collection[str]) -> str:
    """The end of a message about a word that is not allowed: which one may have been meant."""
    found = difflib.get_close_matches(str(word), allowed, 1)
    return f"; did you mean {found[0]!r}?" if found else ""


def _check_keys(where: str, raw: Mapping[str, Any], allowed: set[str]) -> None:
    for key in raw:
        if key not in allowed:
            raise SchemaError(f"{where}: unknown key {key!r}; the keys are {', '.join(sorted(allowed))}{nearest(key, allowed)}")


def _names(where: str, raw: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = raw.get(key) or []
    value = [value] if isinstance(value, str) else list(value) if isinstance(value, tuple) else value
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise SchemaError(f"{where}: {key!r} must be a list of names, not {value!r}")
    return tuple(value)


def _mapping(where: str, raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = raw[key]
    if not isinstance(value, Mapping):
        raise SchemaError(f"{where}: {key!r} must be a mapping, not {value!r}")
    return value
