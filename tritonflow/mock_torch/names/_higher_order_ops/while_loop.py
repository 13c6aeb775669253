"""`torch._higher_order_ops.while_loop`."""

from tritonflow import while_loop

__all__ = ["while_loop"]
