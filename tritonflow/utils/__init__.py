"""Helpers around training: data loading, checkpoints, tensors from and to torch, and local and consistent tensors in structures."""

from typing import TYPE_CHECKING

from tritonflow.first_use import at_first_use as _at_first_use
from tritonflow.utils import checkpoint, data, global_view, tensor, tensorboard

if TYPE_CHECKING:
    from tritonflow.utils import flop_counter, module_tracker
    from tritonflow.utils.checkpointer import Checkpointer

_AT_FIRST_USE = {
    "Checkpointer": "utils.checkpointer.Checkpointer",
    "flop_counter": "utils.flop_counter.",
    "module_tracker": "utils.module_tracker.",
}
__getattr__ = _at_first_use(__name__, _AT_FIRST_USE)

__all__ = ["Checkpointer", "checkpoint", "data", "flop_counter", "global_view", "module_tracker", "tensor", "tensorboard"]
