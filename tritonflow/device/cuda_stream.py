"""CUDA streams and events as the VM sees them, and the stream that a launch goes to."""

from __future__ import annotations

from typing import Any

from tritonflow.device import torch_cuda
from tritonflow.device.cuda_scratch import ScratchMemory
from tritonflow.device.device import Device
from tritonflow.device.stream import AsyncStream, Event, current_stream
from tritonflow.thread_state import thread_state


class CudaEvent(Event):
    """A point in the order of a CUDA stream."""

    __slots__ = ("event",)

    def __init__(self, stream: Any) -> None:
        self.event = torch_cuda.runtime.event()
        self.event.record(stream)

    def query(self) -> bool:
        """Whether the device has passed this point."""
        return bool(self.event.query())

    def synchronize(self) -> None:
        """Wait, with the interpreter's lock released, until the device has passed this point."""
        self.event.synchronize()


class CudaStream(AsyncStream):
    """A CUDA stream; `torch_stream` is torch's object for it, `handle` the driver's."""

    __slots__ = ("torch_stream", "handle")

    def __init__(self, device: Device, name: str, torch_stream: Any, kind: str = "compute") -> None:
        super().__init__(device, name, kind)
        self.torch_stream = torch_stream
        self.handle: int = torch_stream.cuda_stream

    def record(self) -> CudaEvent:
        """A new event behind everything launched so far."""
        return CudaEvent(self.torch_stream)

    def wait(self, event: Event) -> None:
        """Let everything launched from now on wait, on the device, for the event."""
        if isinstance(event, CudaEvent):
            self.torch_stream.wait_event(event.event)
        else:
            event.synchronize()

    def activate(self) -> None:
        """In a thread that runs this stream's queue: the device is current, and ops go to this stream."""
        torch_cuda.runtime.set_device(self.device.index)
        thread_state.streams = {**(thread_state.streams or {}), self.device: self}


class LaunchTarget:
    """The stream that a device's kernels are launched on.

    While a program uses one GPU and its default stream, that is all there is to know, and a launch reads `plain` only.
    From the first other stream or device on, every launch asks for its thread's stream, and runs between `enter` and `leave`.
    """

    __slots__ = ("device", "default", "plain", "scratch")

    def __init__(self, device: Device, default: int) -> None:
        self.device = device
        self.default = default
        self.scratch = ScratchMemory(device.index)
        self.plain = not _several and device.index == 0
        _targets.append(self)

    def stream(self) -> int:
        """The CUDA stream that the calling thread's ops go to."""
        stream: Any = current_stream(self.device)
        return int(stream.handle)

    def enter(self) -> int | None:
        """Make the device current. Returns for `leave` which one was; None if it was this one."""
        before = torch_cuda.runtime.current_device()
        if before == self.device.index:
            return None
        torch_cuda.runtime.set_device(self.device.index)
        return before

    def leave(self, before: int) -> None:
        """Make the device current that `enter` has found."""
        torch_cuda.runtime.set_device(before)


_targets: list[LaunchTarget] = []
_several = False


def use_several_streams() -> None:
    """From now on no launch takes stream and device for granted."""
    global _several
    _several = True
    for target in _targets:
        target.plain = False
