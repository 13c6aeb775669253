"""`torch._higher_order_ops`: ops that take functions."""

from __future__ import annotations

from tritonflow.mock_torch.names._higher_order_ops.associative_scan import associative_scan

__all__ = ["associative_scan"]
