"""The walk over a block, and the rules of roots: stores, and what moves elements through memory."""

from __future__ import annotations

from collections.abc import Callable

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Block, Op, Value
from tritonflow.triton_cpu.types import literal, pointee, size_of

from . import elementwise, memory
from .analysis import base_pointer, is_root
from .lanes import Index, Lanes, uniform
from .lowering import Lowering
from .masks import MaskUse, monotone
from .memory import StackBuffer
from .transpose import materialise_transposed_loads
from .views import reach

Rule = Callable[[Lowering, Op], None]
RULES: dict[str, Rule] = {}
_AHEAD = 4  # rows
_NOTHING = frozenset("tt.reduce.return tt.scan.return gpu.barrier ttg.barrier scf.yield".split())


def lowers(*names: str) -> Callable[[Rule], Rule]:
    """Register the rule of an operation that emits code where it stands."""

    def register(rule: Rule) -> Rule:
        for name in names:
            RULES[name] = rule
        return rule

    return register


def lower_block(low: Lowering, block: Block) -> None:
    """The operations of a block, in order."""
    with low.within(block):
        for op in block.ops:
            with low.lazy.memo_scope():
                lower_op(low, op)


def lower_op(low: Lowering, op: Op) -> None:
    """One operation: emit its code, or note how its result is evaluated."""
    try:
        _lower(low, op)
    except UnsupportedError as error:
        error.about(op.line, op.text)
        raise


def _lower(low: Lowering, op: Op) -> None:
    if op.name in _NOTHING:
        return
    rule = RULES.get(op.name)
    if rule is not None and (op.name not in ("tt.reshape", "tt.gather") or is_root(op)):
        rule(low, op)
    elif not op.results:
        raise UnsupportedError(op.name, op.line, op.text)
    elif op.result.type.is_tensor:
        for value in op.results:
            _define_tensor(low, value)
    else:
        low.values.scalars[op.result] = _scalar(low, op)


def _define_tensor(low: Lowering, value: Value) -> None:
    """Materialise a chosen value if it must be read now, or a root in another block needs it."""
    assert value.op is not None
    if value not in low.values.chosen:
        return
    nested = any(user is not None and user.block is not value.block for user in _root_users(value))
    if nested or value.op.name == "tt.load":
        low.materialise(value)


def _root_users(value: Value) -> list[Op]:
    found, stack, seen = [], [value], {value}
    while stack:
        for user in stack.pop().users:
            if is_root(user):
                found.append(user)
            else:
                stack.extend(r for r in user.results if r not in seen)
                seen.update(user.results)
    return found


def _scalar(low: Lowering, op: Op) -> Lanes:
    elem = op.result.type.elem
    if op.name == "arith.constant":
        return uniform(elem, literal(elem, op.attrs["value"]))
    args = [low.values.scalars[operand] for operand in op.operands]
    if op.name == "tt.load":
        mask, other = args[1] if len(args) > 1 else None, args[2] if len(args) > 2 else None
        return memory.load(low.lb, args[0], low.lazy.check.inside(op, args[0], mask, elem, 1), other, elem, 1)
    return elementwise.evaluate(low.lb, op, args, elem, 1)


def _materialise_overlapping_loads(low: Lowering, values: list[Value], pointer: Value) -> None:
    """Buffers for loads from the array that a store overwrites, but for loads of what it
    overwrites.

    A store reads and writes chunk by chunk, so it could overwrite what a later chunk reads.
    """
    base = base_pointer(pointer)
    overlapping: list[Value] = []

    def visit(value: Value, symbolic: object) -> None:
        if value.op is None or value.op.name != "tt.load" or value.op.operands[0] is pointer:
            return
        other = base_pointer(value.op.operands[0])
        if base is None or other is None or other is base:
            overlapping.append(value)

    for value in values:
        reach(low.values, value, tuple(range(len(value.type.dims))), visit)
    for value in overlapping:
        if value not in low.values.buffers:
            low.materialise(value)


@lowers("tt.store")
def _store(low: Lowering, op: Op) -> None:
    pointer, value = op.operands[:2]
    if "boundaryCheck" in op.attrs:
        raise UnsupportedError("a store through a block pointer", op.line, op.text)
    if pointer.type.is_tensor:
        stores = low.stores_at[op]
        if stores:
            _store_tensors(low, stores)
        return
    elem = pointee(pointer.type.elem)
    condition = low.values.scalars[op.operands[2]] if len(op.operands) > 2 else None
    condition = low.lazy.check.inside(op, low.values.scalars[pointer], condition, elem, 1)
    memory.store(low.lb, low.values.scalars[pointer], low.values.scalars[value], condition, elem, 1)


def _store_tensors(low: Lowering, stores: tuple[Op, ...]) -> None:
    """Stores under one mask. Of each chunk, all that they need is read before any is written."""
    pointers, values = [[op.operands[k] for op in stores] for k in (0, 1)]
    masks = stores[0].operands[2:]
    operands = [*pointers, *values, *masks]
    for pointer in pointers:
        _materialise_overlapping_loads(low, operands, pointer)
    materialise_transposed_loads(low, values)

    def body(index: Index, width: int) -> None:
        if not low.product_stores.isdisjoint(stores):
            _prefetch_rows(low, pointers, index, width)
        data = [low.lazy.eval(value, index, width) for value in values]
        holds = [low.lazy.eval(mask, index, width) for mask in masks if mask not in low.lazy.masks.true]
        for op, lane in zip(stores, data):
            elem = pointee(op.operands[0].type.elem)
            where = low.lazy.eval(op.operands[0], index, width)
            condition = low.lazy.check.inside(op, where, holds[0] if holds else None, elem, width)
            memory.store(low.lb, where, lane, condition, elem, width, op.attrs.get("cacheModifier") == "cs")

    shape = pointers[0].type.dims
    pending = low.prepare(operands, shape)
    bounding = bool(masks) and not pending and monotone(low.values, masks[0])
    store_mask = MaskUse(masks[0], tuple(range(len(shape)))) if bounding else None
    low.loops.run(operands, shape, body, pending, masks, store_mask=store_mask)


def _prefetch_rows(low: Lowering, pointers: list[Value], index: Index, width: int) -> None:
    """Prefetch a later row of the tile.

    Rows are far apart, so the processor does not predict it.
    """
    later = uniform("i32", low.b.add("i32", index[0].value, str(_AHEAD))), *index[1:]
    for pointer in pointers:
        where = low.lazy.eval(pointer, later, width)
        memory.prefetch(low.lb, where, size_of(pointee(pointer.type.elem)), width, write=True)


@lowers("tt.get_program_id")
def _program_id(low: Lowering, op: Op) -> None:
    low.values.scalars[op.result] = uniform("i32", "%pid_" + op.attrs["body"])


@lowers("tt.get_num_programs")
def _num_programs(low: Lowering, op: Op) -> None:
    low.values.scalars[op.result] = uniform("i32", "%g" + op.attrs["body"])


@lowers("llvm.intr.assume")
def _assume(low: Lowering, op: Op) -> None:
    low.b.declare("void @llvm.assume(i1)")
    low.b.line(f"call void @llvm.assume(i1 {low.values.scalars[op.operands[0]].value})")


@lowers("tt.reshape")
def _reshape(low: Lowering, op: Op) -> None:
    operand = op.operands[0]
    source = low.buffer_of(operand)
    if operand.op is None:  # a loop-carried tensor: its buffer is written at the end of the iteration
        copy = low.new_buffer(operand.type)

        def write(index: Index, width: int) -> None:
            memory.write_buffer(low.lb, copy, index, low.lazy.eval(operand, index, width), width)

        low.loops.run([operand], operand.type.dims, write)
        source = copy
    low.values.buffers[op.result] = StackBuffer(source.pointer, op.result.type.dims, source.elem)


@lowers("tt.unsplat")
def _unsplat(low: Lowering, op: Op) -> None:
    low.values.scalars[op.result] = low.lazy.at_zero(op.operands[0])


@lowers("tt.cat")
def _cat(low: Lowering, op: Op) -> None:
    result = low.new_buffer(op.result.type)
    start = 0
    for operand in op.operands:
        part = StackBuffer(
            low.b.inst(f"getelementptr i8, ptr {result.pointer}, i64 {start}"), operand.type.dims, result.elem
        )
        low.materialise(operand, part)
        start += operand.type.size * size_of(memory.stored(result.elem))
    low.values.buffers[op.result] = result


@lowers("tt.gather")
def _gather(low: Lowering, op: Op) -> None:
    source, where = op.operands
    axis, shape = int(op.attrs["axis"]), op.result.type.dims
    table = low.buffer_of(source)
    result = low.new_buffer(op.result.type)
    pending = low.prepare([where], shape)

    def body(index: Index, width: int) -> None:
        position = low.lazy.eval(where, index, width)
        if position.elem != "i32":
            position = low.lb.cast("trunc" if position.elem == "i64" else "sext", position, "i32", width)
        # A position outside the table reads some element of it: it must not read elsewhere.
        last = uniform("i32", table.shape[axis] - 1)
        position = low.lb.op("and", [position, last], "i32", width)
        value = memory.read_buffer(low.lb, table, index[:axis] + (position,) + index[axis + 1 :], width)
        memory.write_buffer(low.lb, result, index, value, width)

    low.loops.run([where], shape, body, pending)
    low.values.buffers[op.result] = result


@lowers("tt.histogram")
def _histogram(low: Lowering, op: Op) -> None:
    source, counts = op.operands[0], low.new_buffer(op.result.type)
    mask = op.operands[1] if len(op.operands) > 1 else None
    bins, elem = op.result.type.dims[0], op.result.type.elem

    def clear(index: Index, width: int) -> None:
        memory.write_buffer(low.lb, counts, index, uniform(elem, 0), width)

    low.loops.run([], (bins,), clear)
    operands = [v for v in (source, mask) if v is not None]
    pending = low.prepare(operands, source.type.dims)

    def count(index: Index, width: int) -> None:
        bin_ = low.lazy.eval(source, index, 1)
        wanted = low.lb.op("icmp ult", [bin_, uniform(bin_.elem, bins)], "i1", 1)
        if mask is not None:
            wanted = low.lb.op("and", [wanted, low.lazy.eval(mask, index, 1)], "i1", 1)

        def add() -> None:
            at = low.b.inst(f"zext {bin_.elem} {bin_.value} to i64") if bin_.elem != "i64" else bin_.value
            cell = low.b.inst(f"getelementptr {elem}, ptr {counts.pointer}, i64 {at}")
            more = low.b.inst(f"add {elem} {low.b.inst(f'load {elem}, ptr {cell}')}, 1")
            low.b.line(f"store {elem} {more}, ptr {cell}")

        low.b.if_else(wanted.value, add)

    low.loops.run(operands, source.type.dims, count, pending, width=1)
    low.values.buffers[op.result] = counts
