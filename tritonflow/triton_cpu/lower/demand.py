"""Demanded elements: the rows and columns of a tensor that some store writes to memory."""

from __future__ import annotations

from tritonflow.triton_cpu.ir import Op, Value

from .bounds import extreme, false_from
from .evaluate import LazyEvaluator

_ELEMENTWISE = ("arith.", "math.", "tt.fp_to_fp", "tt.extern_elementwise", "tt.precise_")


def demanded_until(lazy: LazyEvaluator, stores: list[Op] | None, dim: int) -> str | None:
    """An index along `dim` from which on no element reaches memory
    through `stores`, or None if none is known.
    """
    result = None
    for store in stores or ():
        end = false_from(lazy, store.operands[2], dim, store.operands[1].type.dims) if len(store.operands) > 2 else None
        if end is None:
            return None
        result = end if result is None else extreme(lazy.b, "smax", result, end)
    return result


def stores_of(value: Value) -> list[Op] | None:
    """The stores that a value leads to, element by element, or
    None if it is read otherwise, too.
    """
    found: list[Op] = []
    seen, stack = {value}, [value]
    while stack:
        at = stack.pop()
        for user in at.users:
            if user.name == "tt.store" and user.operands.count(at) == 1 and at is user.operands[1]:
                found.append(user)
                continue
            following = _same_elements(at, user)
            if following is None:
                return None
            stack.extend(v for v in following if v not in seen)
            seen.update(following)
    return found


def _same_elements(value: Value, user: Op) -> list[Value] | None:
    """The results of an elementwise user of `value`, or None for another user."""
    if user.name.startswith(_ELEMENTWISE):
        return user.results
    if user.name == "tt.dot":
        return user.results if value not in user.operands[:2] else None
    if user.name != "scf.yield" or user.block.parent is None:
        return None
    loop = next((op for op in user.block.parent.ops if user.block in op.regions), None)
    if loop is None or loop.name != "scf.for":
        return None
    carried = [k for k, operand in enumerate(user.operands) if operand is value]
    return [v for k in carried for v in (loop.results[k], user.block.args[1 + k])]
