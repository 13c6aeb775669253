"""`torch.distributed.rpc.api`: what libraries decorate their functions with when they are imported."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def _require_initialized(func: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is for ranks which call each other: nothing starts these here, so each call is torch's error."""

    @functools.wraps(func)
    def wrapper(*args: Any, **options: Any) -> Any:
        raise RuntimeError("RPC has not been initialized. Call torch.distributed.rpc.init_rpc first.")

    return wrapper
