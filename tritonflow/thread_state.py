"""What is switched on in this thread: grad mode, lazy mode, chosen streams, autocast, a planner's configuration.

One object holds it all, because reading a thread-local costs about 40 ns and the eager path can afford hardly any. The
states that an ordinary eager op need not know about (lazy mode, a chosen stream, a timeline being recorded) are also
counted process-wide in `exotic.count`: while it is zero, the fast path reads no thread-local for them at all.
"""

from __future__ import annotations

import threading
from typing import Any


class ThreadState(threading.local):
    """The switches of one thread; class attributes are the state in which a thread starts."""

    grad_enabled: bool = True
    inference: bool = False
    lazy: Any = None
    streams: dict[Any, Any] | None = None
    autocast: Any = None
    configuration: Any = None


class Exotic:
    """How many scopes, over all threads, are active that the fast path does not handle."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


thread_state = ThreadState()
exotic = Exotic()
_lock = threading.Lock()


def enter_exotic() -> None:
    """Send every op of the process through the general path until `leave_exotic`."""
    with _lock:
        exotic.count += 1


def leave_exotic() -> None:
    """End one scope opened by `enter_exotic`."""
    with _lock:
        exotic.count -= 1
