"""Sums of embeddings: a lookup of tokens and the sum with its positions are one op.

    %2 = index_get(words, tokens)
    %3 = index_get(places, positions)            ->     %4 = embedding_sum(tokens, words, places, positions)
    %4 = add(%2, %3)

Positions are alike in all rows of tokens, or one for each. What rows of tokens share without a lookup, as the first rows of a
table, is such a table itself. The numbers are the same: a sum of two numbers of a half type is added in float32 anyway.
"""

from __future__ import annotations

from dataclasses import replace

from tritonflow.dtypes import bfloat16, float16, float32, float64
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.ir import Compute, Graph, Node, Value, View, is_op
from tritonflow.graph.passes.rewrite import views_where_read

FLOATING = (bfloat16, float16, float32, float64)


def sum_embeddings(graph: Graph) -> Graph:
    """The graph with such ops."""
    lookups = _lookups(graph)
    sums: dict[Node, Node] = {}
    for node in graph.computes() if lookups else ():
        found = _summed(node, lookups) if is_op(node, "add") else None
        if found is not None:
            sums[node] = found
    if not sums:
        return graph
    return views_where_read(replace(graph, nodes=[sums.get(node, node) for node in graph.nodes if not isinstance(node, View)]))


def _lookups(graph: Graph) -> dict[Value, tuple[Value, Value]]:
    """(table, indices) of each value that is rows of a floating table, and that nothing but one node reads."""
    readers = graph.readers()
    found = {}
    for node in graph.computes():
        if is_op(node, "index_get") and node.attrs == (0, False) and len(node.inputs) == 2:
            (table, indices), value = node.operands(), node.outputs[0]
            usual = table.meta.ndim == 2 and table.meta.dtype in FLOATING and indices.meta.is_contiguous and indices.meta.ndim
            if usual and len(readers.of(value)) == 1 and not readers.is_result(value):
                found[value] = table, indices
    return found


def _summed(node: Compute, lookups: dict[Value, tuple[Value, Value]]) -> Node | None:
    """The op in place of a sum of lookups, None if it is none."""
    left, right = node.operands()
    for words, other in ((left, right), (right, left)):
        out = node.outputs[0].meta
        if words not in lookups or words.meta is not out or other.meta.dtype is not out.dtype:
            continue
        table, tokens = lookups[words]
        places = _places(other, tokens, lookups)
        if places is not None:
            op = Compute(op_expr("embedding_sum"), (tokens, table, *places), (-1,), (1.0,), [out])
            return op.replace(outputs=node.outputs, source_line=node.source_line)
    return None


def _places(
    other: Value, tokens: Value, lookups: dict[Value, tuple[Value, Value]]
) -> tuple[Value, Value | None] | None:
    """(table, positions) of what is added to rows of `tokens`; None if it is no lookup, and not shared by several rows."""
    shape = tokens.meta.shape
    if other not in lookups:
        shared = other.meta.ndim == 2 and other.meta.shape[0] == shape[-1] and len(shape) > 1
        return (other, None) if shared else None
    table, positions = lookups[other]
    meta = positions.meta
    if meta.shape in (shape, shape[-1:]):
        return table, positions
    if meta.shape != (*[1] * (meta.ndim - 1), shape[-1]):
        return None
    flat = TensorMeta.get(shape[-1:], (1,), meta.dtype, meta.device, meta.aligned_at(0))
    return table, View(positions, flat, 0).outputs[0]
