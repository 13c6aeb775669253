"""Dead code: nodes whose values nobody reads go.

    %1 = relu(input0)
    %2 = exp(input0)           %2 = exp(input0)
    return %2             ->   return %2

A node that writes a state stays, as the state's new value is a result of the graph.
"""

from __future__ import annotations

from dataclasses import replace

from tritonflow.graph.ir import Graph


def remove_dead_code(graph: Graph) -> Graph:
    """The graph without nodes that contribute to no result."""
    return replace(graph, nodes=graph.alive())
