"""Proposals: in which order ranks would move the boxings of a capture, and which together.

    rank 0    1+2  3             fits: 1+2 before 3 before 4
    rank 1    1+2  4
    rank 2         3  4

A rank need not know of boxings between others: on a rank that has nothing of a tensor, nobody reads it.

What moves is compared before: a boxing may have become one of a half type, of a part of a sum, or several. Ranks that move
something else have no order in common.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from tritonflow.graph.ir import Boxing, Graph

Order = list[tuple[int, ...]]  # of boxings, by the numbers of those of the capture that are moved in each
Moves = dict[int, list[int]]  # by the numbers of boxings of the capture, the routes by which they are moved, by their digests


def order_of(graph: Graph) -> Order:
    """In which order a program moves boxings."""
    return [node.numbers for node in graph.nodes if isinstance(node, Boxing)]


def moves_of(graph: Graph) -> Moves:
    """By which routes a program moves boxings, before any are packed."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for node in graph.nodes:
        if isinstance(node, Boxing):
            (number,) = node.numbers
            found[number].append(node.route.digest)
    return dict(found)


def moved_otherwise(proposals: Mapping[int, Sequence[Moves]], ranks: Sequence[Collection[int]]) -> int | None:
    """The first boxing of a capture that ranks which take part would move by different routes, or not as often; None if none is.

    Args:
        proposals: by ranks, for each program of the capture what moves.
        ranks: of each boxing of the capture those that take part.

    Example:
        >>> from tritonflow.graph.ranks.proposals import moved_otherwise
        >>> everyone = [(0, 1)] * 2
        >>> moved_otherwise({0: [{0: [7], 1: [8]}], 1: [{0: [7], 1: [8, 8]}]}, everyone)
        1
    """
    programs = range(max(map(len, proposals.values())))

    def routes(rank: int, program: int, number: int) -> tuple[int, ...]:
        moves = proposals.get(rank, ())
        return tuple(moves[program].get(number, ())) if program < len(moves) else ()

    for number, takers in enumerate(ranks):
        if any(len({routes(rank, program, number) for rank in takers}) > 1 for program in programs):
            return number
    return None


def fits(proposals: Mapping[int, Sequence[Order]], ranks: Sequence[Collection[int]]) -> bool:
    """Whether ranks that move boxings so start the same collectives, and wait in no circle: they have an order in common.

    Args:
        proposals: by ranks, for each program of the capture an order.
        ranks: of each boxing of the capture those that take part.

    Example:
        >>> from tritonflow.graph.ranks.proposals import fits
        >>> everyone = [(0, 1)] * 3
        >>> fits({0: [[(0,), (1, 2)]], 1: [[(0,), (1, 2)]]}, everyone), fits({0: [[(0,), (1,)]], 1: [[(1,), (0,)]]}, everyone)
        (True, False)
    """
    before: defaultdict[tuple[int, ...], set[tuple[int, ...]]] = defaultdict(set)  # each with its program and which time it is
    movers: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
    for rank, orders in proposals.items():
        for program, order in enumerate(orders):
            times, last = Counter[tuple[int, ...]](), None
            for numbers in order:
                if rank in ranks[numbers[0]]:
                    times[numbers] += 1
                    moved = (program, times[numbers], *numbers)
                    before[moved].update([] if last is None else [last])
                    movers[moved].add(rank)
                    last = moved
    try:
        TopologicalSorter(before).prepare()
    except CycleError:
        return False
    return all(found == set(ranks[moved[2]]) for moved, found in movers.items())
