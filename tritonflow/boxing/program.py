"""A move as a program of one rank: views, copies and sums of the local interpreter, and one verb of the wire.

It is made once for each rank and meta of a shard. What is left for a run is to call ops and a verb on windows. By which road they
are called, `run` is told: now, or as nodes of a graph (`graph/ranks/emit.py`).
"""

from __future__ import annotations

from itertools import accumulate
from math import inf
from typing import Any, NamedTuple, Protocol

from tritonflow.boxing.moves import Cell, Move, RankWork
from tritonflow.boxing.pieces import Piece, box_numel
from tritonflow.boxing.views import Window, first_of_run, merged, relative, whole
from tritonflow.dtypes import DType, bool_
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.execution.transfer import allocate
from tritonflow.framework.meta import TensorMeta, contiguous_meta, numel_of
from tritonflow.framework.shards import Box, box_shape
from tritonflow.framework.tensor import Tensor
from tritonflow.ops.cast import scalar_of
from tritonflow.wire import verbs
from tritonflow.wire.verbs import Buffer, Verb

_copy, _fill, _combine_shares = op_expr("copy_"), op_expr("fill_"), op_expr("combine_shares")
_contiguous_copy = op_expr("contiguous_copy")
_COMBINE = {op: OpContext((op,)) for op in ("sum", "max", "min")}


class Road(Protocol):
    """By which a program's ops and verbs go."""

    def apply(self, op: OpExpr, inputs: tuple[Tensor, ...], context: OpContext) -> Any:
        """Call an op of the local interpreter."""

    def allocate(self, meta: TensorMeta) -> Tensor:
        """A tensor that is not initialised."""

    def move(self, verb: Verb, sent: Tensor | None, received: TensorMeta | None, what: str) -> Tensor | None:
        """Call a verb; gives what is received."""


class EagerRoad:
    """Everything is done now."""

    apply = staticmethod(eager_local.apply)
    allocate = staticmethod(allocate)

    def move(self, verb: Verb, sent: Tensor | None, received: TensorMeta | None, what: str) -> Tensor | None:
        """Issue the verb's instructions."""
        into = None if received is None else allocate(received)
        verbs.move(verb, None if sent is None else buffer_of(sent), None if into is None else buffer_of(into), what)
        return into


EAGER = EagerRoad()


class PieceSlot(NamedTuple):
    """Where a piece is: in the receive buffer or in the shard."""

    received: bool
    window: Window


class Sum(NamedTuple):
    """A cell of several shares.

    Attributes:
        rows: the window of all of them in the receive buffer, where they came one behind the other.
        slots: where they are, else.
        runs: how they are combined: (op, count), the outermost run first.
        target: the cell in the result.
    """

    slots: tuple[PieceSlot, ...]
    rows: Window | None
    runs: tuple[tuple[str, int], ...]
    target: Window


class MoveProgram:
    """One move on one rank: packs what is sent, calls the verb, puts together what came.

    Attributes:
        shape: in which the shard is seen, None where there is none.
        sends: the window of the shard that is sent as it lies; packs: or copies into a buffer of `packed`.
        receives: the meta of the receive buffer.
        result: the meta of the target shard before it is seen otherwise, None where there is none.
        gives: the meta of the target shard.
        fills, copies, sums: of which it is made: identities, (receive buffer or shard, to, from), cells of several shares.
        only: the slot that is the target shard, without a copy.
    """

    def __init__(self, move: Move, rank: int, meta: TensorMeta) -> None:
        self.placement = move.target.placement
        self.device = self.placement.device()
        self.dtype: DType = meta.dtype
        work = move.work_of(rank)
        self.shape = None if work.holding is None else box_shape(work.holding)
        self._shard = whole(seen_as(meta, self.shape) if self.shape is not None else meta)
        self._offsets: dict[int, int] = {}  # by giver: where its piece is received
        self.sends: Window | None = None
        self.packs: list[tuple[Window, Window]] = []
        self.packed: TensorMeta | None = None
        self.receives: TensorMeta | None = None
        self.verb: Verb | None = None
        if work.group is not None:
            self._plan_wire(work)
            self.verb = _verb(work, rank, self.dtype.itemsize)
        self._plan_result(work)
        self.gives = self._meta(0) if self.result is None else self.result
        if self.only is not None:
            self.gives = self.only.window.meta

    def _meta(self, *shape: int) -> TensorMeta:
        return contiguous_meta(shape, self.dtype, self.device)

    # ----------------------------------------------------------------------------------------------- what is planned

    def _plan_wire(self, work: RankWork) -> None:
        _, _, group, out, into, _, _ = work
        exchange = group is not None and group.verb == "exchange"
        if out or exchange:
            self._plan_sending([relative(p.box, work.holding) for p in (out if exchange else out[:1])])  # type: ignore[arg-type]
        if into or exchange:
            starts = accumulate([p.numel for p in into], initial=0)
            self._offsets = {piece.source: start for piece, start in zip(into, starts)}
            self.receives = self._meta(sum([p.numel for p in into]))

    def _plan_sending(self, boxes: list[Box]) -> None:
        shard, count = self._shard, sum(map(box_numel, boxes))
        first = first_of_run(boxes, shard.meta.shape) if shard.meta.is_contiguous else None
        if first is not None:
            self.sends = shard.run(first, (count,))
            return
        packed = self.packed = self._meta(count)
        starts = accumulate(map(box_numel, boxes), initial=0)
        self.packs = merged([(whole(packed).run(k, box_shape(box)), shard.box(box)) for box, k in zip(boxes, starts)])

    def _plan_result(self, work: RankWork) -> None:
        self.result: TensorMeta | None = None
        self.copies: list[tuple[bool, Window, Window]] = []
        self.sums: list[Sum] = []
        self.fills: list[tuple[Window, OpContext]] = []
        self.only: PieceSlot | None = None
        if work.wanted is None:
            return
        result = self.result = self._meta(*box_shape(work.wanted))
        if self._is_as_received(work, result):
            self.only = PieceSlot(True, whole(self.receives).run(0, result.shape))  # type: ignore[arg-type]
            return
        pairs: dict[bool, list[tuple[Window, Window]]] = {True: [], False: []}
        for cell in work.cells:
            target = whole(result).box(relative(cell.box, work.wanted))
            if len(cell.pieces) > 1:
                self.sums.append(self._sum(cell, target, work))
            else:
                slot = self._slot(cell.pieces[0], work)
                pairs[slot.received].append((target, slot.window))
        for fill in work.fills:
            context = OpContext((), (identity(fill.op, self.dtype),))
            self.fills.append((whole(result).box(relative(fill.box, work.wanted)), context))
        self.copies = [(received, *pair) for received, several in pairs.items() for pair in merged(several)]
        if len(self.copies) == 1 and not self.sums and not self.fills:
            ((received, target, source),) = self.copies
            self.only = PieceSlot(received, source) if target.meta.shape == result.shape else None

    def _is_as_received(self, work: RankWork, result: TensorMeta) -> bool:
        """Whether the receive buffer has all elements of the result in their order."""
        if not work.cells or any(len(cell.pieces) > 1 for cell in work.cells) or work.fills:
            return False
        in_order = [cell.pieces[0].source for cell in work.cells] == list(self._offsets)
        return in_order and first_of_run([relative(cell.box, work.wanted) for cell in work.cells], result.shape) == 0  # type: ignore[arg-type]

    def _sum(self, cell: Cell, target: Window, work: RankWork) -> Sum:
        rows = self._rows(cell, target)
        slots = () if rows is not None else tuple([self._slot(piece, work) for piece in cell.pieces])
        return Sum(slots, rows, cell.runs, target)

    def _rows(self, cell: Cell, target: Window) -> Window | None:
        """The window of all shares of a cell in the receive buffer, where they came one behind the other."""
        n = target.meta.numel
        offsets = [self._offsets.get(p.source) for p in cell.pieces]
        if self.receives is None or offsets[0] is None or offsets != [offsets[0] + k * n for k in range(len(offsets))]:
            return None
        return whole(self.receives).run(offsets[0], (len(offsets), *target.meta.shape))

    def _slot(self, piece: Piece, work: RankWork) -> PieceSlot:
        start = self._offsets.get(piece.source)
        if start is not None:
            return PieceSlot(True, whole(self.receives).run(start, box_shape(piece.box)))  # type: ignore[arg-type]
        assert work.holding is not None
        return PieceSlot(False, self._shard.box(relative(piece.box, work.holding)))

    # --------------------------------------------------------------------------------------------------- what is run

    def run(self, x: Tensor, what: str, road: Road = EAGER) -> Tensor:
        """The target shard."""
        if self.shape is not None and x.meta.shape != self.shape:
            x = self._shard.of(x if x.meta.is_contiguous else road.apply(_contiguous_copy, (x,), OpContext()))
        received = None
        if self.verb is not None:
            received = road.move(self.verb, self._packed(x, road), self.receives, what)
        if self.result is None:
            return road.allocate(self.gives)
        if self.only is not None:
            return self.only.window.of(received if self.only.received else x)  # type: ignore[arg-type]
        if len(self.sums) == 1 and not self.copies and not self.fills:
            return self._summed(self.sums[0], x, received, road)
        result = road.allocate(self.result)
        for window, context in self.fills:
            filled = window.of(result)
            road.apply(_fill, (filled,), OpContext(context.attrs, context.dynamic, filled))
        for is_received, target, source in self.copies:
            _write(road, target.of(result), source.of(received if is_received else x))  # type: ignore[arg-type]
        for one in self.sums:
            _write(road, one.target.of(result), self._summed(one, x, received, road))
        return result

    def _packed(self, x: Tensor, road: Road) -> Tensor | None:
        if self.sends is not None:
            return self.sends.of(x)
        if self.packed is None:
            return None
        packed = road.allocate(self.packed)
        for target, source in self.packs:
            _write(road, target.of(packed), source.of(x))
        return packed

    def _summed(self, cell: Sum, x: Tensor, received: Tensor | None, road: Road) -> Tensor:
        """A cell's elements, in its shape."""
        shares = self._stacked(cell, x, received, road) if cell.rows is None else cell.rows.of(received)  # type: ignore[arg-type]
        for op, count in reversed(cell.runs[1:]):
            shares = _combined(road, shares, op, count)
        return _combine(road, shares, cell.runs[0][0])

    def _stacked(self, cell: Sum, x: Tensor, received: Tensor | None, road: Road) -> Tensor:
        """The shares of a cell as rows."""
        shape, n = cell.target.meta.shape, cell.target.meta.numel
        rows = self._meta(len(cell.slots), *shape)
        stacked = road.allocate(rows)
        for k, (is_received, window) in enumerate(cell.slots):
            _write(road, whole(rows).run(k * n, shape).of(stacked), window.of(received if is_received else x))  # type: ignore[arg-type]
        return stacked


def seen_as(meta: TensorMeta, shape: tuple[int, ...]) -> TensorMeta:
    """The meta of the same elements in another shape: of a view of a contiguous tensor, else of a copy."""
    if meta.shape == shape:
        return meta
    return whole(meta if meta.is_contiguous else meta.contiguous()).run(0, shape).meta


def _verb(work: RankWork, rank: int, itemsize: int) -> Verb:
    """What a rank does in a group's verb."""
    assert work.group is not None
    (verb, ranks), out, into = work.group, work.sent, work.received
    if verb == "exchange":
        sizes = {p.target: p.numel * itemsize for p in out}, {p.source: p.numel * itemsize for p in into}
        sent, got = ([by_rank.get(rank, 0) for rank in ranks] for by_rank in sizes)
        return verbs.exchange_verb(ranks, sent, got)
    nbytes = (out or into)[0].numel * itemsize
    if verb == "gather":
        return verbs.gather_verb(ranks, nbytes)
    if verb == "broadcast":
        return verbs.broadcast_verb(ranks, nbytes, (out or into)[0].source)
    return verbs.send_verb(nbytes, out[0].target) if out else verbs.receive_verb(nbytes, into[0].source)


def buffer_of(x: Tensor | None) -> Buffer:
    """Where a tensor's elements are."""
    assert x is not None
    block = x.impl.block
    return Buffer(block, x.ptr - block.ptr)


def _combine(road: Road, shares: Tensor, op: str) -> Tensor:
    """From (count, ...) to (...)."""
    result: Tensor = road.apply(_combine_shares, (shares,), _COMBINE[op])
    return result


def _combined(road: Road, shares: Tensor, op: str, count: int) -> Tensor:
    """From (rows * count, ...) to (rows, ...), count neighbours at a time."""
    total, *shape = shares.meta.shape
    rows, n = total // count, numel_of(tuple(shape))
    meta = contiguous_meta((count, rows, n), shares.meta.dtype, shares.meta.device)
    by_count = TensorMeta.get((count, rows, n), (n, count * n, 1), meta.dtype, meta.device, shares.meta.aligned)
    ordered = road.allocate(meta)
    _write(road, ordered, Window(by_count, 0).of(shares))
    return whole(contiguous_meta((rows, n), meta.dtype, meta.device)).run(0, (rows, *shape)).of(_combine(road, ordered, op))


def _write(road: Road, target: Tensor, x: Tensor) -> None:
    if x.meta.dtype.is_complex:  # whose pairs are copied
        target, x = (Tensor(t.meta.as_pairs(), t.impl, t.ptr) for t in (target, x))
    road.apply(_copy, (target, x), OpContext(out=target))


def identity(op: str, dtype: DType) -> Any:
    """What a share holds that adds nothing to a sum, a maximum or a minimum."""
    if op == "sum":
        return scalar_of(0, dtype)
    if dtype.is_floating_point:
        return -inf if op == "max" else inf
    bits = 1 if dtype is bool_ else 8 * dtype.itemsize
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if dtype.is_signed else (0, (1 << bits) - 1)
    return least if op == "max" else most
