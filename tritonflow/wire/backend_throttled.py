"""A wire that is slow by choice, over any backend: overlap of communication and compute is measured on it.

What a rank sends goes one message behind another, at so many bytes in a second, and arrives so many seconds later. Meanwhile it
takes no processor time, as where a network card carries the bytes. Gloo's threads take it from the kernels.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from tritonflow.errors import InvalidArgumentError
from tritonflow.wire.record import Message, Record
from tritonflow.wire.world import rank_local


class _Throttle:
    """When the messages of a rank arrive."""

    def __init__(self, latency: float, rate: float) -> None:
        self._latency, self._rate = latency, rate
        self._free = 0.0
        self._lock = threading.Lock()

    def arrival(self, nbytes: int) -> float:
        with self._lock:
            self._free = max(self._free, monotonic()) + nbytes / self._rate
            return self._free + self._latency


@contextmanager
def throttled(latency: float, rate: float) -> Iterator[None]:
    """Slow down what the calling rank sends to other ranks: `with flow.testing.throttled(1e-3, 1e9):`.

    Messages go one behind another. One of n bytes arrives `latency + n / rate` seconds after it could be sent, and takes no
    processor time until then.

    Args:
        latency: seconds, 0 or more.
        rate: bytes in a second, above 0.

    Raises:
        InvalidArgumentError: they are not.

    Source: tritonflow's own; what `tc qdisc ... netem` does to a network device.

    Example:
        >>> import tritonflow as flow
        >>> def total() -> float:
        ...     with flow.testing.throttled(latency=1e-3, rate=1e6):
        ...         return flow.comm.all_reduce(flow.tensor([1.0])).item()
        >>> flow.testing.simulate(2)(total)()
        [2.0, 2.0]
    """
    if latency < 0 or rate <= 0:
        raise InvalidArgumentError(f"throttled(): expected a latency of 0 or more and a rate above 0, got {latency} and {rate}")
    local, before = rank_local(), rank_local().get(_Throttle)
    local[_Throttle] = _Throttle(latency, rate)
    try:
        yield
    finally:
        local[_Throttle] = before


def arrival(nbytes: int) -> float:
    """When a message that the calling rank sends now arrives, by `time.monotonic`; 0.0 if nothing slows it down."""
    slow = rank_local().get(_Throttle)
    return 0.0 if slow is None else slow.arrival(nbytes)


def start(group: Any, works: Any, record: Record, sends: Sequence[Message], receives: Sequence[Message]) -> None:
    """Start the messages of a collective in a backend's group: what is slowed down is sent when it is to arrive."""
    due = [(arrival(message.nbytes), message) for message in sends]
    group.start(works, record, [message for time, message in due if not time], receives)
    works.sent += [_Delayed(group, record, message, time) for time, message in due if time]


class _Delayed:
    """A message that is sent later."""

    def __init__(self, group: Any, record: Record, message: Message, time: float) -> None:
        self._send = group, record, message
        self._works: Any = None
        self._error: BaseException | None = None
        self._sent = threading.Event()
        timer = threading.Timer(max(time - monotonic(), 0.0), self._start)
        timer.daemon = True
        timer.start()

    def wait(self) -> None:
        """Wait until it has been sent."""
        self._sent.wait()
        if self._error is not None:
            raise self._error
        self._works.wait()

    def _start(self) -> None:
        from tritonflow.wire.backend_gloo import Works

        group, record, message = self._send
        try:
            self._works = Works()
            group.start(self._works, record, [message], [])
        except RuntimeError as error:  # the connection has been cut
            self._error = error
        self._sent.set()
