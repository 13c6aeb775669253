"""`torch.cuda.nvtx`: ranges of `flow.profiler`, on CPUs too."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tritonflow.profiler.ranges import range_pop, range_push

__all__ = ["mark", "range", "range_end", "range_pop", "range_push", "range_start"]


@contextlib.contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:
    """A block that is a range of the profiler; its name is `msg.format(*args, **kwargs)`."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()


def range_start(msg: str) -> int:
    """Nothing: ranges that begin and end on different threads are not recorded. The number goes to `range_end`."""
    return 0


def range_end(range_id: int) -> None:
    """Nothing."""


def mark(msg: str) -> None:
    """Nothing: moments are not recorded."""
