"""`torch._utils`."""

from __future__ import annotations

import sys
import traceback
from typing import Any

import tritonflow as flow
from tritonflow.compat.names._utils import _flatten_dense_tensors, _unflatten_dense_tensors  # noqa: F401 (of this name in torch)


def _get_device_index(device: Any, optional: bool = False, allow_cpu: bool = False) -> int:
    if isinstance(device, int):
        return device
    if device is None and optional:
        return flow.cuda.current_device()
    found = flow.device(device)
    if found.type == "cpu" and allow_cpu:
        return -1
    if found.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {device}")
    return int(found.index or 0)


def is_compiling() -> bool:
    """Whether this thread captures a graph."""
    return flow.compiler.is_compiling()


class ExceptionWrapper:
    """An exception of another thread or process, raised again by `reraise`."""

    def __init__(self, exc_info: Any = None, where: str = "in background") -> None:
        info: Any = sys.exc_info() if exc_info is None else exc_info
        self.exc_type = info[0]
        self.exc_msg = "".join(traceback.format_exception(*info))
        self.where = where

    def reraise(self) -> None:
        """Raise it."""
        raise self.exc_type(f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}")
