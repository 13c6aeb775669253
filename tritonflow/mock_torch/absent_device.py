"""What a module of torch's says of a kind of device that is not there: `torch.mps`, `torch.mtia`, `torch.xpu`."""

from __future__ import annotations

from typing import Any


def is_available() -> bool:
    """No."""
    return False


def is_initialized() -> bool:
    """No."""
    return False


def device_count() -> int:
    """None."""
    return 0


def manual_seed(seed: int) -> None:
    """Nothing."""


def manual_seed_all(seed: int) -> None:
    """Nothing."""


def seed() -> None:
    """Nothing."""


def empty_cache() -> None:
    """Nothing."""


def synchronize(device: Any = None) -> None:
    """Nothing."""


def memory_allocated(device: Any = None) -> int:
    """None."""
    return 0


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """No."""
    return False


def current_device() -> int:
    """The number that torch has without one."""
    return 0
