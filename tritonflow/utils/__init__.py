"""Helpers around training: data loading, checkpoints, tensors from and to torch, and local and consistent tensors in structures."""

from tritonflow.utils import checkpoint, data, global_view, tensor, tensorboard
from tritonflow.utils.checkpointer import Checkpointer

__all__ = ["Checkpointer", "checkpoint", "data", "global_view", "tensor", "tensorboard"]
