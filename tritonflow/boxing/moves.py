"""Move: one step of a route, from a layout to another by at most one verb of the wire on each rank."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from tritonflow.boxing.closed import amounts, totals
from tritonflow.boxing.groups import Group, Groups
from tritonflow.boxing.lines import MoveLines
from tritonflow.boxing.links import HOST_LINK, LINKS, MEMORY_RATE
from tritonflow.boxing.pieces import Fill, Layout, Piece, combine_runs, combined_dims
from tritonflow.device.device import is_gpu, kind_of
from tritonflow.framework.meta import TensorMeta, numel_of
from tritonflow.framework.shards import Box

LOCAL = 2e-6  # seconds of a move without a verb: it is not for nothing


class Cell(NamedTuple):
    """A box of the target shard, and the pieces of which it is made: one share each, in the order of shares.

    Attributes:
        runs: how the shares are combined (`combine_runs`).
    """

    box: Box
    pieces: tuple[Piece, ...]
    runs: tuple[tuple[str, int], ...]


class RankWork(NamedTuple):
    """What one rank does in a move.

    Attributes:
        holding, wanted: the boxes of the logical tensor that it has and gets; None outside of a placement.
        group: with which ranks it communicates; None if with no other.
        sent, received: the pieces that it sends, in the order of the receivers, and gets, in the order of the senders. In some
            groups its own is among both.
        cells: of which the target shard is made, in row-major order.
        fills: the boxes that hold an op's identity, written before the cells.
    """

    holding: Box | None
    wanted: Box | None
    group: Group | None
    sent: tuple[Piece, ...]
    received: tuple[Piece, ...]
    cells: tuple[Cell, ...]
    fills: tuple[Fill, ...]


class Move:
    """One step of a route.

    Attributes:
        source, target: the layouts before and after.
        lines: who gives what to whom.
        ops: by which shares are combined, the outermost first.
        text: for people: from where to where.
        programs: what runs it, by rank and meta of the shard (`steps`).
    """

    def __init__(self, source: Layout, target: Layout, node_size: int) -> None:
        self.source, self.target = source, target
        self.lines = MoveLines(source, target, node_size)
        self.ops = tuple([op for op in [source.sbp[k].op for k in combined_dims(source, target)] if op is not None])
        self.programs: dict[tuple[int, TensorMeta], Any] = {}
        self._works: dict[int, RankWork] = {}

    @cached_property
    def text(self) -> str:
        """For people: from where to where."""
        return f"{self.source} -> {self.target}"

    @cached_property
    def groups(self) -> Groups:
        """The ranks that communicate."""
        return Groups(self.lines, bool(self.ops))

    @property
    def elements(self) -> int:
        """How many elements all ranks send to others."""
        near, far, _ = totals(self.source, self.target, self.lines.node_size)
        return near + far

    def sent_by(self, rank: int) -> int:
        """How many elements a rank sends to others."""
        return amounts(self.lines, rank).sent

    def seconds(self, itemsize: int, ranks: int) -> float:
        """An estimate, as if `ranks` ranks shared evenly what is sent and what is combined: routes are compared by their bytes."""
        kind = kind_of(self.source.placement.type)
        within, between = LINKS[kind]
        near, far, combined = totals(self.source, self.target, self.lines.node_size)
        latency = between.latency if far else within.latency if near else LOCAL
        return latency + (near / within.rate + far / between.rate + combined / MEMORY_RATE[kind]) * itemsize / ranks

    def work_of(self, rank: int) -> RankWork:
        """What a rank does."""
        work = self._works.get(rank)
        if work is None:
            work = self._works[rank] = self._work(rank)
        return work

    def _work(self, rank: int) -> RankWork:
        lines, group = self.lines, self.groups.of(rank)
        holding, wanted = self.source.holding(rank), self.target.holding(rank)
        taken = lines.takes(rank)
        sent: list[Piece] = []
        received: list[Piece] = []
        if group is not None:
            sent, received = (self.groups.on_wire(group, side) for side in (lines.gives(rank), taken))
        return RankWork(
            holding.box if holding else None,
            wanted.box if wanted else None,
            group,
            tuple(sent),
            tuple(received),
            self._cells(taken),
            tuple(lines.fills(rank)),
        )

    def _cells(self, taken: list[Piece]) -> tuple[Cell, ...]:
        cells: dict[Box, list[Piece]] = {}
        for piece in taken:
            cells.setdefault(piece.box, []).append(piece)
        if not self.ops:
            return tuple([Cell(box, tuple(pieces), ()) for box, pieces in sorted(cells.items())])
        found, n = [], len(self.ops)
        for box, pieces in sorted(cells.items()):
            pieces.sort(key=lambda p: p.share)
            found.append(Cell(box, tuple(pieces), combine_runs(self.ops, [p.share[len(p.share) - n :] for p in pieces])))
        return tuple(found)

    def verbs(self) -> str:
        """For people: which verbs it takes."""
        found = dict.fromkeys(f"{g.verb} of {len(g.ranks)}" for g in self.groups.all())
        combined = " and ".join(dict.fromkeys(self.ops))
        return " + ".join([", ".join(found) or "local", *([combined] if combined else [])])


class Transfer:
    """One step of a route, from the memory of hosts to that of their GPUs or back; every rank copies its own shard."""

    elements: ClassVar[int] = 0

    def __init__(self, source: Layout, target: Layout) -> None:
        self.source, self.target = source, target
        self.text = f"{source} -> {target}"

    def sent_by(self, rank: int) -> int:
        """Nothing goes to other ranks."""
        return 0

    def seconds(self, itemsize: int, ranks: int) -> float:
        """An estimate, as that of a move."""
        elements = numel_of(self.source.shape) * self.source.multiplicity("broadcast") * self.source.multiplicity("partial")
        return HOST_LINK.latency + elements * itemsize / HOST_LINK.rate / ranks

    def verbs(self) -> str:
        """For people."""
        return "copy to the GPU" if is_gpu(self.target.placement.type) else "copy from the GPU"
