"""Decisions about boxings: functions from graph to graph, on a captured graph before all passes that decide by one rank's shards.

    capture          1  2  3  4           boxings, by their numbers
    cut_first        1  2  3'             4 took a part of what 3 sums
    place_boxes      2  1  3'
    bucket           2  1+3'              what this rank proposes
    agree                                 if what ranks propose fits, their programs are of such graphs, else of the captured ones

The first ones choose what moves: in which type, how much of it, and how often. The others choose when. They decide by routes and
bytes of whole tensors, but who reads what, and where, is seen in the graph of one rank. Ranks may have ops of their own on shards.
So ranks compare what they propose (`proposals.py`) where they compare their captures.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from tritonflow.graph.ir import Boxing, Graph
from tritonflow.graph.ranks.bucket import bucket
from tritonflow.graph.ranks.cast_first import cast_first
from tritonflow.graph.ranks.cut_first import cut_first
from tritonflow.graph.ranks.place_boxes import place_boxes
from tritonflow.graph.ranks.regather import regather

# Above each: why it stands there, and what is true behind it.
CHOICES = (
    # It sees who reads a whole parameter in all phases.
    # Behind it, what is read in a half type only is gathered in it.
    cast_first,
    # It needs the capture's readers, too.
    # Behind it, no rank gets a sum of which it takes a part.
    cut_first,
    # It is last, as a second gather moves what the first one does.
    # Behind it, each phase that reads a unit's parameters gathers them.
    regather,
)
DECISIONS = (
    # It comes before neighbours are found.
    # Behind it, boxings of what the program is given stand ahead of their first readers.
    place_boxes,
    # It is last, as a packed boxing has several numbers and readers.
    # Behind it, no two small boxings of one kind are neighbours.
    bucket,
)


def choose(graph: Graph, without: Collection[str] = ()) -> Graph:
    """The graph behind all choices of what moves but those whose names are in `without`."""
    return _behind(CHOICES, graph, without)


def decide(graph: Graph, without: Collection[str] = ()) -> Graph:
    """The graph behind all decisions when it moves but those whose names are in `without`."""
    return _behind(DECISIONS, graph, without)


def _behind(passes: Sequence[Callable[[Graph], Graph]], graph: Graph, without: Collection[str]) -> Graph:
    if not any(isinstance(node, Boxing) for node in graph.nodes):
        return graph
    for run in passes:
        if run.__name__ not in without:
            graph = run(graph)
    return graph
