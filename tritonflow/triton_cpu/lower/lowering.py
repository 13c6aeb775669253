"""The state of lowering one kernel, lazy evaluation of tensors, and loop nests over them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Block, Function, Op, Value
from tritonflow.triton_cpu.target import Target
from tritonflow.triton_cpu.types import Type, is_pointer, literal, llvm_type, size_of, zero

from . import check, elementwise, memory, views
from .analysis import walk
from .builder import Builder
from .hoist import hoisting
from .lane_kinds import row_length
from .lanes import LaneBuilder, Lanes, affine, uniform
from .masks import MaskUse, bounds, box_keeps_order, extreme, find_masks
from .memory import StackBuffer

if TYPE_CHECKING:
    from .control import Frame

LANES = 32
_LEAST_ROW = 8
Index = tuple[Lanes, ...]
Body = Callable[[Index, int], None]


@dataclass(frozen=True, slots=True)
class Induction:
    """A loop-carried tensor of pointers or integers: `initial` plus one offset for all, in a stack slot."""

    initial: Value
    cell: str


class Lowering:
    def __init__(self, name: str, functions: dict[str, Function], target: Target, checked: bool = False) -> None:
        self.name, self.functions, self.target = name, functions, target
        self.can_fail = False  # an assertion may leave a message for the launch
        self.checked = checked  # whether addresses are looked up before they are used
        self.reaches_anywhere = "tt.int_to_ptr" in {op.name for f in functions.values() for op in walk(f.blocks)}
        self.b = Builder()
        self.lb = LaneBuilder(self.b, target.native_f16, target.fma, target.vector_bits == 512)
        self.scalars: dict[Value, Lanes] = {}
        self.buffers: dict[Value, StackBuffer] = {}
        self.inductions: dict[Value, Induction] = {}
        self.chosen: set[Value] = set()
        self.together: dict[Op, tuple[Op, ...]] = {}  # the stores that are done at each store
        self.tile_stores: set[Op] = set()  # of products
        self.block: Block | None = None
        self.in_place: dict[Value, Op] = {}  # carried tensors that a dot may update where they are
        self.frames: list[Frame] = []
        self.scratch: list[tuple[str, int]] = []
        self.memo: dict[tuple[Value, Index, int], Lanes] = {}
        self.hoisted: dict[tuple[Value, Index], Lanes] = {}  # evaluated ahead of the loop that is being emitted
        self.pending: dict[Value, StackBuffer] = {}
        self.holding: frozenset[Value] = frozenset()  # masks known to be true for the whole chunk
        self.void: frozenset[Value] = frozenset()  # masks known to be false for the whole chunk
        self.decided: dict[Value, Index] = {}  # where these masks are known
        self.chunk_masks: tuple[MaskUse, ...] = ()
        self.store_mask: MaskUse | None = None  # of a store that has no other effect

    # ---- buffers

    def new_buffer(self, type_: Type) -> StackBuffer:
        name = self.b.name()
        bytes_ = type_.size * size_of(memory.stored(type_.elem))
        self.scratch.append((name, (bytes_ + 127) // 64 * 64))
        return StackBuffer(name, type_.dims, type_.elem)

    def buffer_of(self, value: Value) -> StackBuffer:
        return self.buffers.get(value) or self.materialise(value)

    def materialise(self, value: Value, into: StackBuffer | None = None) -> StackBuffer:
        """Evaluate a tensor into a buffer: one of its own, which later uses read, or `into`."""
        shape = value.type.dims
        pending = self.prepare([value], shape, value)
        buffer = into or self.new_buffer(value.type)
        self.run(
            [value], shape, lambda i, w: memory.write_buffer(self.lb, buffer, i, self.eval(value, i, w), w), pending
        )
        if into is None:
            self.buffers[value] = buffer
        return buffer

    def prepare(
        self, values: Iterable[Value], shape: tuple[int, ...], root: Value | None = None
    ) -> dict[Value, StackBuffer]:
        """Before a root over `shape`: the chosen values it reaches get buffers, on the way where its index fits."""
        identity: views.Symbolic = tuple(range(len(shape)))
        while True:
            reached = views.reached_at(self, values, identity)
            chosen = {v: s for v, s in reached.items() if v in self.chosen and v is not root}
            apart = [
                v for v, s in chosen.items() if s != {identity} or v.type.dims != shape or v.block is not self.block
            ]
            if not apart:
                return {v: self.new_buffer(v.type) for v in chosen}
            self.materialise(apart[0])

    # ---- lazy evaluation

    def eval(self, value: Value, index: Index, width: int) -> Lanes:
        if not value.type.is_tensor:
            return self.scalars[value]
        if self.decided.get(value) == index:  # a mask that is used as a value, too
            return uniform("i1", 1 if value in self.holding else 0)
        if (value, index) in self.hoisted:
            return self.hoisted[value, index]
        key = (value, index, width)
        found = self.memo.get(key)
        if found is None:
            found = self.memo[key] = self._eval(value, index, width)
        return found

    def _eval(self, value: Value, index: Index, width: int) -> Lanes:
        if value in self.buffers:
            return memory.read_buffer(self.lb, self.buffers[value], index, width)
        if value in self.inductions:
            return self._eval_induction(value, index, width)
        op = value.op
        if op is None:
            raise UnsupportedError(f"the block argument {value}")
        result = self._eval_op(op, value, index, width)
        if value in self.pending:
            memory.write_buffer(self.lb, self.pending[value], index, result, width)
        return result

    def _eval_op(self, op: Op, value: Value, index: Index, width: int) -> Lanes:
        elem = value.type.elem
        if op.name in views.EVALUATE:
            return views.EVALUATE[op.name](self, op, value, index, width)
        if op.name == "arith.constant":
            return uniform(elem, literal(elem, op.attrs["value"]))
        if op.name == "tt.load":
            return self._eval_load(op, elem, index, width)
        return elementwise.evaluate(self.lb, op, [self.eval(a, index, width) for a in op.operands], elem, width)

    def _eval_load(self, op: Op, elem: str, index: Index, width: int) -> Lanes:
        check_load(op)
        pointer = self.eval(op.operands[0], index, width)
        mask = other = None
        if len(op.operands) > 1:
            if len(op.operands) > 2:  # also where the mask holds: a pending value may be in it
                other = self.eval(op.operands[2], index, width)
            if op.operands[1] in self.void:
                return other if other is not None else uniform(elem, zero(elem))
            if op.operands[1] not in self.holding:
                mask = self.eval(op.operands[1], index, width)
        mask = check.inside(self, op, pointer, mask, elem, width)
        return memory.load(self.lb, pointer, mask, other, elem, width)

    def _eval_induction(self, value: Value, index: Index, width: int) -> Lanes:
        induction, elem = self.inductions[value], value.type.elem
        initial = self.eval(induction.initial, index, width)
        offset = self.b.inst(f"load i64, ptr {induction.cell}")
        if is_pointer(elem):
            one = uniform("i64", offset)
            return self.lb.addptr(initial, one, elem, width)
        if elem != "i64":
            offset = self.b.inst(f"trunc i64 {offset} to {llvm_type(elem)}")
        return self.lb.add(initial, uniform(elem, offset), elem, width)

    def scalar_at_zero(self, value: Value) -> Lanes:
        """The value of a tensor whose elements are all equal."""
        self.memo = {}
        lane = self.eval(value, tuple(uniform("i32", 0) for _ in value.type.dims), 1)
        self.memo = {}
        return lane

    # ---- roots: loop nests

    def run(
        self,
        values: list[Value],
        shape: tuple[int, ...],
        body: Body,
        pending: dict[Value, StackBuffer] | None = None,
        masks: Iterable[Value] = (),
        width: int = LANES,
        vector_dim: int | None = None,
        ends: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        """`body(index, width)` for every chunk of `shape`, within which `values` are evaluated at the index.

        The loops over the dimensions in `ends`, which are not the one that masks are cut along, end there.
        """
        width = self.lanes_within_rows(values, shape, width)
        with_masks = find_masks(self, values, masks, shape)
        self.with_state(pending, with_masks, lambda: self.nest(shape, body, width, vector_dim, values, ends))

    def lanes_within_rows(self, values: Iterable[Value], shape: tuple[int, ...], width: int) -> int:
        """Fewer lanes where a range is cut in short rows by `//` and `%`: a chunk in one row has one plain address."""
        rows: list[int] = []

        def visit(value: Value, symbolic: views.Symbolic) -> None:
            divisor = row_length(value)
            if divisor is not None and _LEAST_ROW <= divisor < width:
                rows.append(divisor)

        for value in values:
            views.reach(self, value, tuple(range(len(shape))), visit)
        return min(rows, default=width)

    def with_state(
        self, pending: dict[Value, StackBuffer] | None, masks: tuple[MaskUse, ...], emit: Callable[[], None]
    ) -> None:
        before = self.pending, self.chunk_masks
        self.pending, self.chunk_masks = {**self.pending, **(pending or {})}, masks
        emit()
        self.pending, self.chunk_masks = before
        self.buffers.update(pending or {})

    def nest(
        self,
        shape: tuple[int, ...],
        body: Body,
        width: int = LANES,
        vector_dim: int | None = None,
        values: Iterable[Value] = (),
        ends: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        """Loops over `shape`, with `body` for each chunk; `values` is what the body evaluates, if it is known."""
        lanes = lane_dims(shape, width, vector_dim)
        total = prod(count for count, _ in lanes.values())
        index: list[Lanes] = [uniform("i32", 0)] * len(shape)
        innermost = max((d for d, extent in enumerate(shape) if extent > lanes.get(d, (1, 1))[0]), default=-1)

        def place(dim: int, base: str) -> None:
            count, inner = lanes.get(dim, (1, 1))
            index[dim] = affine("i32", base, tuple((k // inner) % count for k in range(total)), count)

        def emit() -> None:
            self.memo = {}
            body(tuple(index), total)
            self.memo = {}

        def level(dim: int, in_chunk: Callable[[Callable[[], None]], None]) -> None:
            if dim == len(shape):
                in_chunk(emit)
                return
            step = lanes.get(dim, (1, 1))[0]

            def inside(i: str, wrap: Callable[[Callable[[], None]], None] = in_chunk) -> None:
                place(dim, i)
                level(dim + 1, wrap)

            if shape[dim] == step:
                inside("0")
            elif dim != innermost:
                loop(dim, step, inside)
            else:
                with hoisting(self, values, tuple(index), frozenset({dim, *lanes}), 1):
                    loop(dim, step, inside)

        def loop(dim: int, step: int, inside: Callable[..., None]) -> None:
            whole = {d for d, (count, _) in lanes.items() if count == shape[d]}
            if dim == innermost and set(lanes) <= whole | {dim}:
                self.sweep(dim, index, "0", shape[dim], step, inside)
            else:
                high = ends.get(dim) or self.store_bound(dim, index, shape[dim])
                self.b.loop("0", high, str(step), inside, trips=shape[dim] / step)

        level(0, lambda f: self.chunk(tuple(index), f))

    def store_bound(self, dim: int, index: list[Lanes], extent: int) -> str:
        """Where a loop of a store may end: beyond, its mask is false."""
        if self.store_mask is None:
            return str(extent)
        found = bounds(self, [self.store_mask], dim, index, dim, extent)
        return str(extent) if found is None else found.none_true

    def sweep(
        self,
        dim: int,
        index: list[Lanes],
        start: str,
        extent: int,
        step: int,
        inside: Callable[[str, Callable[[Callable[[], None]], None]], None],
    ) -> None:
        """The innermost loop. Where masks bound its index it is cut in parts: all true, some, and none.

        `inside(i, wrap)` emits the chunk at i, its code passed through `wrap`.
        """
        b, trips = self.b, (extent - int(start)) / step
        uses = [use for use in self.chunk_masks if use.mask not in self.holding]
        found = bounds(self, uses, dim, index, dim, extent) if uses else None
        if found is None:
            high = self.store_bound(dim, index, extent)
            b.loop(start, high, str(step), lambda i: inside(i, lambda f: self.chunk(tuple(index), f)), trips=trips)
            return
        full = b.inst(f"and i32 {found.all_true}, {-step}")
        if start != "0":
            full = extreme(b, "smax", full, start)
        b.loop(
            start,
            full,
            str(step),
            lambda i: inside(i, lambda f: self.assuming(uses, True, tuple(index), f)),
            trips=trips,
        )
        end = self.store_bound(dim, index, extent) if self.store_mask else found.none_true
        b.loop(full, end, str(step), lambda i: inside(i, lambda f: f()), trips=1)
        if self.store_mask is None:
            rest = b.inst(f"and i32 {b.add('i32', end, str(step - 1))}, {-step}")
            rest = extreme(b, "smax", rest, full)
            b.loop(
                rest,
                str(extent),
                str(step),
                lambda i: inside(i, lambda f: self.assuming(uses, False, tuple(index), f)),
                trips=1,
            )

    def assuming(self, uses: Iterable[MaskUse], truth: bool, index: Index, emit: Callable[[], None]) -> None:
        """Emit code for a chunk on which the masks of `uses` are known."""
        before = self.holding, self.void, self.decided
        masks = frozenset(use.mask for use in uses)
        if truth:
            self.holding |= masks
        else:
            self.void |= masks
        self.decided = {**self.decided, **{use.mask: views.concrete(use.symbolic, index) for use in uses}}
        emit()
        self.holding, self.void, self.decided = before

    def chunk(self, index: Index, emit: Callable[[], None]) -> None:
        """`emit` once, or under masks twice: with the masks known to hold for the whole chunk, and in general."""
        open_masks = [use for use in self.chunk_masks if use.mask not in self.holding and use.mask not in self.void]
        if not open_masks:
            emit()
            return
        condition = self._hold(open_masks, index)

        def fast() -> None:
            self.assuming(open_masks, True, index, emit)

        if condition == "1":
            fast()
        else:
            self.b.if_else(condition, fast, emit)

    def _hold(self, masks: list[MaskUse], index: Index) -> str:
        """Whether masks hold on a chunk: comparisons of affine values over a box are extreme at its corners."""
        ends = [(0,) if i.offsets is None else (0, max(i.offsets)) for i in index]
        corners = list(itertools.product(*ends))
        condition = "1"
        self.memo = {}
        for use in masks:
            condition = self.b.both(condition, box_keeps_order(self, use, index, corners))
        for corner in corners:
            self.memo = {}
            at = tuple(
                uniform("i32", self.b.add("i32", i.value, str(end))) for i, end in zip(index, corner, strict=True)
            )
            for use in masks:
                holds = self.eval(use.mask, views.concrete(use.symbolic, at), 1).value
                condition = self.b.both(condition, holds)
        self.memo = {}
        return condition


def lane_dims(shape: tuple[int, ...], width: int, vector_dim: int | None) -> dict[int, tuple[int, int]]:
    """Which dimensions the lanes of a chunk span: dimension -> (how many of it, lanes between neighbours)."""
    if vector_dim is not None:
        return {vector_dim: (min(width, shape[vector_dim]), 1)}
    lanes: dict[int, tuple[int, int]] = {}
    inner = 1
    for dim in reversed(range(len(shape))):
        count = min(shape[dim], width // inner)
        if count > 1:
            lanes[dim] = (count, inner)
            inner *= count
        if count < shape[dim]:
            break
    return lanes


def check_load(op: Op) -> None:
    if "boundaryCheck" in op.attrs or "padding" in op.attrs:
        raise UnsupportedError("a load through a block pointer", op.line, op.text)
