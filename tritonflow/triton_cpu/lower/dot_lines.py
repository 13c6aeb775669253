"""Packing of a product's operand line by line, in the order of its memory, with prefetches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tritonflow.triton_cpu.ir import Value
from tritonflow.triton_cpu.types import size_of

from . import memory
from .bounds import extreme
from .dot_operand import widened
from .lanes import Index, Lanes, affine, uniform
from .lowering import Lowering
from .masks import find_masks
from .transpose import TILE

_AHEAD = 4  # lines
_LONG = 512  # bytes of a line: shorter ones mostly lie next to each other, as in attention, and are soon in a cache


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of an operand: lines run along `dim`, and the other dimension is k, which the
    product sums over.

    Attributes:
        low: the kernel.
        value: the operand.
        dim: the dimension that lines run along.
        width: lanes of a chunk.
        destination: the address of packed elements, for k and the lanes of a chunk along `dim`.
        elem: the type of packed elements.
        depth: lines in all.
        used: lines that the product reads.
        end: elements of a line that the product reads.
    """

    low: Lowering
    value: Value
    dim: int
    width: int
    destination: Callable[[Lanes, Lanes], Lanes]
    elem: str
    depth: int
    used: str
    end: str

    def pack(self) -> None:
        """Several lines at a time, which masks mostly leave whole."""
        low, rows = self.low, min(TILE, self.depth)
        with low.loops.root(find_masks(low.values, [self.value], (), self.value.type.dims)):
            low.b.loop("0", self.used, str(rows), partial(self.block, rows=rows), trips=self.depth / rows)

    def block(self, k: str, rows: int) -> None:
        """`rows` lines from k on."""
        low, b, extent = self.low, self.low.b, self.value.type.dims[self.dim]

        def lines() -> None:
            whole = all(use.mask in low.lazy.masks.true for use in low.loops.chunk_masks)
            # Lines behind the end may be outside of all memory: masked loads
            # of those take a hundred times as long.
            end = b.add("i32", k, str(rows))
            end = end if whole else extreme(b, "smin", end, self.used)
            b.loop(k, end, "1", self.whole_line if whole else self.line, trips=rows)

        box = self.index(affine("i32", k, tuple(range(rows)), rows), affine("i32", "0", tuple(range(extent)), extent))
        low.loops.chunk(box, lines)

    def index(self, k: Lanes, lanes: Lanes) -> Index:
        """The operand's index."""
        return (k, lanes) if self.dim == 1 else (lanes, k)

    def whole_line(self, k: str) -> None:
        """A line of which no mask cuts anything."""
        extent = self.value.type.dims[self.dim]
        ahead = extent * size_of(self.value.type.elem) >= _LONG

        def part(first: str) -> None:
            if ahead:
                self.prefetch(k, first)
            self.chunk(k, first)

        self.low.b.loop("0", str(extent), str(self.width), part)

    def line(self, k: str) -> None:
        """Chunk by chunk as far as the product reads: a chunk may be whole, too."""
        trips = self.value.type.dims[self.dim] / self.width
        self.low.b.loop("0", self.end, str(self.width), partial(self.chunk, k), trips=trips)

    def lanes(self, first: str) -> Lanes:
        """The positions of a chunk along a line."""
        return affine("i32", first, tuple(range(self.width)), self.width)

    def chunk(self, k: str, first: str) -> None:
        """Pack a chunk of line k."""
        low, at, lanes = self.low, uniform("i32", k), self.lanes(first)

        def pack() -> None:
            with low.lazy.memo_scope():
                value = low.lazy.eval(self.value, self.index(at, lanes), self.width)
                value = widened(low.lb, value, self.elem, self.width)
            memory.store(low.lb, self.destination(at, lanes), value, None, self.elem, self.width)

        low.loops.chunk(self.index(at, lanes), pack)

    def prefetch(self, k: str, first: str) -> None:
        """Prefetch a chunk of a later line."""
        low, load = self.low, self.value.op
        if load is None or load.name != "tt.load":
            return
        later = uniform("i32", low.b.add("i32", k, str(_AHEAD)))
        with low.lazy.memo_scope():
            pointer = low.lazy.eval(load.operands[0], self.index(later, self.lanes(first)), self.width)
        memory.prefetch(low.lb, pointer, size_of(self.value.type.elem), self.width)
