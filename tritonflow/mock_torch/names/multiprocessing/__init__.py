"""`torch.multiprocessing`: Python's, and `spawn`. Tensors are copied on their way between processes."""

from __future__ import annotations

import multiprocessing
from multiprocessing import *  # noqa: F403
from typing import Any

from tritonflow.mock_torch.names.multiprocessing.spawn import (  # noqa: F401
    ProcessContext,
    ProcessExitedException,
    ProcessRaisedException,
    SpawnContext,
    spawn,
    start_processes,
)


def any_name(name: str) -> Any:
    """What a name is that this file does not have."""
    return getattr(multiprocessing, name, None)


def set_sharing_strategy(new_strategy: str) -> None:
    """Nothing: memory is not shared."""


def get_sharing_strategy() -> str:
    """What torch has by default."""
    return "file_descriptor"


def get_all_sharing_strategies() -> set[str]:
    """What torch has."""
    return {"file_descriptor", "file_system"}
