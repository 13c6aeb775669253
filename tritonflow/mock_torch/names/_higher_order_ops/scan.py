"""`torch._higher_order_ops.scan`."""

from tritonflow import scan

__all__ = ["scan"]
