"""Groups: the ranks that communicate in a move, and the verb of the wire for what they give each other.

Two ranks are of one group if one gives to the other, or both are with a third. Over one mesh this takes no pieces: ranks give
only to those with the same coordinates along some mesh dimensions (`fixed_for_giver`). Among these, sections of a dimension
of the tensor that overlap, directly or through others, form a segment. Ranks are joined whose boxes are in the same segments.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, NamedTuple

import numpy

from tritonflow.boxing.lines import Fixed, Grid, MoveLines, Section, overlaps
from tritonflow.boxing.pieces import Piece

Ranks = tuple[int, ...]


class Group(NamedTuple):
    """Ranks that communicate.

    Attributes:
        verb: of the wire: exchange, gather, broadcast or send.
        ranks: in ascending order.
    """

    verb: str
    ranks: Ranks


class Groups:
    """The groups of a move.

    Attributes:
        combines: whether shares are combined.
    """

    def __init__(self, lines: MoveLines, combines: bool) -> None:
        self.lines, self.combines = lines, combines
        self._verbs: dict[Ranks, str] = {}
        self._found: dict[Any, dict[int, Ranks]] = {}

    def of(self, rank: int) -> Group | None:
        """The group of a rank; None if it communicates with no other."""
        ranks = self._around(rank).get(rank)
        return None if ranks is None else self._group(ranks)

    def all(self) -> list[Group]:
        """All groups."""
        around = {id(found): found for found in map(self._around, self.lines.source.placement.order)}
        groups = {ranks[0]: ranks for found in around.values() for ranks in found.values()}
        return [self._group(groups[first]) for first in sorted(groups)]

    def on_wire(self, group: Group, pieces: list[Piece]) -> list[Piece]:
        """The pieces that go by the wire. A rank's own does where all shares of an element shall come in one buffer."""
        if group.verb == "gather" or group.verb == "exchange" and self.combines:
            return pieces
        return [piece for piece in pieces if piece.moves]

    def _group(self, ranks: Ranks) -> Group:
        verb = self._verbs.get(ranks)
        if verb is None:
            verb = self._verbs[ranks] = self._verb(ranks)
        return Group(verb, ranks)

    def _around(self, rank: int) -> dict[int, Ranks]:
        """The ranks of the group by rank, for this rank and others."""
        fixed = self.lines.fixed_for_giver(rank)
        key = None if fixed is None else tuple(fixed.values())
        found = self._found.get(key)
        if found is None:
            groups = [] if fixed is None else self._by_segments(fixed) if self.lines.is_product else self._by_pieces()
            found = self._found[key] = {rank: ranks for ranks in groups if len(ranks) > 1 for rank in ranks}
        return found

    def _by_pieces(self) -> list[Ranks]:
        lines, takers = self.lines, self.lines.target.placement.order
        if lines.makes_shares:
            joined = {(piece.source, piece.target) for rank in takers for piece in lines.takes(rank)}
        else:  # who gets something from one share gets it from all
            cells = {rank: lines.cells(rank) for rank in takers}
            ranks = {cell: lines.shares_of(cell) for several in cells.values() for cell in several}
            joined = {(ranks[cell][0], rank) for rank, several in cells.items() for cell in several}
            joined |= {(first, rank) for first, *others in ranks.values() for rank in others}
        return _members([(leader, rank) for rank, leader in _leaders(joined).items()])

    def _by_segments(self, fixed: Fixed) -> list[Ranks]:
        """Segments of all dimensions are numbered as one; a rank joins those of which it has and of which it wants something."""
        have, want = self.lines.have, self.lines.want
        both = [_segments(*[side.overlapping(d, 0, n, fixed) for side in (have, want)]) for d, n in enumerate(have.layout.shape)]
        had, wanted = (self._ranks_of(side, [one[k] for one in both], fixed) for k, side in enumerate((have, want)))
        leaders = _leaders({(a, wanted.get(rank, a)) for rank, a in had.items()} | {(b, b) for b in wanted.values()})
        return _members([(leaders[segments], rank) for rank, segments in (had | wanted).items()])

    @staticmethod
    def _ranks_of(side: Grid, segments: list[list[tuple[int, Section]]], fixed: Fixed) -> dict[int, tuple[int, ...]]:
        """By rank, the segment of each dimension in which it has, or wants, something."""
        order, repeated, found = side.layout.placement.order, side.repeated(fixed), {}
        for several in product(*segments):
            numbers, position = tuple([number for number, _ in several]), sum([section.position for _, section in several])
            for more in repeated:
                found[order[position + more]] = numbers
        return found

    def _verb(self, ranks: Ranks) -> str:
        """The verb, by the form of the pieces."""
        lines = self.lines
        if not lines.makes_shares:  # then every one gives to all whose boxes overlap with its own
            (givers, held), (takers, wanted) = (_nonempty(side, ranks) for side in (lines.have, lines.want))
            if len(givers) == 1 and _are_equal(wanted[..., takers != givers[0]]):
                return "send" if len(ranks) == 2 else "broadcast"
            if len(givers) == len(takers) == len(ranks) and _are_equal(wanted):
                given = overlaps(held, wanted)
                if given[0] and (given == given[0]).all():
                    return "gather"
        if len(ranks) == 2 and sum([piece.moves for rank in ranks for piece in lines.takes(rank)]) == 1:
            return "send"
        return "exchange"


def _nonempty(side: Grid, ranks: Ranks) -> tuple[Any, Any]:
    """The ranks that have something of a layout, and their boxes, in NumPy."""
    _, found, positions = numpy.intersect1d(ranks, side.layout.placement.order, assume_unique=True, return_indices=True)
    boxes = side.boxes[..., positions]
    some = (boxes[:, 0] < boxes[:, 1]).all(axis=0)
    return numpy.array(ranks)[found][some], boxes[..., some]


def _are_equal(boxes: Any) -> bool:
    return bool((boxes == boxes[..., :1]).all())


def _segments(a: list[Section], b: list[Section]) -> tuple[list[tuple[int, Section]], list[tuple[int, Section]]]:
    """The sections of both lists that overlap with one of the other, each with the number of its segment."""
    found: tuple[dict[Section, int], dict[Section, int]] = {}, {}
    i = j = number = 0
    while i < len(a) and j < len(b):
        (start, stop, _, _), (other_start, other_stop, _, _) = a[i], b[j]
        if max(start, other_start) < min(stop, other_stop):
            found[0][a[i]] = found[1][b[j]] = number
            number += stop == other_stop
        else:
            number += 1
        i, j = i + (stop <= other_stop), j + (other_stop <= stop)
    return tuple([[(n, section) for section, n in one.items()] for one in found])  # type: ignore[return-value]


def _leaders(edges: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """For each node of a graph one of those that edges join with it, the same for all of them."""
    leader: dict[Any, Any] = {}

    def find(node: Any) -> Any:
        while leader.setdefault(node, node) != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    for a, b in edges:
        leader[find(b)] = find(a)
    return {node: find(node) for node in [*leader]}


def _members(led: list[tuple[Any, int]]) -> list[Ranks]:
    """The ranks of each leader."""
    members: dict[int, list[int]] = {}
    for leader, rank in led:
        members.setdefault(leader, []).append(rank)
    return [tuple(sorted(ranks)) for ranks in members.values()]
