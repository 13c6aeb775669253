"""What a GPU still has to do: work of streams that is begun as late as the host's waits allow.

A GPU may take any time. The stand-in takes all of it: launches, copies and clears are done when the host waits for their stream,
and no stream goes further than it must. So what is not ordered comes in the order that is wrong: a stream that does not wait for
another one reads what was there before, and a copy from pinned memory that the host has overwritten brings what it finds then.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Callable

Work = Callable[[], object]


class LateWork:
    """The streams' work, by their handles; each stream does its own in order."""

    def __init__(self) -> None:
        self._queues: defaultdict[int, deque[Work]] = defaultdict(deque)
        self._added: defaultdict[int, int] = defaultdict(int)
        self._done: defaultdict[int, int] = defaultdict(int)
        self._lock = threading.RLock()
        self.freed: list[object] = []
        """Memory that is free, but may be in use by what is left to do: torch gives it to nobody before that is done."""

    def add(self, stream: int, work: Work) -> None:
        """Let a stream do something behind what it has to do already."""
        with self._lock:
            self._queues[stream].append(work)
            self._added[stream] += 1

    def position(self, stream: int) -> int:
        """The place in a stream's order behind all that it has to do."""
        with self._lock:
            return self._added[stream]

    def is_done(self, stream: int, position: int) -> bool:
        """Whether a stream has come to a place in its order."""
        return self._done[stream] >= position

    def finish(self, stream: int, position: int | None = None) -> None:
        """Let a stream work up to a place in its order, or to the end of what it has now."""
        with self._lock:
            end = self.position(stream) if position is None else position
            queue = self._queues[stream]
            while queue and self._done[stream] < end:
                queue.popleft()()  # of other streams, too, where it waits for them
                self._done[stream] += 1
            if not any(self._queues.values()):
                self.freed.clear()

    def finish_all(self) -> None:
        """Let all streams work, the youngest first."""
        with self._lock:
            for stream in reversed(list(self._queues)):
                self.finish(stream)
