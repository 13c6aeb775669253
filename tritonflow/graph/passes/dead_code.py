"""Dead code: nodes whose values nobody reads go.

    %1 = relu(input0)
    %2 = exp(input0)           %2 = exp(input0)
    return %2             ->   return %2

A node that writes a state stays, as the state's new value is a result of the graph.
"""

from __future__ import annotations

from dataclasses import replace

from tritonflow.graph.ir import Graph, Node


def remove_dead_code(graph: Graph) -> Graph:
    """The graph without nodes that contribute to no result."""
    wanted = set(graph.results())
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if not wanted.isdisjoint(node.outputs):
            kept.append(node)
            wanted.update(node.operands())
    return replace(graph, nodes=kept[::-1])
