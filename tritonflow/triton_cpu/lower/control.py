"""Loops, conditionals, jumps and calls. Values that cross them live in *slots*: stack cells for scalars, buffers for
tensors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Block, Function, Op, Value
from tritonflow.triton_cpu.parser import parse_function
from tritonflow.triton_cpu.types import Type, llvm_type, size_of

from . import memory, views
from .analysis import stores_together, values_to_materialise
from .contract import contract
from .lanes import uniform
from .lowering import Induction, Lowering
from .memory import StackBuffer
from .roots import lower_block, lowers


@dataclass(frozen=True, slots=True)
class ValueSlot:
    type: Type
    cell: str = ""
    buffer: StackBuffer | None = None


def new_slots(low: Lowering, values: list[Value]) -> list[ValueSlot]:
    return [
        ValueSlot(v.type, buffer=low.new_buffer(v.type))
        if v.type.is_tensor
        else ValueSlot(v.type, low.b.alloca(llvm_type(v.type.elem)))
        for v in values
    ]


def fill(low: Lowering, slots: list[ValueSlot], values: list[Value]) -> None:
    """Write values to slots, all at once: a value may be computed from what another slot holds now."""
    scalars = [None if slot.buffer else low.scalars[value].value for slot, value in zip(slots, values, strict=True)]
    open_: list[tuple[ValueSlot, Value]] = []
    for slot, value in zip(slots, values, strict=True):
        if slot.buffer and low.buffers.get(value) is not slot.buffer:
            open_.append((slot, value))
    reads = [_buffers_read(low, value) for _, value in open_]
    copies: list[tuple[StackBuffer, StackBuffer]] = []
    for k, (slot, value) in enumerate(open_):
        assert slot.buffer is not None
        mine = slot.buffer.pointer
        needed = any(mine in reads[other] for other in range(len(open_)) if other != k)
        rearranged = mine in reads[k] and not _elementwise_of(low, value, slot.buffer)
        if needed or rearranged:
            temporary = low.new_buffer(value.type)
            low.materialise(value, temporary)
            copies.append((slot.buffer, temporary))
        else:
            low.materialise(value, slot.buffer)
    for target, source in copies:
        copy(low, target, source)
    for slot, scalar in zip(slots, scalars, strict=True):
        if scalar is not None:
            low.b.line(f"store {llvm_type(slot.type.elem)} {scalar}, ptr {slot.cell}")


def _buffers_read(low: Lowering, value: Value) -> set[str]:
    """The buffers that evaluating a value reads."""
    read: set[str] = set()
    seen: set[Value] = set()
    stack = [value]
    while stack:
        v = stack.pop()
        if v in seen or not v.type.is_tensor:
            continue
        seen.add(v)
        if v in low.buffers:
            read.add(low.buffers[v].pointer)
        elif v in low.inductions:
            stack.append(low.inductions[v].initial)
        elif v.op is not None:
            stack.extend(v.op.operands)
    return read


def _elementwise_of(low: Lowering, value: Value, buffer: StackBuffer) -> bool:
    """Whether each element is computed from that same element of the buffer only."""
    fits = True

    def stop_at(v: Value, symbolic: views.Symbolic) -> None:
        nonlocal fits
        if v.op is None:
            return
        for operand in v.op.operands:
            held = low.buffers.get(operand)
            if held is not None and held.pointer == buffer.pointer:
                fits = (
                    fits and views.operand_index(v.op, v, operand, symbolic) == identity and held.shape == buffer.shape
                )

    identity = tuple(range(len(buffer.shape)))
    held = low.buffers.get(value)
    if held is not None:
        return held.shape == buffer.shape
    views.reach(low, value, identity, stop_at)
    return fits


def copy(low: Lowering, target: StackBuffer, source: StackBuffer) -> None:
    size = size_of(memory.stored(target.elem))
    for extent in target.shape:
        size *= extent
    low.b.declare("void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    low.b.cost += low.b.weight * size / 64
    low.b.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {target.pointer}, ptr {source.pointer}, i64 {size}, i1 false)")


def bind(low: Lowering, slots: list[ValueSlot], values: list[Value]) -> None:
    for slot, value in zip(slots, values, strict=True):
        if slot.buffer:
            low.buffers[value] = slot.buffer
        else:
            elem = value.type.elem
            low.scalars[value] = uniform(elem, low.b.inst(f"load {llvm_type(elem)}, ptr {slot.cell}"))


@contextmanager
def may_not_run(low: Lowering, block: Block) -> Iterator[None]:
    """Around a block that control may pass by: a tensor from outside that is stored in it is not stored behind it."""
    before = set(low.buffers)
    yield
    low.buffers = {v: buffer for v, buffer in low.buffers.items() if v in before or v.block is block}


# ---- scf.if


@lowers("scf.if")
def _if(low: Lowering, op: Op) -> None:
    slots = new_slots(low, op.results)

    def arm(block: Block) -> None:
        state = low.in_place
        with may_not_run(low, block):
            lower_block(low, block)
            low.block = block
            if slots:
                fill(low, slots, block.terminator.operands)
        low.block, low.in_place = op.block, state

    otherwise = (lambda: arm(op.regions[1])) if len(op.regions) > 1 else None
    low.b.if_else(low.scalars[op.operands[0]].value, lambda: arm(op.regions[0]), otherwise)
    low.block = op.block
    bind(low, slots, op.results)


# ---- scf.for


@lowers("scf.for")
def _for(low: Lowering, op: Op) -> None:
    _Loop(low, op).lower()


class _Loop:
    def __init__(self, low: Lowering, op: Op) -> None:
        self.low, self.op, self.block = low, op, op.regions[0]
        self.bounds = [low.scalars[v] for v in op.operands[:3]]
        self.initial = op.operands[3:]
        self.args = self.block.args[1:]
        self.yielded = self.block.terminator.operands if self.args else []
        self.steps: dict[Value, Value] = {}  # inductions and what they advance by
        self.slots: dict[Value, ValueSlot] = {}

    def lower(self) -> None:
        low = self.low
        for initial, arg, yielded in zip(self.initial, self.args, self.yielded, strict=True):
            self.carry(initial, arg, yielded)
        low.b.loop(
            self.bounds[0].value, self.bounds[1].value, self.bounds[2].value, self.body,
            self.block.args[0].type.elem, self.op.attrs["unsigned"] == "true",
        )  # fmt: skip
        low.memo, low.block = {}, self.op.block
        for arg, result in zip(self.args, self.op.results, strict=True):
            if arg in self.slots:
                bind(low, [self.slots[arg]], [result])
            elif arg in low.inductions:
                low.inductions[result] = low.inductions[arg]
            else:
                low.buffers[result] = low.buffers[arg]

    def carry(self, initial: Value, arg: Value, yielded: Value) -> None:
        """Decide how a carried value is held, and set its first value."""
        low = self.low
        if not arg.type.is_tensor:
            slot = ValueSlot(arg.type, low.b.alloca(llvm_type(arg.type.elem)))
            low.b.line(f"store {llvm_type(arg.type.elem)} {low.scalars[initial].value}, ptr {slot.cell}")
            self.slots[arg] = slot
            return
        if yielded is arg:
            low.buffers[arg] = low.buffer_of(initial)
            return
        step = _uniform_step(low, arg, yielded)
        if step is not None:
            if initial not in low.buffers and reads_memory(low, initial):
                low.materialise(initial)
            cell = low.b.alloca("i64")
            low.b.line(f"store i64 0, ptr {cell}")
            low.inductions[arg] = Induction(initial, cell)
            self.steps[arg] = step
            return
        slot = ValueSlot(arg.type, buffer=low.new_buffer(arg.type))
        low.materialise(initial, slot.buffer)
        self.slots[arg] = slot
        assert slot.buffer is not None
        low.buffers[arg] = slot.buffer
        if yielded.op is not None and yielded.op.name == "tt.dot" and len(yielded.users) == 1:
            low.in_place[arg] = yielded.op

    def body(self, i: str) -> None:
        with may_not_run(self.low, self.block):
            self.iteration(i)

    def iteration(self, i: str) -> None:
        low = self.low
        low.scalars[self.block.args[0]] = uniform(self.block.args[0].type.elem, i)
        for arg, slot in self.slots.items():
            if not slot.buffer:
                bind(low, [slot], [arg])
        lower_block(low, self.block)
        low.block = self.block
        low.memo = {}
        advances = [(low.inductions[arg].cell, low.scalar_at_zero(step)) for arg, step in self.steps.items()]
        kept = [(arg, y) for arg, y in zip(self.args, self.yielded, strict=True) if arg in self.slots]
        fill(low, [self.slots[arg] for arg, _ in kept], [y for _, y in kept])
        for cell, step in advances:
            by = low.b.sext64(step.elem, step.value)
            low.b.line(f"store i64 {low.b.add('i64', low.b.inst(f'load i64, ptr {cell}'), by)}, ptr {cell}")


def _uniform_step(low: Lowering, arg: Value, yielded: Value) -> Value | None:
    """If `yielded` is `arg` plus the same number for every element: that number."""
    op = yielded.op
    if op is None or op.name not in ("tt.addptr", "arith.addi") or arg.type.elem == "i1":
        return None
    left, right = op.operands
    if left is arg and _splat(low, right):
        return right
    if op.name == "arith.addi" and right is arg and _splat(low, left):
        return left
    return None


def _splat(low: Lowering, value: Value) -> bool:
    if not value.type.is_tensor:
        return True
    if value in low.buffers or value in low.inductions or value.op is None:
        return False
    if value.op.name in ("tt.splat", "arith.constant"):
        return True
    if value.op.name in ("tt.expand_dims", "tt.broadcast") or value.op.name.startswith("arith."):
        return all(_splat(low, operand) for operand in value.op.operands)
    return False


def reads_memory(low: Lowering, value: Value) -> bool:
    found = False

    def visit(v: Value, symbolic: object) -> None:
        nonlocal found
        found = found or (v.op is not None and v.op.name == "tt.load")

    views.reach(low, value, tuple(range(len(value.type.dims))), visit)
    return found or bool(_buffers_read(low, value))


# ---- scf.while


@lowers("scf.while")
def _while(low: Lowering, op: Op) -> None:
    before, after = op.regions
    carried = new_slots(low, before.args)
    results = new_slots(low, op.results)
    fill(low, carried, op.operands)
    b = low.b
    head, inside, done = b.label("while"), b.label("do"), b.label("done")
    weight = b.weight
    b.weight *= 16
    b.jump(head)
    b.place(head)
    bind(low, carried, before.args)
    lower_block(low, before)
    low.block, low.memo = before, {}
    condition = before.terminator
    fill(low, results, condition.operands[1:])
    b.branch(low.scalars[condition.operands[0]].value, inside, done)
    b.place(inside)
    bind(low, results, after.args)
    with may_not_run(low, after):
        lower_block(low, after)
        low.block, low.memo = after, {}
        fill(low, carried, after.terminator.operands)
    b.jump(head)
    b.weight = weight
    b.place(done)
    low.block, low.memo = op.block, {}
    bind(low, results, op.results)


@lowers("scf.condition")
def _condition(low: Lowering, op: Op) -> None:
    """Written by the loop it ends."""


# ---- functions with several blocks, and calls


class Frame:
    """Where the jumps and returns of a function under lowering go."""

    def __init__(self, low: Lowering, blocks: list[Block], results: list[ValueSlot], exit_label: str) -> None:
        self.results, self.exit_label = results, exit_label
        self.labels = {block.label: low.b.label("block") for block in blocks[1:]}
        self.slots = {block.label: new_slots(low, block.args) for block in blocks[1:]}


def lower_function(low: Lowering, function: Function, results: list[ValueSlot], exit_label: str) -> None:
    """A function whose arguments are bound. Control arrives at `exit_label`."""
    if low.target.fma:
        contract(function)
    together = stores_together(function.blocks)
    low.together |= together
    low.chosen |= values_to_materialise(function.blocks, together)
    lower_blocks(low, function.blocks, results, exit_label)


def lower_blocks(low: Lowering, blocks: list[Block], results: list[ValueSlot], exit_label: str) -> None:
    frame = Frame(low, blocks, results, exit_label)
    low.frames.append(frame)
    for number, block in enumerate(blocks):
        if number:
            low.b.place(frame.labels[block.label])
            bind(low, frame.slots[block.label], block.args)
        with may_not_run(low, block):
            lower_block(low, block)
    low.frames.pop()


def _jump(low: Lowering, label: str, operands: list[Value], block: Block) -> str:
    frame = low.frames[-1]
    low.block = block
    fill(low, frame.slots[label], operands)
    return frame.labels[label]


@lowers("cf.br")
def _branch(low: Lowering, op: Op) -> None:
    target = op.successors[0]
    low.b.jump(_jump(low, target.label, target.operands, op.block))


@lowers("cf.cond_br")
def _conditional_branch(low: Lowering, op: Op) -> None:
    yes, no = low.b.label("then"), low.b.label("else")
    low.b.branch(low.scalars[op.operands[0]].value, yes, no)
    for label, target in zip((yes, no), op.successors, strict=True):
        low.b.place(label)
        low.b.jump(_jump(low, target.label, target.operands, op.block))


@lowers("tt.return", "tt.map_elementwise.return")
def _return(low: Lowering, op: Op) -> None:
    frame = low.frames[-1]
    low.block = op.block
    fill(low, frame.results, op.operands)
    low.b.jump(frame.exit_label)


@lowers("tt.call")
def _call(low: Lowering, op: Op) -> None:
    """A call that Triton kept (noinline) is expanded in place, each time anew."""
    name = op.text.split("@", 1)[1]
    name = name[1:].split('"')[0] if name.startswith('"') else name.split("(")[0]
    if len(low.frames) > 16:
        raise UnsupportedError("a recursive function", op.line, op.text)
    function = parse_function(low.functions[name])
    for value, arg in zip(op.operands, function.args, strict=True):
        if arg.type.is_tensor:
            low.buffers[arg] = low.buffer_of(value)
        else:
            low.scalars[arg] = low.scalars[value]
    results = new_slots(low, op.results)
    done = low.b.label("returned")
    outer = low.block
    lower_function(low, function, results, done)
    low.b.place(done)
    low.block, low.memo = outer, {}
    bind(low, results, op.results)
