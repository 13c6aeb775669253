"""Operands of products: whether they can be read from the memory that they were loaded from.

The left one can if its rows are runs of memory: at one distance, or wherever each of them begins,
as the pixels under a convolution's tap do. The right one can if it lies in panels as wide as a
micro-kernel's.
"""

from __future__ import annotations

from typing import NamedTuple

from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import is_float, pointee, size_of

from . import convert, memory
from .bounds import gives_zeros
from .builder import Builder
from .evaluate import LazyEvaluator
from .lanes import Index, LaneBuilder, Lanes, affine, uniform
from .masks import monotone
from .state import KnownValues

_SUMS = frozenset("tt.addptr arith.addi arith.subi arith.extsi tt.expand_dims tt.broadcast".split())
_SCALARS = ("tt.splat", "arith.constant")
_FAR = 64  # elements: rows of a panel that are further apart do not share what a CPU fetches ahead


class Rows(NamedTuple):
    """Element (i, k) is `i * row + k * step` elements behind the pointer.

    Both are i64, literal or not.
    """

    pointer: str
    row: str
    step: str

    def first(self, b: Builder, elem: str, i: str) -> str:
        """The address of row i."""
        return b.inst(f"getelementptr {elem}, ptr {self.pointer}, i64 {b.mul('i64', b.sext64('i32', i), self.row)}")


class ScatteredRows(NamedTuple):
    """Element (i, k) is k elements behind the i-th address of a table."""

    table: str
    step: str = "1"

    def first(self, b: Builder, elem: str, i: str) -> str:
        """The address of row i."""
        return b.inst(f"load ptr, ptr {self.at(b, i)}")

    def at(self, b: Builder, i: str) -> str:
        """Where the table has row i."""
        return b.inst(f"getelementptr ptr, ptr {self.table}, i64 {b.sext64('i32', i)}")


class Runs(NamedTuple):
    """A loaded tensor whose rows are runs of memory.

    Attributes:
        pointer: to its elements.
        by_row: masks that say of whole rows whether they are loaded.
        by_column: masks that cut all rows alike.
    """

    pointer: Value
    by_row: list[Value]
    by_column: list[Value]


class Panels(NamedTuple):
    """The right operand, in panels.

    Attributes:
        packed: the address of packed panels.
        pointer: to the operand's elements, if they lie in panels themselves.
        whole: the condition under which they are read there.
        step: elements from a row of a panel to the next one, i32.
    """

    packed: str
    pointer: Value | None
    whole: str
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
    if not _is_load(lazy, a) or load is None:
        return None
    pointer = load.operands[0]
    if not _linear(known, pointer) or not neighbours(lazy, pointer):
        return None
    mask = load.operands[1] if len(load.operands) > 1 else None
    if mask is not None and not monotone(known, mask):
        return None
    with lazy.memo_scope():
        first, second = (lazy.eval(pointer, (uniform("i32", i), uniform("i32", 0)), 1).value for i in (0, 1))
    ends = [lazy.b.inst(f"ptrtoint ptr {p} to i64") for p in (second, first)]
    row = lazy.b.inst(f"sdiv exact i64 {lazy.b.sub('i64', *ends)}, {size_of(a.type.elem)}")
    return Rows(first, row, "1"), "true" if mask is None else _whole(lazy, mask, a.type.dims[0], depth)


def runs_of(lazy: LazyEvaluator, a: Value) -> Runs | None:
    """What a loaded tensor is read by whose rows begin anywhere; None if it is another one, or masks cut it otherwise."""
    load, known = a.op, lazy.values
    if not _is_load(lazy, a) or load is None or not _linear(known, load.operands[0], 1):
        return None
    found = Runs(load.operands[0], [], [])
    masks = list(load.operands[1:2])
    if masks and not gives_zeros(load):
        return None
    while masks:
        mask = masks.pop()
        op: Op | None = mask.op
        if op is not None and op.name == "arith.andi":
            masks += op.operands
        elif op is not None and op.name == "tt.broadcast" and op.operands[0].type.dims[1] == 1:
            found.by_row.append(mask)
        elif monotone(known, mask) and op is not None and op.name == "tt.broadcast":
            found.by_column.append(mask)
        else:
            return None
    return found


def panels_of(lazy: LazyEvaluator, b: Value, panel: int) -> tuple[Value, int, Value | None] | None:
    """Where a loaded tensor lies in panels of so many columns: its pointer, elements from row to row, its mask."""
    load, known = b.op, lazy.values
    if not _is_load(lazy, b) or load is None or not _linear(known, load.operands[0], 0):
        return None
    pointer, mask = load.operands[0], load.operands[1] if len(load.operands) > 1 else None
    if mask is not None and not monotone(known, mask):
        return None
    size, zero = size_of(b.type.elem), uniform("i32", 0)
    with lazy.trial():
        columns = lazy.eval(pointer, (zero, affine("i32", "0", tuple(range(panel)), panel)), panel)
    with lazy.trial():
        rows = lazy.eval(pointer, (affine("i32", "0", (0, 1)), zero), 2)
    if not memory.contiguous(columns, size, panel) or rows.offsets is None:
        return None
    step, rest = divmod(rows.offsets[1] - rows.offsets[0], size)
    return (pointer, step, mask) if rest == 0 and panel <= step <= _FAR else None


def _is_load(lazy: LazyEvaluator, value: Value) -> bool:
    known = lazy.values
    there = value in known.buffers or value in known.chosen
    return not lazy.check.enabled and value.op is not None and value.op.name == "tt.load" and not there


def _linear(known: KnownValues, value: Value, dim: int | None = None) -> bool:
    """A constant distance between neighbours along every dimension, known or not; or along one of two."""
    if not value.type.is_tensor or (dim is not None and len(value.type.dims) == 2 and value.type.dims[dim] == 1):
        return True
    if value in known.inductions:
        return _linear(known, known.inductions[value].initial, dim)
    op = value.op
    if op is None or value in known.buffers or value in known.chosen:
        return False
    if op.name == "arith.muli":
        return any(map(_is_scalar, op.operands)) and all(_linear(known, operand, dim) for operand in op.operands)
    if op.name in _SUMS:
        return all(_linear(known, operand, dim) for operand in op.operands)
    return op.name in _SCALARS or op.name == "tt.make_range"


def _is_scalar(value: Value) -> bool:
    op: Op | None = value.op
    while op is not None and op.name in ("tt.expand_dims", "tt.broadcast"):
        op = op.operands[0].op
    return op is not None and op.name in _SCALARS


def neighbours(lazy: LazyEvaluator, pointer: Value) -> bool:
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
