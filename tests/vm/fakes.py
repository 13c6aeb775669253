"""Memory and a device for the VM's tests: blocks that hold one Python value, asynchronous streams without a GPU."""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from typing import Any

from tritonflow.device.device import Device
from tritonflow.device.stream import AsyncStream, Event, InlineStream, Stream, WorkerStream

CPU = Device("cpu")
GPU = Device("cuda:0")


class FreeList(list):
    """A free list of the pool: it knows the stream that its blocks are reused on."""

    def __init__(self, stream: Stream | None) -> None:
        super().__init__()
        self.stream = stream


class FakeBlock:
    """A block whose memory is one value, and which notices when two accesses overlap that must not."""

    def __init__(self, home: Stream, value: Any = 0) -> None:
        self.stream: Stream | None = home
        self.dependence: Any = None
        self.free = FreeList(home)
        self.value = value
        self._readers = self._writers = 0
        self.overlaps = 0

    def begin(self, writes: bool) -> None:
        self.overlaps += bool(self._writers or (writes and self._readers))
        if writes:
            self._writers += 1
        else:
            self._readers += 1

    def end(self, writes: bool) -> None:
        if writes:
            self._writers -= 1
        else:
            self._readers -= 1


class FakeEvent(Event):
    def __init__(self, device: FakeGpu) -> None:
        self.device = device
        self.done = False

    def query(self) -> bool:
        self.device.step()
        return self.done

    def synchronize(self) -> None:
        while not self.done:
            self.device.step()
            time.sleep(0)


class FakeGpu:
    """A device that moves only when somebody looks: at each look it runs one thing, of a stream drawn by chance."""

    def __init__(self, seed: int = 0) -> None:
        self.streams: list[FakeAsyncStream] = []
        self.chance = random.Random(seed)
        self.lock = threading.Lock()
        self.held = False

    def step(self) -> None:
        with self.lock:
            streams = [s for s in self.streams if s.work and not (s.work[0][0] == "wait" and not s.work[0][1].done)]
            if not streams or self.held:
                return
            kind, what = self.chance.choice(streams).work.popleft()
            if kind == "run":
                what()
            elif kind == "event":
                what.done = True

    def finish(self) -> None:
        while any(stream.work for stream in self.streams):
            self.step()


class FakeAsyncStream(AsyncStream):
    """Launching puts work into the device's queue; `events` and `waits` count what the VM asked for."""

    def __init__(self, gpu: FakeGpu, name: str, *, inline: bool = True) -> None:
        super().__init__(GPU, name, inline=inline)
        self.gpu = gpu
        self.work: deque[tuple[str, Any]] = deque()
        self.events = self.waits = self.activations = 0
        gpu.streams.append(self)

    def launch(self, run: Any) -> None:
        with self.gpu.lock:
            self.work.append(("run", run))

    def record(self) -> Event:
        event = FakeEvent(self.gpu)
        self.events += 1
        with self.gpu.lock:
            self.work.append(("event", event))
        return event

    def wait(self, event: Event) -> None:
        self.waits += 1
        with self.gpu.lock:
            self.work.append(("wait", event))

    def activate(self) -> None:
        self.activations += 1


def inline(name: str = "compute") -> InlineStream:
    return InlineStream(CPU, name)


def worker(name: str = "worker", kind: str = "h2d") -> WorkerStream:
    return WorkerStream(CPU, name, kind)


def until(condition: Any, seconds: float = 10.0) -> None:
    """Wait for something that another thread brings about; fails if it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.0005)
