"""The docstrings of the functions of the binding: what help() shows of a name in the registry.

A docstring has the summary, details, overloads, then in Google's style Args, Shape, Dtypes, Returns, Raises, Source and Example.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tritonflow.binding.call_signature import takes_out
from tritonflow.binding.python_signature import python_signatures
from tritonflow.binding.signature import Parameter, SchemaError, Signature
from tritonflow.registry.emit import operators
from tritonflow.registry.emit.parameter_texts import COMMON, parameter_text
from tritonflow.registry.op_schema import Op
from tritonflow.registry.project import Project
from tritonflow.registry.schema import Entry

_WIDTH = 100


def docstring(project: Project, entry: Entry) -> str:
    """The docstring of the function of an entry."""
    if not entry.is_public:
        return entry.doc
    signatures = entry.signatures
    parts = [
        _summary(entry),
        _paragraphs(entry.help.details),
        _section("Overloads", _overloads(entry, signatures)),
        _section("Args", _arguments(entry, signatures, ["out"] if takes_out(signatures) else [])),
        _section("Shape", _shape(entry)),
        _section("Dtypes", _dtypes(project, entry)),
        _section("Returns", _returns(signatures)),
        _notes(project, entry),
        _section("Raises", _raises(project, entry, signatures)),
        f"Source: {source_of(entry)}.",
        _section("Example", [_example(entry)]),
    ]
    return "\n\n".join(part for part in parts if part)


def check(project: Project) -> None:
    """Every name that users see has what help() shows of it.

    Raises:
        SchemaError: a summary, the text of a parameter, shapes or an example are missing.
    """
    for entry in filter(lambda e: e.is_public and not e.like, project.entries):
        written = dict(entry.help.args)
        described = written if entry.is_function else {line.partition(":")[0] for line in _arguments(entry, entry.signatures, ())}
        nameless = [p.name for s in entry.signatures for p in s.parameters if p.name not in described]
        for missing, wanted in (
            (not entry.doc, "a summary: the first line of 'doc'"),
            (nameless, f"a text for the parameter {', '.join(nameless[:1])!r}: give it in 'args'"),
            (not _shape(entry), "shapes: give 'shape', such as '(N, C), (C) -> (N, C)'"),
            (not entry.help.example, "an example: give 'example', lines of a doctest"),
        ):
            if missing:
                raise SchemaError(f"{entry.name}: help() needs {wanted}")


def _summary(entry: Entry) -> str:
    """The summary as a sentence: words begin with a capital letter, a formula with its first name."""
    word, _, rest = entry.doc.partition(" ")
    names = {p.name for s in entry.signatures for p in s.parameters}
    is_word = re.fullmatch(r"a|an|at|[a-z]{3,}", word) and word not in names and re.match(r"[a-z]{2}", rest)
    return (word.capitalize() + " " + rest if is_word or word == "the" else entry.doc) + "."


def _paragraphs(text: str) -> str:
    """Text with its lines as long as the page; what is indented, a formula or a list, stays as it is."""
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        lines = paragraph.split("\n")
        plain = not any(line[:1] in (" ", "-", "|", "*") for line in lines)
        found.append(_filled(" ".join(lines)) if plain else paragraph)
    return "\n\n".join(found)


def _filled(text: str, indent: str = "") -> str:
    options = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(" ".join(text.split()), _WIDTH, subsequent_indent=indent, **options)  # type: ignore[arg-type]


def _section(title: str, lines: Iterable[str]) -> str:
    lines = [line for line in lines if line]
    return f"{title}:\n" + textwrap.indent("\n".join(lines), "    ") if lines else ""


def _item(name: str, text: str) -> str:
    """`name: text`, its further lines indented."""
    return _filled(f"{name}: {text}", "    ")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


def _full_name(entry: Entry) -> str:
    if not entry.export:
        return f"Tensor.{entry.methods[0] if entry.methods else entry.name}"
    package = entry.export[0]
    return f"flow.{entry.name}" if package == "flow" else f"flow.{package}.{entry.name.removeprefix(package + '_')}"


def _overloads(entry: Entry, signatures: Sequence[Signature]) -> list[str]:
    """The ways to call it, where their parameters have different names."""
    if len({tuple(p.name for p in s.positional) for s in signatures}) == 1:
        return []
    forms = python_signatures(entry.name, signatures, bool(entry.methods))
    texts = [str(replace(f, parameters=tuple(p for p in f.parameters if p.name != "inplace"))) for f in forms]
    name = signatures[0].name if signatures[0].name != entry.name else _full_name(entry).rpartition(".")[2]
    return [f"- `{name}{text}`" for text in dict.fromkeys(texts)]


def _arguments(entry: Entry, signatures: Sequence[Signature], more: Sequence[str]) -> Iterator[str]:
    own = dict(entry.help.args)
    found: dict[str, list[Parameter]] = {}
    for signature in signatures:
        for parameter in signature.parameters:
            found.setdefault(parameter.name, []).append(parameter)
    first = {s.parameters[0].name for s in signatures if s.parameters}
    for name, parameters in found.items():
        text = own.get(name) or parameter_text(parameters, name in first)
        if text:
            yield _item(name, _sentence(text))
    for name in more:
        if name not in found:
            yield _item(name, _sentence(own.get(name) or COMMON[name]))


# ------------------------------------------------------------------------------------------------------ derived facts


def _pointwise(entry: Entry) -> list[Op]:
    """The ops of an entry if all are pointwise."""
    return list(entry.ops) if all(op.kind == "pointwise" for op in entry.ops) else []


def _tensors(signatures: Sequence[Signature]) -> list[str]:
    """The names of the tensors, of the signature that has most."""
    found = [[p.name for p in s.parameters if p.type.name == "Tensor"] for s in signatures]
    return max(found, key=len, default=[])


def _quoted(names: Sequence[str]) -> str:
    *some, last = [f"`{name}`" for name in names]
    return f"{', '.join(some)} and {last}" if some else last


def _shape(entry: Entry) -> list[str]:
    if entry.help.shape:
        return [_filled(_sentence(entry.help.shape))]
    names = _tensors(entry.signatures)
    if not _pointwise(entry) or not names:
        return []
    if len(names) == 1:
        return [f"`{names[0]}` has any shape; the result has the same."]
    return [_filled(f"{_quoted(names)} are broadcast together; the result has their common shape.")]


def _dtypes(project: Project, entry: Entry) -> list[str]:
    if entry.help.dtypes:
        return [_filled(_sentence(entry.help.dtypes))]
    complex_too = _takes_complex(entry)
    rules: dict[str, list[str]] = {}
    for op in entry.ops[:1]:
        for name, rule in op.dtypes:
            rules.setdefault(_rule_text(rule, complex_too), []).append(name)
    tensors = _tensors(entry.signatures)
    sentences = []
    for rule, names in rules.items():
        own = [n for n in names if n in tensors]
        which = "The operands are" if len(tensors) > 1 else "The input is"
        sentences.append(f"{which} {rule}." if own in ([], tensors) else f"{_quoted(own)}: {rule}.")
    if _pointwise(entry):
        sentences += ["Complex numbers are refused."] * (complex_too is False and not rules)
        sentences += _result_dtype(entry, any(rule.startswith("floating") for rule in rules))
    return [_filled(" ".join(sentences))] if sentences else []


def _takes_complex(entry: Entry) -> bool | None:
    """Whether the entry's first op has a form for complex numbers; None where it has no op."""
    return bool(entry.ops[0].complex) if entry.ops else None


def _rule_text(rule: str, complex_too: bool | None) -> str:
    texts = {
        "floating": "floating or complex" if complex_too else "floating",
        "numeric": "of any dtype but bool" if complex_too else "real, and not bool",
        "integral": "integers or bool",
    }
    return ", ".join(texts.get(word, word) for word in rule.split("|"))


def _result_dtype(entry: Entry, is_floating: bool) -> list[str]:
    """A sentence about the dtype of a pointwise op's result; `is_floating`: whether the operands are, in any case."""
    results = {op.result for op in _pointwise(entry)}
    operands = [[p for p in s.positional if p.type.name in ("Tensor", "Scalar")] for s in entry.signatures]
    several = max(map(len, operands)) > 1
    same = "The result has the dtype " + ("that they promote to" if several else "of the input")
    texts = {
        "promoted": f"{same}.",
        "bool": "The result is bool.",
        "float": f"{same}." if is_floating else f"{same}; integers and bool give the default dtype.",
    }
    return [texts.get(result, f"The result has the dtype of `{result}`.") for result in results] if len(results) == 1 else []


def _returns(signatures: Sequence[Signature]) -> list[str]:
    names = next((s.return_names for s in signatures if s.return_names), ())
    if not names:
        return []
    others = any(not s.return_names for s in signatures)
    condition = "A tensor, or where several are returned a named tuple" if others else "A named tuple"
    return [f"{condition} `({', '.join(names)})`."]


def _notes(project: Project, entry: Entry) -> str:
    """Sentences about gradients, autocast and methods."""
    sentences = [_differentiable(project, entry)]
    casts = {"lower": "its dtype", "float32": "float32", "float32_result": "float32", "widest": "the widest dtype of its operands"}
    if entry.autocast:
        sentences.append(f"Under `flow.autocast` it computes in {casts[entry.autocast]}.")
    methods = [m for m in entry.methods if not m.startswith("__")]
    signs = [m for m in entry.methods if m in operators.BINARY_OPERATORS and not m.startswith("__r")]
    if methods:
        sentences.append(f"Method{'s' * (len(methods) > 1)}: {_quoted([f'Tensor.{m}' for m in methods])}.")
    if signs and signs[0] in _SIGNS:
        sentences.append(f"Operator: `{_SIGNS[signs[0]]}`.")
    return _filled(" ".join(sentences))


def _differentiable(project: Project, entry: Entry) -> str:
    """Whether gradients flow, and to which operands where all the entry's ops are pointwise; "" where no op of its own says it."""
    formulas = [f for op in entry.ops if op.name in project.derivatives for f in project.derivatives[op.name].formulas]
    found = {name for f in formulas if "missing_derivative" not in f.expression.calls for name in f.inputs}
    names = [n for n in dict.fromkeys(p.name for s in entry.signatures for p in s.parameters) if n in found]
    if found:
        return f"Differentiable in {_quoted(names)}." if _pointwise(entry) and found <= set(names) else "Differentiable."
    without = entry.ops and all(set(op.outputs) == set(op.nondifferentiable) for op in entry.ops)
    if entry.no_derivative or without:
        return "Not differentiable" + (f": {entry.no_derivative}" if entry.no_derivative else "") + "."
    return ""


_SIGNS = {
    "__add__": "+", "__sub__": "-", "__mul__": "*", "__truediv__": "/", "__floordiv__": "//", "__mod__": "%", "__pow__": "**",
    "__and__": "&", "__or__": "|", "__xor__": "^", "__lshift__": "<<", "__rshift__": ">>", "__matmul__": "@",
    "__eq__": "==", "__ne__": "!=", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">=",
}  # fmt: skip


def _raises(project: Project, entry: Entry, signatures: Sequence[Signature]) -> Iterator[str]:
    """What is refused, a line for each class of errors."""
    found: dict[str, list[str]] = {}
    for error, text in (*entry.help.raises, *_derived_errors(project, entry, signatures)):
        texts = found.setdefault(error, [])
        if text != _DTYPE_ERROR or not texts:
            if not ("broadcast" in text and any("broadcast" in earlier for earlier in texts)):
                texts.append(text.removesuffix("."))
    for error, texts in found.items():
        yield _item(error, "; ".join(texts) + ".")


_DTYPE_ERROR = "a dtype that is not taken"


def _derived_errors(project: Project, entry: Entry, signatures: Sequence[Signature]) -> Iterator[tuple[str, str]]:
    if any(op.divisor for op in entry.ops):
        yield "ZeroDivisionError", "a zero among integer divisors"
    if len(_tensors(signatures)) > 1 and _pointwise(entry):
        yield "RuntimeError", "the shapes cannot be broadcast together"
    if any(op.dtypes for op in entry.ops) or _pointwise(entry) and _takes_complex(entry) is False:
        yield "NotImplementedError", _DTYPE_ERROR
    if any(p.name == "dim" and p.type.name in ("Int32", "Int32List") for s in signatures for p in s.parameters):
        yield "IndexError", "`dim` is out of range"
    yield "TypeError", "an argument has the wrong type, or there is no such argument"


# ------------------------------------------------------------------------------------------------------ source, example


def source_of(entry: Entry) -> str:
    """The function of another framework that the name is like."""
    if entry.help.source:
        return entry.help.source
    is_default = entry.reference == f"torch.{entry.name}"
    if entry.reference.startswith("torch.") and not is_default:
        return entry.reference
    package = entry.export[0] if entry.export else "Tensor"
    return f"torch.{entry.name}" if package == "flow" else f"torch.{package}.{entry.name.removeprefix(package + '_')}"


def _example(entry: Entry) -> str:
    if not entry.help.example:
        return ""
    lines = [">>> import tritonflow as flow"]
    if re.search(r"\bF\.", entry.help.example):
        lines.append(">>> F = flow.nn.functional")
    return "\n".join([*lines, entry.help.example])
