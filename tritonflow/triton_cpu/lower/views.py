"""Operations that only rearrange: the element at an index of the result is an element of an operand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Op, Value

from .analysis import cut_to_split, is_root, trivial_reshape
from .lanes import Lanes, uniform

if TYPE_CHECKING:
    from .lowering import Index, Lowering

# An index in terms of a root's index: its dimension, -1 for the constant 0, None for something else.
Symbolic = tuple[int | None, ...]
Evaluator = Callable[["Lowering", Op, Value, "Index", int], Lanes]
EVALUATE: dict[str, Evaluator] = {}
_ZERO = -1


def concrete(symbolic: Symbolic, index: Index) -> Index:
    return tuple(uniform("i32", 0) if d == _ZERO else index[d or 0] for d in symbolic)


def reach(low: Lowering, value: Value, symbolic: Symbolic, visit: Callable[[Value, Symbolic], None]) -> None:
    """Visit every lazy value that evaluating `value` evaluates, with the index it is evaluated at."""
    seen: set[tuple[Value, Symbolic]] = set()
    stack = [(value, symbolic)]
    while stack:
        value, symbolic = stack.pop()
        if (value, symbolic) in seen or not value.type.is_tensor or value in low.buffers:
            continue
        seen.add((value, symbolic))
        if value in low.inductions:
            stack.append((low.inductions[value].initial, symbolic))
            continue
        op = value.op
        if op is None or is_root(op):
            continue
        visit(value, symbolic)
        stack.extend((operand, operand_index(op, value, operand, symbolic)) for operand in op.operands)


def reached_at(low: Lowering, values: Iterable[Value], symbolic: Symbolic) -> dict[Value, set[Symbolic]]:
    """The lazy values that `values` evaluate, and all the indices at which they do."""
    found: dict[Value, set[Symbolic]] = {}
    for value in values:
        reach(low, value, symbolic, lambda v, s: found.setdefault(v, set()).add(s))
    return found


def operand_index(op: Op, value: Value, operand: Value, symbolic: Symbolic) -> Symbolic:
    """Where an operand is evaluated when `value` is evaluated at `symbolic`."""
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
        kept = iter([s for s, extent in zip(symbolic, value.type.dims, strict=True) if extent > 1])
        return tuple(next(kept) if extent > 1 else _ZERO for extent in operand.type.dims)
    if op.name == "tt.join":
        return symbolic[:-1]
    if op.name == "tt.split":
        return (*symbolic, None)
    return symbolic


def permutation(op: Op) -> list[int]:
    match = re.search(r"array<i32: ([\d, ]+)>", op.attrs.get("order", ""))
    if match is None:
        raise UnsupportedError("the order of a transposition", op.line, op.text)
    return [int(d) for d in match.group(1).split(",")]


def evaluates(name: str) -> Callable[[Evaluator], Evaluator]:
    def register(evaluator: Evaluator) -> Evaluator:
        EVALUATE[name] = evaluator
        return evaluator

    return register


@evaluates("tt.splat")
def _splat(low: Lowering, op: Op, value: Value, index: Index, width: int) -> Lanes:
    return low.scalars[op.operands[0]]


@evaluates("tt.make_range")
def _range(low: Lowering, op: Op, value: Value, index: Index, width: int) -> Lanes:
    return low.lb.add(index[0], uniform("i32", op.attrs["start"]), "i32", width)


@evaluates("tt.expand_dims")
def _expand(low: Lowering, op: Op, value: Value, index: Index, width: int) -> Lanes:
    axis = int(op.attrs["axis"])
    return low.eval(op.operands[0], index[:axis] + index[axis + 1 :], width)


@evaluates("tt.broadcast")
def _broadcast(low: Lowering, op: Op, value: Value, index: Index, width: int) -> Lanes:
    dims = zip(op.operands[0].type.dims, value.type.dims, index, strict=True)
    at = tuple(uniform("i32", 0) if old == 1 and new != 1 else i for old, new, i in dims)
    return low.eval(op.operands[0], at, width)


@evaluates("tt.trans")
def _transpose(low: Lowering, op: Op, value: Value, index: Index, width: int) -> Lanes:
    at = list(index)
    for k, d in enumerate(permutation(op)):
        at[d] = index[k]
    return low.eval(op.operands[0], tuple(at), width)


@evaluates("tt.reshape")
def _reshape(low: Lowering, op: Op, value: Value, index: Index, width: int) -> Lanes:
    if not trivial_reshape(op):
        return _cut(low, op, value, index, width)
    kept = iter([i for i, extent in zip(index, value.type.dims, strict=True) if extent > 1])
    at = tuple(next(kept) if extent > 1 else uniform("i32", 0) for extent in op.operands[0].type.dims)
    return low.eval(op.operands[0], at, width)


def _cut(low: Lowering, op: Op, value: Value, index: Index, width: int) -> Lanes:
    """Of the last dimension, in pieces here: its index is that of the pieces, as digits."""
    assert cut_to_split(op)
    outer = len(op.operands[0].type.dims) - 1
    last = uniform("i32", 0)
    for extent, digit in zip(value.type.dims[outer:], index[outer:], strict=True):
        last = low.lb.add(low.lb.mul(last, uniform("i32", extent), "i32", width), digit, "i32", width)
    return low.eval(op.operands[0], (*index[:outer], last), width)


@evaluates("tt.join")
def _join(low: Lowering, op: Op, value: Value, index: Index, width: int) -> Lanes:
    left, right = (low.eval(operand, index[:-1], width) for operand in op.operands)
    first = low.lb.op("icmp eq", [index[-1], uniform("i32", 0)], "i1", width)
    return low.lb.select(first, left, right, value.type.elem, width)


@evaluates("tt.split")
def _split(low: Lowering, op: Op, value: Value, index: Index, width: int) -> Lanes:
    return low.eval(op.operands[0], (*index, uniform("i32", value.index)), width)
