"""What passes share: a graph with some values in place of others, or with its views where they are read."""

from __future__ import annotations

from dataclasses import replace

from tritonflow.graph.ir import Graph, Node, Value, View


def replaced(graph: Graph, same: dict[Value, Value]) -> Graph:
    """The graph with every use of a key as a use of its value; nodes that made the keys are left to `remove_dead_code`."""

    def new(value: Value) -> Value:
        return same.get(value, value)

    for node in graph.nodes:
        node.inputs = tuple([None if value is None else new(value) for value in node.inputs])
    states = [replace(state, result=new(state.result)) for state in graph.states]
    return replace(graph, states=states, outputs=[new(value) for value in graph.outputs])


def views_where_read(graph: Graph) -> Graph:
    """The graph with every view in front of its first reader, and none without; other nodes are in order already."""
    nodes: dict[Node, None] = {}

    def view(value: Value) -> None:
        node = value.producer
        if isinstance(node, View) and node not in nodes:
            view(node.base)
            nodes[node] = None

    for node in graph.nodes:
        if not isinstance(node, View):
            for value in node.operands():
                view(value)
            nodes[node] = None
    for value in graph.results():
        view(value)
    return replace(graph, nodes=list(nodes))
