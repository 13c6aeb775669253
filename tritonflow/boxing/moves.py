"""Move: one step of a route, from a layout to another by at most one verb of the wire on each rank.

The ranks that give each other pieces form groups. A group whose pieces have a well-known form gets the verb for it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from tritonflow.boxing.links import HOST_LINK, LINKS, MEMORY_RATE
from tritonflow.boxing.pieces import Fill, Layout, Piece, box_numel, combine_runs, pieces
from tritonflow.device.device import DEVICE_TYPES, is_gpu
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.shards import Box

LOCAL = 2e-6  # seconds of a move without a verb: it is not for nothing


class Group(NamedTuple):
    """Ranks that give each other pieces, directly or through others of the group.

    Attributes:
        verb: of the wire: exchange, gather, broadcast or send.
        ranks: in ascending order.
        pieces: those that go over the wire; in an exchange a rank may give to itself.
    """

    verb: str
    ranks: tuple[int, ...]
    pieces: tuple[Piece, ...]

    def sent_by(self, rank: int) -> list[Piece]:
        """What a rank gives, in the order of the receivers."""
        return sorted([p for p in self.pieces if p.source == rank], key=lambda p: p.target)

    def received_by(self, rank: int) -> list[Piece]:
        """What a rank gets, in the order of the givers."""
        return sorted([p for p in self.pieces if p.target == rank], key=lambda p: p.source)


class Cell(NamedTuple):
    """A box of the target shard, and the pieces of which it is made: one share each, in the order of shares."""

    box: Box
    pieces: tuple[Piece, ...]


class RankWork(NamedTuple):
    """What one rank does in a move.

    Attributes:
        holding, wanted: the boxes of the logical tensor that it has and gets; None outside of a placement.
        group: with which ranks it communicates; None if with no other.
        cells: of which the target shard is made, in row-major order.
        fills: the boxes that hold an op's identity.
    """

    holding: Box | None
    wanted: Box | None
    group: Group | None
    cells: tuple[Cell, ...]
    fills: tuple[Fill, ...]


class Move:
    """One step of a route.

    Attributes:
        source, target: the layouts before and after.
        pieces: who gives what to whom.
        sent: how many elements each rank sends to others.
        fills: what is filled with an op's identity.
        runs: how shares are combined (`combine_runs`).
        text: for people: from where to where.
        programs: what runs it, by rank and meta of the shard (`steps`).
    """

    def __init__(self, source: Layout, target: Layout, node_size: int) -> None:
        self.source, self.target = source, target
        self.pieces, self.fills = pieces(source, target, node_size)
        self.runs = combine_runs(source, target)
        self.text = f"{source} -> {target}"
        self.programs: dict[tuple[int, TensorMeta], Any] = {}
        self._works: dict[int, RankWork] = {}
        self.sent: dict[int, int] = {}
        self._near = self._far = 0
        for giver, taker, _, _, numel in self.pieces:
            if giver != taker:
                self.sent[giver] = self.sent.get(giver, 0) + numel
                if giver // node_size == taker // node_size:
                    self._near += numel
                else:
                    self._far += numel

    @cached_property
    def groups(self) -> list[Group]:
        """The ranks that communicate."""
        return _grouped(self.pieces, bool(self.runs))

    def seconds(self, itemsize: int, ranks: int) -> float:
        """An estimate, as if `ranks` ranks shared evenly what is sent and what is combined: routes are compared by their bytes."""
        kind = DEVICE_TYPES[self.source.placement.type]
        near, far = LINKS[kind]
        latency = far.latency if self._far else near.latency if self._near else LOCAL
        combined = sum([p.numel for p in self.pieces]) if self.runs else 0
        return (
            latency + (self._near / near.rate + self._far / far.rate + combined / MEMORY_RATE[kind]) * itemsize / ranks
        )

    def work_of(self, rank: int) -> RankWork:
        """What a rank does."""
        work = self._works.get(rank)
        if work is None:
            work = self._works[rank] = self._work(rank)
        return work

    def _work(self, rank: int) -> RankWork:
        holding, wanted = self.source.holding(rank), self.target.holding(rank)
        group = next((g for g in self.groups if rank in g.ranks), None)
        cells: dict[Box, list[Piece]] = {}
        for piece in self.pieces:
            if piece.target == rank:
                cells.setdefault(piece.box, []).append(piece)
        return RankWork(
            holding.box if holding else None,
            wanted.box if wanted else None,
            group,
            tuple([Cell(box, tuple(sorted(cells[box], key=lambda p: p.share))) for box in sorted(cells)]),
            tuple([f for f in self.fills if f.target == rank]),
        )

    def verbs(self) -> str:
        """For people: which verbs it takes."""
        found = dict.fromkeys(f"{g.verb} of {len(g.ranks)}" for g in self.groups)
        combined = " and ".join(dict.fromkeys(op for op, _ in self.runs))
        return " + ".join([", ".join(found) or "local", *([combined] if combined else [])])


class Transfer:
    """One step of a route, from the memory of hosts to that of their GPUs or back; every rank copies its own shard."""

    sent: ClassVar[dict[int, int]] = {}

    def __init__(self, source: Layout, target: Layout) -> None:
        self.source, self.target = source, target
        self.text = f"{source} -> {target}"

    def seconds(self, itemsize: int, ranks: int) -> float:
        """An estimate, as that of a move."""
        elements = sum([box_numel(holding.box) for holding in self.source.holdings().values()])
        return HOST_LINK.latency + elements * itemsize / HOST_LINK.rate / ranks

    def verbs(self) -> str:
        """For people."""
        return "copy to the GPU" if is_gpu(self.target.placement.type) else "copy from the GPU"


def _grouped(found: list[Piece], combines: bool) -> list[Group]:
    """The groups. What a rank gives to itself is among their pieces where shares are combined.

    Then all shares of an element are in one buffer, and are combined as they lie.
    """
    leader: dict[int, int] = {}

    def find(rank: int) -> int:
        while leader.setdefault(rank, rank) != rank:
            rank = leader[rank]
        return rank

    moving = [p for p in found if p.moves]
    for piece in moving:
        leader[find(piece.target)] = find(piece.source)
    members: dict[int, list[Piece]] = {}
    for piece in moving:
        members.setdefault(find(piece.source), []).append(piece)
    own = {p.source: p for p in found if not p.moves}
    groups = []
    for together in members.values():
        ranks = tuple(sorted({p.source for p in together} | {p.target for p in together}))
        inside = [own[r] for r in ranks if r in own]
        verb = _verb(ranks, together, inside)
        if verb == "gather" or verb == "exchange" and combines:
            together = together + inside
        groups.append(Group(verb, ranks, tuple(together)))
    return sorted(groups, key=lambda g: g.ranks)


def _verb(ranks: tuple[int, ...], moving: list[Piece], own: list[Piece]) -> str:
    """The verb for the pieces of a group, by their form."""
    sources = {p.source for p in moving}
    if len(sources) == 1:
        if len(moving) == 1:
            return "send"
        return "broadcast" if len({p.box for p in moving}) == 1 else "exchange"
    given = {(p.source, p.box) for p in [*moving, *own]}
    everyone_to_everyone = len(moving) + len(own) == len(ranks) ** 2
    if everyone_to_everyone and len(given) == len(ranks) and len({p.numel for p in moving}) == 1:
        return "gather"
    return "exchange"
