"""tl.map_elementwise: a function of scalars with control flow, for each element or pack of them."""

from __future__ import annotations

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Op
from tritonflow.triton_cpu.types import Type, llvm_type

from . import memory
from .control import lower_blocks
from .lanes import uniform
from .lowering import Lowering, ValueSlot
from .memory import StackBuffer
from .roots import lowers


@lowers("tt.map_elementwise")
def _map(low: Lowering, op: Op) -> None:
    pack, size = int(op.attrs["pack"]), op.result.type.size
    if size % pack:
        raise UnsupportedError(f"{size} elements in packs of {pack}")
    inputs = [_flat(low.buffer_of(value), size) for value in op.operands]
    outputs = [low.new_buffer(value.type) for value in op.results]
    elems = [value.type.elem for value in op.results for _ in range(pack)]
    slots = [ValueSlot(Type(None, elem), low.b.alloca(llvm_type(elem))) for elem in elems]

    def one(group: str) -> None:
        first = low.b.mul("i32", group, str(pack))
        positions = [uniform("i32", low.b.add("i32", first, str(k))) for k in range(pack)]
        arguments = [memory.read_buffer(low.lb, buffer, (at,), 1) for buffer in inputs for at in positions]
        low.values.scalars.update(zip(op.regions[0].args, arguments, strict=True))
        done = low.b.label("mapped")
        lower_blocks(low, op.regions, slots, done)
        low.b.begin_block(done)
        values = iter(slots)
        for buffer in outputs:
            for at in positions:
                slot = next(values)
                value = low.b.inst(f"load {llvm_type(slot.type.elem)}, ptr {slot.cell}")
                memory.write_buffer(low.lb, _flat(buffer, size), (at,), uniform(slot.type.elem, value), 1)

    low.b.loop("0", str(size // pack), "1", one)
    low.values.buffers.update(zip(op.results, outputs, strict=True))


def _flat(buffer: StackBuffer, size: int) -> StackBuffer:
    return StackBuffer(buffer.pointer, (size,), buffer.elem)
