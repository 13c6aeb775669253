"""Ranges: sections of a program, which it names, and which a profile shows."""

from __future__ import annotations

import threading
from contextlib import ContextDecorator
from time import perf_counter_ns
from typing import Any

from tritonflow.errors import ArgumentTypeError
from tritonflow.vm.machine import machine


class record_function(ContextDecorator):
    """Name what runs inside, for the profile that records it; without one this costs about a microsecond. Decorates functions, too.

    Args:
        name: what the range is called.
        args: a text; torch's, which is not shown.

    Raises:
        TypeError: `name` is no text.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.profiler.record_function.html

    Example:
        >>> import tritonflow as flow
        >>> with flow.profiler.profile() as prof:
        ...     with flow.profiler.record_function("twice"):
        ...         y = flow.ones(3) + flow.ones(3)
        >>> [average.name for average in prof.key_averages() if average.kind == "range"]
        ['twice']
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"record_function(): argument 'name' must be str, not {type(name).__name__}")
        self.name = name
        self._start: int | None = None

    def _recreate_cm(self) -> record_function:
        """A decorated function may call itself."""
        return record_function(self.name)

    def __enter__(self) -> record_function:
        self._start = None if machine.engine.timeline is None else perf_counter_ns()
        return self

    def __exit__(self, *error: object) -> None:
        timeline = machine.engine.timeline
        if timeline is not None and self._start is not None:
            timeline.range(self.name, self._start)


class _Open(threading.local):
    def __init__(self) -> None:
        self.ranges: list[Any] = []


_open = _Open()


def range_push(name: str) -> int:
    """Open a range in this thread, which `range_pop` closes.

    Returns:
        How many were open before.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.cuda.nvtx.range_push.html
    """
    _open.ranges.append(record_function(name).__enter__())
    return len(_open.ranges) - 1


def range_pop() -> int:
    """Close this thread's range that was opened last.

    Returns:
        How many are open still.

    Raises:
        RuntimeError: none is open.
    """
    if not _open.ranges:
        raise RuntimeError("range_pop(): no range is open in this thread; range_push() opens one")
    _open.ranges.pop().__exit__()
    return len(_open.ranges)
