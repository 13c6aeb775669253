"""Checkpoints of many ranks: `save`, `async_save` and `load`. Each rank writes and reads what it has; nothing is gathered.

A checkpoint is a folder of safetensors files, which torch's `HuggingFaceStorageReader` reads as well. It loads on another number of
ranks, and into other layouts. `flow.utils.Checkpointer` saves every so many steps, and resumes.
"""

from tritonflow.distributed.checkpoint import state_dict
from tritonflow.distributed.checkpoint.load import load
from tritonflow.distributed.checkpoint.save import async_save, save

__all__ = ["async_save", "load", "save", "state_dict"]
