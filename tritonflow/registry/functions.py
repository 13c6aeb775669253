"""The public functions that are no ops, as entries: their decorators say signatures and facts, their docstrings what help() shows.

`@function` stands at the function itself (`binding/library.py`). Nothing is imported: sources are read.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tritonflow.binding.shared_docs import items, sections
from tritonflow.binding.signature import SchemaError
from tritonflow.registry.scalar_functions import GENERATED, function_definitions
from tritonflow.registry.schema import Entry, entry_of_function, other_names


def scan_entries(folder: Path, families: Sequence[str]) -> Iterator[Entry]:
    """The entries of the functions in `folder`, and of their other names, file by file.

    Raises:
        SchemaError: a decorator is wrong, or a file has the name of no family.
    """
    for path, node in function_definitions(folder):
        marks = _marks(node, "function") if path.stem != GENERATED else []
        if marks:
            entry = _entry(node, marks[0], family_of(path.stem, families))
            yield entry
            given = [_literals(node.name, call) for call in _marks(node, "also")]
            yield from other_names(entry, {args[0]: {"signature": args[1:], **facts} for args, facts in given})


def _marks(node: ast.FunctionDef, name: str) -> list[ast.Call]:
    """The decorators of a function that are calls of one name."""
    calls = [call for call in node.decorator_list if isinstance(call, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def family_of(file: str, families: Sequence[str]) -> str:
    """The family that a file is called after: `<family>` or `<family>_<subject>`."""
    found = [family for family in families if f"{file}_".startswith(f"{family}_")]
    if not found:
        raise SchemaError(f"{file}.py: a file of functions is called after a family, {', '.join(families)}")
    return max(found, key=len)


def _entry(node: ast.FunctionDef, mark: ast.Call, family: str) -> Entry:
    signatures, facts = _literals(node.name, mark)
    name = facts.pop("name", node.name)
    texts = [text if "=>" in text else f"{text} => {node.name}" for text in signatures]
    return entry_of_function({"name": name, "signature": texts, **facts, **_help(ast.get_docstring(node) or "")}, family)


def _literals(name: str, call: ast.Call) -> tuple[list[Any], dict[str, Any]]:
    try:
        facts = {keyword.arg or "**": ast.literal_eval(keyword.value) for keyword in call.keywords}
        return [ast.literal_eval(argument) for argument in call.args], facts
    except ValueError:
        raise SchemaError(f"{name}: what a decorator says of a function is written as literals") from None


def _help(text: str) -> dict[str, Any]:
    """The keys of an entry that a docstring stands for."""
    own = sections(text)
    summary, _, details = own[""].partition("\n\n")
    source = re.search(r"^Source: (.*?)\.$", text, re.MULTILINE | re.DOTALL)
    return {
        "doc": " ".join(summary.split()).removesuffix(".") + "\n" + details,
        "args": {name: _line(said) for name, said in items(own.get("Args", "")).items()},
        "shape": _line(own.get("Shape", "")),
        "raises": [f"{error}: {_line(said)}" for error, said in items(own.get("Raises", "")).items()],
        "source": _line(source[1]) if source else "",
        "example": textwrap.dedent(own.get("Example", "")).strip(),
    }


def _line(text: str) -> str:
    return " ".join(text.split())
