"""How long a run takes on a device."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tritonflow.device.provider import Provider


def seconds_of(provider: Provider, run: Callable[..., None], arguments: Sequence[Any]) -> float:
    """The time of one run: of a device with a clock of its own, or until it returns."""
    if provider.stream.asynchronous:
        return provider.seconds(partial(run, *arguments))
    start = time.perf_counter()
    run(*arguments)
    provider.synchronize()
    return time.perf_counter() - start
