"""Helpers around training: data loading, tensors from and to torch, and local and consistent tensors in structures."""

from tritonflow.utils import data, global_view, tensor

__all__ = ["data", "global_view", "tensor"]
