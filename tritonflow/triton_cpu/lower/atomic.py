"""Atomic read-modify-write and compare-and-swap, element by element."""

from __future__ import annotations

from collections.abc import Callable

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import FP8, bits_of, is_float, is_half, llvm_type, zero

from . import convert, memory
from .control import reads_memory
from .lanes import Index, Lanes, uniform
from .lowering import Lowering
from .roots import lowers

Update = Callable[[str, list[Lanes]], str]  # an address and operands to the value that was there before
_INSTRUCTIONS = {
    "fadd": "fadd", "add": "add", "max": "max", "min": "min", "umax": "umax", "umin": "umin", "and": "and", "or": "or",
    "xor": "xor", "exch": "xchg",
}  # fmt: skip


@lowers("tt.atomic_rmw")
def _rmw(low: Lowering, op: Op) -> None:
    kind = op.attrs["body"].split(",")[0].strip()
    if kind not in _INSTRUCTIONS or op.result.type.elem in FP8:
        raise UnsupportedError(f"atomic {kind} of {op.result.type.elem}", op.line, op.text)

    def update(pointer: str, values: list[Lanes]) -> str:
        value = values[0]
        if is_half(value.elem) and kind == "fadd":
            return _half_add(low, pointer, value)
        type_ = llvm_type(value.elem)
        return low.b.inst(f"atomicrmw {_INSTRUCTIONS[kind]} ptr {pointer}, {type_} {value.value} seq_cst")

    pointer, value = op.operands[:2]
    _each(low, op, pointer, [value], op.operands[2] if len(op.operands) > 2 else None, update)


def _half_add(low: Lowering, pointer: str, value: Lanes) -> str:
    """A compare-and-swap loop: no CPU adds halves atomically."""
    b, cell, result = low.b, low.b.alloca("i16"), low.b.alloca("i16")
    b.line(f"store i16 {b.inst(f'load atomic i16, ptr {pointer} seq_cst, align 2')}, ptr {cell}")
    again, done = b.label("again"), b.label("done")
    b.jump(again)
    b.begin_block(again)
    old = b.inst(f"load i16, ptr {cell}")
    total = low.lb.op("fadd", [convert.widen(low.lb, x, 1) for x in (Lanes(value.elem, old), value)], "f32", 1)
    new = convert.narrow(low.lb, total, value.elem, 1)
    pair = b.inst(f"cmpxchg ptr {pointer}, i16 {old}, i16 {new.value} seq_cst seq_cst")
    b.line(f"store i16 {old}, ptr {result}")
    b.line(f"store i16 {b.inst(f'extractvalue {{ i16, i1 }} {pair}, 0')}, ptr {cell}")
    b.branch(b.inst(f"extractvalue {{ i16, i1 }} {pair}, 1"), done, again)
    b.begin_block(done)
    return b.inst(f"load i16, ptr {result}")


@lowers("tt.atomic_cas")
def _cas(low: Lowering, op: Op) -> None:
    def update(pointer: str, values: list[Lanes]) -> str:
        elem = values[0].elem
        bits = f"i{bits_of(elem)}"
        expected, new = (low.lb.bitcast(v, bits, 1).value if is_float(elem) else v.value for v in values)
        if elem.startswith("!"):
            bits = "ptr"
        pair = low.b.inst(f"cmpxchg ptr {pointer}, {bits} {expected}, {bits} {new} seq_cst seq_cst")
        old = low.b.inst(f"extractvalue {{ {bits}, i1 }} {pair}, 0")
        return low.lb.bitcast(Lanes(bits, old), elem, 1).value if is_float(elem) else old

    pointer, expected, new = op.operands
    _each(low, op, pointer, [expected, new], None, update)


def _each(low: Lowering, op: Op, pointer: Value, values: list[Value], mask: Value | None, update: Update) -> None:
    """Update each element that the mask lets through. Results are zero elsewhere."""
    if op.result.type.is_tensor:
        _each_element(low, op, pointer, values, mask, update)
    else:
        _scalar(low, op, pointer, values, mask, update)


def _scalar(low: Lowering, op: Op, pointer: Value, values: list[Value], mask: Value | None, update: Update) -> None:
    b, scalars, elem = low.b, low.values.scalars, op.result.type.elem
    cell = b.alloca(llvm_type(elem))
    b.line(f"store {llvm_type(elem)} zeroinitializer, ptr {cell}")

    def one() -> None:
        result = update(scalars[pointer].value, [scalars[v] for v in values])
        b.line(f"store {llvm_type(elem)} {result}, ptr {cell}")

    condition = scalars[mask] if mask is not None else None
    _guarded(low, low.lazy.check.inside(op, scalars[pointer], condition, values[0].type.elem, 1), one)
    scalars[op.result] = uniform(elem, b.inst(f"load {llvm_type(elem)}, ptr {cell}"))


def _each_element(
    low: Lowering, op: Op, pointer: Value, values: list[Value], mask: Value | None, update: Update
) -> None:
    lazy, type_ = low.lazy, op.result.type
    operands = [v for v in (pointer, *values, mask) if v is not None]
    buffer = low.new_buffer(type_) if op.result.users else None
    for value in operands:  # everything is read before the first element is written
        if value is not pointer and value not in low.values.buffers and reads_memory(low.values, value):
            low.materialise(value)
    pending = low.prepare(operands, type_.dims)

    def body(index: Index, width: int) -> None:
        address = lazy.eval(pointer, index, 1)
        args = [lazy.eval(v, index, 1) for v in values]
        condition = lazy.eval(mask, index, 1) if mask is not None else None

        def one() -> None:
            result = update(address.value, args)
            if buffer is not None:
                memory.write_buffer(low.lb, buffer, index, Lanes(type_.elem, result), 1)

        if buffer is not None and mask is not None:
            memory.write_buffer(low.lb, buffer, index, uniform(type_.elem, zero(type_.elem)), 1)
        _guarded(low, lazy.check.inside(op, address, condition, values[0].type.elem, 1), one)

    low.loops.run(operands, type_.dims, body, pending, width=1)
    if buffer is not None:
        low.values.buffers[op.result] = buffer


def _guarded(low: Lowering, condition: Lanes | None, emit: Callable[[], None]) -> None:
    if condition is None or condition.value == "1":
        emit()
    elif condition.value != "0":
        low.b.if_else(condition.value, emit)
