"""The registry as typed data: entries and ops, read from `op_registry.yaml` and checked.

Every error names its entry. Imports nothing of tritonflow but the language of signatures, and PyYAML only in `load`.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tritonflow.binding.signature import SchemaError, Signature, parse_signature
from tritonflow.registry.fields import (
    check_keys,
    check_word,
    flag_at,
    mapping_at,
    names_at,
    reason_without_derivative,
    text_at,
    word_at,
)
from tritonflow.registry.op_schema import (
    TOLERANCE_CLASSES,
    Op,
    parse_ops,
)


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
AUTOCAST_RULES = ("lower", "float32", "float32_result", "widest")
EXPORTS = ("flow", "nn.functional", "special", "linalg")


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
        entries.extend(other_names(entries[-1], mapping_at(entries[-1].name, item, "also") if "also" in item else {}))
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
    check_keys(name, raw, _ENTRY_KEYS)
    texts = raw.get("signature")
    texts = [texts] if isinstance(texts, str) else texts
    if not isinstance(texts, list) or not texts:
        raise SchemaError(f"{name}: needs a 'signature', a text or a list of texts")
    export = names_at(name, raw, "export") if "export" in raw else ("flow",)
    for package in export:
        check_word(name, "export", package, EXPORTS)
    signatures = tuple(parse_signature(name, text) for text in texts)
    summary, _, details = text_at(name, raw, "doc").partition("\n")
    return Entry(
        name=name,
        signatures=signatures,
        bind_python=flag_at(name, raw, "bind_python", True),
        methods=names_at(name, raw, "methods"),
        export=export,
        ops=parse_ops(name, raw, signatures),
        reference=str(raw.get("reference", f"torch.{name}")),
        samples=raw.get("samples"),
        doc=summary.strip(),
        autocast=word_at(name, raw, "autocast", "", AUTOCAST_RULES),
        family=family,
        tolerance=word_at(name, raw, "tolerance", "", TOLERANCE_CLASSES),
        no_derivative=reason_without_derivative(name, raw),
        help=_parse_help(name, raw, signatures, details),
    )


_FUNCTION_KEYS = {
    *("name", "signature", "methods", "export", "reference", "samples", "tolerance", "autocast", "bind_python", "derivative"),
    *("doc", "args", "shape", "raises", "source", "example"),
}


def entry_of_function(raw: Mapping[str, Any], family: str) -> Entry:
    """Check what a function's decorator and docstring say."""
    check_keys(raw["name"], raw, _FUNCTION_KEYS)
    return replace(parse_entry(raw, family), is_function=True)


def _package_of(name: str) -> list[str]:
    """The package that a name says it belongs to, as `linalg_inv` does."""
    return [package for package in EXPORTS if name.startswith(f"{package}_")]


_ALIAS_KEYS = {"signature", "methods", "reference"}


def other_names(entry: Entry, names: Mapping[str, Any]) -> Iterator[Entry]:
    """The entries of the other names of an entry. A name that begins as a package's is exported there."""
    for name, raw in names.items():
        check_keys(name, raw, _ALIAS_KEYS)
        texts = raw.get("signature") or [f"{s} => {s.functor}" for s in entry.signatures]
        texts = [texts] if isinstance(texts, str) else texts
        own = {p.name for s in entry.signatures for p in s.parameters}
        export = _package_of(name) or (["flow"] if _package_of(entry.name) else list(entry.export))
        tested = {"none": f"another name of {entry.name}: tests/registry/test_functions.py"}
        shared = {"autocast": entry.autocast, "tolerance": entry.tolerance, "reference": entry.reference, "samples": tested}
        facts = {key: value for key, value in {**shared, **raw}.items() if value}
        texts = [text if "=>" in text else f"{text} => {entry.signatures[0].functor}" for text in texts]
        alias = parse_entry({**facts, "name": name, "signature": texts, "export": export}, entry.family)
        strange = [p.name for s in alias.signatures for p in s.parameters if p.name not in own]
        if strange:
            raise SchemaError(f"{name}: another name of {entry.name} has its parameters, and no {strange[0]!r}")
        yield replace(alias, doc=entry.doc, help=entry.help, is_function=entry.is_function, like=entry.name)


def _parse_help(name: str, raw: Mapping[str, Any], signatures: tuple[Signature, ...], details: str) -> Help:
    args = {key: text_at(name, raw["args"], key) for key in mapping_at(name, raw, "args")} if "args" in raw else {}
    parameters = {p.name for signature in signatures for p in signature.parameters} | {"out"}
    for key in args:
        check_word(name, "args", key, sorted(parameters))
    example = text_at(name, raw, "example")
    if example and not example.startswith(">>> "):
        raise SchemaError(f"{name}: example {example[:40]!r}: expected lines of a doctest, the first of them begins with '>>> '")
    return Help(
        details=details.strip("\n"),
        args=tuple(args.items()),
        shape=text_at(name, raw, "shape"),
        dtypes=text_at(name, raw, "dtypes"),
        raises=tuple(_parse_raises(name, raw)),
        source=text_at(name, raw, "source"),
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
