"""What passes share: a graph with some values in place of others."""

from __future__ import annotations

from dataclasses import replace

from tritonflow.graph.ir import Graph, Value


def replaced(graph: Graph, same: dict[Value, Value]) -> Graph:
    """The graph with every use of a key as a use of its value; nodes that made the keys are left to `remove_dead_code`."""

    def new(value: Value) -> Value:
        return same.get(value, value)

    for node in graph.nodes:
        node.inputs = tuple([None if value is None else new(value) for value in node.inputs])
    states = [replace(state, result=new(state.result)) for state in graph.states]
    return replace(graph, states=states, outputs=[new(value) for value in graph.outputs])
