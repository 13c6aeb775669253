"""Algebra: ops that give their input back go.

    %1 = scalar_mul(input0, other=1)
    %2 = cast(%1, float64)
    %3 = cast(%2, float32)              ->     return relu(input0)
    return relu(%3)

What changes no bit is simplified, nothing else: x * 1, x / 1, x - 0, x ** 1, and a cast there and back by way of a dtype that holds
every value. The registry says of which ops (`identity`): not of x + 0, which makes 0 of -0.
`where` of one value twice is the value.
"""

from __future__ import annotations

from collections.abc import Mapping

from tritonflow.dtypes import DType, bool_, result_type
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.ir import Compute, Graph, Node, Value, constant, is_op
from tritonflow.graph.passes.rewrite import Rewriting


def simplify(graph: Graph) -> Graph:
    """The graph with the inputs of such ops in place of their results."""
    rewriting, producers = Rewriting(graph), graph.producers()
    for old in graph.nodes:
        node = rewriting.add(old)
        if isinstance(node, Compute) and not node.written:
            source = _cast_back(node, producers) if node.op.name == "cast" else _chosen(node) or _left(node)
            if source is not None and source.meta is node.outputs[0].meta:
                rewriting.same[node.outputs[0]] = source
    return rewriting.finish()


def _left(node: Compute) -> Value | None:
    """The left operand of an op whose right one is its identity."""
    identity = node.op.definition.identity
    if identity is None or not node.inputs or node.inputs[0] is None:
        return None
    right = node.dynamic[0] if node.dynamic else constant(node.inputs[1]) if node.inputs[1] is not None else None
    if right is None or isinstance(right, RuntimeScalar) or right != identity:
        return None
    return node.inputs[0]


def _chosen(node: Compute) -> Value | None:
    """What `where` gives whatever its condition is: both are the same value, as where only their gradients differ."""
    return node.inputs[1] if node.op.name == "where" and node.inputs[1] is node.inputs[2] else None


def _cast_back(node: Compute, producers: Mapping[Value, Node]) -> Value | None:
    """What a cast's input was cast from, if nothing was lost on the way."""
    (value,) = node.operands()
    there = producers.get(value)
    if not is_op(there, "cast") or there.inputs[0] is None:
        return None
    return there.inputs[0] if _holds(there.outputs[0].meta.dtype, there.inputs[0].meta.dtype) else None


def _holds(wide: DType, narrow: DType) -> bool:
    """Whether every value of one dtype is a value of another."""
    if wide is narrow or narrow is bool_:
        return True
    if narrow.is_floating_point:
        return wide.is_floating_point and wide.itemsize > narrow.itemsize
    if wide.is_barebones or narrow.is_barebones:  # which promote to floats only
        return False
    return not wide.is_floating_point and wide is not bool_ and result_type([(narrow, 1), (wide, 1)], ()) is wide
