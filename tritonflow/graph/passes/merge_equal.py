"""Common subexpressions: what is computed twice from the same values is computed once.

    %1 = exp(input0)               %1 = exp(input0)
    %2 = exp(input0)
    return add(%1, %2)       ->    return add(%1, %1)

Random ops write their generator's state, and what writes is never merged.
"""

from __future__ import annotations

from typing import Any

from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.ir import Compute, Graph, Node, View
from tritonflow.graph.passes.rewrite import Rewriting


def merge_equal(graph: Graph) -> Graph:
    """The graph with equal nodes merged."""
    rewriting, first = Rewriting(graph), dict[Any, Node]()
    for old in graph.nodes:
        node = rewriting.add(old)
        key = _key(node)
        if key is None:
            continue
        known = first.setdefault(key, node)
        if known is not node:
            rewriting.same.update(zip(node.outputs, known.outputs))
    return rewriting.finish()


def _key(node: Node) -> Any:
    """Equal for nodes that compute the same; None for one that must stay."""
    if isinstance(node, View):
        return (View, node.inputs, node.meta, node.offset)
    if not isinstance(node, Compute) or node.written:
        return None
    # 1 equals 1.0, so classes belong to the key; run-time scalars are told apart by identity.
    numbers = tuple([id(value) if isinstance(value, RuntimeScalar) else (type(value), value) for value in node.dynamic])
    return (node.op.name, node.inputs, node.attrs, numbers, node.over, tuple([value.meta for value in node.outputs]))
