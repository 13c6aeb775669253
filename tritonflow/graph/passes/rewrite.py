"""What passes share: a graph with some values in place of others, or with its views where they are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.ir import Graph, Node, Value, View


class Rewriting:
    """Writes a graph anew, node by node, with some values in place of others; the old graph stays as it is.

    Attributes:
        nodes: those of the new graph so far.
        same: what stands for values of the old graph.
    """

    def __init__(self, graph: Graph, same: dict[Value, Value] | None = None) -> None:
        self.graph = graph
        self.nodes: list[Node] = []
        self.same = {} if same is None else dict(same)

    def now(self, value: Value) -> Value:
        """What stands for a value by now."""
        while value in self.same:
            value = self.same[value]
        return value

    def add(self, node: Node, now: Callable[[Value], Value] | None = None) -> Node:
        """Add a node of the old graph as it reads what stands for its inputs by now, or by `now`."""
        new = node.reading(now or self.now)
        if new is not node:
            self.same.update((old, own) for old, own in zip(node.outputs, new.outputs) if own is not old)
        self.nodes.append(new)
        return new

    def finish(self) -> Graph:
        """The new graph."""
        states = [replace(state, result=self.now(state.result)) for state in self.graph.states]
        return replace(self.graph, nodes=self.nodes, states=states, outputs=list(map(self.now, self.graph.outputs)))


def replaced(graph: Graph, same: dict[Value, Value]) -> Graph:
    """The graph with every use of a key as a use of its value; nodes that made the keys are left to `remove_dead_code`."""
    if not same:
        return graph
    rewriting = Rewriting(graph, same)
    for node in graph.nodes:
        rewriting.add(node)
    return rewriting.finish()


def seen_as(value: Value, made: Value, source: Value) -> Value | None:
    """`source`, from which pointwise ops have made `made`, seen as `value` sees that; None where a view can not."""
    if value is made:
        return source
    if not source.meta.is_contiguous:
        return None
    elements, node = 0, value.definition
    while isinstance(node, View):
        elements += node.offset // made.meta.dtype.itemsize
        node = node.base.definition
    offset, dtype = elements * source.meta.dtype.itemsize, source.meta.dtype
    aligned = source.meta.aligned_at(offset)
    meta = TensorMeta.get(value.meta.shape, value.meta.stride, dtype, source.meta.device, aligned)
    return View(source, meta, offset).outputs[0]


def views_where_read(graph: Graph) -> Graph:
    """The graph with every view in front of its first reader, and none without; other nodes are in order already."""
    nodes: dict[Node, None] = {}
    for node in graph.nodes:
        if not isinstance(node, View):
            for value in node.operands():
                _add_views(nodes, value)
            nodes[node] = None
    for value in graph.results():
        _add_views(nodes, value)
    return replace(graph, nodes=list(nodes))


def _add_views(nodes: dict[Node, None], value: Value) -> None:
    """Add the view that a value is, behind those that it is a view of."""
    node = value.definition
    if isinstance(node, View) and node not in nodes:
        _add_views(nodes, node.base)
        nodes[node] = None
