"""Helpers around training: data loading, tensors from and to torch, and local and consistent tensors in structures."""

from tritonflow.utils import checkpoint, data, global_view, tensor, tensorboard

__all__ = ["checkpoint", "data", "global_view", "tensor", "tensorboard"]
