"""How long a run of a device takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.device.provider import Provider

BURST = 10  # launches that are waited for together where waiting takes as long as a small kernel


def seconds_of(provider: Provider, run: Callable[..., None], arguments: Sequence[Any]) -> float:
    """Of one run; on a device that runs what is launched later, of one of several."""
    runs = BURST if provider.stream.asynchronous else 1
    start = time.perf_counter()
    for _ in range(runs):
        run(*arguments)
    provider.synchronize()
    return (time.perf_counter() - start) / runs
