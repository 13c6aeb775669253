"""Helpers around training: data loading, checkpoints, tensors from and to torch, and local and consistent tensors in structures."""

from typing import TYPE_CHECKING

from tritonflow.first_use import at_first_use as _at_first_use
from tritonflow.utils import checkpoint, data, global_view, tensor, tensorboard

if TYPE_CHECKING:
    from tritonflow.utils.checkpointer import Checkpointer

__getattr__ = _at_first_use(__name__, {"Checkpointer": "utils.checkpointer.Checkpointer"})

__all__ = ["Checkpointer", "checkpoint", "data", "global_view", "tensor", "tensorboard"]
