"""Constant folding: what is computed from numbers alone is a number.

    %1 = full(value=1.0)                       %1 = full(value=1.0)
    %2 = scalar_div(%1, other=1024)     ->     %2 = full(value=0.0009765625)
    return mul(input0, %2)                     return mul(input0, %2)

The op itself computes the number, once, in eager mode; so the result has its rounding. Run-time scalars are left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.execution.lazy import eager
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar, symbols_in
from tritonflow.framework.symbolic_int import hint
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
    return not any(number is None or _differs(number) for number in [*numbers, *node.dynamic])


def _differs(number: Any) -> bool:
    """Whether a number differs between runs of one size."""
    return isinstance(number, RuntimeScalar) and not number.of_sizes


def _evaluate(node: Compute) -> Any:
    """What a node gives: a number, or one for each sizes."""
    numbers, metas = [constant(value) for value in node.operands()], [value.meta for value in node.operands()]

    def at(value_of: Callable[[Any], Any]) -> Any:
        with eager():
            inputs = [_C.full((), value_of(n), dtype=m.dtype, device=m.device) for n, m in zip(numbers, metas)]
            return dispatch(node.op, tuple(inputs), node.attrs, tuple(map(value_of, node.dynamic))).item()

    sized = [number for number in [*numbers, *node.dynamic] if hasattr(type(number), "evaluate")]
    if not sized:
        return at(lambda number: number)
    now = at(lambda number: hint(number.value if type(number) is RuntimeScalar else number))
    evaluate = lambda live: at(lambda n: n.evaluate(live) if hasattr(type(n), "evaluate") else n)  # noqa: E731
    return RuntimeScalar(now, evaluate, None, True, symbols_in(*sized))
