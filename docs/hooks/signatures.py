"""What a name of the reference looks like: its signature in Python, its docstring, and the members of a class."""

from __future__ import annotations

import enum
import inspect
import re
from typing import Any

from docstrings import first_sentence, to_markdown

CONSTANTS = {"e": "Euler's number", "pi": "pi", "inf": "infinity", "nan": "not a number"}
WIDTH = 76  # of a code line on the site
PARAMETER = inspect.Parameter


def described(name: str, value: Any) -> str:
    """The signature and the docstring of a name; of a class, its members as well."""
    doc = inspect.getdoc(value) or ""
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return "\n\n".join([to_markdown(doc), ", ".join(f"`{member.name}`" for member in value)])
    if isinstance(value, type):
        return "\n\n".join(filter(None, [_signature(name, value), to_markdown(doc), *_members(value)]))
    if isinstance(value, property):
        return to_markdown(doc) or "An attribute."
    if callable(value):
        return "\n\n".join(filter(None, [_signature(name, value), to_markdown(doc)]))
    last = name.rpartition(".")[2]
    return f"`{value!r}`" + (f": {CONSTANTS[last]}." if last in CONSTANTS else "")


def _signature(name: str, value: Any) -> str:
    """A fenced line of Python, or nothing where none is known."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    prefix = "class " if isinstance(value, type) else ""
    shown = "flow." + name if not name.startswith("Tensor.") else name
    parameters = [
        str(_plain(parameter)) for parameter in signature.parameters.values() if parameter.name not in ("self", "cls")
    ]
    marks = _with_marks(signature, parameters)
    result = (
        ""
        if prefix or signature.return_annotation is signature.empty
        else f" -> {_annotation(signature.return_annotation)}"
    )
    line = f"{prefix}{shown}({', '.join(marks)}){result}"
    if len(line) > WIDTH:
        line = f"{prefix}{shown}(\n" + "".join(f"    {mark},\n" for mark in marks) + f"){result}"
    return f"```python\n{line}\n```"


def _with_marks(signature: inspect.Signature, shown: list[str]) -> list[str]:
    """The parameters with `*` and `/` between them where the signature has them."""
    kinds = [p.kind for p in signature.parameters.values() if p.name not in ("self", "cls")]
    marks: list[str] = []
    for k, (kind, text) in enumerate(zip(kinds, shown)):
        if kind is PARAMETER.KEYWORD_ONLY and PARAMETER.VAR_POSITIONAL not in kinds and kinds.index(kind) == k:
            marks.append("*")
        marks.append(text)
        if kind is PARAMETER.POSITIONAL_ONLY and (k + 1 == len(kinds) or kinds[k + 1] is not kind):
            marks.append("/")
    return marks


def _plain(parameter: inspect.Parameter) -> str:
    """A parameter as it is written in Python, its annotation without quotes, defaults by their names."""
    stars = {PARAMETER.VAR_POSITIONAL: "*", PARAMETER.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = stars + parameter.name
    typed = parameter.annotation is not parameter.empty
    if typed:
        text += f": {_annotation(parameter.annotation)}"
    if parameter.default is not parameter.empty:
        default = parameter.default
        named = getattr(default, "__name__", "") if callable(default) else ""
        value = named or re.sub(r"<(.*?) at 0x\w+>", r"<\1>", repr(default))
        text += f" = {value}" if typed else f"={value}"
    return text


def _annotation(value: Any) -> str:
    text = value if isinstance(value, str) else inspect.formatannotation(value)
    return re.sub(r"\b(?:tritonflow|typing|collections\.abc)\.(?:\w+\.)*", "", text)


def _members(owner: type) -> list[str]:
    """Public methods and properties that the class itself documents, a line each."""
    lines = []
    for name, value in vars(owner).items():
        function = getattr(value, "__func__", value)
        is_method = callable(function) and not isinstance(value, type)
        doc = inspect.getdoc(function) if is_method else value.__doc__ if isinstance(value, property) else ""
        if name.startswith("_") or name in ("forward", "extra_repr") or not doc:
            continue
        call = ""
        if callable(function):
            try:
                parameters = inspect.signature(function).parameters
            except (TypeError, ValueError):
                parameters = {}
            call = "(" + ", ".join(_plain(p) for n, p in parameters.items() if n not in ("self", "cls")) + ")"
        lines.append(f"- `{name}{call}`: {first_sentence(doc)}")
    return ["**Members**", "\n".join(lines)] if lines else []
