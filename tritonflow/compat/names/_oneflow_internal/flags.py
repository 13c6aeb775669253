"""What the runtime was built with."""

from tritonflow.sysconfig import with_cuda

__all__ = ["with_cuda"]
