"""Boxings of what a program is given, as of parameters that are split, begin ahead of their first readers.

    %1 = box state0 S0 -> B           %1 = box state0 S0 -> B
    %2 = matmul(input0, %1)     ->    %3 = box state1 S0 -> B
    %3 = box state1 S0 -> B           %2 = matmul(input0, %1)
    %4 = matmul(%2, %3)               %4 = matmul(%2, %3)

They stand in the order of their first readers. Such a boxing begins in front of the first reader of another one, where all between
the two have at most `AHEAD` bytes. So so many bytes are held ahead, whatever the model has; what is in use comes to that. One that
the program asks for early, as ZeRO asks for all parameters in its first line, begins later. Of a unit that a backward may gather
again, which is there to save memory, none begins before the first reader of the unit in front: two units are whole at a time.

None moves over a write: a graph has values, and what was written is another value, which is computed. Where its memory is written
before its first reader, a boxing stays in front of that, as the old value would have to be copied.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from tritonflow.graph.ir import Boxing, Graph, Late, Value, View
from tritonflow.graph.passes.order import owners
from tritonflow.graph.ranks.arranged import Arranged, Given, whole_bytes

AHEAD = 25 << 20  # bytes, of whole tensors


class _Early(NamedTuple):
    """A boxing of something given.

    Attributes:
        reader: the position of its first reader.
        written: that of the first node that writes its memory.
    """

    reader: int
    written: int
    boxing: Boxing


def place_boxes(graph: Graph) -> Graph:
    """The graph with its boxings of what it is given ahead of their readers."""
    found = _placed(graph)
    if not found:
        return graph
    moved = {boxing for boxings in found.values() for boxing in boxings}
    new = Arranged(graph)
    for position, node in enumerate(graph.nodes):
        new.begin()
        for boxing in found.get(position, ()):
            for value in boxing.operands():
                new.hoist(value)
            new.add(boxing)
        if node not in moved:
            new.add(node)
    return new.finish()


def _placed(graph: Graph) -> dict[int, list[Boxing]]:
    """By positions of nodes the boxings that begin in front of them."""
    found: defaultdict[int, list[Boxing]] = defaultdict(list)
    early = sorted(_early(graph), key=lambda each: each.reader)
    first = ahead = 0
    unit, begins, earliest = "", 0, 0  # of a unit its first reader, and that of the unit in front
    for number, each in enumerate(early):
        ahead += whole_bytes(each.boxing)
        while ahead > AHEAD and first < number:
            ahead -= whole_bytes(early[first].boxing)
            first += 1
        begin = first
        while begin and early[begin - 1].reader == each.reader:  # what reads both would wait for it
            begin -= 1
        position = early[begin - 1].reader if begin else 0
        if each.boxing.unit not in ("", unit):
            unit, begins, earliest = each.boxing.unit, each.reader, begins
        if each.boxing.unit:
            position = max(position, earliest)
        found[min(position, each.written)].append(each.boxing)
    return found


def _early(graph: Graph) -> list[_Early]:
    """The boxings of what the graph is given, which somebody reads."""
    boxings = [(k, node) for k, node in enumerate(graph.nodes) if isinstance(node, Boxing)]
    if not boxings:
        return []
    given, readers, writes = Given(graph), graph.readers(), _writes(graph)
    positions = {node: k for k, node in enumerate(graph.nodes)}
    found = []
    for k, boxing in boxings:
        (value,) = boxing.operands()
        read = [positions[node] for node in readers.through_views(boxing.outputs[0])]
        if read and given.nodes(value) is not None:
            written = [position for position in writes.get(given.base(value), ()) if position > k]
            found.append(_Early(min(read), min(written, default=len(graph.nodes)), boxing))
    return found


def _writes(graph: Graph) -> dict[Value, list[int]]:
    """By inputs and states the positions of the nodes that write their memory."""
    found: defaultdict[Value, list[int]] = defaultdict(list)
    owner = owners(graph)
    over = {owner[state.result]: state.value for state in graph.states}  # what is written over all of a state
    for position, node in enumerate(graph.nodes):
        if not isinstance(node, (View, Late)):
            for value in node.outputs:
                found[over.get(owner[value], owner[value])].append(position)
    return found
