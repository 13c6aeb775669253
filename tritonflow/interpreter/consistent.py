"""The consistent interpreter: infers sbp, boxes the inputs, runs the local op on every rank's shard.

It is around the local interpreters: what they run, or record in a capture, are ops on shards. Consistent tensors themselves come
with the distributed part of the project.
"""

from __future__ import annotations

from tritonflow.errors import NotYetImplementedError
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.tensor import Tensor


def apply(op: OpExpr, inputs: tuple[Tensor | None, ...], context: OpContext) -> Tensor:
    """Refuse: there are no consistent tensors yet."""
    raise NotYetImplementedError(f"{op.name}: {_given(context)} not supported yet")


def apply_view(op: OpExpr, x: Tensor, context: OpContext) -> Tensor:
    """Refuse, as `apply` does."""
    return apply(op, (x,), context)


def _given(context: OpContext) -> str:
    if context.placement is None and context.sbp is None:
        return "ops on consistent (global) tensors are"
    return f"a placement ({context.placement}) and sbp ({context.sbp}) of the result are"
