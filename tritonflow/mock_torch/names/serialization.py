"""`torch.serialization`: lists of classes that may be unpickled mean nothing: nothing in a file is run."""

from __future__ import annotations

import contextlib
from typing import Any

from tritonflow.mock_torch.names import load, save  # noqa: F401

DEFAULT_PROTOCOL = 2
_safe: list[Any] = []


def add_safe_globals(safe_globals: list[Any]) -> None:
    """Noted."""
    _safe.extend(safe_globals)


def get_safe_globals() -> list[Any]:
    """What was noted."""
    return list(_safe)


def clear_safe_globals() -> None:
    """Forget what was noted."""
    _safe.clear()


def safe_globals(safe_globals: list[Any]) -> Any:
    """A block that changes nothing."""
    return contextlib.nullcontext()


def skip_data(materialize_fake_tensors: bool = False) -> Any:
    """Refused.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("skip_data(): files without data are not written")


def register_package(priority: int, tagger: Any, deserializer: Any) -> None:
    """Nothing: tensors of other devices are not in files."""


def set_default_mmap_options(flags: int) -> Any:
    """A block that changes nothing."""
    return contextlib.nullcontext()
