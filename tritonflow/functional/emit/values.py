"""Small pieces of Python source that several outputs share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tritonflow.functional.schema import DataTypeName


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


def dispatch_call(
    op: str, inputs: Sequence[str], attrs: Sequence[str], dynamic: Sequence[str], single_output: bool = True
) -> str:
    """The cheapest dispatch of an op; `inputs` with a star or None take the general one."""
    plain = single_output and not dynamic and not any(i.startswith("*") for i in inputs)
    tail = f", {tuple_of(attrs)}" if attrs else ""
    if plain and len(inputs) in (1, 2):
        return f"dispatch{len(inputs)}({op}, {', '.join(inputs)}{tail})"
    if dynamic:
        tail = f", {tuple_of(attrs)}, {tuple_of(dynamic)}"
    return f"dispatch({op}, {tuple_of(inputs)}{tail})"
