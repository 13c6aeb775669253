"""`torch.cpu`."""

from __future__ import annotations

import contextlib
from typing import Any

import tritonflow as flow


def is_available() -> bool:
    """Always."""
    return True


def is_initialized() -> bool:
    """Always."""
    return True


def device_count() -> int:
    """One."""
    return 1


def current_device() -> str:
    """The only one."""
    return "cpu"


def set_device(device: Any) -> None:
    """Nothing: there is one."""


def synchronize(device: Any = None) -> None:
    """Wait until everything issued so far is done."""
    flow.sync()


def current_stream(device: Any = None) -> None:
    """None: ops of a CPU have an order, and no streams to choose."""


def stream(stream: Any) -> Any:
    """A block that changes nothing."""
    return contextlib.nullcontext()


def empty_cache() -> None:
    """Give the cached free blocks back."""
    flow.empty_cache()
