"""`torch._higher_order_ops`: ops that take functions."""

from __future__ import annotations

from tritonflow.mock_torch.names._higher_order_ops.associative_scan import associative_scan
from tritonflow.mock_torch.names._higher_order_ops.cond import cond
from tritonflow.mock_torch.names._higher_order_ops.scan import scan
from tritonflow.mock_torch.names._higher_order_ops.while_loop import while_loop

__all__ = ["associative_scan", "cond", "scan", "while_loop"]
