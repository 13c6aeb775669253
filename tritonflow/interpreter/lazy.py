"""The lazy interpreter: a node in the graph being captured, no storage, no launch.

Its place on the road is here; the sink that it writes to comes with nn.Graph.
"""

from __future__ import annotations

from typing import Any

from tritonflow.errors import NotYetImplementedError
from tritonflow.interpreter.op_expr import OpExpr


def apply(op: OpExpr, inputs: tuple[Any, ...], attrs: tuple[Any, ...], dynamic: tuple[Any, ...], out: Any) -> Any:
    """Refuse: there is no graph to write to yet."""
    raise NotYetImplementedError(f"{op.name}: lazy mode (nn.Graph) is not supported yet")


def apply_view(op: OpExpr, x: Any, attrs: tuple[Any, ...]) -> Any:
    """Refuse, as `apply` does."""
    return apply(op, (x,), attrs, (), None)
