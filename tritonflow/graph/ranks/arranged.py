"""What passes over ranks share: a graph written anew in which boxings stand elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tritonflow.framework.meta import numel_of
from tritonflow.graph.ir import Boxing, Compute, Graph, Late, Node, Segment, Value, View, is_op
from tritonflow.graph.passes.rewrite import Rewriting


class Given:
    """What a graph is given: its inputs, its states as they are before it runs, what lies in their memory then, and casts of it."""

    def __init__(self, graph: Graph) -> None:
        self._given = {*graph.inputs, *[state.value for state in graph.states]}
        self._seen = {node.outputs[0]: node for node in graph.nodes if isinstance(node, Late) or is_op(node, "cast")}

    def nodes(self, value: Value) -> list[Node] | None:
        """The nodes by which a value is seen in something given, or cast, in their order; None if it is computed otherwise."""
        found: list[Node] = []
        while value not in self._given:
            node = value.definition if isinstance(value.definition, View) else self._seen.get(value)
            if node is None:
                return None
            found.append(node)
            value = node.inputs[0]  # type: ignore[assignment]
        return found[::-1]

    def base(self, value: Value) -> Value:
        """The input or state in which such a value lies."""
        nodes = self.nodes(value)
        return nodes[0].inputs[0] if nodes else value  # type: ignore[return-value]


class Arranged(Rewriting):
    """Writes a graph anew in another order. Its segments stay right: what moves between ranks is not computed again in a backward.

    Attributes:
        given: what the old graph is given.
    """

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.given = Given(graph)
        self._added: set[Node] = set()
        self._begins: list[int] = []  # of each node of the old graph, how many nodes of the new one stand before it

    def begin(self) -> None:
        """Come to the next node of the old graph."""
        self._begins.append(len(self.nodes))

    def add(self, node: Node, now: Callable[[Value], Value] | None = None) -> Node:
        """Add a node of the old graph, unless it stands further to the front already."""
        if node in self._added:
            return node
        self._added.add(node)
        return super().add(node, now)

    def hoist(self, value: Value) -> None:
        """Add here by what a value is seen in something given. A `Late` waits for what stands here."""
        for node in self.given.nodes(value) or ():
            if isinstance(node, Late) and node not in self._added:
                self._added.add(node)
                base = self.now(next(node.operands()))
                made = (each for each in reversed(self.nodes) if isinstance(each, Compute))
                trigger = next((each.outputs[0] for each in made), base)
                self.nodes.append(node.replace(inputs=(base, trigger)))
            else:
                self.add(node)

    def finish(self) -> Graph:
        """The new graph."""
        begins = [*self._begins, len(self.nodes)]
        old = self.graph.segments
        segments = [Segment(begins[s.start], begins[s.stop], None if s.backward is None else begins[s.backward]) for s in old]
        return replace(super().finish(), segments=segments, phases=[begins[at] for at in self.graph.phases])


def whole_bytes(boxing: Boxing) -> int:
    """The bytes of all elements of what a boxing moves: what ranks decide by, whatever shards they have."""
    return numel_of(boxing.route.target.shape) * boxing.route.dtype.itemsize
