"""`torch._higher_order_ops.cond`."""

from tritonflow import cond

__all__ = ["cond"]
