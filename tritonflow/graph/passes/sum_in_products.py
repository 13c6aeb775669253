"""Sums in products: on a GPU the gradient of a linear layer's weight, and that of its bias, are one op.

    %3 = matmul(%1, %2, transpose_a=True)                      %3, %4 = matmul_with_sums(%1, %2)
    %4 = sum(%1, dim=0)                           ->
    return %3, %4                                              return %3, %4

Both read all of %1, and the product has its tiles on chip anyway. It is done where the product shares out its steps
(`matmul_stream_k`), as long sums with few results do.
"""

from __future__ import annotations

from dataclasses import replace

from tritonflow.execution.op_expr import op_expr
from tritonflow.graph.ir import Compute, Graph, Node, is_op
from tritonflow.ops.matmul import takes_sums


def sum_in_products(graph: Graph) -> Graph:
    """The graph with such ops."""
    readers, position = graph.readers(), {node: k for k, node in enumerate(graph.nodes)}
    merged: dict[Node, Node] = {}  # by the later of both
    gone: set[Node] = set()
    for product in graph.computes():
        if not _is_transposed(product):
            continue
        a, b = product.operands()
        sums = [node for node in readers.of(a) if _sums_columns(node) and node not in gone and node not in merged]
        if not sums or not takes_sums(a.meta, b.meta):
            continue
        first, last = sorted((product, sums[0]), key=position.__getitem__)
        if all(position[reader] > position[last] for value in first.outputs for reader in readers.through_views(value)):
            outputs = (*product.outputs, *sums[0].outputs)
            merged[last] = Compute(op_expr("matmul_with_sums"), (a, b), (), (), [v.meta for v in outputs]).replace(
                outputs=outputs, source_line=product.source_line
            )
            gone.add(first)
    return replace(graph, nodes=[merged.get(node, node) for node in graph.nodes if node not in gone]) if merged else graph


def _is_transposed(node: Node) -> bool:
    """Whether a node is a product of matrices a^T @ b."""
    return is_op(node, "matmul") and node.attrs == (True, False) and all(value.meta.ndim == 2 for value in node.operands())


def _sums_columns(node: Node) -> bool:
    """Whether a node adds up the columns of a matrix, as a vector of the same dtype."""
    if not is_op(node, "sum"):
        return False
    (dim, keepdim, _), (x,) = node.attrs, node.operands()
    return dim == (0,) and not keepdim and x.meta.ndim == 2 and node.outputs[0].meta.dtype is x.meta.dtype
