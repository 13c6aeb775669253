"""Runs a route on this rank: views, copies and sums of the local interpreter, and one verb of the wire for each move."""

from __future__ import annotations

from importlib import import_module
from itertools import accumulate
from math import inf
from typing import Any

from tritonflow.boxing.moves import Cell, Group, Move, Work
from tritonflow.boxing.pieces import Piece, box_numel
from tritonflow.boxing.routes import Route
from tritonflow.boxing.views import as_shape, flat, lies_in_order, offset, region, relative
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import Shape
from tritonflow.framework.shards import box_shape
from tritonflow.framework.tensor import Tensor
from tritonflow.ops.cast import scalar_of
from tritonflow.wire.world import this_rank

_empty, _full = op_expr("empty"), op_expr("full")
_copy, _fill = op_expr("copy_"), op_expr("fill_")
_combine = op_expr("combine_shares")


def run_route(route: Route, x: Tensor, what: str = "to_global") -> Tensor:
    """This rank's shard of the target, from its shard of the source. Autograd does not record it.

    The result may share memory with `x`: where nothing moves it is `x` or a view of it.

    Args:
        x: a local tensor; of shape (0,) on a rank outside of the source's placement.
        what: for whom, in errors and profiles, such as "to_global" or "matmul".
    """
    rank = this_rank().index
    for move in route.steps:
        x = _Run(move, rank, x, f"{move.source} -> {move.target} of {route.tensor_text}, for {what}").result()
    wanted = route.target.holding(rank)
    return x if wanted is None else as_shape(x, box_shape(wanted.box))


class _Run:
    """One move on one rank: packs what is sent, calls the verb, puts together what came."""

    def __init__(self, move: Move, rank: int, x: Tensor, what: str) -> None:
        self.move, self.rank, self.what = move, rank, what
        self.work: Work = move.work_of(rank)
        self.device: Device = move.target.placement.device()
        self.dtype: DType = x.meta.dtype
        box = self.work.holding
        self.x = x if box is None else as_shape(x, box_shape(box))
        self.received: dict[int, Tensor] = {}  # by the rank that gave it, flat
        self.buffer: Tensor | None = None

    def result(self) -> Tensor:
        """The target shard; shaped as the route's target."""
        if self.work.group is not None:
            self._communicate(self.work.group)
        if self.work.wanted is None:
            return self._new((0,))
        return self._assembled(box_shape(self.work.wanted))

    # ------------------------------------------------------------------------------------------------- the wire

    def _communicate(self, group: Group) -> None:
        out, into = group.sent_by(self.rank), group.received_by(self.rank)
        if group.verb == "exchange":
            self._exchange(group, out, into)
        elif group.verb == "gather":
            self._gather(group, out[0], into)
        elif group.verb == "broadcast":
            self._broadcast(group, out, into)
        elif out:
            packed = self._packed(out)
            _verbs().send(_address(packed), packed.meta.nbytes, out[0].target, self.what)
        else:
            buffer = self._receiving(into)
            _verbs().receive(_address(buffer), buffer.meta.nbytes, into[0].source, self.what)

    def _exchange(self, group: Group, out: list[Piece], into: list[Piece]) -> None:
        send, receive = self._packed(out), self._receiving(into)
        sent = {p.target: p.numel * self.dtype.itemsize for p in out}
        got = {p.source: p.numel * self.dtype.itemsize for p in into}
        _verbs().exchange(
            group.ranks,
            _address(send),
            tuple([sent.get(r, 0) for r in group.ranks]),
            _address(receive),
            tuple([got.get(r, 0) for r in group.ranks]),
            self.what,
        )

    def _gather(self, group: Group, out: Piece, into: list[Piece]) -> None:
        send, receive = self._packed([out]), self._receiving(into)
        _verbs().gather(group.ranks, _address(send), send.meta.nbytes, _address(receive), self.what)

    def _broadcast(self, group: Group, out: list[Piece], into: list[Piece]) -> None:
        buffer = self._packed(out[:1]) if out else self._receiving(into)
        source = group.pieces[0].source
        _verbs().broadcast(group.ranks, _address(buffer), buffer.meta.nbytes, source, self.what)

    def _packed(self, out: list[Piece]) -> Tensor:
        """What is sent, one piece behind the other; the tensor itself where it lies so."""
        boxes = [relative(p.box, self.work.holding) for p in out]
        if self.x.meta.is_contiguous and lies_in_order(boxes, self.x.meta.shape):
            first = offset(boxes[0], self.x.meta.stride) if boxes else 0
            return flat(self.x, first, sum(map(box_numel, boxes)))
        packed = self._new((sum(map(box_numel, boxes)),))
        start = 0
        for box in boxes:
            self._write(as_shape(flat(packed, start, box_numel(box)), box_shape(box)), region(self.x, box))
            start += box_numel(box)
        return packed

    def _receiving(self, into: list[Piece]) -> Tensor:
        """A buffer for what comes; remembers where each piece will be."""
        self.buffer = self._new((sum(p.numel for p in into),))
        for piece, end in zip(into, accumulate(p.numel for p in into)):
            self.received[piece.source] = flat(self.buffer, end - piece.numel, piece.numel)
        return self.buffer

    # ------------------------------------------------------------------------------------------- what came

    def _assembled(self, shape: Shape) -> Tensor:
        cells, fills = self.work.cells, self.work.fills
        if len(cells) == 1 and not fills:
            return as_shape(self._cell(cells[0]), shape)
        if not cells and len(fills) == 1:
            return self._filled(shape, fills[0].op)
        if not fills and (whole := self._as_received(cells, shape)) is not None:
            return whole
        result = self._new(shape)
        for cell in cells:
            self._write(region(result, relative(cell.box, self.work.wanted)), self._cell(cell))
        for fill in fills:
            self._fill(region(result, relative(fill.box, self.work.wanted)), fill.op)
        return result

    def _as_received(self, cells: tuple[Cell, ...], shape: Shape) -> Tensor | None:
        """The receive buffer, where all pieces came and already lie as in the result."""
        if self.buffer is None or any(len(c.pieces) > 1 or c.pieces[0].source not in self.received for c in cells):
            return None
        if [c.pieces[0].source for c in cells] != list(self.received):
            return None
        boxes = [relative(c.box, self.work.wanted) for c in cells]
        return as_shape(self.buffer, shape) if lies_in_order(boxes, shape) else None

    def _cell(self, cell: Cell) -> Tensor:
        """A cell's elements, in its shape: one piece, or shares combined in order."""
        shape = box_shape(cell.box)
        if len(cell.pieces) == 1:
            return self._piece(cell.pieces[0])
        n = box_numel(cell.box)
        shares = self._stacked(cell, n)
        runs = self.move.runs if len(self.move.runs) > 1 else [(self.move.runs[0][0], len(cell.pieces))]
        for op, count in reversed(runs):
            shares = self._combined(shares, op, count, shares.meta.shape[0] // count, n)
        return as_shape(shares, shape)

    def _combined(self, x: Tensor, op: str, count: int, rows: int, n: int) -> Tensor:
        """From (rows * count, n) to (rows, n)."""
        if rows == 1:
            return as_shape(self._combine(x, op), (1, n))
        result = self._new((rows, n))
        for row in range(rows):
            box = ((row * count, (row + 1) * count), (0, n))
            self._write(region(result, ((row, row + 1), (0, n))), as_shape(self._combine(region(x, box), op), (1, n)))
        return result

    def _combine(self, x: Tensor, op: str) -> Tensor:
        result: Tensor = eager_local.apply(_combine, (x,), OpContext((op,)))
        return result

    def _stacked(self, cell: Cell, n: int) -> Tensor:
        """The shares of a cell as rows; no copy where they came so."""
        givers = [p.source for p in cell.pieces]
        if self.buffer is not None and all(r in self.received for r in givers):
            first = self.received[givers[0]]
            if [self.received[r].ptr for r in givers] == [
                first.ptr + k * first.meta.nbytes for k in range(len(givers))
            ]:
                start = (first.ptr - self.buffer.ptr) // self.dtype.itemsize
                return as_shape(flat(self.buffer, start, len(givers) * n), (len(givers), n))
        stacked = self._new((len(givers), n))
        for k, piece in enumerate(cell.pieces):
            row = region(stacked, ((k, k + 1), (0, n)))
            self._write(as_shape(row, box_shape(cell.box)), self._piece(piece))
        return stacked

    def _piece(self, piece: Piece) -> Tensor:
        found = self.received.get(piece.source)
        if found is not None:
            return as_shape(found, box_shape(piece.box))
        return region(self.x, relative(piece.box, self.work.holding))

    # ------------------------------------------------------------------------------------------------- local ops

    def _new(self, shape: Shape) -> Tensor:
        made: Tensor = eager_local.apply(_empty, (), OpContext((shape, self.dtype, self.device)))
        return made

    def _filled(self, shape: Shape, op: str) -> Tensor:
        context = OpContext((shape, self.dtype, self.device), (identity(op, self.dtype),))
        made: Tensor = eager_local.apply(_full, (), context)
        return made

    def _fill(self, target: Tensor, op: str) -> None:
        eager_local.apply(_fill, (target,), OpContext((), (identity(op, self.dtype),), target))

    def _write(self, target: Tensor, x: Tensor) -> None:
        eager_local.apply(_copy, (target, x), OpContext(out=target))


def identity(op: str, dtype: DType) -> Any:
    """What a share holds that adds nothing to a sum, a maximum or a minimum."""
    if op == "sum":
        return scalar_of(0, dtype)
    if dtype.is_floating_point:
        return -inf if op == "max" else inf
    bits = 8 * dtype.itemsize if dtype.itemsize > 1 or dtype.name != "bool" else 1
    if dtype.is_signed:
        return -(1 << (bits - 1)) if op == "max" else (1 << (bits - 1)) - 1
    return 0 if op == "max" else (1 << bits) - 1


def _address(x: Tensor) -> Any:
    """Where a tensor's elements are, for the wire."""
    block = x.impl.block
    return _verbs().Buffer(block, x.ptr - block.ptr)


def _verbs() -> Any:
    return import_module("tritonflow.wire.verbs")
