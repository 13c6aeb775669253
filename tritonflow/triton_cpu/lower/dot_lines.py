"""Packing of an operand of a product line after line, as it lies in memory: what comes next is asked for ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tritonflow.triton_cpu.ir import Value
from tritonflow.triton_cpu.types import size_of

from . import memory
from .lanes import Lanes, affine, uniform
from .lowering import Index
from .masks import extreme, find_masks
from .transpose import TILE

if TYPE_CHECKING:
    from .dot_product import DotProduct

_AHEAD = 4  # lines
_LONG = 512  # bytes of a line: shorter ones mostly lie next to each other, as in attention, and are soon in a cache


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of `value` along `dim`; the other dimension is k. `width` lanes at a time go to where `place` says for (k, lanes)."""

    product: DotProduct
    value: Value
    dim: int
    width: int
    place: Callable[[Lanes, Lanes], Lanes]

    def pack(self) -> None:
        product, low = self.product, self.product.low
        rows = min(TILE, product.k)
        masks = find_masks(low, [self.value], (), self.value.type.dims)
        block = partial(self.block, rows=rows)
        low.with_state(None, masks, lambda: low.b.loop("0", product.used, str(rows), block, trips=product.k / rows))

    def block(self, k: str, rows: int) -> None:
        """Several lines, which masks mostly leave whole, all of them."""
        low, b, extent = self.product.low, self.product.b, self.value.type.dims[self.dim]

        def lines() -> None:
            whole = all(use.mask in low.holding for use in low.chunk_masks)
            # Behind its end the operand may lie where no memory is: masked loads of that take a hundred times as long.
            end = b.add("i32", k, str(rows))
            end = end if whole else extreme(b, "smin", end, self.product.used)
            b.loop(k, end, "1", self.whole_line if whole else self.line, trips=rows)

        box = self.index(affine("i32", k, tuple(range(rows)), rows), affine("i32", "0", tuple(range(extent)), extent))
        low.chunk(box, lines)

    def index(self, k: Lanes, lanes: Lanes) -> Index:
        return (k, lanes) if self.dim == 1 else (lanes, k)

    def whole_line(self, k: str) -> None:
        extent = self.value.type.dims[self.dim]
        ahead = extent * size_of(self.value.type.elem) >= _LONG

        def part(first: str) -> None:
            if ahead:
                self.prefetch(k, first)
            self.chunk(k, first)

        self.product.b.loop("0", str(extent), str(self.width), part)

    def line(self, k: str) -> None:
        """Chunk by chunk as far as anybody looks: a chunk may be whole, too."""
        trips = self.value.type.dims[self.dim] / self.width
        self.product.b.loop("0", self.product.ends[self.dim], str(self.width), partial(self.chunk, k), trips=trips)

    def lanes(self, first: str) -> Lanes:
        return affine("i32", first, tuple(range(self.width)), self.width)

    def chunk(self, k: str, first: str) -> None:
        product, low, at, lanes = self.product, self.product.low, uniform("i32", k), self.lanes(first)

        def pack() -> None:
            low.memo = {}
            data = product.widened(low.eval(self.value, self.index(at, lanes), self.width), self.width)
            low.memo = {}
            memory.store(low.lb, self.place(at, lanes), data, None, product.acc, self.width)

        low.chunk(self.index(at, lanes), pack)

    def prefetch(self, k: str, first: str) -> None:
        low, load = self.product.low, self.value.op
        if load is None or load.name != "tt.load":
            return
        later = uniform("i32", low.b.add("i32", k, str(_AHEAD)))
        low.memo = {}
        pointer = low.eval(load.operands[0], self.index(later, self.lanes(first)), self.width)
        low.memo = {}
        memory.prefetch(low.lb, pointer, size_of(self.value.type.elem), self.width)
