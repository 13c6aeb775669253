"""tt.scan (cumsum, associative_scan): sequential along the axis, lanes along the others."""

from __future__ import annotations

from ..ir import Op
from . import memory
from .lanes import Lane, made, uniform, vector_type
from .lowering import LANES, Index, Lowering
from .regions import combine
from .roots import lowers


@lowers("tt.scan")
def _scan(low: Lowering, op: Op) -> None:
    b, lb, region = low.b, low.lb, op.regions[0]
    axis, reverse = int(op.attrs["axis"]), "true" in op.attrs.get("reverse", "false")
    shape = op.operands[0].type.dims
    count, outer_shape = shape[axis], shape[:axis] + shape[axis + 1 :]
    elems = [value.type.elem for value in op.operands]
    inputs = [low.buffer_of(value) for value in op.operands]
    outputs = [low.new_buffer(value.type) for value in op.results]

    def body(outer: Index, width: int) -> None:
        cells = [b.alloca(vector_type(e, width)) for e in elems]

        def at(i: str) -> Index:
            position = b.sub("i32", str(count - 1), i) if reverse else i
            return outer[:axis] + (uniform("i32", position),) + outer[axis:]

        def put(index: Index, lanes: list[Lane]) -> None:
            for buffer, lane, cell, elem in zip(outputs, lanes, cells, elems, strict=True):
                lane = made(elem, lb.vec(lane, width), width)
                b.line(f"store {vector_type(elem, width)} {lane.value}, ptr {cell}")
                memory.write_buffer(lb, buffer, index, lane, width)

        def read(index: Index) -> list[Lane]:
            return [memory.read_buffer(lb, buffer, index, width) for buffer in inputs]

        def step(i: str) -> None:
            before = [
                made(e, b.inst(f"load {vector_type(e, width)}, ptr {c}"), width)
                for c, e in zip(cells, elems, strict=True)
            ]
            put(at(i), combine(low, region, before, read(at(i)), width))

        put(at("0"), read(at("0")))
        if count > 1:
            b.loop("1", str(count), "1", step)

    last = all(extent == 1 for extent in shape[axis + 1 :])
    low.nest(outer_shape, body, 1 if last else LANES)
    low.buffers.update(zip(op.results, outputs, strict=True))
