"""`flow.version`: which version this is, under torch's names."""

from tritonflow import __version__
from tritonflow.device import torch_cuda

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "xpu"]

cuda: str | None = torch_cuda.runtime.built_for()
hip: str | None = None
xpu: str | None = None
debug = False
git_version = "unknown"
