"""What tritonflow asks of `torch.cuda`: memory, streams, events, copies. Nothing else in the package touches it.

Tests without a GPU put an object with the same functions in its place (`runtime`).
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, cast

import torch

from tritonflow.errors import DeviceError, ForkError
from tritonflow.kernels.facts import DeviceFacts


class TorchCuda:
    """The installed torch and its GPUs, by index."""

    def is_built(self) -> bool:
        """Whether the installed torch can use GPUs at all."""
        return torch.version.cuda is not None

    def built_for(self) -> str | None:
        """The version of CUDA that torch was built for; None for a build without."""
        return torch.version.cuda

    def why_unavailable(self) -> str | None:
        """Why no GPU can be used, in words; None if one can."""
        if not self.is_built():
            return "the installed torch is a build without CUDA (see https://pytorch.org/get-started/locally)"
        if torch.cuda.is_available():
            return None
        try:
            torch.cuda.init()
        except (RuntimeError, AssertionError) as error:
            return str(error).partition("\n")[0]
        return "no NVIDIA GPU is visible"

    def require(self, index: int) -> None:
        """Raise, with the reason, unless there is a GPU of that index that this process may use."""
        if torch.cuda._is_in_bad_fork():
            raise ForkError("CUDA cannot be used in a forked process; start processes with 'spawn' to use CUDA there")
        reason = self.why_unavailable()
        if reason is not None:
            raise DeviceError(f"device 'cuda:{index}' cannot be used: {reason}")
        count = self.device_count()
        if index >= count:
            raise DeviceError(f"there is no device 'cuda:{index}': {count} NVIDIA GPU{'s are' * (count > 1)} visible")

    def device_count(self) -> int:
        """The number of GPUs."""
        return torch.cuda.device_count() if self.is_built() else 0

    def capability(self, index: int) -> int:
        """The architecture as in sm_90."""
        major, minor = torch.cuda.get_device_capability(index)
        return major * 10 + minor

    def properties(self, index: int) -> Any:
        """torch's record of name, memory and the like."""
        return torch.cuda.get_device_properties(index)

    def facts(self, index: int) -> DeviceFacts:
        """What launch configurations are chosen by."""
        found = self.properties(index)
        return DeviceFacts(
            "gpu",
            found.warp_size,
            found.multi_processor_count,
            found.shared_memory_per_block_optin,
            found.L2_cache_size,
            found.major * 10 + found.minor,
            bandwidth_of(found),
            found.total_memory >> 30 << 30,
        )

    def memory(self, index: int) -> tuple[int, int]:
        """Bytes of the device's memory that nobody uses, and of all."""
        return cast("tuple[int, int]", torch.cuda.mem_get_info(index))

    def current_device(self) -> int:
        """The device that is current in this thread."""
        return torch.cuda.current_device()

    def set_device(self, index: int) -> None:
        """Make a device current in this thread."""
        torch.cuda.set_device(index)

    def on_device(self, index: int) -> AbstractContextManager[Any]:
        """A block in which a device is current."""
        return torch.cuda.device(index)

    def default_stream(self, index: int) -> Any:
        """torch's default stream."""
        return torch.cuda.default_stream(index)

    def current_stream(self, index: int) -> Any:
        """The stream that torch's own work of this thread goes to."""
        return torch.cuda.current_stream(index)

    def is_capturing(self) -> bool:
        """Whether what is issued on the current stream is being recorded in a graph."""
        return torch.cuda.is_current_stream_capturing()

    def new_stream(self, index: int, priority: int = 0) -> Any:
        """A stream of torch's pool."""
        return torch.cuda.Stream(index, priority=priority)

    def stream_of(self, handle: int, index: int) -> Any:
        """torch's object for a stream of the driver's."""
        return torch.cuda.ExternalStream(handle, device=index)

    def on_stream(self, stream: Any) -> AbstractContextManager[Any]:
        """A block in which torch's own work goes to a stream."""
        return torch.cuda.stream(stream)

    def event(self, timing: bool = False) -> Any:
        """A new event."""
        return torch.cuda.Event(enable_timing=timing)

    def storage(self, nbytes: int, index: int) -> torch.UntypedStorage:
        """Device memory."""
        return torch.UntypedStorage(nbytes, device=torch.device("cuda", index))

    def on_host(self, memory: torch.Tensor) -> bool:
        """Whether a tensor is in host memory."""
        return memory.device.type == "cpu"

    def is_pinned(self, memory: torch.Tensor) -> bool:
        """Whether the device copies from a tensor's memory by itself, later than the call."""
        return memory.is_pinned()

    def pinned(self, nbytes: int) -> torch.Tensor:
        """Host memory that the device can copy from by itself; torch keeps and reuses it."""
        return torch.empty(nbytes, dtype=torch.uint8, pin_memory=True)

    def copy(self, target: torch.Tensor, source: torch.Tensor, wait: bool = True) -> None:
        """Copy bytes on the stream of `on_stream`; waits for them, or does not if the memory on the host is pinned."""
        target.copy_(source, non_blocking=not wait)

    def clear(self, memory: torch.Tensor) -> None:
        """Write zeros over device memory, on the current stream."""
        memory.zero_()

    def synchronize(self, index: int) -> None:
        """Wait until the device has done everything."""
        torch.cuda.synchronize(index)

    def empty_cache(self) -> None:
        """Give memory that torch keeps back to the device."""
        torch.cuda.empty_cache()

    def share(self, address: int, nbytes: int, index: int, owner: Any) -> torch.Tensor:
        """A torch tensor of bytes over device memory, which keeps `owner` alive as long as it lives itself."""
        if nbytes == 0:
            return torch.empty(0, dtype=torch.uint8, device=torch.device("cuda", index))
        return torch.as_tensor(_Memory(address, nbytes, owner), device=torch.device("cuda", index))


class _Memory:
    """Device memory as the CUDA array interface describes it; torch holds on to this object."""

    def __init__(self, address: int, nbytes: int, owner: Any) -> None:
        self.owner = owner
        self.__cuda_array_interface__ = {
            "shape": (nbytes,),
            "typestr": "|u1",
            "data": (address, False),
            "strides": None,
            "version": 2,
        }


def bandwidth_of(properties: Any) -> int:
    """Bytes a second by clock (kHz, two transfers a tick) and bus (bits); 0 where this release of torch does not tell them."""
    clock = getattr(properties, "memory_clock_rate", 0)
    bits = getattr(properties, "memory_bus_width", 0)
    return int(2 * clock * 1000 * bits // 8)


runtime = TorchCuda()
