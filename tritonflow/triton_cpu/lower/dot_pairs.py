"""tt.dot of bf16 by `vdpbf16ps`: neighbours along k are multiplied and added in pairs.

A pair stands for one f32 in the packed operands. So the micro-kernel runs over half of k.
"""

from __future__ import annotations

from collections.abc import Callable

from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import Type

from . import memory
from .dot_operand import Rows
from .dot_product import DotProduct
from .lanes import Index, Lanes, affine, made, uniform
from .lowering import Lowering
from .masks import find_masks
from .transpose import TILE

_FUNCTION = "llvm.x86.avx512bf16.dpbf16ps.512"


class PairProduct(DotProduct):
    """A product of bf16 matrices whose packed operands hold pairs."""

    grain = 2

    @staticmethod
    def fits(low: Lowering, op: Op) -> bool:
        """Whether the CPU has the instruction, and the product types and sizes for it."""
        return low.target.bf16_dot and PairProduct.takes(op)

    @staticmethod
    def takes(op: Op) -> bool:
        """Whether types and sizes are those of pairs."""
        k, n = op.operands[1].type.dims
        halves = op.operands[0].type.elem == "bf16" and op.result.type.elem in ("f32", "f16", "bf16")
        return halves and k % (2 * TILE) == 0 and n % TILE == 0

    def multiply_add(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        """`c + a[0] * b[0] + a[1] * b[1]` for the pairs of a and b."""
        type_ = f"<{self.vector} x float>"
        pairs = [self.b.inst(f"bitcast {type_} {self.lb.vec(x, self.vector)} to <{self.vector} x i32>") for x in (a, b)]
        self.b.declare(f"{type_} @{_FUNCTION}({type_}, <{self.vector} x i32>, <{self.vector} x i32>)")
        operands = ", ".join(f"<{self.vector} x i32> {pair}" for pair in pairs)
        total = self.b.inst(f"call {type_} @{_FUNCTION}({type_} {self.lb.vec(c, self.vector)}, {operands})")
        return made(self.acc, total, self.vector)

    # ---- packing

    def pack_a(self, a: Value) -> Rows:
        """The rows of A, whose pairs are neighbours, or pairs along the columns."""
        if a in self.low.values.buffers:
            return Rows(self.low.values.buffers[a].pointer, str(self.depth), "1")
        self.materialise_chosen(a)
        if self.gathers(a, 1) and not self.gathers(a, 0):
            buffer = self.low.new_buffer(Type((self.depth, self.m), self.acc))
            width = min(2 * TILE, self.m)
            self.interleave(a, 1, self.m, width, lambda k, m: memory.buffer_pointer(self.lb, buffer, (k, m), width))
            return Rows(buffer.pointer, "1", str(self.m))
        rows = self.low.new_buffer(a.type)

        def body(index: Index, width: int) -> None:
            memory.write_buffer(self.lb, rows, index, self.low.lazy.eval(a, index, width), width)

        self.low.loops.run([a], a.type.dims, body, vector_dim=1)
        return Rows(rows.pointer, str(self.depth), "1")

    def pack_b(self, b: Value) -> str:
        """B as panels of pairs."""
        self.materialise_chosen(b)
        buffer = self.low.new_buffer(Type((self.n // self.panel, self.depth, self.panel), self.acc))
        if self.gathers(b, 1) and not self.gathers(b, 0):
            self.pack_transposed(b, buffer)
        else:
            width = self.panel
            self.interleave(b, 0, self.n, width, lambda k, n: self.panel_pointer(buffer, k.value, n, width))
        return buffer.pointer

    def interleave(
        self, value: Value, k_dim: int, extent: int, width: int, destination: Callable[[Lanes, Lanes], Lanes]
    ) -> None:
        """Pairs from rows 2k and 2k + 1, `width` lanes of the other
        dimension at a time, to `destination`.
        """
        low, b = self.low, self.b
        masks = find_masks(low.values, [value], (), value.type.dims)
        zipped = ", ".join(f"i32 {half * width + lane}" for lane in range(width) for half in (0, 1))

        def index(k: Lanes, other: Lanes) -> Index:
            return (k, other) if k_dim == 0 else (other, k)

        def pair(first: str, lanes: Lanes) -> None:
            halves = []
            with low.lazy.memo_scope():
                for i in (0, 1):
                    row = uniform("i32", b.add("i32", first, str(i)))
                    halves.append(low.lazy.eval(value, index(row, lanes), width))
            left, right = (self.lb.vec(half, width) for half in halves)
            type_ = f"<{width} x i16>"
            both = b.inst(f"shufflevector {type_} {left}, {type_} {right}, <{2 * width} x i32> <{zipped}>")
            pairs = b.inst(f"bitcast <{2 * width} x i16> {both} to <{width} x float>")
            at = destination(uniform("i32", b.inst(f"lshr i32 {first}, 1")), lanes)
            memory.store(self.lb, at, made("f32", pairs, width), None, "f32", width)

        def across(first: str) -> None:
            def along(other: str) -> None:
                lanes = affine("i32", other, tuple(range(width)), width)
                low.loops.chunk(index(affine("i32", first, (0, 1), 2), lanes), lambda: pair(first, lanes))

            b.loop("0", str(extent), str(width), along)

        # Rows behind the end may be outside of all memory: masked loads
        # of those take a hundred times as long.
        with low.loops.root(masks):
            b.loop("0", self.used, "2", across, trips=self.k / 2)

    def tile_row(self, value: Value, k: Lanes, column: Lanes) -> str:
        """TILE pairs along k of one column."""
        row = self.lb.vec(self.low.lazy.eval(value, (k, column), 2 * TILE), 2 * TILE)
        return self.b.inst(f"bitcast <{2 * TILE} x i16> {row} to <{TILE} x float>")
