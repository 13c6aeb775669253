"""`torch._dynamo.external_utils`."""

from tritonflow.compiler import is_compiling

__all__ = ["is_compiling"]
