"""Decisions about boxings: functions from graph to graph, on a captured graph before all passes that decide by one rank's shards.

    capture          1  2  3  4           boxings, by their numbers
    place_boxes      2  1  3  4
    bucket           2  1  3+4            what this rank proposes
    agree                                 if what ranks propose fits, their programs are of such graphs, else of the captured ones

They decide by routes and bytes of whole tensors, but where readers stand is seen in the graph of one rank. Ranks may have ops of
their own on shards. So ranks compare what they propose (`proposals.py`) where they compare their captures.
"""

from __future__ import annotations

from collections.abc import Collection

from tritonflow.graph.ir import Boxing, Graph
from tritonflow.graph.ranks.bucket import bucket
from tritonflow.graph.ranks.place_boxes import place_boxes

# Above each: why it stands there, and what is true behind it.
DECISIONS = (
    # It comes before neighbours are found.
    # Behind it, boxings of what the program is given stand ahead of their first readers.
    place_boxes,
    # It is last, as a packed boxing has several numbers and readers.
    # Behind it, no two small boxings of one kind are neighbours.
    bucket,
)


def decide(graph: Graph, without: Collection[str] = ()) -> Graph:
    """The graph behind all decisions but those whose names are in `without`."""
    if not any(isinstance(node, Boxing) for node in graph.nodes):
        return graph
    for run in DECISIONS:
        if run.__name__ not in without:
            graph = run(graph)
    return graph
