"""Loops, conditionals, jumps and calls. Values that cross them are in slots."""

from __future__ import annotations

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Block, Function, Op, Value
from tritonflow.triton_cpu.parser import parse_function
from tritonflow.triton_cpu.types import llvm_type, size_of

from . import memory, views
from .analysis import stores_together, values_to_materialise
from .contract import contract
from .lanes import uniform
from .lowering import Frame, Lowering, ValueSlot
from .memory import StackBuffer
from .roots import lower_block, lowers
from .state import Induction, KnownValues

_WHILE_TRIPS = 16.0  # an estimate for the cost


def new_slots(low: Lowering, values: list[Value]) -> list[ValueSlot]:
    """Memory for values that cross control flow."""
    return [
        ValueSlot(v.type, buffer=low.new_buffer(v.type))
        if v.type.is_tensor
        else ValueSlot(v.type, low.b.alloca(llvm_type(v.type.elem)))
        for v in values
    ]


def fill(low: Lowering, slots: list[ValueSlot], values: list[Value]) -> None:
    """Write values to slots, as if at once: a value may be
    computed from what another slot has now.
    """
    scalars = [
        None if slot.buffer else low.values.scalars[value].value for slot, value in zip(slots, values, strict=True)
    ]
    tensors: list[tuple[StackBuffer, Value]] = []
    for slot, value in zip(slots, values, strict=True):
        if slot.buffer and low.values.buffers.get(value) is not slot.buffer:
            tensors.append((slot.buffer, value))
    reads = [_buffers_read(low.values, value) for _, value in tensors]
    copies: list[tuple[StackBuffer, StackBuffer]] = []
    for k, (buffer, value) in enumerate(tensors):
        needed = any(buffer.pointer in reads[other] for other in range(len(tensors)) if other != k)
        rearranged = buffer.pointer in reads[k] and not _elementwise_of(low.values, value, buffer)
        if needed or rearranged:
            temporary = low.new_buffer(value.type)
            low.materialise(value, temporary)
            copies.append((buffer, temporary))
        else:
            low.materialise(value, buffer)
    for target, source in copies:
        copy(low, target, source)
    for slot, scalar in zip(slots, scalars, strict=True):
        if scalar is not None:
            low.b.line(f"store {llvm_type(slot.type.elem)} {scalar}, ptr {slot.cell}")


def _buffers_read(known: KnownValues, value: Value) -> set[str]:
    """The buffers that evaluating a value reads."""
    read: set[str] = set()
    seen: set[Value] = set()
    stack = [value]
    while stack:
        v = stack.pop()
        if v in seen or not v.type.is_tensor:
            continue
        seen.add(v)
        if v in known.buffers:
            read.add(known.buffers[v].pointer)
        elif v in known.inductions:
            stack.append(known.inductions[v].initial)
        elif v.op is not None:
            stack.extend(v.op.operands)
    return read


def _elementwise_of(known: KnownValues, value: Value, buffer: StackBuffer) -> bool:
    """Whether each element is computed from that same element of the buffer only."""
    fits = True

    def stop_at(v: Value, symbolic: views.Symbolic) -> None:
        nonlocal fits
        if v.op is None:
            return
        for operand in v.op.operands:
            held = known.buffers.get(operand)
            if held is not None and held.pointer == buffer.pointer:
                fits = (
                    fits and views.operand_index(v.op, v, operand, symbolic) == identity and held.shape == buffer.shape
                )

    identity = tuple(range(len(buffer.shape)))
    held = known.buffers.get(value)
    if held is not None:
        return held.shape == buffer.shape
    views.reach(known, value, identity, stop_at)
    return fits


def copy(low: Lowering, target: StackBuffer, source: StackBuffer) -> None:
    """Copy a buffer."""
    size = size_of(memory.stored(target.elem))
    for extent in target.shape:
        size *= extent
    low.b.declare("void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    low.b.cost += low.b.weight * size / 64
    low.b.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {target.pointer}, ptr {source.pointer}, i64 {size}, i1 false)")


def bind(low: Lowering, slots: list[ValueSlot], values: list[Value]) -> None:
    """What slots hold now is known as these values."""
    for slot, value in zip(slots, values, strict=True):
        if slot.buffer:
            low.values.buffers[value] = slot.buffer
        else:
            elem = value.type.elem
            low.values.scalars[value] = uniform(elem, low.b.inst(f"load {llvm_type(elem)}, ptr {slot.cell}"))


# ---- scf.if


@lowers("scf.if")
def _if(low: Lowering, op: Op) -> None:
    slots = new_slots(low, op.results)

    def arm(block: Block) -> None:
        with low.values.may_not_run(block):
            lower_block(low, block)
            if slots:
                with low.within(block):
                    fill(low, slots, block.terminator.operands)

    otherwise = (lambda: arm(op.regions[1])) if len(op.regions) > 1 else None
    low.b.if_else(low.values.scalars[op.operands[0]].value, lambda: arm(op.regions[0]), otherwise)
    bind(low, slots, op.results)


# ---- scf.for


@lowers("scf.for")
def _for(low: Lowering, op: Op) -> None:
    _Loop(low, op).lower()


class _Loop:
    def __init__(self, low: Lowering, op: Op) -> None:
        self.low, self.op, self.block = low, op, op.regions[0]
        self.bounds = [low.values.scalars[v] for v in op.operands[:3]]
        self.initial = op.operands[3:]
        self.args = self.block.args[1:]
        self.yielded = self.block.terminator.operands if self.args else []
        self.steps: dict[Value, Value] = {}  # inductions and what they advance by
        self.slots: dict[Value, ValueSlot] = {}

    def lower(self) -> None:
        low = self.low
        for initial, arg, yielded in zip(self.initial, self.args, self.yielded, strict=True):
            self.carry(initial, arg, yielded)
        begin, end, step = (bound.value for bound in self.bounds)
        unsigned = self.op.attrs["unsigned"] == "true"
        low.b.loop(begin, end, step, self.body, self.block.args[0].type.elem, unsigned)
        for arg, result in zip(self.args, self.op.results, strict=True):
            if arg in self.slots:
                bind(low, [self.slots[arg]], [result])
            elif arg in low.values.inductions:
                low.values.inductions[result] = low.values.inductions[arg]
            else:
                low.values.buffers[result] = low.values.buffers[arg]

    def carry(self, initial: Value, arg: Value, yielded: Value) -> None:
        """Decide whether a carried value is an induction or has a slot, and set its first value."""
        low = self.low
        if not arg.type.is_tensor:
            slot = ValueSlot(arg.type, low.b.alloca(llvm_type(arg.type.elem)))
            low.b.line(f"store {llvm_type(arg.type.elem)} {low.values.scalars[initial].value}, ptr {slot.cell}")
            self.slots[arg] = slot
            return
        if yielded is arg:
            low.values.buffers[arg] = low.buffer_of(initial)
            return
        step = _uniform_step(low.values, arg, yielded)
        if step is not None:
            if initial not in low.values.buffers and reads_memory(low.values, initial):
                low.materialise(initial)
            cell = low.b.alloca("i64")
            low.b.line(f"store i64 0, ptr {cell}")
            low.values.inductions[arg] = Induction(initial, cell)
            self.steps[arg] = step
            return
        slot = ValueSlot(arg.type, buffer=low.new_buffer(arg.type))
        low.materialise(initial, slot.buffer)
        self.slots[arg] = slot
        assert slot.buffer is not None
        low.values.buffers[arg] = slot.buffer
        if yielded.op is not None and yielded.op.name == "tt.dot" and len(yielded.users) == 1:
            low.dot_updates[arg] = yielded.op

    def body(self, i: str) -> None:
        with self.low.values.may_not_run(self.block):
            self.iteration(i)

    def iteration(self, i: str) -> None:
        low = self.low
        low.values.scalars[self.block.args[0]] = uniform(self.block.args[0].type.elem, i)
        for arg, slot in self.slots.items():
            if not slot.buffer:
                bind(low, [slot], [arg])
        lower_block(low, self.block)
        with low.within(self.block):
            self.advance()

    def advance(self) -> None:
        """The carried values of the next iteration."""
        low = self.low
        steps = [(low.values.inductions[arg].cell, low.lazy.at_zero(step)) for arg, step in self.steps.items()]
        in_slots = [(arg, y) for arg, y in zip(self.args, self.yielded, strict=True) if arg in self.slots]
        fill(low, [self.slots[arg] for arg, _ in in_slots], [y for _, y in in_slots])
        for cell, step in steps:
            by = low.b.sext64(step.elem, step.value)
            low.b.line(f"store i64 {low.b.add('i64', low.b.inst(f'load i64, ptr {cell}'), by)}, ptr {cell}")


def _uniform_step(known: KnownValues, arg: Value, yielded: Value) -> Value | None:
    """If `yielded` is `arg` plus the same number for every element: that number."""
    op = yielded.op
    if op is None or op.name not in ("tt.addptr", "arith.addi") or arg.type.elem == "i1":
        return None
    left, right = op.operands
    if left is arg and _splat(known, right):
        return right
    if op.name == "arith.addi" and right is arg and _splat(known, left):
        return left
    return None


def _splat(known: KnownValues, value: Value) -> bool:
    """Whether all elements of a value are one number, told from the operations alone."""
    if not value.type.is_tensor:
        return True
    if value in known.buffers or value in known.inductions or value.op is None:
        return False
    if value.op.name in ("tt.splat", "arith.constant"):
        return True
    if value.op.name in ("tt.expand_dims", "tt.broadcast") or value.op.name.startswith("arith."):
        return all(_splat(known, operand) for operand in value.op.operands)
    return False


def reads_memory(known: KnownValues, value: Value) -> bool:
    """Whether evaluating a value reads memory or a buffer."""
    found = False

    def visit(v: Value, symbolic: object) -> None:
        nonlocal found
        found = found or (v.op is not None and v.op.name == "tt.load")

    views.reach(known, value, tuple(range(len(value.type.dims))), visit)
    return found or bool(_buffers_read(known, value))


# ---- scf.while


@lowers("scf.while")
def _while(low: Lowering, op: Op) -> None:
    before, after = op.regions
    carried = new_slots(low, before.args)
    results = new_slots(low, op.results)
    fill(low, carried, op.operands)
    b = low.b
    head, inside, done = b.label("while"), b.label("do"), b.label("done")
    with b.weighted(_WHILE_TRIPS):
        b.jump(head)
        b.begin_block(head)
        bind(low, carried, before.args)
        lower_block(low, before)
        condition = before.terminator
        with low.within(before):
            fill(low, results, condition.operands[1:])
        b.branch(low.values.scalars[condition.operands[0]].value, inside, done)
        b.begin_block(inside)
        bind(low, results, after.args)
        with low.values.may_not_run(after):
            lower_block(low, after)
            with low.within(after):
                fill(low, carried, after.terminator.operands)
        b.jump(head)
    b.begin_block(done)
    bind(low, results, op.results)


@lowers("scf.condition")
def _condition(low: Lowering, op: Op) -> None:
    """Written by the loop it ends."""


# ---- functions with several blocks, and calls


def lower_function(low: Lowering, function: Function, results: list[ValueSlot], exit_label: str) -> None:
    """A function whose arguments are bound. Control arrives at `exit_label`."""
    if low.target.fma:
        contract(function)
    together = stores_together(function.blocks)
    low.stores_at |= together
    low.values.chosen |= values_to_materialise(function.blocks, together)
    lower_blocks(low, function.blocks, results, exit_label)


def lower_blocks(low: Lowering, blocks: list[Block], results: list[ValueSlot], exit_label: str) -> None:
    """The blocks of a function, from the first one on. Its results go to slots."""
    labels = {block.label: low.b.label("block") for block in blocks[1:]}
    frame = Frame(results, exit_label, labels, {block.label: new_slots(low, block.args) for block in blocks[1:]})
    with low.function(frame):
        for number, block in enumerate(blocks):
            if number:
                low.b.begin_block(frame.labels[block.label])
                bind(low, frame.slots[block.label], block.args)
            with low.values.may_not_run(block):
                lower_block(low, block)


def _jump(low: Lowering, label: str, operands: list[Value], block: Block) -> str:
    """Hand a block its arguments, and give its label."""
    frame = low.frames[-1]
    with low.within(block):
        fill(low, frame.slots[label], operands)
    return frame.labels[label]


@lowers("cf.br")
def _branch(low: Lowering, op: Op) -> None:
    target = op.successors[0]
    low.b.jump(_jump(low, target.label, target.operands, op.block))


@lowers("cf.cond_br")
def _conditional_branch(low: Lowering, op: Op) -> None:
    yes, no = low.b.label("then"), low.b.label("else")
    low.b.branch(low.values.scalars[op.operands[0]].value, yes, no)
    for label, target in zip((yes, no), op.successors, strict=True):
        low.b.begin_block(label)
        low.b.jump(_jump(low, target.label, target.operands, op.block))


@lowers("tt.return", "tt.map_elementwise.return")
def _return(low: Lowering, op: Op) -> None:
    frame = low.frames[-1]
    with low.within(op.block):
        fill(low, frame.results, op.operands)
    low.b.jump(frame.exit_label)


@lowers("tt.call")
def _call(low: Lowering, op: Op) -> None:
    """A call that Triton did not inline is expanded where it stands."""
    name = op.text.split("@", 1)[1]
    name = name[1:].split('"')[0] if name.startswith('"') else name.split("(")[0]
    if len(low.frames) > 16:
        raise UnsupportedError("a recursive function", op.line, op.text)
    function = parse_function(low.functions[name])
    for value, arg in zip(op.operands, function.args, strict=True):
        if arg.type.is_tensor:
            low.values.buffers[arg] = low.buffer_of(value)
        else:
            low.values.scalars[arg] = low.values.scalars[value]
    results = new_slots(low, op.results)
    done = low.b.label("returned")
    lower_function(low, function, results, done)
    low.b.begin_block(done)
    bind(low, results, op.results)
