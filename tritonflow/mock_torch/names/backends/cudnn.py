"""`torch.backends.cudnn`: kernels are tritonflow's own; settings are noted."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tritonflow as flow

enabled, benchmark, deterministic, benchmark_limit = True, False, False, 10


def is_available() -> bool:
    """No."""
    return False


def version() -> None:
    """There is none."""
    return None


def is_acceptable(tensor: Any) -> bool:
    """No."""
    return False


@contextlib.contextmanager
def flags(
    enabled: bool = False, benchmark: bool = False, benchmark_limit: int = 10, deterministic: bool = False,
    allow_tf32: bool = True, fp32_precision: str = "none",
) -> Iterator[None]:  # fmt: skip
    """A block with another `allow_tf32`."""
    before = flow.backends.cudnn.allow_tf32
    flow.backends.cudnn.allow_tf32 = allow_tf32
    try:
        yield
    finally:
        flow.backends.cudnn.allow_tf32 = before
