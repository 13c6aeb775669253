"""`flow.cuda`: which GPUs there are, their memory, streams and events.

Everything here may be called without a GPU: `is_available()` says so, and what needs one raises with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from tritonflow.device import torch_cuda
from tritonflow.device.cuda_stream import CudaStream, use_several_streams
from tritonflow.device.device import Device
from tritonflow.device.provider import active_providers, get_provider
from tritonflow.device.stream import current_stream as _vm_current_stream
from tritonflow.device.stream import use_stream
from tritonflow.functions.random_generator import default_generator
from tritonflow.members.tensor_types import typed_tensors
from tritonflow.vm.dependence import is_over
from tritonflow.vm.machine import Mark, machine

if TYPE_CHECKING:
    from tritonflow import BFloat16Tensor as BFloat16Tensor  # these are of the CPU, and to checkers the same
    from tritonflow import BoolTensor as BoolTensor
    from tritonflow import ByteTensor as ByteTensor
    from tritonflow import CharTensor as CharTensor
    from tritonflow import DoubleTensor as DoubleTensor
    from tritonflow import FloatTensor as FloatTensor
    from tritonflow import HalfTensor as HalfTensor
    from tritonflow import IntTensor as IntTensor
    from tritonflow import LongTensor as LongTensor
    from tritonflow import ShortTensor as ShortTensor
    from tritonflow.device.cuda import CudaProvider  # imports the compiler: at run time only for who has a GPU

globals().update(typed_tensors("cuda"))  # flow.cuda.FloatTensor and the like

DeviceLike = Device | str | int | None


def is_available() -> bool:
    """Whether a GPU can be used.

    Example:
        >>> import tritonflow as flow
        >>> flow.cuda.is_available() == (flow.cuda.device_count() > 0)
        True
    """
    return torch_cuda.runtime.why_unavailable() is None


def device_count() -> int:
    """How many GPUs can be used."""
    return torch_cuda.runtime.device_count() if is_available() else 0


def current_device() -> int:
    """The index of the device that "cuda" means."""
    return Device.default_cuda


def set_device(device: DeviceLike) -> None:
    """Make a GPU the one that "cuda" without an index means, in every thread from now on.

    Raises:
        RuntimeError: there is no such GPU.
    """
    index = _device(device).index
    torch_cuda.runtime.require(index)
    if index != torch_cuda.runtime.current_device():
        use_several_streams()
        torch_cuda.runtime.set_device(index)
    Device.default_cuda = index


class device:
    """A block in which "cuda" means another GPU: `with flow.cuda.device(1): ...`."""

    def __init__(self, device: DeviceLike) -> None:
        self.index = _device(device).index
        self._before = 0

    def __enter__(self) -> device:
        self._before = current_device()
        set_device(self.index)
        return self

    def __exit__(self, *error: object) -> None:
        set_device(self._before)


def get_device_properties(device: DeviceLike = None) -> Any:
    """Name, total memory, number of multiprocessors and so on of a GPU."""
    return torch_cuda.runtime.properties(_provider(device).device.index)


def get_device_name(device: DeviceLike = None) -> str:
    """The name of a GPU."""
    return _provider(device).name


def get_device_capability(device: DeviceLike = None) -> tuple[int, int]:
    """The architecture of a GPU as (major, minor): (9, 0) for sm_90."""
    major, minor = divmod(_provider(device).arch, 10)
    return major, minor


def synchronize(device: DeviceLike = None) -> None:
    """Wait until a GPU has done everything issued so far.

    Raises:
        IndexError: an op issued since the last synchronisation met an index out of range; names the line.
    """
    provider = _provider(device)
    machine.sync()
    provider.synchronize()


# ------------------------------------------------------------------------------------------------------------ memory


def memory_stats(device: DeviceLike = None) -> dict[str, int]:
    """Bytes in use, cached and reserved on a GPU, and the number of blocks."""
    return _provider(device).pool.stats()


def memory_summary(device: DeviceLike = None, abbreviated: bool = False) -> str:
    """`memory_stats` as a text for people, a line each: MiB, and numbers of blocks.

    Args:
        device: which GPU; the current one unless given.
        abbreviated: leave the blocks out.
    """
    lines = []
    for name, value in memory_stats(device).items():
        if name.endswith("_bytes"):
            lines.append(f"{name.removesuffix('_bytes'):<14} {value / 2**20:>12,.1f} MiB")
        elif not abbreviated:
            lines.append(f"{name:<14} {value:>12,}")
    return "\n".join([f"Memory of {_device(device)}", *lines])


def memory_allocated(device: DeviceLike = None) -> int:
    """Bytes that tensors occupy on a GPU."""
    return memory_stats(device)["allocated_bytes"]


def memory_reserved(device: DeviceLike = None) -> int:
    """Bytes that the pool has from a GPU, in use or cached."""
    return memory_stats(device)["reserved_bytes"]


def max_memory_reserved(device: DeviceLike = None) -> int:
    """The most bytes that the pool has had from a GPU."""
    return memory_stats(device)["peak_reserved_bytes"]


def mem_get_info(device: DeviceLike = None) -> tuple[int, int]:
    """Bytes of a GPU's memory that nobody uses, and of all."""
    return torch_cuda.runtime.memory(_provider(device).device.index)


def empty_cache() -> None:
    """Give the free memory that the pools keep back to the GPUs."""
    for provider in active_providers():
        if provider.device.type == "cuda":
            provider.pool.empty_cache()


# ---------------------------------------------------------------------------------------------------- random numbers

RngState = tuple[int, int]  # what `flow.get_rng_state` gives, too


def manual_seed(seed: int) -> None:
    """Seed the random numbers of the current GPU; without a GPU nothing happens, as in torch."""
    if is_available():
        default_generator(_device(None)).manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """Seed the random numbers of all GPUs; without one nothing happens, as in torch.

    Example:
        >>> import tritonflow as flow
        >>> flow.cuda.manual_seed_all(0)
        >>> len(flow.cuda.get_rng_state_all()) == flow.cuda.device_count()
        True
    """
    for index in range(device_count()):
        default_generator(_device(index)).manual_seed(seed)


def seed() -> None:
    """Seed the random numbers of the current GPU with a number chosen by the operating system."""
    if is_available():
        default_generator(_device(None)).seed()


def seed_all() -> None:
    """Seed the random numbers of all GPUs with one number chosen by the operating system."""
    if is_available():
        manual_seed_all(default_generator(_device(None)).seed())


def initial_seed() -> int:
    """The seed of the current GPU's random numbers."""
    return default_generator(_device(None)).initial_seed()


def get_rng_state(device: DeviceLike = "cuda") -> RngState:
    """The state of a GPU's random numbers, for `set_rng_state`."""
    return default_generator(_device(device)).get_state()


def get_rng_state_all() -> list[RngState]:
    """The states of the random numbers of all GPUs, in the order of their indices."""
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state(new_state: RngState, device: DeviceLike = "cuda") -> None:
    """Let a GPU's random numbers go on where `get_rng_state` was called.

    Raises:
        TypeError: `new_state` is no such state.
    """
    default_generator(_device(device)).set_state(new_state)


def set_rng_state_all(new_states: Iterable[RngState]) -> None:
    """Let the random numbers of all GPUs go on where `get_rng_state_all` was called."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


# ------------------------------------------------------------------------------------------------- streams and events


def is_current_stream_capturing() -> bool:
    """Whether what is issued on the current stream is being recorded in a CUDA graph; never so without a GPU."""
    return is_available() and torch_cuda.runtime.is_capturing()


class Stream:
    """A queue of work on a GPU, besides the default one.

    Ops that touch the same tensors are in order whatever their streams; streams say what may overlap.

    Args:
        device: which GPU; by default the one that "cuda" means.
        priority: lower is more urgent, 0 is normal.
    """

    __slots__ = ("stream",)

    def __init__(self, device: DeviceLike = None, priority: int = 0) -> None:
        self.stream: CudaStream = _provider(device).new_stream("user", priority)

    @classmethod
    def _of(cls, stream: CudaStream) -> Stream:
        found = cls.__new__(cls)
        found.stream = stream
        return found

    @property
    def device(self) -> Device:
        """The GPU."""
        return self.stream.device

    @property
    def cuda_stream(self) -> int:
        """The driver's handle."""
        return self.stream.handle

    def record_event(self, event: Event | None = None) -> Event:
        """An event behind everything issued here so far."""
        event = event or Event()
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Order what is issued here from now on behind an event."""
        event.wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Order what is issued here from now on behind everything issued on another stream so far."""
        machine.wait(self.stream, machine.record(stream.stream))

    def query(self) -> bool:
        """Whether everything issued here is done."""
        return self.record_event().query()

    def synchronize(self) -> None:
        """Wait until everything issued here is done."""
        machine.synchronize(machine.record(self.stream))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and other.stream is self.stream

    def __hash__(self) -> int:
        return hash(self.stream)

    def __repr__(self) -> str:
        return f"<flow.cuda.Stream on {self.device}, handle {self.cuda_stream:#x}>"


class Event:
    """A point in the order of a stream.

    Args:
        enable_timing: whether `elapsed_time` will be asked.
    """

    __slots__ = ("_mark", "_timer", "_timing")

    def __init__(self, enable_timing: bool = False) -> None:
        self._timing = enable_timing
        self._timer: Any = None
        self._mark: Mark | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Place the event behind everything issued on a stream (default: the current one) so far."""
        chosen = (stream or current_stream()).stream
        if self._timing:
            timer = self._timer = torch_cuda.runtime.event(timing=True)
            machine.issue(chosen, lambda: timer.record(chosen.torch_stream), name="event")
        self._mark = machine.record(chosen)

    def wait(self, stream: Stream | None = None) -> None:
        """Order what is issued on a stream (default: the current one) from now on behind the event."""
        if self._mark is not None:
            machine.wait((stream or current_stream()).stream, self._mark)

    def query(self) -> bool:
        """Whether the device has passed the event."""
        return self._mark is None or is_over(self._mark.stream, self._mark.number)

    def synchronize(self) -> None:
        """Wait until the device has passed the event."""
        if self._mark is not None:
            machine.synchronize(self._mark)

    def elapsed_time(self, end: Event) -> float:
        """Milliseconds from this event to another; both need `enable_timing` and must have been passed.

        Raises:
            RuntimeError: one of them was not recorded, or without timing.
        """
        if self._timer is None or end._timer is None:
            raise RuntimeError("elapsed_time(): both events must be recorded, and made with enable_timing=True")
        return float(self._timer.elapsed_time(end._timer))


def current_stream(device: DeviceLike = None) -> Stream:
    """The stream that ops of this thread go to."""
    return Stream._of(_vm_current_stream(_provider(device).device))  # type: ignore[arg-type]


def default_stream(device: DeviceLike = None) -> Stream:
    """The stream that ops go to unless another is chosen."""
    return Stream._of(_provider(device).stream)


@contextmanager
def stream(stream: Stream | None) -> Iterator[None]:
    """A block whose ops, on the stream's device, go to the stream."""
    if stream is None:
        yield
        return
    with use_stream(stream.stream):
        yield


def _device(device: DeviceLike) -> Device:
    if device is None:
        return Device("cuda")
    found = Device("cuda", device) if isinstance(device, int) else Device(device)
    if found.type != "cuda":
        raise ValueError(f"expected a CUDA device, not '{found}'")
    return found


def _provider(device: DeviceLike) -> CudaProvider:
    return cast("CudaProvider", get_provider(_device(device)))


__all__ = [
    "Event", "Stream", "current_device", "current_stream", "default_stream", "device", "device_count", "empty_cache",
    "get_device_capability", "get_device_name", "get_device_properties", "get_rng_state", "get_rng_state_all",
    "initial_seed", "is_available", "is_current_stream_capturing", "manual_seed", "manual_seed_all",
    "max_memory_reserved", "mem_get_info", "memory_allocated", "memory_reserved", "memory_stats", "memory_summary", "seed",
    "seed_all", "set_device", "set_rng_state", "set_rng_state_all", "stream", "synchronize",
]  # fmt: skip
