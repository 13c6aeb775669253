"""Streams: queues of instructions that run in order, and how far each has come.

A stream numbers its instructions; `reached` is the number up to which they have run. Waiting for an instruction is
waiting for a pair (stream, number), so finished work leaves nothing behind: no edge, no list of successors, no chain
of memory. There are three kinds:

- `InlineStream`: an instruction runs in the thread that issues it. The CPU's compute stream.
- `WorkerStream`: an instruction is queued for a thread of its own. Host copies, collectives, user streams on the CPU.
- `AsyncStream`: an instruction is launched by the thread that issues it and runs later, on the device. CUDA.

An inline or asynchronous stream whose next instruction cannot start yet queues it, for a thread too, and is not
`immediate` again before its queue is empty: the issuer never waits for another stream.
"""

from __future__ import annotations

import sys
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from tritonflow.device.device import Device
from tritonflow.device.provider import get_provider
from tritonflow.thread_state import enter_slow_path, leave_slow_path, thread_state


class Event(ABC):
    """A point in the order of an asynchronous stream."""

    @abstractmethod
    def query(self) -> bool:
        """Whether the device has passed this point."""

    @abstractmethod
    def synchronize(self) -> None:
        """Wait, with the interpreter's lock released, until the device has passed this point."""


class _Passed(Event):
    """In a forked child: whatever the parent's device does, there is nothing to wait for here."""

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        pass


class Lane:
    """Numbered steps, done in order.

    A stream is a lane; so is one access from the host, whose only step is number 1. An instruction that waits is
    entered in `waiters` as (number, instruction), and is poked once that number is reached.
    """

    __slots__ = ("issued", "reached", "waiters", "__weakref__")
    asynchronous = False
    name = "host"

    def __init__(self) -> None:
        self.issued = 0
        self.reached = 0
        self.waiters: list[tuple[int, Any]] = []


class Claim:
    """The blocks that the running instruction of a stream uses, all of which the stream had alone when it began."""

    __slots__ = ("number", "const", "mut")

    def __init__(self, number: int, const: Sequence[Any], mut: Sequence[Any]) -> None:
        self.number, self.const, self.mut = number, const, mut

    def has(self, block: Any) -> bool:
        """Whether it uses a block."""
        return block in self.const or block in self.mut


class Stream(Lane):
    """An ordered queue of instructions on a device.

    Args:
        device: where the instructions compute.
        name: for people: in the timeline and in error texts.
        kind: "compute", "h2d", "d2h" or "communication".

    Attributes:
        inline: whether the issuing thread may run an instruction itself.
        immediate: whether it may do so now, nothing being queued here. With `slow_path.count` the fast path's only test.
        asynchronous: whether an instruction may still be running on the device when it has returned.
        claim: the operands of the running instruction, where they are marked here instead of each by itself.
        lock: held while an instruction runs in its issuing thread.
        queue: instructions for the worker, the running one included.
        worker: the thread that runs the queue, started with the first queued instruction.
        machine: the VM whose stream it is.
    """

    __slots__ = ("device", "kind", "name", "inline", "immediate", "claim", "lock", "queue", "worker", "machine")

    def __init__(self, device: Device, name: str, kind: str = "compute", *, inline: bool) -> None:
        super().__init__()
        self.device = device
        self.name = name
        self.kind = kind
        self.inline = inline
        self.immediate = inline
        self.claim: Claim | None = None
        self.lock = threading.RLock()
        self.queue: deque[Any] = deque()
        self.worker: Any = None
        self.machine: Any = None
        with _streams_lock:
            _streams.add(self)

    def activate(self) -> None:
        """Make this stream's device current in a thread that is about to run its queue."""

    def restart(self) -> None:
        """In a forked child: the threads are gone, and with them whatever was queued."""
        self.lock = threading.RLock()
        self.queue.clear()
        self.waiters.clear()
        self.worker = None
        self.reached = self.issued
        self.claim = None
        self.immediate = self.inline and not self.asynchronous

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r} on {self.device}, {self.reached} of {self.issued} done>"


class InlineStream(Stream):
    """A stream whose instructions run, to their end, in the thread that issues them."""

    __slots__ = ()

    def __init__(self, device: Device, name: str, kind: str = "compute") -> None:
        super().__init__(device, name, kind, inline=True)


class WorkerStream(Stream):
    """A stream with a thread of its own."""

    __slots__ = ()

    def __init__(self, device: Device, name: str, kind: str = "compute") -> None:
        super().__init__(device, name, kind, inline=False)


class AsyncStream(Stream):
    """A stream of a device that works on its own: instructions are launched, and events tell how far it has come.

    `reached` counts what was launched. Another asynchronous stream waits on the device, for an event; the host waits
    for the event itself. One event covers everything launched before it, so the last one is kept, and a stream
    remembers up to which number of which other stream it has waited already.
    """

    __slots__ = ("event", "event_number", "waited")
    asynchronous = True

    def __init__(self, device: Device, name: str, kind: str = "compute", *, inline: bool = True) -> None:
        super().__init__(device, name, kind, inline=inline)
        self.event: Event | None = None
        self.event_number = 0
        self.waited: WeakKeyDictionary[Lane, int] = WeakKeyDictionary()

    def record(self) -> Event:
        """A new event behind everything launched so far."""
        raise NotImplementedError

    def wait(self, event: Event) -> None:
        """Let everything launched from now on wait, on the device, for the event."""
        raise NotImplementedError

    def restart(self) -> None:
        """In a forked child no call to the device is allowed any more."""
        super().restart()
        self.event, self.event_number = _Passed(), sys.maxsize

    def event_after(self, number: int) -> Event:
        """An event behind the instruction of that number, which has been launched."""
        if self.event is None or self.event_number < number:
            launched = self.reached
            self.event = self.record()
            self.event_number = launched
        return self.event

    def wait_for(self, other: AsyncStream, number: int) -> None:
        """Wait, on the device, for an instruction of another stream, unless a wait that was made covers it."""
        if self.waited.get(other, 0) >= number:
            return
        event = other.event_after(number)
        self.wait(event)
        self.waited[other] = other.event_number


_streams: WeakSet[Stream] = WeakSet()
_streams_lock = threading.Lock()


def all_streams() -> list[Stream]:
    """Every stream that is alive."""
    with _streams_lock:
        return list(_streams)


def current_stream(device: Device) -> Stream:
    """The stream that ops of this thread go to: the innermost `use_stream` for the device, or its compute stream."""
    chosen = thread_state.streams
    if chosen is not None:
        stream: Stream | None = chosen.get(device)
        if stream is not None:
            return stream
    default: Stream = get_provider(device).stream
    return default


class use_stream:
    """Send the ops of this thread, on the stream's device, to the stream: `with flow.stream(s): ...`."""

    __slots__ = ("stream", "_before")

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._before: list[dict[Any, Any] | None] = []

    def __enter__(self) -> Stream:
        self._before.append(thread_state.streams)
        thread_state.streams = {**(thread_state.streams or {}), self.stream.device: self.stream}
        enter_slow_path()
        return self.stream

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        leave_slow_path()
        thread_state.streams = self._before.pop()
