"""Dispatch: from a functor into the interpreters, autograd outermost.

`dispatch1`, `dispatch2` and `dispatch_view` are the short roads of ops with one or two tensor inputs and one output. They try the
eager local road first, where a cached plan proves that it is the right one, and ask `get_interpreter` where there is none.
"""

from __future__ import annotations

from typing import Any

from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter import autograd

dispatch1 = autograd.apply1
dispatch2 = autograd.apply2
dispatch_view = autograd.apply_view
dispatch_split = autograd.apply_split


def dispatch(
    op: OpExpr,
    inputs: tuple[Tensor | None, ...],
    attrs: tuple[Any, ...] = (),
    dynamic: tuple[Any, ...] = (),
    out: Tensor | None = None,
    placement: Any = None,
    sbp: Any = None,
) -> Any:
    """Run an op.

    Args:
        op: what to run.
        inputs: the tensors, None for an absent optional one, a variadic one flattened at the end.
        attrs: the static attributes in the order of the registry.
        dynamic: the dynamic scalars likewise.
        out: a tensor to write the only output over.
        placement: over which ranks the outputs lie, for ops that make tensors from none.
        sbp: how they lie there.

    Returns:
        The output, or a tuple of the outputs if the op has several.

    Raises:
        LocalityError: local and consistent tensors are mixed.
    """
    return autograd.apply(op, inputs, OpContext(attrs, dynamic, out, placement, sbp))
