"""tt.dot of bf16 and of int8 by AMX, whose registers are tiles of 16 rows of 64 bytes.

An instruction multiplies a tile of A, 16 rows of 16 elements of the packed operands, with one of B,
and adds to a tile of 16 x 16 sums. Four tiles of sums, two of A and two of B fill the registers. The
operands are packed as for the vector instructions, with two differences: int8 needs no offset, and
zeros lie behind the end of k, because tiles are read whole.
"""

from __future__ import annotations

from functools import partial

from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import llvm_type, size_of

from .dot_lines import Lines
from .dot_operand import Panels, Rows, ScatteredRows
from .dot_pairs import PairProduct
from .dot_product import DotProduct
from .dot_quads import QuadProduct
from .lanes import Lanes, affine, uniform
from .lowering import Lowering
from .masks import find_masks
from .transpose import TILE, transposed

_ROW_BYTES = 64
_A, _B = 4, 6  # the first registers of operands: those of sums begin at 0
_CONFIG = "@tf_tile_config"  # what `ldtilecfg` reads: palette 1, and of each of 8 registers bytes of a row, and rows
_CLOCKS = {"dot": 16, "load": 8, "store": 16}
_FUNCTIONS = (
    "void @llvm.x86.ldtilecfg(ptr)", "void @llvm.x86.tilerelease()", "void @llvm.x86.tileloadd64(i8 immarg, ptr, i64)",
    "void @llvm.x86.tilestored64(i8 immarg, ptr, i64)",
)  # fmt: skip


class TileProduct(DotProduct):
    """A product by tiles, of operands that are packed in elements of 32 bits.

    Attributes:
        unit: the instruction that multiplies.
        deep: elements along k that it takes at once.
    """

    unit = ""

    def __init__(self, low: Lowering, op: Op) -> None:
        super().__init__(low, op)
        self.deep = TILE * self.grain
        self.panel = min(2 * TILE, self.n)
        self.vector = TILE

    @staticmethod
    def suits(low: Lowering, op: Op) -> bool:
        """Whether the CPU has tiles, and the result whole ones."""
        return low.target.amx and all(extent % TILE == 0 for extent in op.result.type.dims)

    # ---- packing

    def rows_of(self, a: Value) -> Rows:
        """Packed A: rows of a tile, and tiles along k, at a distance in bytes. All of k is packed: masked elements are 0."""
        buffers = self.low.values.buffers
        if a in buffers:
            return Rows(buffers[a].pointer, str(self.depth * self.size), str(_ROW_BYTES))
        self.materialise_chosen(a)
        packed = self.low.new_buffer(a.type).pointer
        if self.gathers(a, 1) and not self.gathers(a, 0):
            self.pack_columns_of_a(a, packed)
        else:
            width = self.low.loops.lanes_within_rows([a], a.type.dims, self.deep)
            at, ends = partial(self.in_tiles, packed, width=width), (self.ends[0], str(self.k))
            Lines(self.low, a, 1, width, at, a.type.elem, self.m, *ends).pack()
        return Rows(packed, str(_ROW_BYTES), str(TILE * _ROW_BYTES))

    def in_tiles(self, packed: str, m: Lanes, k: Lanes, width: int) -> Lanes:
        """The address of element (m, k) of packed A, whose tiles lie one behind the other. The lanes of `k` are in one."""
        out, elem = self.b, {2: "bf16", 4: "i8"}[self.grain]
        row, column = self.tile_row_at(m.value, k.value), out.inst(f"and i32 {k.value}, {self.deep - 1}")
        start = out.inst(f"getelementptr i8, ptr {packed}, i32 {row}")
        pointer = out.inst(f"getelementptr {llvm_type(elem)}, ptr {start}, i32 {column}")
        return affine(f"!tt.ptr<{elem}>", pointer, tuple(j * size_of(elem) for j in range(width)))

    def tile_row_at(self, m: str, k: str) -> str:
        """Where the row m of the tile that has k begins, in bytes."""
        out = self.b
        block = out.mul("i32", out.inst(f"lshr i32 {m}, 4"), str(TILE * 4 * self.depth))
        tile = out.mul("i32", out.inst(f"udiv i32 {k}, {self.deep}"), str(TILE * _ROW_BYTES))
        row = out.mul("i32", out.inst(f"and i32 {m}, {TILE - 1}"), str(_ROW_BYTES))
        return out.add("i32", out.add("i32", block, tile), row)

    def pack_columns_of_a(self, a: Value, packed: str) -> None:
        """A is contiguous along m: neighbours along k become elements, and tiles of those are transposed in registers."""
        low, out = self.low, self.b
        end = out.mul("i32", self.steps(), str(self.deep))

        def tile(m: Lanes, k: str) -> None:
            cells = []
            for i in range(TILE):
                first = out.add("i32", k, str(i * self.grain))
                cells.append(self.line_of(a, first, m))
            lines = [out.inst(f"load <{TILE} x float>, ptr {cell}") for cell in cells]
            first = out.inst(f"getelementptr i8, ptr {packed}, i32 {self.tile_row_at(m.value, k)}")
            for i, line in enumerate(transposed(out, "f32", lines)):
                out.line(f"store <{TILE} x float> {line}, ptr {out.offset(first, str(i * _ROW_BYTES))}, align 64")

        def across(m: str) -> None:
            lanes = affine("i32", m, tuple(range(TILE)), TILE)

            def along(k: str) -> None:
                low.loops.chunk((lanes, affine("i32", k, tuple(range(self.deep)), self.deep)), lambda: tile(lanes, k))

            out.loop("0", end, str(self.deep), along, trips=self.k / self.deep)

        with low.loops.root(find_masks(low.values, [a], (), a.type.dims)):
            out.loop("0", self.ends[0], str(TILE), across, trips=self.m / TILE)

    def line_of(self, a: Value, k: str, m: Lanes) -> str:
        """Where the elements that begin at k are: zeros behind the end of k, where masked loads of no memory take long."""
        out, cell = self.b, self.b.alloca(f"<{TILE} x float>")

        def load() -> None:
            with self.low.lazy.memo_scope():
                out.line(f"store <{TILE} x float> {self.element_of(a, k, m)}, ptr {cell}")

        zeros = f"store <{TILE} x float> zeroinitializer, ptr {cell}"
        out.if_else(out.inst(f"icmp slt i32 {k}, {self.used}"), load, lambda: out.line(zeros))
        return cell

    def scaled(self, k: str) -> str:
        """k in elements of the packed operands."""
        return self.b.inst(f"lshr i32 {k}, {self.grain.bit_length() - 1}")

    def element_of(self, a: Value, k: str, m: Lanes) -> str:
        """The elements of packed A that begin at k, in the rows m, as floats."""
        steps = [uniform("i32", self.b.add("i32", k, str(i))) for i in range(self.grain)]
        parts = [self.lb.vec(self.low.lazy.eval(a, (m, step), TILE), TILE) for step in steps]
        elem, width = f"i{32 // self.grain}", TILE
        while len(parts) > 1:
            half, type_ = len(parts) // 2, f"<{width} x {elem}>"
            order = ", ".join(f"i32 {side * width + lane}" for lane in range(width) for side in (0, 1))
            parts = [
                self.b.inst(f"shufflevector {type_} {x}, {type_} {y}, <{2 * width} x i32> <{order}>")
                for x, y in zip(parts[:half], parts[half:], strict=True)
            ]
            width *= 2
        return self.b.inst(f"bitcast <{width} x {elem}> {parts[0]} to <{TILE} x float>")

    def clear_behind(self, b: str) -> None:
        """Zeros in packed B, from the end of k to that of its last tile."""
        if self.used == str(self.k):
            return
        out = self.b
        first = self.scaled(out.add("i32", self.used, str(self.grain - 1)))
        end = out.mul("i32", self.steps(), str(TILE))

        def panel(j: str) -> None:
            def row(k: str) -> None:
                for q in range(0, self.panel, TILE):
                    at = self.element(b, (j, self.depth), (k, self.panel), (str(q), 1))
                    out.line(f"store <{TILE} x i32> zeroinitializer, ptr {at}, align 64")

            out.loop(first, end, "1", row, trips=TILE / 2)

        out.loop("0", self.ends[1], str(self.panel), panel, trips=self.n / self.panel)

    # ---- the product

    def steps(self) -> str:
        """Tiles along k."""
        return self.b.inst(f"udiv i32 {self.b.add('i32', self.used, str(self.deep - 1))}, {self.deep}")

    def multiply(self, a: Rows | ScatteredRows, b: Panels, c: str) -> None:
        """`c += a @ b` for packed operands, two times two tiles of c at a time, or fewer at its ends."""
        out, steps, (height, width) = self.b, self.steps(), self.ends
        for function in (*_FUNCTIONS, f"void @llvm.x86.{self.unit}(i8 immarg, i8 immarg, i8 immarg)"):
            out.declare(function)
        out.declarations.add(f'{_CONFIG} = private constant [64 x i8] c"{_config()}", align 64')
        assert isinstance(a, Rows)
        self.clear_behind(b.packed)
        out.line(f"call void @llvm.x86.ldtilecfg(ptr {_CONFIG})")
        rows = min(2 * TILE, self.m)

        def micro(i: str, j: str) -> None:
            one, two = (partial(self.tiles, a, b.packed, c, i, j, steps, count) for count in (1, 2))
            if rows == TILE:
                one()
            else:
                out.if_else(out.inst(f"icmp sle i32 {out.sub('i32', height, i)}, {TILE}"), one, two)

        def panel(j: str) -> None:
            out.loop("0", height, str(rows), lambda i: micro(i, j), trips=self.m / rows)

        out.loop("0", width, str(self.panel), panel, trips=self.n / self.panel)
        out.line("call void @llvm.x86.tilerelease()")

    def tiles(self, a: Rows, b: str, c: str, i: str, j: str, steps: str, rows: int) -> None:
        """So many rows of tiles of C from (i, j) on, over the whole of k."""
        out, columns = self.b, self.panel // TILE
        cells = [(r, q) for r in range(rows) for q in range(columns)]
        sums = {}
        for r, q in cells:
            row = out.add("i32", i, str(TILE * r))
            sums[r, q] = self.element(c, (row, self.n), (j, 1), (str(TILE * q), 1))
            self.tile("load", 2 * r + q, sums[r, q], 4 * self.n)
        panel = self.element(b, (j, self.depth))
        lines = [self.element(a.pointer, (out.add("i32", i, str(TILE * r)), self.depth)) for r in range(rows)]

        def step(k: str) -> None:
            wide = out.sext64("i32", k)
            for r in range(rows):
                self.tile("load", _A + r, out.offset(lines[r], out.mul("i64", wide, a.step)), a.row)
            for q in range(columns):
                at = out.offset(panel, out.add("i64", out.mul("i64", wide, str(TILE * 4 * self.panel)), str(q * _ROW_BYTES)))
                self.tile("load", _B + q, at, 4 * self.panel)
            for r, q in cells:
                out.cost += _CLOCKS["dot"] * out.weight
                out.line(f"call void @llvm.x86.{self.unit}(i8 {2 * r + q}, i8 {_A + r}, i8 {_B + q})")

        out.loop("0", steps, "1", step, trips=self.k / self.deep)
        for r, q in cells:
            self.tile("store", 2 * r + q, sums[r, q], 4 * self.n)

    def tile(self, what: str, register: int, pointer: str, distance: int | str) -> None:
        """Load or store a tile, whose rows are so many bytes apart."""
        self.b.cost += _CLOCKS[what] * self.b.weight
        name = {"load": "tileloadd64", "store": "tilestored64"}[what]
        self.b.line(f"call void @llvm.x86.{name}(i8 {register}, ptr {pointer}, i64 {distance})")


def _config() -> str:
    """Palette 1, and for each register the bytes of a row and its rows."""
    data = bytes([1, *15 * [0], *8 * [_ROW_BYTES, 0], *16 * [0], *8 * [TILE], *8 * [0]])
    return "".join(f"\\{byte:02x}" for byte in data)


class PairTiles(TileProduct, PairProduct):
    """A product of bf16 matrices by tiles."""

    unit = "tdpbf16ps"

    @staticmethod
    def fits(low: Lowering, op: Op) -> bool:
        """Whether the CPU has the instruction, and the product types and sizes for it."""
        return TileProduct.suits(low, op) and PairProduct.takes(op)


class QuadTiles(TileProduct, QuadProduct):
    """A product of int8 matrices by tiles."""

    unit = "tdpbssd"

    @staticmethod
    def fits(low: Lowering, op: Op) -> bool:
        """Whether the CPU has the instruction, and the product types and sizes for it."""
        return TileProduct.suits(low, op) and QuadProduct.takes(op, TILE)
