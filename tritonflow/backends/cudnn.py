"""`flow.backends.cudnn`: convolutions. The name is torch's; kernels are tritonflow's own."""

import sys
from types import ModuleType

from tritonflow.backends.precision import conv

__all__ = ["allow_tf32", "conv"]

allow_tf32: bool


class _Module(ModuleType):
    """A module whose `allow_tf32` is that of `conv`."""

    @property
    def allow_tf32(self) -> bool:
        return conv.allow_tf32

    @allow_tf32.setter
    def allow_tf32(self, value: bool) -> None:
        conv.allow_tf32 = value


sys.modules[__name__].__class__ = _Module
