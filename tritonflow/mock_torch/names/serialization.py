"""`torch.serialization`."""

from __future__ import annotations

import contextlib
from typing import Any

from tritonflow.mock_torch.names import load, save  # noqa: F401
from tritonflow.serialization.safe_globals import (  # noqa: F401
    add_safe_globals,
    clear_safe_globals,
    get_safe_globals,
    safe_globals,
)

DEFAULT_PROTOCOL = 2


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
