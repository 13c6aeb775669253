"""`torch._custom_ops`: an older form of `torch.library`."""

from tritonflow.library import impl, impl_abstract  # noqa: F401
