"""How long a run takes on a device."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.device.provider import Provider

BURST = 10  # runs that are waited for together, where waiting takes as long as a small kernel


def seconds_of(provider: Provider, run: Callable[..., None], arguments: Sequence[Any]) -> float:
    """The time of one run; on an asynchronous device the mean of `BURST` runs."""
    runs = BURST if provider.stream.asynchronous else 1
    start = time.perf_counter()
    for _ in range(runs):
        run(*arguments)
    provider.synchronize()
    return (time.perf_counter() - start) / runs
