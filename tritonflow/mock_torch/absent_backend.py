"""What a module of `torch.backends` says of a library that is not there, such as MKL."""

from __future__ import annotations

import contextlib
from typing import Any

enabled = False


def is_available() -> bool:
    """No."""
    return False


def is_built() -> bool:
    """No."""
    return False


def flags(*args: Any, **options: Any) -> Any:
    """A block that changes nothing."""
    return contextlib.nullcontext()
