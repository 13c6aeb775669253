"""Common subexpressions: what is computed twice from the same values is computed once.

    %1 = exp(input0)               %1 = exp(input0)
    %2 = exp(input0)
    return add(%1, %2)       ->    return add(%1, %1)

Random ops write their generator's state, and what writes is never merged.
"""

from __future__ import annotations

from typing import Any

from tritonflow.graph.ir import Graph, Node
from tritonflow.graph.ir.equal import computed_by
from tritonflow.graph.passes.rewrite import Rewriting


def merge_equal(graph: Graph) -> Graph:
    """The graph with equal nodes merged."""
    rewriting, first = Rewriting(graph), dict[Any, Node]()
    for old in graph.nodes:
        node = rewriting.add(old)
        key = computed_by(node, tuple(node.inputs))
        if key is None:
            continue
        known = first.setdefault(key, node)
        if known is not node:
            rewriting.same.update(zip(node.outputs, known.outputs))
    return rewriting.finish()
