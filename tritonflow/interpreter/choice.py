"""The choice of the interpreter that carries out an op, below autograd: consistent around the local ones, lazy and eager."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

from tritonflow.execution import eager_local, lazy
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.tensor import Tensor
from tritonflow.thread_state import slow_path, thread_state

Inputs = tuple[Tensor | None, ...]


class Interpreter(Protocol):
    """What carries out an op: one of the modules `consistent`, `lazy` and `eager_local`."""

    def apply(self, op: OpExpr, inputs: Inputs, context: OpContext) -> Any:
        """Any op. Returns its output, or a tuple of its outputs if it has several."""

    def apply_view(self, op: OpExpr, x: Tensor, context: OpContext) -> Tensor:
        """An op whose output is a view of its only input."""


@cache
def consistent_road() -> Any:
    """`interpreter.consistent`, imported with the first consistent tensor: it brings boxing and the rules of sbp."""
    from tritonflow.interpreter import consistent

    return consistent


def get_interpreter(op: OpExpr, inputs: Inputs, context: OpContext) -> Interpreter:
    """Consistent if a tensor is, if a placement is given, or for such an op; then lazy in lazy mode; eager local otherwise."""
    if context.placement is not None or op.is_consistent:
        return consistent_road()
    out = context.out
    if out is not None and not out.meta.is_local:
        return consistent_road()
    for tensor in inputs:
        if tensor is not None and not tensor.meta.is_local:
            return consistent_road()
    if slow_path.count and thread_state.lazy is not None:
        return lazy
    return eager_local
