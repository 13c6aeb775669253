"""tt.dot of int8 by `vpdpbusd`: four neighbours along k are multiplied and added at once.

The instruction takes unsigned bytes of A. So A is packed with 128 added to each element, which
flips its first bit, and 128 times the sums of B's columns are subtracted from C ahead. All of it
is modulo 2^32, as sums of int32 are. Four bytes stand for one i32 in the packed operands.
"""

from __future__ import annotations

from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import Type

from . import memory
from .dot_operand import Panels, Rows, ScatteredRows
from .dot_product import DotProduct
from .lanes import Index, Lanes, affine, made, uniform
from .lowering import Lowering
from .masks import find_masks
from .transpose import TILE


class QuadProduct(DotProduct):
    """A product of int8 matrices whose packed operands hold four bytes in an element."""

    grain = 4

    @staticmethod
    def fits(low: Lowering, op: Op) -> bool:
        """Whether the CPU has the instruction, and the product types and sizes for it."""
        return low.target.int8_dot and QuadProduct.takes(op, low.target.vector_bits // 32)

    @staticmethod
    def takes(op: Op, lanes: int) -> bool:
        """Whether types and sizes are those of four bytes."""
        k, n = op.operands[1].type.dims
        bytes_ = op.operands[0].type.elem == "i8" and op.result.type.elem == "i32"
        return bytes_ and k % (4 * TILE) == 0 and n % max(TILE, lanes) == 0

    def multiply(self, a: Rows | ScatteredRows, b: Panels, c: str) -> None:
        """`c += a @ b` for packed operands, whose first one is 128 too large."""
        self.subtract_columns(b.packed, c)
        super().multiply(a, b, c)

    def subtract_columns(self, b: str, c: str) -> None:
        """`c -= 128 * sums of b's columns`."""
        out, steps = self.b, self.b.inst(f"udiv i32 {self.b.add('i32', self.used, '3')}, 4")
        type_ = f"<{self.vector} x i32>"
        all_128 = uniform("i32", str(0x80808080 - (1 << 32)))

        def panel(j: str) -> None:
            first = self.element(b, (j, self.depth))
            for q in range(self.panel // self.vector):
                cell = out.alloca(type_)
                out.line(f"store {type_} zeroinitializer, ptr {cell}")

                def add(k: str, q: int = q, cell: str = cell) -> None:
                    row = self.read(self.element(first, (k, self.panel), (str(q * self.vector), 1)))
                    total = self.multiply_add(all_128, row, self.read(cell))
                    out.line(f"store {type_} {self.lb.vec(total, self.vector)}, ptr {cell}")

                def subtract(i: str, q: int = q, cell: str = cell) -> None:
                    at = self.element(c, (i, self.n), (j, 1), (str(q * self.vector), 1))
                    rest = self.lb.op("sub", [self.read(at), self.read(cell)], "i32", self.vector)
                    out.line(f"store {type_} {self.lb.vec(rest, self.vector)}, ptr {at}, align {self.size}")

                out.loop("0", steps, "1", add, trips=self.depth)
                out.loop("0", self.ends[0], "1", subtract, trips=self.m)

        out.loop("0", self.ends[1], str(self.panel), panel, trips=self.n / self.panel)

    def multiply_add(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        """`c` plus four products of unsigned bytes of a and signed bytes of b."""
        type_, name = f"<{self.vector} x i32>", f"llvm.x86.avx512.vpdpbusd.{32 * self.vector}"
        self.b.declare(f"{type_} @{name}({type_}, {type_}, {type_})")
        operands = ", ".join(f"{type_} {self.lb.vec(x, self.vector)}" for x in (c, a, b))
        return made("i32", self.b.inst(f"call {type_} @{name}({operands})"), self.vector)

    # ---- packing

    def pack_a(self, a: Value) -> Rows:
        """The rows of A with 128 added to each element."""
        self.materialise_chosen(a)
        rows = self.low.new_buffer(Type((self.m, self.k), "i8"))

        def body(index: Index, width: int) -> None:
            flipped = self.lb.op("xor", [self.low.lazy.eval(a, index, width), uniform("i8", -128)], "i8", width)
            memory.write_buffer(self.lb, rows, index, flipped, width)

        self.low.loops.run([a], a.type.dims, body, vector_dim=1, ends={0: self.ends[0]})
        return Rows(rows.pointer, str(self.depth), "1")

    def pack_b(self, b: Value) -> str:
        """B as panels of four bytes along k."""
        self.materialise_chosen(b)
        buffer = self.low.new_buffer(Type((self.n // self.panel, self.depth, self.panel), self.acc))
        if self.gathers(b, 1) and not self.gathers(b, 0):
            self.pack_transposed(b, buffer)
            return buffer.pointer
        low, out, width = self.low, self.b, self.panel

        def zip_rows(rows: list[str], lanes: int) -> str:
            """The elements of two lists of vectors of bytes in turns."""
            order = ", ".join(f"i32 {half * lanes + lane}" for lane in range(lanes) for half in (0, 1))
            return out.inst(f"shufflevector <{lanes} x i8> {rows[0]}, <{lanes} x i8> {rows[1]}, <{2 * lanes} x i32> <{order}>")

        def quad(k: str, lanes: Lanes) -> None:
            with low.lazy.memo_scope():
                steps = [uniform("i32", out.add("i32", k, str(i))) for i in range(4)]
                rows = [self.lb.vec(low.lazy.eval(b, (step, lanes), width), width) for step in steps]
            even, odd = zip_rows(rows[::2], width), zip_rows(rows[1::2], width)
            fours = out.inst(f"bitcast <{4 * width} x i8> {zip_rows([even, odd], 2 * width)} to <{width} x i32>")
            at = self.panel_pointer(buffer, out.inst(f"lshr i32 {k}, 2"), lanes, width)
            memory.store(self.lb, at, made("i32", fours, width), None, "i32", width)

        def across(k: str) -> None:
            def along(n: str) -> None:
                lanes = affine("i32", n, tuple(range(width)), width)
                low.loops.chunk((affine("i32", k, tuple(range(4)), 4), lanes), lambda: quad(k, lanes))

            out.loop("0", str(self.n), str(width), along)

        with low.loops.root(find_masks(low.values, [b], (), b.type.dims)):
            out.loop("0", self.used, "4", across, trips=self.k / 4)
        return buffer.pointer

    def tile_row(self, value: Value, k: Lanes, column: Lanes) -> str:
        """TILE times four bytes along k of one column."""
        row = self.lb.vec(self.low.lazy.eval(value, (k, column), 4 * TILE), 4 * TILE)
        return self.b.inst(f"bitcast <{4 * TILE} x i8> {row} to <{TILE} x float>")
