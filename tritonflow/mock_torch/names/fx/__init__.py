"""`torch.fx`: marks of symbolic tracing. The tracer itself is missing; `flow.compile` captures functions."""

from __future__ import annotations

from typing import Any


def wrap(fn_or_name: Any) -> Any:
    """The function itself, or its name."""
    return fn_or_name


def has_side_effect(fn: Any) -> Any:
    """The function itself."""
    return fn
