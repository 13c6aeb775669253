"""Move: one step of a route, from a layout to another by at most one verb of the wire on each rank.

The ranks that give each other pieces form groups. A group whose pieces have a well-known form gets the verb for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from tritonflow.boxing.links import HOST_LINK, LINKS, MEMORY_RATE
from tritonflow.boxing.pieces import Fill, Layout, Piece, box_numel, combine_runs, pieces
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.shards import Box

_LOCAL = 2e-6  # seconds of a move without a verb: it is not for nothing


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


class Work(NamedTuple):
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
        groups: the ranks that communicate.
        local: the pieces that stay on their rank without the wire.
        fills: what is filled with an op's identity.
        runs: how shares are combined (`combine_runs`).
        text: for people: from where to where.
        programs: what runs it, by rank and meta of the shard (`steps`).
    """

    def __init__(self, source: Layout, target: Layout, node_size: int) -> None:
        self.source, self.target = source, target
        found, self.fills = pieces(source, target, node_size)
        self.runs = combine_runs(source, target)
        self.groups, self.local = _grouped(found, bool(self.runs))
        self._node_size = node_size
        self.text = f"{source} -> {target}"
        self.programs: dict[tuple[int, TensorMeta], Any] = {}
        self._works: dict[int, Work] = {}

    @cached_property
    def sent(self) -> dict[int, int]:
        """How many elements each rank sends to others."""
        sent: dict[int, int] = {}
        for group in self.groups:
            for piece in group.pieces:
                if piece.moves:
                    sent[piece.source] = sent.get(piece.source, 0) + piece.numel
        return sent

    def seconds(self, itemsize: int, ranks: int) -> float:
        """An estimate, as if `ranks` ranks shared evenly what is sent and what is combined: routes are compared by their bytes."""
        type_ = self.source.placement.type
        near, far = LINKS[type_]
        elements = [0, 0]
        for group in self.groups:
            for piece in group.pieces:
                if piece.moves:
                    elements[piece.source // self._node_size != piece.target // self._node_size] += piece.numel
        latency = far.latency if elements[1] else near.latency if elements[0] else _LOCAL
        shared = elements[0] / near.rate + elements[1] / far.rate + self._combined_elements() / MEMORY_RATE[type_]
        return latency + shared * itemsize / ranks

    def _combined_elements(self) -> int:
        """How many elements all ranks read to combine shares."""
        return sum([p.numel for p in self._all_pieces()]) if self.runs else 0

    def _all_pieces(self) -> Iterable[Piece]:
        yield from self.local
        for group in self.groups:
            yield from group.pieces

    def work_of(self, rank: int) -> Work:
        """What a rank does."""
        work = self._works.get(rank)
        if work is None:
            work = self._works[rank] = self._work(rank)
        return work

    def _work(self, rank: int) -> Work:
        holding, wanted = self.source.holding(rank), self.target.holding(rank)
        group = next((g for g in self.groups if rank in g.ranks), None)
        cells: dict[Box, list[Piece]] = {}
        for piece in self._all_pieces():
            if piece.target == rank:
                cells.setdefault(piece.box, []).append(piece)
        return Work(
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
        return "copy to the GPU" if self.target.placement.type == "cuda" else "copy from the GPU"


def _grouped(found: list[Piece], combines: bool) -> tuple[list[Group], list[Piece]]:
    """Groups, and the pieces that stay. What a rank gives itself goes with the others' where shares are combined.

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
            for piece in inside:
                del own[piece.source]
            together = together + inside
        groups.append(Group(verb, ranks, tuple(together)))
    groups.sort(key=lambda g: g.ranks)
    return groups, list(own.values())


def _verb(ranks: tuple[int, ...], moving: list[Piece], own: list[Piece]) -> str:
    """The verb for the pieces of a group, by their form."""
    sources = {p.source for p in moving}
    if len(sources) == 1:
        if len(moving) == 1:
            return "send"
        return "broadcast" if len({p.box for p in moving}) == 1 else "exchange"
    given = {(p.source, p.box) for p in [*moving, *own]}
    everyone_to_everyone = len(moving) + len(own) == len(ranks) ** 2
    if everyone_to_everyone and len(given) == len(ranks) and len({box_numel(box) for _, box in given}) == 1:
        return "gather"
    return "exchange"
