"""Where operands are evaluated, in terms of a root's index, and what a root evaluates in all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Op, Value

from .analysis import is_root, trivial_reshape
from .lanes import Index, uniform
from .state import KnownValues

# An index in terms of a root's index. Each entry is a dimension of the root, -1 for the constant 0,
# or None for something else.
Symbolic = tuple[int | None, ...]
_ZERO = -1


def concrete(symbolic: Symbolic, index: Index) -> Index:
    """A symbolic index without None, where the root's index is `index`."""
    return tuple(uniform("i32", 0) if d == _ZERO else index[d or 0] for d in symbolic)


def reach(known: KnownValues, value: Value, symbolic: Symbolic, visit: Callable[[Value, Symbolic], None]) -> None:
    """Visit each lazy value that `value` is computed from, and
    the index that it is evaluated at.
    """
    seen: set[tuple[Value, Symbolic]] = set()
    stack = [(value, symbolic)]
    while stack:
        value, symbolic = stack.pop()
        if (value, symbolic) in seen or not value.type.is_tensor or value in known.buffers:
            continue
        seen.add((value, symbolic))
        if value in known.inductions:
            stack.append((known.inductions[value].initial, symbolic))
            continue
        op = value.op
        if op is None or is_root(op):
            continue
        visit(value, symbolic)
        stack.extend((operand, operand_index(op, value, operand, symbolic)) for operand in op.operands)


def reached_at(known: KnownValues, values: Iterable[Value], symbolic: Symbolic) -> dict[Value, set[Symbolic]]:
    """The lazy values that `values` are computed from, and the
    indices that they are evaluated at.
    """
    found: dict[Value, set[Symbolic]] = {}
    for value in values:
        reach(known, value, symbolic, lambda v, s: found.setdefault(v, set()).add(s))
    return found


def operand_index(op: Op, value: Value, operand: Value, symbolic: Symbolic) -> Symbolic:
    """The index that an operand is evaluated at when `value` is evaluated at `symbolic`."""
    if not operand.type.is_tensor:
        return ()
    if op.name == "tt.expand_dims":
        axis = int(op.attrs["axis"])
        return symbolic[:axis] + symbolic[axis + 1 :]
    if op.name == "tt.broadcast":
        dims = zip(operand.type.dims, value.type.dims, symbolic, strict=True)
        return tuple(_ZERO if old == 1 and new != 1 else s for old, new, s in dims)
    if op.name == "tt.trans":
        result: list[int | None] = [None] * len(symbolic)
        for k, d in enumerate(permutation(op)):
            result[d] = symbolic[k]
        return tuple(result)
    if op.name == "tt.reshape" and not trivial_reshape(op):
        return (*symbolic[: len(operand.type.dims) - 1], None)
    if op.name == "tt.reshape":
        wide = iter([s for s, extent in zip(symbolic, value.type.dims, strict=True) if extent > 1])
        return tuple(next(wide) if extent > 1 else _ZERO for extent in operand.type.dims)
    if op.name == "tt.gather" and operand is op.operands[0]:
        return tuple(None if d == int(op.attrs["axis"]) else s for d, s in enumerate(symbolic))
    if op.name == "tt.join":
        return symbolic[:-1]
    if op.name == "tt.split":
        return (*symbolic, None)
    return symbolic


def permutation(op: Op) -> list[int]:
    """The order of a transposition: dimension k of the result
    is dimension order[k] of the operand.
    """
    match = re.search(r"array<i32: ([\d, ]+)>", op.attrs.get("order", ""))
    if match is None:
        raise UnsupportedError("the order of a transposition", op.line, op.text)
    return [int(d) for d in match.group(1).split(",")]
