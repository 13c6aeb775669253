"""`flow.backends.cuda`: matrix products."""

from tritonflow.backends.precision import matmul

__all__ = ["matmul"]
