"""Copies: a value is never overwritten here, so a copy of one that is contiguous is that value.

    %1 = sum(input0)               %1 = sum(input0)
    %2 = view %1                   %2 = view %1
    %3 = clone(%2)
    return exp(%3)           ->    return exp(%2)

Where two memories are needed (an output that is an input, a value updated while others read it), `plan/memory.py` copies.
"""

from __future__ import annotations

from tritonflow.graph.ir import COPIES, Graph, Node, Value, is_op
from tritonflow.graph.passes.rewrite import replaced


def remove_copies(graph: Graph) -> Graph:
    """The graph without copies of contiguous values."""
    same: dict[Value, Value] = {}
    for node in graph.nodes:
        source = _source(node)
        if source is not None:
            same[node.outputs[0]] = same.get(source, source)
    return replaced(graph, same)


def _source(node: Node) -> Value | None:
    """What a node copies; None if it does anything else."""
    if not is_op(node, *COPIES):
        return None
    source = node.inputs[0]
    return source if source is not None and source.meta is node.outputs[0].meta else None
