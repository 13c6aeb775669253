"""`torch.accelerator`: the GPU, if there is one."""

from __future__ import annotations

from typing import Any

import tritonflow as flow


def is_available() -> bool:
    """Whether there is a GPU."""
    return flow.cuda.is_available()


def current_accelerator(check_available: bool = False) -> Any:
    """The device `cuda`; None without a GPU."""
    return flow.device("cuda") if is_available() else None


def device_count() -> int:
    """How many GPUs there are."""
    return flow.cuda.device_count()


def current_device_index() -> int:
    """The GPU that "cuda" means."""
    return flow.cuda.current_device()


def set_device_index(device: Any, /) -> None:
    """Choose the GPU that "cuda" means."""
    flow.cuda.set_device(device)


def synchronize(device: Any = None, /) -> None:
    """Wait until everything issued so far is done."""
    flow.cuda.synchronize(device) if is_available() else flow.sync()


def empty_cache() -> None:
    """Give the cached free blocks back."""
    flow.empty_cache()
