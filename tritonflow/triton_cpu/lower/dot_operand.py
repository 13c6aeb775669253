"""Operands of products: whether the left one can be read
from the memory that it was loaded from.
"""

from __future__ import annotations

from typing import NamedTuple

from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import is_float, pointee, size_of

from . import convert, memory
from .evaluate import LazyEvaluator
from .lanes import Index, LaneBuilder, Lanes, affine, uniform
from .masks import monotone
from .state import KnownValues

_SUMS = frozenset("tt.addptr arith.addi arith.subi arith.extsi tt.expand_dims tt.broadcast".split())
_SCALARS = ("tt.splat", "arith.constant")


class Rows(NamedTuple):
    """Element (i, k) is `i * row + k * step` elements behind the pointer.

    Both are i64, literal or not.
    """

    pointer: str
    row: str
    step: str


def widened(lb: LaneBuilder, value: Lanes, elem: str, width: int) -> Lanes:
    """An element of an operand in the type that products are added in."""
    if is_float(elem):
        return convert.float_to_float(lb, value, elem, width)
    return value if value.elem == elem else lb.cast("sext", value, elem, width)


def in_memory(lazy: LazyEvaluator, a: Value, depth: str) -> tuple[Rows, str] | None:
    """Where a loaded tensor's memory is, and the condition under which a product may read it there.

    The condition is that no mask cuts the first `depth` columns. None unless rows are at one
    distance and the elements of a row are neighbours.
    """
    load, known = a.op, lazy.values
    if lazy.check.enabled or load is None or load.name != "tt.load" or a in known.buffers or a in known.chosen:
        return None
    pointer = load.operands[0]
    if not _linear(known, pointer) or not _neighbours(lazy, pointer):
        return None
    mask = load.operands[1] if len(load.operands) > 1 else None
    if mask is not None and not monotone(known, mask):
        return None
    with lazy.memo_scope():
        first, second = (lazy.eval(pointer, (uniform("i32", i), uniform("i32", 0)), 1).value for i in (0, 1))
    ends = [lazy.b.inst(f"ptrtoint ptr {p} to i64") for p in (second, first)]
    row = lazy.b.inst(f"sdiv exact i64 {lazy.b.sub('i64', *ends)}, {size_of(a.type.elem)}")
    return Rows(first, row, "1"), "true" if mask is None else _whole(lazy, mask, a.type.dims[0], depth)


def _linear(known: KnownValues, value: Value) -> bool:
    """A constant distance between neighbours along every dimension, known or not."""
    if not value.type.is_tensor:
        return True
    if value in known.inductions:
        return _linear(known, known.inductions[value].initial)
    op = value.op
    if op is None or value in known.buffers or value in known.chosen:
        return False
    if op.name == "arith.muli":
        return any(map(_is_scalar, op.operands)) and all(_linear(known, operand) for operand in op.operands)
    if op.name in _SUMS:
        return all(_linear(known, operand) for operand in op.operands)
    return op.name in _SCALARS or op.name == "tt.make_range"


def _is_scalar(value: Value) -> bool:
    op: Op | None = value.op
    while op is not None and op.name in ("tt.expand_dims", "tt.broadcast"):
        op = op.operands[0].op
    return op is not None and op.name in _SCALARS


def _neighbours(lazy: LazyEvaluator, pointer: Value) -> bool:
    """Whether the elements of a row are neighbours."""
    with lazy.memo_scope():
        lane = lazy.eval(pointer, (uniform("i32", 0), affine("i32", "0", (0, 1))), 2)
    return memory.contiguous(lane, size_of(pointee(pointer.type.elem)), 2)


def _whole(lazy: LazyEvaluator, mask: Value, rows: int, depth: str) -> str:
    """Whether a monotone mask is true for all rows of `depth`
    columns: it is if it is at the corners.
    """
    b, condition = lazy.b, "true"
    last = b.sub("i32", depth, "1")
    corners: list[Index] = [(uniform("i32", i), uniform("i32", k)) for i in (0, rows - 1) for k in ("0", last)]
    for corner in corners:
        with lazy.memo_scope():
            condition = b.inst(f"and i1 {condition}, {lazy.eval(mask, corner, 1).value}")
    return condition
