"""Constant folding: what is computed from numbers alone is a number.

    %1 = full(value=1.0)                       %1 = full(value=1.0)
    %2 = scalar_div(%1, other=1024)     ->     %2 = full(value=0.0009765625)
    return mul(input0, %2)                     return mul(input0, %2)

The op itself computes the number, once, in eager mode; so the result has its rounding. Run-time scalars are left alone.
"""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.execution.lazy import eager
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.ir import Compute, Graph, constant
from tritonflow.graph.passes.rewrite import Rewriting
from tritonflow.interpreter.dispatch import dispatch


def fold_constants(graph: Graph) -> Graph:
    """The graph with the results of pointwise ops on constants as constants."""
    rewriting = Rewriting(graph)
    for old in graph.nodes:
        node = rewriting.add(old)
        if isinstance(node, Compute) and _is_constant(node):
            folded = rewriting.add(full(node.outputs[0].meta, _evaluate(node)))
            rewriting.same[node.outputs[0]] = folded.outputs[0]
    return rewriting.finish()


def full(meta: TensorMeta, value: Any) -> Compute:
    """The node of a tensor of one number."""
    return Compute(op_expr("full"), (), (meta.shape, meta.dtype, meta.device), (value,), [meta])


def _is_constant(node: Compute) -> bool:
    if (
        not node.inputs
        or node.written
        or node.op.definition.kind != "pointwise"
        or not node.outputs[0].meta.is_contiguous
    ):
        return False
    numbers = [None if value is None else constant(value) for value in node.inputs]
    return not any(number is None or isinstance(number, RuntimeScalar) for number in [*numbers, *node.dynamic])


def _evaluate(node: Compute) -> Any:
    with eager():
        inputs = [_C.full((), constant(v), dtype=v.meta.dtype, device=v.meta.device) for v in node.operands()]
        return dispatch(node.op, tuple(inputs), node.attrs, node.dynamic).item()
