"""Small pieces of Python source that several outputs share."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from tritonflow.binding.signature import DataTypeName

WIDTH = 130
_UNBROKEN = re.compile(r" -> .*$| (?:is not|is|or|as|=|\|) |: |\bnot ")  # a line is not broken there
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')


def filled(line: str) -> str:
    """A statement in lines of at most WIDTH columns, as far as its blanks allow; all but the first are indented by 8 more."""
    if len(line) <= WIDTH:
        return line
    text = line.lstrip()
    indent = line[: len(line) - len(text)]
    text = _STRING.sub(lambda match: match[0].replace(" ", "\0"), text)
    text = _UNBROKEN.sub(lambda match: match[0].replace(" ", "\0"), text)
    options = {"initial_indent": indent, "subsequent_indent": indent + 8 * " ", "break_long_words": False}
    return textwrap.fill(text, WIDTH, break_on_hyphens=False, **options).replace("\0", " ")  # type: ignore[arg-type]


def literal(value: Any) -> str:
    """The source of a default."""
    if isinstance(value, DataTypeName):
        return f"dtypes.{value.name}"
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    return repr(value)


def tuple_of(items: Sequence[str]) -> str:
    """`(a,)`, `(a, b)` or `()`."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


DISPATCHERS = ("dispatch", "dispatch1", "dispatch2", "dispatch3", "dispatch_number", "dispatch_view")


def dispatch_call(
    op: str, inputs: Sequence[str], attrs: Sequence[str], dynamic: Sequence[str], single_output: bool = True
) -> str:
    """The cheapest dispatch of an op; `inputs` with a star or None take the general one."""
    plain = single_output and not any(i.startswith("*") for i in inputs)
    tail = f", {tuple_of(attrs)}" if attrs else ""
    if plain and not dynamic and len(inputs) in (1, 2, 3):
        return f"dispatch{len(inputs)}({op}, {', '.join(inputs)}{tail})"
    if plain and not attrs and len(dynamic) == len(inputs) == 1:
        return f"dispatch_number({op}, {inputs[0]}, {dynamic[0]})"
    if dynamic:
        tail = f", {tuple_of(attrs)}, {tuple_of(dynamic)}"
    return f"dispatch({op}, {tuple_of(inputs)}{tail})"
