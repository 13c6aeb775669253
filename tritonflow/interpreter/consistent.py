"""The consistent interpreter: infers sbp, boxes the inputs, runs the local op on every rank's shard.

Its place on the road is here; consistent tensors themselves come with the distributed part of the project.
"""

from __future__ import annotations

from typing import Any

from tritonflow.errors import NotYetImplementedError
from tritonflow.execution.op_expr import OpExpr


def apply(op: OpExpr, inputs: tuple[Any, ...], attrs: tuple[Any, ...], dynamic: tuple[Any, ...], out: Any) -> Any:
    """Refuse: there are no consistent tensors yet."""
    raise NotYetImplementedError(f"{op.name}: ops on consistent (global) tensors are not supported yet")


def apply_view(op: OpExpr, x: Any, attrs: tuple[Any, ...]) -> Any:
    """Refuse, as `apply` does."""
    return apply(op, (x,), attrs, (), None)
