"""The left operand of a product where it lies in memory: a tile that masks leave whole need not be copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import pointee, size_of

from . import masks, memory
from .lanes import affine, uniform
from .lowering import Index

if TYPE_CHECKING:
    from .lowering import Lowering

_SUMS = frozenset("tt.addptr arith.addi arith.subi arith.extsi tt.expand_dims tt.broadcast".split())
_SCALARS = ("tt.splat", "arith.constant")


class Rows(NamedTuple):
    """Element (i, k) is `i * row + k * step` elements behind the pointer; both are i64, literal or not."""

    pointer: str
    row: str
    step: str


def in_memory(low: Lowering, a: Value, depth: str) -> tuple[Rows, str] | None:
    """Where a loaded tensor lies, and the condition under which it may be read there: no mask cuts its first `depth` columns.

    None unless rows are at one distance and their elements neighbours.
    """
    load = a.op
    if low.checked or load is None or load.name != "tt.load" or a in low.buffers or a in low.chosen:
        return None
    pointer = load.operands[0]
    if not _linear(low, pointer) or not _neighbours(low, pointer):
        return None
    mask = load.operands[1] if len(load.operands) > 1 else None
    if mask is not None and not masks.monotone(low, mask):
        return None
    first, second = (low.eval(pointer, (uniform("i32", i), uniform("i32", 0)), 1).value for i in (0, 1))
    ends = [low.b.inst(f"ptrtoint ptr {p} to i64") for p in (second, first)]
    row = low.b.inst(f"sdiv exact i64 {low.b.sub('i64', *ends)}, {size_of(a.type.elem)}")
    return Rows(first, row, "1"), "true" if mask is None else _whole(low, mask, a.type.dims[0], depth)


def _linear(low: Lowering, value: Value) -> bool:
    """A constant distance between neighbours along every dimension, known or not."""
    if not value.type.is_tensor:
        return True
    if value in low.inductions:
        return _linear(low, low.inductions[value].initial)
    op = value.op
    if op is None or value in low.buffers or value in low.chosen:
        return False
    if op.name == "arith.muli":
        return any(map(_is_scalar, op.operands)) and all(_linear(low, operand) for operand in op.operands)
    if op.name in _SUMS:
        return all(_linear(low, operand) for operand in op.operands)
    return op.name in _SCALARS or op.name == "tt.make_range"


def _is_scalar(value: Value) -> bool:
    op: Op | None = value.op
    while op is not None and op.name in ("tt.expand_dims", "tt.broadcast"):
        op = op.operands[0].op
    return op is not None and op.name in _SCALARS


def _neighbours(low: Lowering, pointer: Value) -> bool:
    low.memo = {}
    lane = low.eval(pointer, (uniform("i32", 0), affine("i32", "0", (0, 1))), 2)
    return memory.contiguous(lane, size_of(pointee(pointer.type.elem)), 2)


def _whole(low: Lowering, mask: Value, rows: int, depth: str) -> str:
    """Whether a mask that is true in a box if it is at the corners is true for all rows of `depth` columns."""
    b, condition = low.b, "true"
    last = b.sub("i32", depth, "1")
    corners: list[Index] = [(uniform("i32", i), uniform("i32", k)) for i in (0, rows - 1) for k in ("0", last)]
    for corner in corners:
        low.memo = {}
        condition = b.inst(f"and i1 {condition}, {low.eval(mask, corner, 1).value}")
    low.memo = {}
    return condition
