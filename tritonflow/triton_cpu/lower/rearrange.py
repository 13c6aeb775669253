"""Operations that only rearrange: each element of the result is an element of an operand."""

from __future__ import annotations

from collections.abc import Iterable

from tritonflow.triton_cpu.ir import Op, Value

from .analysis import TABLE, cut_to_split, table_of, trivial_reshape
from .evaluate import LazyEvaluator, evaluates
from .lane_kinds import constant_of
from .lanes import Index, LaneBuilder, Lanes, made, uniform, vector_type
from .memory import StackBuffer
from .views import permutation


@evaluates("tt.splat")
def _splat(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    return lazy.values.scalars[op.operands[0]]


@evaluates("tt.make_range")
def _range(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    return lazy.lb.add(index[0], uniform("i32", op.attrs["start"]), "i32", width)


@evaluates("tt.expand_dims")
def _expand(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    axis = int(op.attrs["axis"])
    return lazy.eval(op.operands[0], index[:axis] + index[axis + 1 :], width)


@evaluates("tt.broadcast")
def _broadcast(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    dims = zip(op.operands[0].type.dims, value.type.dims, index, strict=True)
    at = tuple(uniform("i32", 0) if old == 1 and new != 1 else i for old, new, i in dims)
    return lazy.eval(op.operands[0], at, width)


@evaluates("tt.trans")
def _transpose(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    at = list(index)
    for k, d in enumerate(permutation(op)):
        at[d] = index[k]
    return lazy.eval(op.operands[0], tuple(at), width)


@evaluates("tt.reshape")
def _reshape(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    if not trivial_reshape(op):
        return _cut(lazy, op, value, index, width)
    wide = iter([i for i, extent in zip(index, value.type.dims, strict=True) if extent > 1])
    at = tuple(next(wide) if extent > 1 else uniform("i32", 0) for extent in op.operands[0].type.dims)
    return lazy.eval(op.operands[0], at, width)


def _cut(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    """A last dimension that is cut: the indices of the pieces are the digits of its index."""
    assert cut_to_split(op)
    outer = len(op.operands[0].type.dims) - 1
    last = uniform("i32", 0)
    for extent, digit in zip(value.type.dims[outer:], index[outer:], strict=True):
        last = lazy.lb.add(lazy.lb.mul(last, uniform("i32", extent), "i32", width), digit, "i32", width)
    return lazy.eval(op.operands[0], (*index[:outer], last), width)


@evaluates("tt.join")
def _join(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    left, right = (lazy.eval(operand, index[:-1], width) for operand in op.operands)
    first = lazy.lb.op("icmp eq", [index[-1], uniform("i32", 0)], "i1", width)
    return lazy.lb.select(first, left, right, value.type.elem, width)


@evaluates("tt.split")
def _split(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    return lazy.eval(op.operands[0], (*index, uniform("i32", value.index)), width)


@evaluates("tt.gather")
def _look_up(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    """Numbers of a table of 16, which is evaluated ahead. A position outside of it counts modulo 16."""
    axis, table = int(op.attrs["axis"]), table_of(op)
    assert table is not None
    position = lazy.eval(_without_mask(op.operands[1]), index, width)
    buffer = lazy.values.buffers.get(table)
    if buffer is not None and lazy.lb.avx512 and width % TABLE == 0:
        return _permuted(lazy.lb, buffer, position, width)
    position = lazy.lb.op("and", [position, uniform("i32", TABLE - 1)], "i32", width)
    return lazy.eval(op.operands[0], (*index[:axis], position, *index[axis + 1 :]), width)


def _without_mask(position: Value) -> Value:
    """A position without an `and` that leaves its last four bits as they are."""
    op = position.op
    if op is None or op.name != "arith.andi":
        return position
    mask = constant_of(op.operands[1])
    return op.operands[0] if mask is not None and mask & (TABLE - 1) == TABLE - 1 else position


def _permuted(lb: LaneBuilder, table: StackBuffer, position: Lanes, width: int) -> Lanes:
    """The elements of a table at `width` positions, a multiple of 16: `vpermps` takes each position's last four bits."""
    out, type_, suffix = lb.b, vector_type(table.elem, TABLE), {"f32": "sf", "i32": "si"}[table.elem]
    out.declare(f"{type_} @llvm.x86.avx512.permvar.{suffix}.512({type_}, <{TABLE} x i32>)")
    numbers, where = out.inst(f"load {type_}, ptr {table.pointer}, align 64"), lb.vec(position, width)
    parts = []
    for first in range(0, width, TABLE):
        at = _lanes(lb, f"<{width} x i32>", [where, where], range(first, first + TABLE))
        parts.append(
            out.inst(f"call {type_} @llvm.x86.avx512.permvar.{suffix}.512({type_} {numbers}, <{TABLE} x i32> {at})")
        )
    while len(parts) > 1:
        size = width // len(parts)
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [_lanes(lb, vector_type(table.elem, size), pair, range(2 * size)) for pair in pairs]
    return made(table.elem, parts[0], width)


def _lanes(lb: LaneBuilder, type_: str, pair: Iterable[str], lanes: Iterable[int]) -> str:
    """Lanes of two vectors of one type."""
    order = [f"i32 {lane}" for lane in lanes]
    left, right = (f"{type_} {vector}" for vector in pair)
    return lb.b.inst(f"shufflevector {left}, {right}, <{len(order)} x i32> <{', '.join(order)}>")
