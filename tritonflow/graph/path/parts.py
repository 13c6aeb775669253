"""A captured graph in parts: what each number that the program looks at needs, and what is left behind the last of them.

    part 0: what the first read needs          -> its numbers, and what later parts need
    part 1: what the second read needs besides
    rest:   all other nodes, every write of a state, and the results

So nothing outside is written before all is decided, and what a read does not need is fused with what follows it. Views and
constants are made again in each part that needs them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from tritonflow.framework.expression import position_of
from tritonflow.graph.capture.reads import Read
from tritonflow.graph.ir import Graph, Node, Segment, State, Value, View, constant
from tritonflow.graph.ir.canonical import scalars_of
from tritonflow.graph.ir.concrete import symbols_of


def is_repeated(node: Node) -> bool:
    """Whether a node costs nothing, so that each part has it that needs it."""
    return isinstance(node, View) or (len(node.outputs) == 1 and constant(node.outputs[0]) is not None)


def needed(nodes: Sequence[Node], wanted: Iterable[Value], there: Collection[Value]) -> list[Node]:
    """The nodes that values need, in their order, where some values are there already."""
    missing = {value for value in wanted if value not in there}
    found: list[Node] = []
    for node in reversed(nodes):
        if not missing.isdisjoint(node.outputs):
            found.append(node)
            missing.update(value for value in node.operands() if value not in there)
    return found[::-1]


@dataclass
class Part:
    """Some nodes of a graph, which run together.

    Attributes:
        nodes: in their order.
        reads: what the program looks at behind them.
        given: the values that they need of the call and of earlier parts, in the order in which they are met.
        handed: those that they make for reads, later parts and results; behind the last read the results that no earlier part has.
        states: what they read, or, behind the last read, write.
        segments: the calls of modules among them that are computed again in a backward.
    """

    nodes: list[Node]
    reads: list[Read] = field(default_factory=list)
    given: list[Value] = field(default_factory=list)
    handed: list[Value] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)

    @property
    def made(self) -> Iterator[Value]:
        """The values that its nodes make."""
        return (value for node in self.nodes for value in node.outputs)

    def graph(self) -> Graph:
        """The part as a graph."""
        return Graph(self.given, self.states, self.nodes, self.handed, self.segments)


def split(graph: Graph, reads: Sequence[Read]) -> list[Part]:
    """The parts of a graph; the last one has no reads, and gives the graph's outputs."""
    there: set[Value] = set(graph.inputs)
    parts: list[Part] = []
    for read in reads:
        nodes = needed(graph.nodes, [read.value], there)
        if parts and all(map(is_repeated, nodes)) and _lie_in(nodes, parts[-1]):
            parts[-1].reads.append(read)
            parts[-1].nodes += [node for node in nodes if node not in parts[-1].nodes]
            continue
        parts.append(Part(nodes, [read]))
        there.update(value for node in nodes if not is_repeated(node) for value in node.outputs)
    parts.append(Part(needed(graph.nodes, graph.results(), there)))
    _connect(graph, parts)
    return parts


def _lie_in(nodes: Sequence[Node], part: Part) -> bool:
    """Whether what views and constants are made of is a part's own, and no number that may be read behind it."""
    own = {*part.made, *[made for node in nodes for made in node.outputs]}
    if not all(operand in own for node in nodes for operand in node.operands()):
        return False
    graph = Graph((), (), nodes, (), ())
    return not scalars_of(graph) and all(position_of(number) < part.reads[0].first for number in symbols_of(graph))


def _connect(graph: Graph, parts: list[Part]) -> None:
    """Say what each part is given, and what it hands over."""
    states = {state.value: state for state in graph.states}
    maker = {value: part for part in reversed(parts) for node in part.nodes if not is_repeated(node) for value in node.outputs}
    position = {node: number for number, node in enumerate(graph.nodes)}
    asked = Counter(graph.outputs)
    early = {value for value in asked if asked[value] == 1 and maker.get(value, parts[-1]) is not parts[-1]}
    late = [value for value in graph.outputs if value not in early]
    for value in graph.outputs:
        if value in early:
            maker[value].handed.append(value)
    for part in parts:
        is_last, made = part is parts[-1], set(part.made)
        read = [read.value for read in part.reads]
        results = [*late, *[state.result for state in graph.states if state.result is not state.value]] if is_last else []
        used = dict.fromkeys(chain(*[node.operands() for node in part.nodes], results))
        used.update(dict.fromkeys([value for value in read if value in states]))
        part.given = [value for value in used if value not in made and value not in states]
        part.handed += [value for value in read if value in made or value in states]
        for value in (*part.given, *read):
            if value in maker:
                maker[value].handed.append(value)
        if is_last:
            part.states = [s for s in graph.states if s.value in used or s.result is not s.value]
        else:
            part.states = [State(s.impl, s.value, s.value) for s in graph.states if s.value in used]
        part.segments = _segments(graph, part, position)
    for part in parts[:-1]:
        part.handed = list(dict.fromkeys(part.handed))
    parts[-1].handed = late


def _segments(graph: Graph, part: Part, position: dict[Node, int]) -> list[Segment]:
    """The calls of modules that have nodes in a part, in which there is backward, too."""
    places = {position[node]: number for number, node in enumerate(part.nodes)}
    found = []
    for segment in graph.segments:
        inside = [places[k] for k in range(segment.start, segment.stop) if k in places]
        behind = [number for k, number in places.items() if segment.backward is not None and k >= segment.backward]
        if inside and behind:
            found.append(Segment(min(inside), max(inside) + 1, min(behind)))
    return found
