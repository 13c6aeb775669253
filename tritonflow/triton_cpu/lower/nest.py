"""Loop nests: a root's elements chunk by chunk, with masks decided for whole chunks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from math import prod
from types import MappingProxyType

from tritonflow.triton_cpu.ir import Value

from . import views
from .bounds import Bounds, bounds, box_keeps_order, extreme
from .evaluate import LazyEvaluator
from .hoist import hoisting
from .lane_kinds import row_length
from .lanes import Index, Lanes, affine, uniform
from .masks import MaskUse, find_masks
from .memory import StackBuffer

LANES = 32
_LEAST_ROW = 8

Body = Callable[[Index, int], None]  # emits the code of a chunk, given its index and its lanes
Emit = Callable[[], None]  # emits the code of a chunk
Wrap = Callable[[Emit], None]  # emits a chunk's code, once for each state of its masks
Inside = Callable[[str, Wrap], None]  # emits the chunk at a loop's index


class LoopNests:
    """Emits loops over the elements of roots.

    Attributes:
        lazy: evaluates what the loops contain.
        b: where they are emitted.
        chunk_masks: the masks of the root under emission that can be decided for whole chunks.
    """

    def __init__(self, lazy: LazyEvaluator) -> None:
        self.lazy, self.b = lazy, lazy.b
        self.chunk_masks: tuple[MaskUse, ...] = ()

    @contextmanager
    def root(self, masks: tuple[MaskUse, ...], pending: Mapping[Value, StackBuffer] | None = None) -> Iterator[None]:
        """Around a root's loops, which decide `masks` for each
        chunk and fill the buffers of `pending`.
        """
        outer = self.chunk_masks
        self.chunk_masks = masks
        try:
            with self.lazy.values.filling(pending or {}):
                yield
        finally:
            self.chunk_masks = outer

    def run(
        self,
        values: list[Value],
        shape: tuple[int, ...],
        body: Body,
        pending: Mapping[Value, StackBuffer] | None = None,
        masks: Iterable[Value] = (),
        width: int = LANES,
        vector_dim: int | None = None,
        ends: Mapping[int, str] = MappingProxyType({}),
        store_mask: MaskUse | None = None,
    ) -> None:
        """A root over `shape`: `body` for every chunk, which evaluates `values` at the chunk's
        index.

        Args:
            pending: the buffers that evaluating `values` fills.
            masks: masks that the body evaluates, beside those of the loads.
            width: lanes of a chunk, at most.
            vector_dim: the dimension that lanes run along, if not the last ones.
            ends: where the loops over these dimensions end. Lanes do not run along them.
            store_mask: the mask of a root that does nothing where it is false.
        """
        width = self.lanes_within_rows(values, shape, width)
        with self.root(find_masks(self.lazy.values, values, masks, shape), pending):
            self.nest(shape, body, width, vector_dim, values, ends, store_mask)

    def nest(
        self,
        shape: tuple[int, ...],
        body: Body,
        width: int = LANES,
        vector_dim: int | None = None,
        values: Iterable[Value] = (),
        ends: Mapping[int, str] = MappingProxyType({}),
        store_mask: MaskUse | None = None,
    ) -> None:
        """The loops of `run` alone. Values that the innermost loop does not change are hoisted."""
        _LoopNest(self, shape, body, lane_dims(shape, width, vector_dim), values, ends, store_mask).emit()

    def lanes_within_rows(self, values: Iterable[Value], shape: tuple[int, ...], width: int) -> int:
        """Fewer lanes if `//` and `%` cut a range in short rows,
        so that a chunk stays in one row.
        """
        rows: list[int] = []

        def visit(value: Value, symbolic: views.Symbolic) -> None:
            divisor = row_length(value)
            if divisor is not None and _LEAST_ROW <= divisor < width:
                rows.append(divisor)

        for value in values:
            views.reach(self.lazy.values, value, tuple(range(len(shape))), visit)
        return min(rows, default=width)

    # ---- masks

    def chunk(self, index: Index, emit: Emit) -> None:
        """The code of a chunk: once, or twice under masks, for
        masks that are all true and for others.
        """
        decided = self.lazy.masks
        undecided = [use for use in self.chunk_masks if use.mask not in decided.true and use.mask not in decided.false]
        if not undecided:
            emit()
            return
        condition = self._all_true(undecided, index)

        def all_true() -> None:
            with self.lazy.assuming(undecided, True, index):
                emit()

        if condition == "1":
            all_true()
        else:
            self.b.if_else(condition, all_true, emit)

    def _all_true(self, uses: list[MaskUse], index: Index) -> str:
        """The condition that monotone masks are true on a chunk: that they are at its corners."""
        ends = [(0,) if i.offsets is None else (0, max(i.offsets)) for i in index]
        corners = list(itertools.product(*ends))
        condition = "1"
        with self.lazy.memo_scope():
            for use in uses:
                condition = self.b.both(condition, box_keeps_order(self.lazy, use, index, corners))
        for corner in corners:
            with self.lazy.memo_scope():
                at = tuple(
                    uniform("i32", self.b.add("i32", i.value, str(end))) for i, end in zip(index, corner, strict=True)
                )
                for use in uses:
                    holds = self.lazy.eval(use.mask, views.concrete(use.symbolic, at), 1).value
                    condition = self.b.both(condition, holds)
        return condition

    # ---- the innermost loop

    def sweep(
        self,
        dim: int,
        index: list[Lanes],
        start: int,
        extent: int,
        step: int,
        inside: Inside,
        store_mask: MaskUse | None = None,
    ) -> None:
        """The innermost loop, over dimension `dim` of a root's `index`, whose entry `inside`
        writes.

        Where masks bound its index it is cut in three: all true, some true, none true.
        """
        _Sweep(self, dim, index, start, extent, step, inside, store_mask).emit()

    def store_bound(self, store_mask: MaskUse | None, dim: int, index: list[Lanes], extent: int) -> str:
        """Where a loop of a store may end: beyond, its mask is false."""
        if store_mask is None:
            return str(extent)
        found = bounds(self.lazy, [store_mask], dim, index, dim, extent)
        return str(extent) if found is None else found.none_true


@dataclass(frozen=True, slots=True)
class _Sweep:
    """The innermost loop of a nest (`LoopNests.sweep`)."""

    nests: LoopNests
    dim: int
    index: list[Lanes]
    start: int
    extent: int
    step: int
    inside: Inside
    store_mask: MaskUse | None

    def emit(self) -> None:
        nests = self.nests
        uses = [use for use in nests.chunk_masks if use.mask not in nests.lazy.masks.true]
        found = bounds(nests.lazy, uses, self.dim, self.index, self.dim, self.extent) if uses else None
        if found is None:
            self.loop(str(self.start), self.store_bound(), self.undecided, self.trips())
        else:
            self.cut_in_three(uses, found)

    def cut_in_three(self, uses: list[MaskUse], found: Bounds) -> None:
        b = self.nests.b
        full = b.inst(f"and i32 {found.all_true}, {-self.step}")
        if self.start:
            full = extreme(b, "smax", full, str(self.start))
        self.loop(str(self.start), full, partial(self.assuming, uses, True), self.trips())
        end = self.store_bound() if self.store_mask else found.none_true
        self.loop(full, end, lambda emit: emit(), 1)
        if self.store_mask is None:  # a store has nothing left to do
            rest = b.inst(f"and i32 {b.add('i32', end, str(self.step - 1))}, {-self.step}")
            rest = extreme(b, "smax", rest, full)
            self.loop(rest, str(self.extent), partial(self.assuming, uses, False), 1)

    def loop(self, low: str, high: str, wrap: Wrap, trips: float) -> None:
        self.nests.b.loop(low, high, str(self.step), lambda i: self.inside(i, wrap), trips=trips)

    def trips(self) -> float:
        return (self.extent - self.start) / self.step

    def store_bound(self) -> str:
        return self.nests.store_bound(self.store_mask, self.dim, self.index, self.extent)

    def undecided(self, emit: Emit) -> None:
        self.nests.chunk(tuple(self.index), emit)

    def assuming(self, uses: list[MaskUse], truth: bool, emit: Emit) -> None:
        with self.nests.lazy.assuming(uses, truth, tuple(self.index)):
            emit()


class _LoopNest:
    """One nest: loops from the first dimension to the last, with lanes along some of them.

    Attributes:
        lanes: of the dimensions that lanes run along: how many, and the lanes between neighbours.
        width: lanes of a chunk.
        index: the index of the chunk, filled in from the first dimension on as loops are emitted.
        innermost: the dimension of the innermost loop, -1 if there is none.
    """

    def __init__(
        self,
        nests: LoopNests,
        shape: tuple[int, ...],
        body: Body,
        lanes: dict[int, tuple[int, int]],
        values: Iterable[Value],
        ends: Mapping[int, str],
        store_mask: MaskUse | None,
    ) -> None:
        self.nests, self.shape, self.body, self.lanes = nests, shape, body, lanes
        self.values, self.ends, self.store_mask = values, ends, store_mask
        self.width = prod(count for count, _ in lanes.values())
        self.index: list[Lanes] = [uniform("i32", 0)] * len(shape)
        self.innermost = max((d for d, extent in enumerate(shape) if extent > lanes.get(d, (1, 1))[0]), default=-1)

    def emit(self) -> None:
        self.level(0, self.undecided)

    def undecided(self, emit: Emit) -> None:
        self.nests.chunk(tuple(self.index), emit)

    def chunk(self) -> None:
        with self.nests.lazy.memo_scope():
            self.body(tuple(self.index), self.width)

    def level(self, dim: int, wrap: Wrap) -> None:
        """The loops over `dim` and the dimensions behind it."""
        if dim == len(self.shape):
            wrap(self.chunk)
            return
        step = self.lanes.get(dim, (1, 1))[0]
        if self.shape[dim] == step:
            self.inside(dim, wrap, "0")
        elif dim != self.innermost:
            self.loop(dim, step, wrap)
        else:
            with ExitStack() as ahead:
                for index, varying, width in self.hoisted(dim):
                    ahead.enter_context(hoisting(self.nests.lazy, self.values, index, varying, width))
                self.loop(dim, step, wrap)

    def hoisted(self, dim: int) -> Iterator[tuple[Index, frozenset[int], int]]:
        """What the loop over `dim` does not change: scalars and, where lanes run along other whole dimensions alone, lanes."""
        yield tuple(self.index), frozenset({dim, *self.lanes}), 1
        if self.lanes and all(d != dim and count == self.shape[d] for d, (count, _) in self.lanes.items()):
            index = list(self.index)
            for d in self.lanes:
                index[d] = self.along(d, "0")
            yield tuple(index), frozenset({dim}), self.width

    def along(self, dim: int, first: str) -> Lanes:
        """The lanes' positions along a dimension."""
        count, inner = self.lanes.get(dim, (1, 1))
        return affine("i32", first, tuple((k // inner) % count for k in range(self.width)), count)

    def inside(self, dim: int, wrap: Wrap, i: str) -> None:
        self.index[dim] = self.along(dim, i)
        self.level(dim + 1, wrap)

    def loop(self, dim: int, step: int, wrap: Wrap) -> None:
        nests, extent = self.nests, self.shape[dim]
        whole = {d for d, (count, _) in self.lanes.items() if count == self.shape[d]}
        if dim == self.innermost and set(self.lanes) <= whole | {dim}:
            nests.sweep(dim, self.index, 0, extent, step, lambda i, w: self.inside(dim, w, i), self.store_mask)
        else:
            high = self.ends.get(dim) or nests.store_bound(self.store_mask, dim, self.index, extent)
            nests.b.loop("0", high, str(step), partial(self.inside, dim, wrap), trips=extent / step)


def lane_dims(shape: tuple[int, ...], width: int, vector_dim: int | None) -> dict[int, tuple[int, int]]:
    """The dimensions that lanes run along: dimension -> (how many lanes, lanes between neighbours).

    (4, 8) with 32 lanes: {1: (8, 1), 0: (4, 8)}.
    """
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
