"""tt.reduce: lanes along the reduced axis, which a tree of shuffles combines, or along the other
axes.

Both orders are fixed by the shapes, so a result does not depend on threads or masks.
"""

from __future__ import annotations

from tritonflow.triton_cpu.ir import Block, Op
from tritonflow.triton_cpu.types import is_float

from . import convert, memory
from .contract import factors
from .hoist import hoisting
from .lanes import Index, Lanes, affine, made, uniform, vector_type
from .lowering import Lowering
from .masks import MaskUse, find_masks
from .memory import StackBuffer
from .nest import LANES, Wrap
from .regions import combine
from .roots import lowers

# Short rows are reduced many at a time.
_SHORT_ROW = 8

# The combine functions of tl.argmax and tl.argmin with tie_break_left, and without it.
_FIRST_EXTREMUM = "arith.cmpf arith.cmpi arith.andi arith.cmpf arith.ori arith.select arith.select tt.reduce.return".split()
_LAST_EXTREMUM = ["arith.select", "arith.select", "tt.reduce.return"]  # behind a comparison


@lowers("tt.reduce")
def _reduce(low: Lowering, op: Op) -> None:
    _Reduction(low, op).lower()


class _Reduction:
    def __init__(self, low: Lowering, op: Op) -> None:
        self.low, self.b, self.lb = low, low.b, low.lb
        self.op, self.values, self.region = op, op.operands, op.regions[0]
        self.axis = int(op.attrs["axis"])
        self.shape = self.values[0].type.dims
        self.count = self.shape[self.axis]
        self.outer = self.shape[: self.axis] + self.shape[self.axis + 1 :]
        self.elems = [value.type.elem for value in self.values]
        self.lanes = LANES * (2 if len(self.values) == 1 else 1)  # two chains of additions at a time
        names = [op.name for op in self.region.ops]
        self.finds_nan = names == _FIRST_EXTREMUM and is_float(self.elems[0])
        if names[0] in ("arith.cmpf", "arith.cmpi") and names[1:] == _LAST_EXTREMUM:
            self.lanes = 1  # one element after the other: of NaN and equals the order decides
        self.factors = factors(self.values[0], op) if low.target.fma and _adds(self.region) else None
        self.masks: tuple[MaskUse, ...] = ()

    def lower(self) -> None:
        low = self.low
        pending = low.prepare(self.values, self.shape)
        masks = find_masks(low.values, self.values, (), self.shape)
        scalar = not self.op.result.type.is_tensor
        types = [value.type for value in self.op.results]
        self.results = [] if scalar else [low.new_buffer(t) for t in types]
        self.final: list[Lanes] = []
        innermost = max((d for d, n in enumerate(self.shape) if n > 1), default=self.axis)
        rows = self.values[0].type.size // self.count
        if scalar or (self.axis >= innermost and (self.count > _SHORT_ROW or rows < 4)):
            with low.loops.root(masks, pending):
                self.along_axis()
        else:
            self.masks = masks
            with low.loops.root((), pending):
                low.loops.nest(self.outer, self.columns, self.lanes)
        for k, value in enumerate(self.op.results):
            if scalar:
                low.values.scalars[value] = self.final[k]
            else:
                low.values.buffers[value] = self.results[k]

    def values_at(self, index: Index, width: int) -> list[Lanes]:
        return [
            made(e, self.lb.vec(self.low.lazy.eval(v, index, width), width), width)
            for v, e in zip(self.values, self.elems, strict=True)
        ]

    def add(self, cells: list[str], index: Index, width: int) -> None:
        """Combine the cells with the values at an index.

        A product that is added is not rounded first.
        """
        lazy = self.low.lazy
        with lazy.memo_scope():
            so_far = self.get(cells, width)
            if self.factors is None:
                self.put(cells, self.combined(so_far, self.values_at(index, width), width), width)
            else:
                lanes = [lazy.eval(factor, index, width) for factor in self.factors]
                self.put(cells, [self.lb.intrinsic("fma", [*lanes, *so_far], self.elems[0], width)], width)

    def combined(self, left: list[Lanes], right: list[Lanes], width: int) -> list[Lanes]:
        """The combine function; of argmax and argmin with a NaN, the first of which is their result in any order.

        Comparisons with a NaN are false, so that the function gives the right side: correct but for a NaN on the left.
        """
        found = combine(self.low.lazy, self.region, left, right, width)
        if not self.finds_nan:
            return found
        lb = self.lb
        (value, index), (other, other_index) = left, right
        value, other = (convert.as_compute(lb, each, width) for each in (value, other))
        nan, later = lb.op("fcmp uno", [value, value], "i1", width), lb.op("icmp slt", [index, other_index], "i1", width)
        known = lb.op("fcmp ord", [other, other], "i1", width)
        keeps = lb.op("and", [nan, lb.op("or", [known, later], "i1", width)], "i1", width)
        return [lb.select(keeps, a, b, e, width) for a, b, e in zip(left, found, self.elems, strict=True)]

    def put(self, cells: list[str], lanes: list[Lanes], width: int) -> None:
        for cell, lane, elem in zip(cells, lanes, self.elems, strict=True):
            self.b.line(f"store {vector_type(elem, width)} {self.lb.vec(lane, width)}, ptr {cell}")

    def get(self, cells: list[str], width: int) -> list[Lanes]:
        return [
            made(e, self.b.inst(f"load {vector_type(e, width)}, ptr {c}"), width)
            for c, e in zip(cells, self.elems, strict=True)
        ]

    def insert(self, outer: Index, at: Lanes) -> Index:
        return outer[: self.axis] + (at,) + outer[self.axis :]

    # ---- lanes along the reduced axis

    def along_axis(self) -> None:
        width = min(self.count, self.lanes)
        cells = [self.b.alloca(vector_type(e, width)) for e in self.elems]
        index: list[Lanes] = []

        def level(dim: int) -> None:
            if dim == len(self.outer):
                self.row(tuple(index), cells, width)
                return

            def inside(i: str) -> None:
                index.append(uniform("i32", i))
                level(dim + 1)
                index.pop()

            if self.outer[dim] == 1:
                inside("0")
            else:
                self.b.loop("0", str(self.outer[dim]), "1", inside)

        level(0)

    def row(self, outer: Index, cells: list[str], width: int) -> None:
        low = self.low
        index = list(self.insert(outer, uniform("i32", 0)))

        def lanes(i: str) -> None:
            index[self.axis] = affine("i32", i, tuple(range(width)), width)

        def first() -> None:
            with low.lazy.memo_scope():
                self.put(cells, self.values_at(tuple(index), width), width)

        def inside(i: str, wrap: Wrap) -> None:
            lanes(i)
            wrap(lambda: self.add(cells, tuple(index), width))

        with hoisting(low.lazy, self.values, tuple(index), frozenset({self.axis}), 1):
            lanes("0")
            low.loops.chunk(tuple(index), first)
            if self.count > width:
                low.loops.sweep(self.axis, index, width, self.count, width, inside)
        result = self.tree(self.get(cells, width), width)
        if not self.results:
            self.final = result
            return
        for buffer, lane in zip(self.results, result, strict=True):
            memory.write_buffer(self.lb, buffer, outer, lane, 1)

    def tree(self, lanes: list[Lanes], width: int) -> list[Lanes]:
        """Halve the lanes until one is left."""
        while width > 1:
            half = width // 2
            left, right = ([self.part(lane, width, start, half) for lane in lanes] for start in (0, half))
            combined = self.combined(left, right, half)
            lanes = [made(e, self.lb.vec(lane, half), half) for lane, e in zip(combined, self.elems, strict=True)]
            width = half
        return lanes

    def part(self, lane: Lanes, width: int, start: int, count: int) -> Lanes:
        type_ = vector_type(lane.elem, width)
        if count == 1:
            return uniform(lane.elem, self.b.inst(f"extractelement {type_} {lane.value}, i64 {start}"))
        indices = ", ".join(f"i32 {start + k}" for k in range(count))
        return made(
            lane.elem,
            self.b.inst(f"shufflevector {type_} {lane.value}, {type_} poison, <{count} x i32> <{indices}>"),
            count,
        )

    # ---- lanes along the other axes

    def columns(self, outer: Index, width: int) -> None:
        cells = [self.b.alloca(vector_type(e, width)) for e in self.elems]
        box = self.insert(outer, affine("i32", "0", tuple(range(self.count))))
        with self.low.loops.root(self.masks):
            self.low.loops.chunk(box, lambda: self.column_loop(outer, cells, width))
        self.write(self.results, outer, self.get(cells, width), width)

    def column_loop(self, outer: Index, cells: list[str], width: int) -> None:
        lazy, first = self.low.lazy, self.insert(outer, uniform("i32", 0))
        with lazy.memo_scope():
            self.put(cells, self.values_at(first, width), width)

        def step(i: str) -> None:
            self.add(cells, self.insert(outer, uniform("i32", i)), width)

        if self.count > 1:
            with hoisting(lazy, self.values, first, frozenset({self.axis}), width):
                self.b.loop("1", str(self.count), "1", step)

    def write(self, buffers: list[StackBuffer], index: Index, lanes: list[Lanes], width: int) -> None:
        for buffer, lane in zip(buffers, lanes, strict=True):
            memory.write_buffer(self.lb, buffer, index, lane, width)


def _adds(region: Block) -> bool:
    """Whether a combine function is the sum of its two arguments."""
    names = [op.name for op in region.ops]
    return names == ["arith.addf", "tt.reduce.return"] and set(region.ops[0].operands) == set(region.args)
