"""One product of matrices: a register micro-kernel over packed panels of B.

Operands are packed once per product: A by rows or by columns, B in panels as wide as the
micro-kernel. The inner loop loads a row of a panel and broadcasts elements of A. Halves are widened
to f32 while packing. If they can be, both are read from the memory that they were loaded from. The sum over
k ends where masks leave nothing but zeros. Rows and columns that no store writes are not computed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import Type, is_float, is_half, llvm_type, size_of

from . import convert, memory, views
from .bounds import extreme, nothing_from
from .demand import demanded_until, stores_of
from .dot_lines import Lines
from .dot_operand import Panels, Rows, Runs, ScatteredRows, in_memory, neighbours, panels_of, runs_of, widened
from .hoist import hoisting
from .lanes import Index, Lanes, affine, made, uniform, vector_type
from .lowering import Lowering
from .masks import find_masks
from .memory import StackBuffer
from .transpose import TILE, transposed

_ROWS = 8  # of the micro-kernel
_ROWS_AVX2 = 4  # whose 16 registers then hold sums, a row of B and an element of A: 1.5 times as fast as 8 rows
_DIVISIONS = frozenset("arith.divsi arith.divui arith.remsi arith.remui".split())


class DotProduct:
    """C + A @ B for A of (m, k) and B of (k, n).

    Attributes:
        grain: elements along k in one element of the packed operands.
        result: the element type of the result.
        acc: the type that products are added in, and of the packed operands.
        size: its bytes.
        vector: lanes of a register of the micro-kernel.
        panel: columns of C that the micro-kernel computes; of B, those in a panel.
        rows: rows of C that the micro-kernel computes.
        depth: steps of the inner loop, at most.
        used: columns of A and rows of B that are read. Behind them, both are 0.
        ends: rows and columns of C that are computed. Behind them, no store writes the result.
    """

    grain = 1

    def __init__(self, low: Lowering, op: Op) -> None:
        self.low, self.b, self.lb, self.op = low, low.b, low.lb, op
        self.m, self.k = op.operands[0].type.dims
        self.n = op.result.type.dims[1]
        self.result = op.result.type.elem
        self.acc = "f32" if is_half(self.result) else self.result
        lanes = low.target.vector_bits // (8 * size_of(self.acc))
        self.vector = min(lanes, self.n)
        self.panel = min(2 * lanes, self.n)
        self.rows = min(_ROWS_AVX2 if low.target.vector_bits == 256 and low.target.fma else _ROWS, self.m)
        self.size = size_of(self.acc)
        self.depth = self.k // self.grain
        self.used = str(self.k)
        self.ends = [str(self.m), str(self.n)]

    def lower(self) -> None:
        """Emit the product."""
        low, op = self.low, self.op
        a, b, c = op.operands
        for operand in (a, b):
            if operand in low.values.chosen and operand not in low.values.buffers and not is_half(operand.type.elem):
                low.materialise(operand)
        self.used = self.columns_used(a, b)
        stores = stores_of(op.result)
        low.product_stores |= set(stores or ())
        self.ends = [
            demanded_until(low.lazy, stores, dim) or str(extent) for dim, extent in enumerate((self.m, self.n))
        ]
        rows = self.rows_of(a)
        panels = self.panels_of(b)
        in_place = (
            c in low.values.buffers and low.dot_updates.get(c) is op and len(c.users) == 1 and self.acc == self.result
        )
        if in_place:
            accumulator = low.values.buffers[c]
        else:
            accumulator = low.new_buffer(Type((self.m, self.n), self.acc))
            self.convert(c, accumulator)
        self.multiply(rows, panels, accumulator.pointer)
        if self.acc == self.result:
            low.values.buffers[op.result] = accumulator
        else:
            low.values.buffers[op.result] = self.round(accumulator)

    def columns_used(self, a: Value, b: Value) -> str:
        """Where the sum over k ends: behind it, A and B are 0."""
        end_a, end_b = nothing_from(self.low.lazy, a, 1), nothing_from(self.low.lazy, b, 0)
        return str(self.k) if end_a is None or end_b is None else extreme(self.b, "smax", end_a, end_b)

    def eval(self, value: Value, index: Index, width: int) -> Lanes:
        """Lanes of an operand, in the type of the packed operands."""
        return widened(self.lb, self.low.lazy.eval(value, index, width), self.acc, width)

    def convert(self, value: Value, into: StackBuffer) -> None:
        """Write a tensor to a buffer of sums."""

        def write(index: Index, width: int) -> None:
            memory.write_buffer(self.lb, into, index, self.eval(value, index, width), width)

        pending = self.low.prepare([value], value.type.dims)
        self.low.loops.run([value], value.type.dims, write, pending)

    def round(self, accumulator: StackBuffer) -> StackBuffer:
        """The sums in the result's type."""
        low, result = self.low, self.low.new_buffer(self.op.result.type)

        def body(index: Index, width: int) -> None:
            value = memory.read_buffer(self.lb, accumulator, index, width)
            memory.write_buffer(self.lb, result, index, convert.from_compute(self.lb, value, self.result, width), width)

        low.loops.nest(accumulator.shape, body)
        return result

    # ---- packing

    def gathers(self, value: Value, dim: int, lanes: int = TILE) -> bool:
        """Whether lanes along `dim` are not neighbours in
        memory, told from the code of one chunk.
        """
        lazy = self.low.lazy
        if value in lazy.values.buffers:
            return dim == 0
        index = [uniform("i32", 0)] * 2
        width = min(lanes, value.type.dims[dim])
        index[dim] = affine("i32", "0", tuple(range(width)), width)
        with lazy.trial() as emitted:
            lazy.eval(value, tuple(index), width)
            return any("masked.gather" in line for line in emitted())

    def rows_of(self, a: Value) -> Rows | ScatteredRows:
        """Where the micro-kernel reads A: where it was loaded
        from, or packed if masks cut the tile.
        """
        if a.type.elem != self.acc:
            return self.pack_a(a)
        runs = runs_of(self.low.lazy, a)
        if runs is not None and runs.by_row:
            return self.scattered(a, runs)
        found = in_memory(self.low.lazy, a, self.used)
        if found is None:
            return self.pack_a(a) if runs is None else self.scattered(a, runs)
        there, whole = found
        self.materialise_chosen(a)  # not inside the branch: others read it, too
        packed: list[Rows] = []
        self.b.if_else(self.b.inst(f"xor i1 {whole}, true"), lambda: packed.append(self.pack_a(a)))
        kinds = zip(("ptr", "i64", "i64"), there, packed[0], strict=True)
        return Rows(*(self.b.inst(f"select i1 {whole}, {kind} {x}, {kind} {y}") for kind, x, y in kinds))

    def scattered(self, a: Value, runs: Runs) -> Rows | ScatteredRows:
        """The addresses of A's rows; of zeros for a row that a mask leaves out, and of packed rows if masks cut them."""
        self.materialise_chosen(a)
        if not neighbours(self.low.lazy, runs.pointer):
            return self.pack_a(a)
        rows = ScatteredRows(self.low.new_buffer(Type((self.m,), "i64")).pointer)
        whole = self.all_true(runs.by_column, [("0", "0"), ("0", self.b.sub("i32", self.used, "1"))])
        if whole == "true":
            self.point_to(rows, runs)
        else:
            self.b.if_else(whole, lambda: self.point_to(rows, runs), lambda: self.point_to_packed(rows, self.pack_a(a)))
        return rows

    def all_true(self, masks: list[Value], at: list[tuple[str, str]]) -> str:
        """Whether masks are true at all of some indices."""
        condition = "true"
        for mask in masks:
            for i, k in at:
                with self.low.lazy.memo_scope():
                    holds = self.low.lazy.eval(mask, (uniform("i32", i), uniform("i32", k)), 1).value
                condition = holds if condition == "true" else self.b.inst(f"and i1 {condition}, {holds}")
        return condition

    def point_to(self, rows: ScatteredRows, runs: Runs) -> None:
        """Fill a table of rows with where they are in memory."""
        lazy, width, elem = self.low.lazy, min(_ROWS, self.m), runs.pointer.type.elem
        nothing = f"@zeros.{llvm_type(self.acc)}.{self.k}"
        if runs.by_row:
            zeros = f"[{self.k} x {llvm_type(self.acc)}] zeroinitializer"
            self.b.declarations.add(f"{nothing} = private constant {zeros}, align 64")

        def some(i: str) -> None:
            index = (affine("i32", i, tuple(range(width)), width), uniform("i32", 0))
            with lazy.memo_scope():
                address = lazy.eval(runs.pointer, index, width)
                for mask in runs.by_row:
                    there = lazy.eval(mask, index, width)
                    address = self.lb.select(there, address, uniform(elem, nothing), elem, width)
                self.b.line(f"store {vector_type(elem, width)} {self.lb.vec(address, width)}, ptr {rows.at(self.b, i)}, align 8")

        self.b.loop("0", self.ends[0], str(width), some, trips=self.m / width)

    def point_to_packed(self, rows: ScatteredRows, packed: Rows) -> None:
        """Fill a table of rows with where they are packed."""

        def one(i: str) -> None:
            self.b.line(f"store ptr {packed.first(self.b, llvm_type(self.acc), i)}, ptr {rows.at(self.b, i)}")

        self.b.loop("0", str(self.m), "1", one)

    def pack_a(self, a: Value) -> Rows:
        """A in memory by rows, or by columns if those are contiguous."""
        if a in self.low.values.buffers and a.type.elem == self.acc:
            return Rows(self.low.values.buffers[a].pointer, str(self.k), "1")
        self.materialise_chosen(a)
        transposed = self.gathers(a, 1) and not self.gathers(a, 0)
        shape = (self.k, self.m) if transposed else (self.m, self.k)
        buffer = self.low.new_buffer(Type(shape, self.acc))
        if transposed:
            width = self.low.loops.lanes_within_rows([a], a.type.dims, min(2 * TILE, self.m))
            self.pack_lines(a, 0, width, lambda k, m: memory.buffer_pointer(self.lb, buffer, (k, m), width))
            return Rows(buffer.pointer, "1", str(self.m))

        def body(index: Index, width: int) -> None:
            memory.write_buffer(self.lb, buffer, index, self.eval(a, index, width), width)

        self.low.loops.run([a], a.type.dims, body, vector_dim=1, ends={0: self.ends[0]})
        return Rows(buffer.pointer, str(self.k), "1")

    def materialise_chosen(self, value: Value) -> None:
        """Buffers for chosen values, ahead of packing, which
        evaluates chunks in an order of its own.
        """
        pending = self.low.prepare([value], (-1, -1))
        assert not pending

    def panels_of(self, b: Value) -> Panels:
        """Where the micro-kernel reads B: where it was loaded
        from if it lies in panels there, or packed.
        """
        found = panels_of(self.low.lazy, b, self.panel) if b.type.elem == self.acc and self.grain == 1 else None
        if found is None:
            return Panels(self.pack_b(b), None, "false", str(self.panel))
        pointer, step, mask = found
        last = extreme(self.b, "smin", self.b.add("i32", self.ends[1], str(self.panel - 1)), str(self.n))
        ends = [self.b.sub("i32", end, "1") for end in (self.used, last)]
        whole = self.all_true([] if mask is None else [mask], [(k, n) for k in ("0", ends[0]) for n in ("0", ends[1])])
        packed: list[str] = []
        self.materialise_chosen(b)
        self.b.if_else(self.b.inst(f"xor i1 {whole}, true"), lambda: packed.append(self.pack_b(b)))
        return Panels(packed[0], pointer, whole, self.b.inst(f"select i1 {whole}, i32 {step}, i32 {self.panel}"))

    def panel_at(self, panels: Panels, j: str) -> str:
        """Where the panel from column j on begins."""
        packed = self.element(panels.packed, (j, self.depth))
        if panels.pointer is None:
            return packed
        with self.low.lazy.memo_scope():
            index = (uniform("i32", 0), affine("i32", j, tuple(range(self.panel)), self.panel))
            there = self.lb.at(self.low.lazy.eval(panels.pointer, index, self.panel), 0).value
        return self.b.inst(f"select i1 {panels.whole}, ptr {there}, ptr {packed}")

    def pack_b(self, b: Value) -> str:
        """B in panels."""
        self.materialise_chosen(b)
        buffer = self.low.new_buffer(Type((self.n // self.panel, self.k, self.panel), self.acc))
        square = self.k % TILE == 0 and self.n % TILE == 0 and self.panel % TILE == 0 and self.acc == "f32"
        if square and self.gathers(b, 1) and not self.gathers(b, 0, self.run_of(b)):
            self.pack_transposed(b, buffer)
            return buffer.pointer

        width = next((w for w in (self.panel, 16, 8) if w <= self.panel and not self.gathers(b, 1, w)), self.panel)
        if width == self.panel and not self.divides(b):
            width = self.low.loops.lanes_within_rows([b], b.type.dims, self.panel)
            self.pack_lines(b, 1, width, lambda k, n: self.panel_pointer(buffer, k.value, n, width))
            return buffer.pointer

        def columns(n: str) -> None:
            self.pack_columns(b, buffer, n, width)

        with self.low.loops.root(find_masks(self.low.values, [b], (), b.type.dims)):
            self.b.loop("0", self.ends[1], str(width), columns, trips=self.n / width)
        return buffer.pointer

    def pack_lines(self, value: Value, dim: int, width: int, destination: Callable[[Lanes, Lanes], Lanes]) -> None:
        """Pack an operand line by line."""
        end = self.ends[dim]
        Lines(self.low, value, dim, width, destination, self.acc, self.k, self.used, end).pack()

    def divides(self, value: Value) -> bool:
        """Whether a column's address takes a division, as in
        convolutions: it is done once for all of k.
        """
        found = False

        def visit(v: Value, symbolic: views.Symbolic) -> None:
            nonlocal found
            found = found or (1 in symbolic and v.op is not None and v.op.name in _DIVISIONS)

        views.reach(self.low.values, value, (0, 1), visit)
        return found

    def pack_columns(self, b: Value, buffer: StackBuffer, n: str, width: int) -> None:
        """`width` columns of B over the whole of k.

        What depends on the columns alone is evaluated once.
        """
        low, rows = self.low, min(TILE, self.k)
        columns = affine("i32", n, tuple(range(width)), width)
        first = self.panel_pointer(buffer, "0", columns, width)

        def row(k: str) -> None:
            with low.lazy.memo_scope():
                value = self.eval(b, (uniform("i32", k), columns), width)
            at = self.lb.addptr(first, uniform("i32", self.b.mul("i32", k, str(self.panel))), first.elem, width)
            memory.store(self.lb, at, value, None, self.acc, width)

        def block(k: str) -> None:
            box = (affine("i32", k, tuple(range(rows)), rows), columns)
            low.loops.chunk(box, lambda: self.b.loop(k, self.b.add("i32", k, str(rows)), "1", row, trips=rows))

        with hoisting(low.lazy, [b], (uniform("i32", 0), columns), frozenset({0}), width):
            self.b.loop("0", self.used, str(rows), block, trips=self.k / rows)

    def panel_pointer(self, buffer: StackBuffer, k: str, n: Lanes, width: int) -> Lanes:
        """The address of element (k, n) of packed B. The lanes
        of `n` are neighbours in one panel.
        """
        b = self.b
        which = b.inst(f"udiv i32 {n.value}, {self.panel}")
        column = b.inst(f"urem i32 {n.value}, {self.panel}")
        position = b.add("i32", b.mul("i32", which, str(self.depth * self.panel)), b.mul("i32", k, str(self.panel)))
        pointer = b.inst(
            f"getelementptr {llvm_type(self.acc)}, ptr {buffer.pointer}, i32 {b.add('i32', position, column)}"
        )
        return affine(f"!tt.ptr<{self.acc}>", pointer, tuple(j * self.size for j in range(width)))

    def pack_transposed(self, b: Value, buffer: StackBuffer) -> None:
        """B is contiguous along k: transpose tiles in registers."""

        deep = TILE * self.grain

        def tile(index: Index, columns: list[Lanes]) -> None:
            with self.low.lazy.memo_scope():
                rows = transposed(self.b, "f32", [self.tile_row(b, index[0], column) for column in columns])
            first = index[0].value if self.grain == 1 else self.b.inst(f"udiv i32 {index[0].value}, {self.grain}")
            for k, row in enumerate(rows):
                pointer = self.panel_pointer(buffer, self.b.add("i32", first, str(k)), index[1], TILE)
                memory.store(self.lb, pointer, made("f32", row, TILE), None, "f32", TILE)

        def rows_of(n: str) -> None:
            columns = [uniform("i32", self.b.add("i32", n, str(j))) for j in range(TILE)]

            def at(k: str) -> None:
                index = (affine("i32", k, tuple(range(deep)), deep), affine("i32", n, tuple(range(TILE)), TILE))
                self.low.loops.chunk(index, lambda: tile(index, columns))

            with ExitStack() as ahead:
                for column in columns:
                    ahead.enter_context(hoisting(self.low.lazy, [b], (uniform("i32", 0), column), frozenset({0}), 1))
                self.b.loop("0", self.used, str(deep), at, trips=self.k / deep)

        with self.low.loops.root(find_masks(self.low.values, [b], (), b.type.dims)):
            self.b.loop("0", self.ends[1], str(TILE), rows_of, trips=self.n / TILE)

    def run_of(self, value: Value) -> int:
        """How many packed elements along k are neighbours: TILE,
        or fewer if k is cut in short rows.
        """
        return self.low.loops.lanes_within_rows([value], value.type.dims, TILE)

    def tile_row(self, value: Value, k: Lanes, column: Lanes) -> str:
        """TILE packed elements along k of one column."""
        width = self.run_of(value)
        starts = [self.b.add("i32", k.value, str(first)) for first in range(0, TILE, width)]
        parts = [
            self.low.lazy.eval(value, (affine("i32", at, tuple(range(width)), width), column), width) for at in starts
        ]
        texts = [self.lb.vec(widened(self.lb, part, self.acc, width), width) for part in parts]
        return texts[0] if len(texts) == 1 else self.joined(texts, width)

    def joined(self, halves: list[str], width: int) -> str:
        """Two vectors as one."""
        type_, indices = vector_type(self.acc, width), ", ".join(f"i32 {j}" for j in range(2 * width))
        return self.b.inst(f"shufflevector {type_} {halves[0]}, {type_} {halves[1]}, <{2 * width} x i32> <{indices}>")

    # ---- the product

    def multiply(self, a: Rows | ScatteredRows, b: Panels, c: str) -> None:
        """`c += a @ b` for packed operands, one register tile of c at a time."""
        rows, steps, (height, width) = self.rows, self.used, self.ends
        if self.grain > 1:
            steps = self.b.inst(f"udiv i32 {self.b.add('i32', steps, str(self.grain - 1))}, {self.grain}")

        def panel(j: str) -> None:
            at = self.panel_at(b, j)
            micro = partial(self.micro, a, b, at, c, j, rows, steps)
            self.b.loop("0", height, str(rows), micro, trips=self.m / rows)

        self.b.loop("0", width, str(self.panel), panel, trips=self.n / self.panel)

    def element(self, base: str, *terms: tuple[str, int | str]) -> str:
        """`base` plus the sum of index * stride, in elements."""
        position = "0"
        for index, stride in terms:
            position = self.b.add("i32", position, self.b.mul("i32", index, str(stride)))
        return self.b.inst(f"getelementptr {llvm_type(self.acc)}, ptr {base}, i32 {position}")

    def micro(
        self, a: Rows | ScatteredRows, b: Panels, panel: str, c: str, j: str, rows: int, steps: str, i: str
    ) -> None:
        """`rows` x panel of C from row i on, held in registers over the whole of k."""
        columns = range(self.panel // self.vector)
        type_ = vector_type(self.acc, self.vector)
        cells, targets = {}, {}
        for r in range(rows):
            row = self.b.add("i32", i, str(r))
            for q in columns:
                targets[r, q] = self.element(c, (row, self.n), (j, 1), (str(q * self.vector), 1))
                cells[r, q] = self.b.alloca(type_)
                self.move(targets[r, q], cells[r, q])
        firsts = [a.first(self.b, llvm_type(self.acc), self.b.add("i32", i, str(r))) for r in range(rows)]

        ahead = None if b.pointer is None else self.line_ahead(panel, b.step, i)

        def step(k: str) -> None:
            if ahead is not None:
                self.fetch(self.element(ahead, (k, b.step)))
            along = self.b.mul("i64", self.b.sext64("i32", k), a.step)
            panel_row = [self.read(self.element(panel, (k, b.step), (str(q * self.vector), 1))) for q in columns]
            for r in range(rows):
                at = self.b.inst(f"getelementptr {llvm_type(self.acc)}, ptr {firsts[r]}, i64 {along}")
                value = uniform(self.acc, self.b.inst(f"load {llvm_type(self.acc)}, ptr {at}"))
                for q in columns:
                    after = self.multiply_add(value, panel_row[q], self.read(cells[r, q]))
                    self.b.line(f"store {type_} {self.lb.vec(after, self.vector)}, ptr {cells[r, q]}")

        self.b.loop("0", steps, "1", step, trips=self.depth)
        for at in cells:
            self.move(cells[at], targets[at])

    def line_ahead(self, panel: str, step: str, i: str) -> str:
        """Where a half of the rows begins that follow those of this product in a panel: each i asks for one of the two."""
        half = self.b.mul("i32", self.b.inst(f"and i32 {self.b.inst(f'udiv i32 {i}, {self.rows}')}, 1"), str(self.vector))
        return self.element(panel, (self.used, step), (half, 1))

    def fetch(self, pointer: str) -> None:
        """Ask for a line, which a CPU does not ask for by itself where it comes to the end of a page."""
        self.b.declare("void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        self.b.line(f"call void @llvm.prefetch.p0(ptr {pointer}, i32 0, i32 2, i32 1)")

    def read(self, pointer: str) -> Lanes:
        """A vector of sums or of a packed operand."""
        type_ = vector_type(self.acc, self.vector)
        return made(self.acc, self.b.inst(f"load {type_}, ptr {pointer}, align {self.size}"), self.vector)

    def move(self, source: str, target: str) -> None:
        """Copy a vector."""
        value = self.read(source).value
        self.b.line(f"store {vector_type(self.acc, self.vector)} {value}, ptr {target}, align {self.size}")

    def multiply_add(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        """`a * b + c` for vectors."""
        if is_float(self.acc):
            if self.low.target.fma:
                return self.lb.intrinsic("fma", [a, b, c], self.acc, self.vector)
            product = self.lb.op("fmul", [a, b], self.acc, self.vector)
            return self.lb.op("fadd", [product, c], self.acc, self.vector)
        product = self.lb.op("mul", [a, b], self.acc, self.vector)
        return self.lb.op("add", [product, c], self.acc, self.vector)
