"""tt.scan (cumsum, associative_scan).

The innermost axis is scanned in lanes, by doubling; others one step at a time for many columns. The
order of combining depends on the shape only.
"""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow.triton_cpu.ir import Op

from . import convert, memory
from .lanes import Index, Lanes, affine, made, uniform, vector_type
from .lowering import Lowering
from .nest import LANES
from .regions import combine, in_f32
from .roots import lowers


@lowers("tt.scan")
def _scan(low: Lowering, op: Op) -> None:
    _Scan(low, op).lower()


class _Scan:
    def __init__(self, low: Lowering, op: Op) -> None:
        self.low, self.op, self.region = low, op, op.regions[0]
        self.axis, self.reverse = int(op.attrs["axis"]), "true" in op.attrs.get("reverse", "false")
        self.shape = op.operands[0].type.dims
        self.count = self.shape[self.axis]
        self.wide = in_f32(self.region)  # halves are rounded once, not at every step
        self.elems = ["f32" if self.wide else value.type.elem for value in op.operands]

    def lower(self) -> None:
        low, op = self.low, self.op
        self.inputs = [low.buffer_of(value) for value in op.operands]
        self.outputs = [low.new_buffer(value.type) for value in op.results]
        outer_shape = self.shape[: self.axis] + self.shape[self.axis + 1 :]
        if all(extent == 1 for extent in self.shape[self.axis + 1 :]):
            low.loops.nest(outer_shape, lambda outer, _: self.row(outer), 1)
        else:
            low.loops.nest(outer_shape, self.columns, LANES)
        low.values.buffers.update(zip(op.results, self.outputs, strict=True))

    def at(self, outer: Index, position: Lanes) -> Index:
        return outer[: self.axis] + (position,) + outer[self.axis :]

    def read(self, index: Index, width: int) -> list[Lanes]:
        lb = self.low.lb
        values = [memory.read_buffer(lb, buffer, index, width) for buffer in self.inputs]
        return self.vectors([convert.as_compute(lb, v, width) if self.wide else v for v in values], width)

    def write(self, index: Index, values: Sequence[Lanes], width: int) -> None:
        for buffer, value in zip(self.outputs, values, strict=True):
            value = convert.from_compute(self.low.lb, value, buffer.elem, width)
            memory.write_buffer(self.low.lb, buffer, index, value, width)

    def vectors(self, values: Sequence[Lanes], width: int) -> list[Lanes]:
        return [made(e, self.low.lb.vec(v, width), width) for v, e in zip(values, self.elems, strict=True)]

    def combined(self, before: list[Lanes], current: list[Lanes], width: int) -> list[Lanes]:
        return self.vectors(combine(self.low.lazy, self.region, before, current, width, self.wide), width)

    def put(self, cells: list[str], values: Sequence[Lanes], width: int) -> None:
        for cell, value, elem in zip(cells, values, self.elems, strict=True):
            self.low.b.line(f"store {vector_type(elem, width)} {value.value}, ptr {cell}")

    def get(self, cells: list[str], width: int) -> list[Lanes]:
        b = self.low.b
        loads = [b.inst(f"load {vector_type(e, width)}, ptr {c}") for c, e in zip(cells, self.elems, strict=True)]
        return [made(e, value, width) for e, value in zip(self.elems, loads, strict=True)]

    # ---- one step at a time, many columns

    def columns(self, outer: Index, width: int) -> None:
        b = self.low.b
        cells = [b.alloca(vector_type(e, width)) for e in self.elems]

        def step(i: str) -> None:
            position = b.sub("i32", str(self.count - 1), i) if self.reverse else i
            index = self.at(outer, uniform("i32", position))
            values = self.read(index, width)
            if i != "0":
                values = self.combined(self.get(cells, width), values, width)
            self.put(cells, values, width)
            self.write(index, values, width)

        step("0")
        if self.count > 1:
            b.loop("1", str(self.count), "1", step)

    # ---- lanes along the axis

    def row(self, outer: Index) -> None:
        """Chunks in the order of the scan.

        The last value of a chunk goes into all values of the next.
        """
        b, width = self.low.b, min(self.count, LANES)
        carry = [b.alloca(vector_type(e, 1)) for e in self.elems]

        def chunk(start: str) -> None:
            base = b.sub("i32", str(self.count - width), start) if self.reverse else start
            index = self.at(outer, affine("i32", base, tuple(range(width))))
            values = self.prefixes(self.read(index, width), width)
            if start != "0":
                before = [uniform(lane.elem, lane.value) for lane in self.get(carry, 1)]
                values = self.combined(before, values, width)
            last = 0 if self.reverse else width - 1
            self.put(carry, [self.extract(value, last, width) for value in values], 1)
            self.write(index, values, width)

        chunk("0")
        if self.count > width:
            b.loop(str(width), str(self.count), str(width), chunk)

    def prefixes(self, values: list[Lanes], width: int) -> list[Lanes]:
        """The scan of one chunk: each lane takes in the one 1, 2, 4 ... lanes before it."""
        distance = 1
        while distance < width:
            sources = [k + distance if self.reverse else k - distance for k in range(width)]
            moved = [k if 0 <= k < width else lane for lane, k in enumerate(sources)]
            before = [self.shuffle(value, value, moved, width) for value in values]
            combined = self.combined(before, values, width)
            chosen = [lane if 0 <= k < width else width + lane for lane, k in enumerate(sources)]
            values = [self.shuffle(new, old, chosen, width) for new, old in zip(combined, values, strict=True)]
            distance *= 2
        return values

    def shuffle(self, a: Lanes, b: Lanes, lanes: list[int], width: int) -> Lanes:
        type_ = vector_type(a.elem, width)
        order = ", ".join(f"i32 {lane}" for lane in lanes)
        pair = f"{type_} {a.value}, {type_} {b.value}"
        return made(a.elem, self.low.b.inst(f"shufflevector {pair}, <{width} x i32> <{order}>"), width)

    def extract(self, value: Lanes, lane: int, width: int) -> Lanes:
        if width == 1:
            return value
        type_ = vector_type(value.elem, width)
        return uniform(value.elem, self.low.b.inst(f"extractelement {type_} {value.value}, i64 {lane}"))
