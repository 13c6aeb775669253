"""GPUs without a GPU: an object in the place of `torch_cuda.runtime` whose device memory is host memory.

`log` has what was asked of streams and events, in order; `waits` counts what makes the host wait for the device. A stream does everything at once, but if the device is `held`,
events recorded meanwhile are not passed before `finish()`, or before somebody has looked often. With `late`, streams work as late as they may (late_work.py).
"""

from __future__ import annotations

import bisect
import contextlib
import ctypes
import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import torch

import tritonflow as flow
from tests.device import device_tensor, host_wall, late_work, tf32
from tests.device.device_tensor import numbers_wanted, on_device, plain
from tests.device.late_work import LateWork
from tritonflow.device import cuda_driver, torch_cuda
from tritonflow.device.cuda import CudaProvider
from tritonflow.device.device import Device
from tritonflow.device.provider import get_provider
from tritonflow.device.torch_cuda import TorchCuda
from tritonflow.errors import DeviceError
from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.watch.user_code import take_for_library
from tritonflow.kernels.facts import DeviceFacts

for _file in (__file__, *[str(each.__file__) for each in (device_tensor, host_wall, late_work, tf32)]):
    take_for_library(_file)  # what a device does is no part of a program

H100 = DeviceFacts(
    "gpu", lanes=32, processors=132, shared_memory=227 << 10, cache=50 << 20, capability=90, bandwidth=3_352_320_000_000,
    memory=79 << 30,
)
A100 = DeviceFacts(
    "gpu", lanes=32, processors=108, shared_memory=163 << 10, cache=40 << 20, capability=80, bandwidth=2_039_040_000_000,
    memory=79 << 30,
)
L40S = DeviceFacts(
    "gpu", lanes=32, processors=142, shared_memory=99 << 10, cache=96 << 20, capability=89, bandwidth=864_096_000_000
)
B200 = DeviceFacts(
    "gpu", lanes=32, processors=148, shared_memory=227 << 10, cache=126 << 20, capability=100, bandwidth=7_672_320_000_000
)
RTX_PRO_6000 = DeviceFacts(
    "gpu", lanes=32, processors=188, shared_memory=99 << 10, cache=128 << 20, capability=120, bandwidth=1_792_000_000_000
)
GPUS = {facts.capability: facts for facts in (A100, L40S, H100, B200, RTX_PRO_6000)}


class FakeStream:
    def __init__(self, cuda: FakeCuda, handle: int) -> None:
        self.cuda = cuda
        self.cuda_stream = handle

    def wait_event(self, event: FakeEvent) -> None:
        self.cuda.log.append(("wait", self.cuda_stream, event.number))
        self.cuda.do(partial(self.cuda.late.finish, event.stream, event.position), self.cuda_stream)


class FakeEvent:
    numbers = itertools.count(1)

    def __init__(self, cuda: FakeCuda, timing: bool) -> None:
        self.cuda = cuda
        self.timing = timing
        self.number = next(self.numbers)
        self.passed = False
        self.queries = 0
        self.stream, self.position = 0, 0  # which part of whose work is before it

    def record(self, stream: FakeStream) -> None:
        self.cuda.log.append(("record", stream.cuda_stream, self.number))
        self.stream, self.position = stream.cuda_stream, self.cuda.late.position(stream.cuda_stream)
        self.passed = not self.cuda.held and self.cuda.late.is_done(self.stream, self.position)
        if not self.passed:
            self.cuda.events.append(self)

    def query(self) -> bool:
        self.queries += 1
        if self.queries > 20:  # whoever waits looks again and again
            self.pass_()
        elif not self.cuda.held and self.cuda.late.is_done(self.stream, self.position):
            self.passed = True
        return self.passed

    def synchronize(self) -> None:
        self.cuda.waits += 1
        self.pass_()

    def pass_(self) -> None:
        self.cuda.late.finish(self.stream, self.position)
        self.passed = True

    def elapsed_time(self, end: FakeEvent) -> float:
        assert self.timing and end.timing
        return float(end.number - self.number)


class FakeCuda(TorchCuda):
    """As many GPUs as wanted, of `total` bytes each."""

    capturing = False
    tells = False  # whether torch's tensors over its memory say where they are, and kernels refuse addresses of other memory
    is_late = False  # whether streams work as late as they may

    def is_capturing(self) -> bool:
        return self.capturing

    def __init__(self, count: int = 1, total: int = 1 << 30) -> None:
        self.count, self.total, self.used = count, total, 0
        self.held = False
        self.log: list[tuple[Any, ...]] = []
        self.events: list[FakeEvent] = []
        self.device = 0
        self.handles = itertools.count(0x5000, 0x10)
        self.defaults = [FakeStream(self, next(self.handles)) for _ in range(count)]
        self.current: list[Any] = list(self.defaults)
        self.sizes: list[int] = []  # what storage() was asked for
        self.entered: int | None = None  # the stream of the innermost `on_stream`
        self.allocated_on: list[int | None] = []  # which it was, for each of the sizes
        self.staged = 0
        self.waits = 0  # how often the host has waited for the device, or a copy would have made it wait
        self.late = LateWork()
        self.driver = FakeDriver(self)

    def finish(self) -> None:
        self.late.finish_all()
        for event in self.events:
            event.passed = True
        self.events.clear()

    def do(self, work: Callable[[], object], stream: int | None = None) -> None:
        """Let a stream do something: the one of `on_stream` if none is named."""
        if not self.is_late:
            work()
            return
        self.late.add(self._stream(stream), work)

    def catch_up(self, stream: int | None = None) -> None:
        """Let a stream do all that it has to do: the host waits, or torch goes on."""
        self.late.finish(self._stream(stream))

    def _stream(self, stream: int | None) -> int:
        if stream is not None:
            return stream
        return self.entered or int(self.current[self.device].cuda_stream)

    def is_built(self) -> bool:
        return True

    def built_for(self) -> str | None:
        return "12.8"

    def why_unavailable(self) -> str | None:
        return None

    def require(self, index: int) -> None:
        if index >= self.count:
            raise DeviceError(f"there is no device 'cuda:{index}'")

    def device_count(self) -> int:
        return self.count

    def capability(self, index: int) -> int:
        return 90

    def properties(self, index: int) -> Any:
        return type("Properties", (), {"name": "Fake", "total_memory": self.total})

    def facts(self, index: int) -> DeviceFacts:
        return H100

    def memory(self, index: int) -> tuple[int, int]:
        return self.total - self.used, self.total

    def current_device(self) -> int:
        return self.device

    def set_device(self, index: int) -> None:
        self.device = index

    @contextlib.contextmanager
    def on_device(self, index: int) -> Any:
        before, self.device = self.device, index
        try:
            yield
        finally:
            self.device = before

    def default_stream(self, index: int) -> Any:
        return self.defaults[index]

    def current_stream(self, index: int) -> Any:
        return self.current[index]

    def new_stream(self, index: int, priority: int = 0) -> Any:
        return FakeStream(self, next(self.handles))

    def stream_of(self, handle: int, index: int) -> Any:
        return FakeStream(self, handle)

    @contextlib.contextmanager
    def on_stream(self, stream: Any) -> Any:
        self.log.append(("on", stream.cuda_stream))
        before, self.entered = self.entered, stream.cuda_stream
        try:
            yield
        finally:
            self.entered = before

    def event(self, timing: bool = False) -> Any:
        return FakeEvent(self, timing)

    def storage(self, nbytes: int, index: int) -> torch.UntypedStorage:
        self.sizes.append(nbytes)
        self.allocated_on.append(self.entered)
        if self.used + nbytes > self.total:
            raise RuntimeError("CUDA out of memory")
        self.used += nbytes
        memory = (ctypes.c_char * nbytes)()
        buffer = (ctypes.c_char * nbytes).from_buffer(memory)
        _device_memory[index].add(buffer)
        buffer.used = _Used(self, memory)
        return torch.frombuffer(buffer, dtype=torch.uint8).untyped_storage()

    def on_host(self, memory: torch.Tensor) -> bool:
        return device_of(memory.data_ptr()) is None

    def is_pinned(self, memory: torch.Tensor) -> bool:
        return _pinned_memory.have(memory.data_ptr())

    def pinned(self, nbytes: int) -> torch.Tensor:
        self.staged += 1
        buffer = (ctypes.c_char * nbytes)()
        _pinned_memory.add(buffer)
        return torch.frombuffer(buffer, dtype=torch.uint8)

    def copy(self, target: torch.Tensor, source: torch.Tensor, wait: bool = True) -> None:
        target, source = plain(target), plain(source)
        if self._is_pageable(source):  # the driver takes it at once, behind what the stream has to do
            wait, source = True, source.clone()
        wait = wait or self._is_pageable(target)
        self.waits += wait
        self.do(lambda: target.copy_(source))
        if wait:
            self.catch_up()

    def _is_pageable(self, memory: torch.Tensor) -> bool:
        return self.on_host(memory) and not self.is_pinned(memory)

    def clear(self, memory: torch.Tensor) -> None:
        self.log.append(("clear", len(memory)))
        memory = plain(memory)
        self.do(lambda: memory.zero_())

    def synchronize(self, index: int) -> None:
        self.log.append(("device", index))
        self.waits += 1
        self.finish()

    def empty_cache(self) -> None:
        self.log.append(("trim",))

    def share(self, address: int, nbytes: int, index: int, owner: Any) -> torch.Tensor:
        if nbytes == 0:
            memory = torch.empty(0, dtype=torch.uint8)
        else:
            buffer = (ctypes.c_char * nbytes).from_address(address)
            buffer.owner = owner
            memory = torch.frombuffer(buffer, dtype=torch.uint8)
        return on_device(memory) if self.tells else memory


class HostKernel:
    """A kernel compiled for the host in the place of one for a GPU."""

    scratch = 0

    def __init__(self, kernel: Any, target: Any) -> None:
        self.kernel, self.target = kernel, target
        self.types, self.name = kernel.types, kernel.name
        self.runs_inline = self.is_brief = lambda gx, gy, gz: True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HostKernel) and (other.kernel, other.target) == (self.kernel, self.target)

    def __hash__(self) -> int:
        return hash(self.kernel)

    @property
    def reference(self) -> str | None:
        return self.kernel.reference

    def node(self, grid: tuple[int, int, int]) -> tuple[int, int, int]:
        return FakeDriver.number(self), 128, 0

    def bind(self, *grid_and_options: Any, **options: Any) -> Callable[..., None]:
        launch, target = self.kernel.bind(*grid_and_options, **options), self.target

        def run(*arguments: Any) -> None:
            cuda: Any = torch_cuda.runtime
            if cuda.tells:
                _refuse_foreign(self.name, self.types, arguments, target.device.index)
            if cuda.is_late:
                cuda.late.add(target.default if target.plain else target.stream(), partial(launch, *arguments))
            else:
                launch(*arguments)

        return run


class FakeDriver:
    """The driver's graphs: nodes copy the values that arguments have when they are given, and a launch runs them at once.

    `log` has what was asked, in order. Grids without programs are refused, and a node that gets a function of another device.
    """

    kernels: list[HostKernel] = []

    def __init__(self, cuda: FakeCuda) -> None:
        self.cuda = cuda
        self.log: list[tuple[Any, ...]] = []
        self.graphs: dict[int, list[tuple[HostKernel, tuple[int, ...], tuple[Any, ...]]]] = {}
        self.numbers = itertools.count(0x100)
        self.devices: list[int] = []  # which was current in each launch
        self.fail: str | None = None

    @classmethod
    def number(cls, kernel: HostKernel) -> int:
        if kernel not in cls.kernels:
            cls.kernels.append(kernel)
        return cls.kernels.index(kernel) + 1

    def called(self, name: str) -> list[tuple[Any, ...]]:
        return [entry[1:] for entry in self.log if entry[0] == name]

    def _note(self, *entry: Any) -> None:
        self.log.append(entry)
        if self.fail == entry[0]:
            raise DeviceError(f"{entry[0]} failed")

    def enter(self, index: int) -> int | None:
        before, self.cuda.device = self.cuda.device, index
        return None if before == index else before

    def leave(self, before: int | None) -> None:
        if before is not None:
            self.cuda.device = before

    def read(self, target: int, source: int, nbytes: int, stream: int) -> None:
        self._note("read", nbytes, self.cuda.device)
        self.cuda.do(partial(ctypes.memmove, target, source, nbytes), stream)

    def wait(self, stream: int) -> None:
        self._note("wait", stream)
        self.cuda.waits += 1
        self.cuda.catch_up(stream)

    def graph(self) -> int:
        number = next(self.numbers)
        self.graphs[number] = []
        return number

    def add_kernel(self, graph: int, node: Any, behind: int | None) -> int:
        nodes = self.graphs[graph]
        assert behind == (len(nodes) or None), "launches stand in a row"
        nodes.append(self._read(node))
        return len(nodes)

    def instantiate(self, graph: int) -> int:
        self._note("instantiate", graph)
        number = next(self.numbers)
        self.graphs[number] = list(self.graphs[graph])
        return number

    def set_kernel(self, executable: int, handle: int, node: Any) -> None:
        self._note("set", executable, handle)
        nodes, given = self.graphs[executable], self._read(node)
        if given[0].target.device != nodes[handle - 1][0].target.device:
            raise DeviceError("set failed: a function of another context")
        nodes[handle - 1] = given

    def launch(self, executable: int, stream: int) -> None:
        self._note("launch", executable, stream)
        self.devices.append(self.cuda.device)
        for kernel, grid, values in self.graphs[executable]:
            if self.cuda.tells:
                _refuse_foreign(kernel.name, kernel.types, values, kernel.target.device.index)
            self.cuda.do(partial(kernel.kernel.launch, *grid, *values), stream)

    def destroy(self, graph: int, executable: int) -> None:
        self.log.append(("destroy", graph, executable))
        for made in (graph, executable):  # 0 where the graph was not made to the end
            self.graphs.pop(made, None)

    def _read(self, node: Any) -> Any:
        kernel = self.kernels[node.function - 1]
        pointers = (ctypes.c_void_p * len(kernel.types)).from_address(node.arguments)
        types = [_VALUES[type_[0] if type_[0] == "*" else type_] for type_ in kernel.types]
        if 0 in node.grid:
            raise DeviceError("a node has a grid without programs")
        return kernel, tuple(node.grid), tuple([type_.from_address(p).value for type_, p in zip(types, pointers)])


_VALUES: dict[str, Any] = {
    "*": ctypes.c_uint64, "i1": ctypes.c_bool, "i8": ctypes.c_int8, "u8": ctypes.c_uint8, "i16": ctypes.c_int16, "u16": ctypes.c_uint16,
    "i32": ctypes.c_int32, "u32": ctypes.c_uint32, "i64": ctypes.c_int64, "u64": ctypes.c_uint64, "fp32": ctypes.c_float, "fp64": ctypes.c_double,
}  # fmt: skip


def compile_for_host(provider: Any, fn: Any, signature: Any, constexprs: Any, attrs: Any, **options: Any) -> HostKernel:
    """In the place of `CudaProvider.kernel`: the kernel that a GPU's plan asks for, compiled for the host."""
    from tritonflow import triton_cpu  # which loads LLVM: some tests do without

    with _products_cut() if "tf32" in map(str, constexprs.values()) else contextlib.nullcontext():
        return HostKernel(triton_cpu.compile(fn, signature, constexprs, attrs), provider.launch_target)


@contextlib.contextmanager
def _products_cut() -> Iterator[None]:
    """A block in which products of TF32 are compiled as a GPU makes them. The kernels have names of their own in the caches."""
    from tritonflow import triton_compat
    from tritonflow.triton_cpu.lock import building

    with building:
        lower, key = triton_compat.lower_to_ttir, triton_compat.function_key
        triton_compat.lower_to_ttir = lambda *args: tf32.cut(lower(*args))
        triton_compat.function_key = lambda fn: f"{key(fn)} in TF32"
        try:
            yield
        finally:
            triton_compat.lower_to_ttir, triton_compat.function_key = lower, key


def load_for_host(provider: Any, reference: str) -> HostKernel | None:
    """In the place of `CudaProvider.load`."""
    from tritonflow import triton_cpu

    found = triton_cpu.load(reference)
    return None if found is None else HostKernel(found, provider.launch_target)


def install_for_good() -> None:
    """Let `cuda` be a stand-in for the rest of the process."""
    fake = FakeCuda(total=1 << 40)
    fake.tells = fake.is_late = True
    torch_cuda.runtime, cuda_driver.driver = fake, fake.driver  # type: ignore[assignment]
    numbers_wanted.append(lambda: fake.catch_up(fake.current[fake.device].cuda_stream))
    CudaProvider.kernel, CudaProvider.load = compile_for_host, load_for_host  # type: ignore[method-assign, assignment]
    host_wall.build(device_of, setattr)


def on_stand_in(x: flow.Tensor) -> flow.Tensor:
    """The same memory as a tensor of the stand-in."""
    gpu = Device("cuda")
    meta = TensorMeta.get(x.meta.shape, x.meta.stride, x.meta.dtype, gpu, x.meta.aligned)
    x.impl.block.stream = get_provider(gpu).stream
    return flow.Tensor(meta, x.impl, x.ptr)


def forget_gpus() -> None:
    """Drop all that the process remembers of GPUs: providers, streams, plans, kernels, generators.

    A tensor that lives on keeps its stream, and whoever waits for all streams would ask a stand-in that is gone.
    """
    from tritonflow.device import provider, stream
    from tritonflow.execution.op_expr import all_op_exprs
    from tritonflow.functions import random_generator
    from tritonflow.ops import plan

    for expr in all_op_exprs():
        expr.clear_plans()
    for known in (provider._providers, random_generator._process.local):
        for device in [d for d in known if d.type == "cuda"]:
            del known[device]
    for key in [k for k in plan._kernels if k[0].type == "cuda"]:
        del plan._kernels[key]
    for each in stream.all_streams():
        if each.device.type == "cuda":
            stream._streams.discard(each)


class Regions:
    """The buffers of one kind that are alive.

    The collector ends a buffer anywhere, also while its address is looked for: it notes the end, and the next call forgets it.
    """

    def __init__(self) -> None:
        self._starts: list[int] = []  # in order
        self._nbytes: dict[int, int] = {}  # by start
        self._ended: deque[int] = deque()
        self._lock = threading.RLock()

    def add(self, buffer: Any) -> None:
        """Know a buffer as long as it lives."""
        start = ctypes.addressof(buffer)
        with self._lock:
            self._forget()
            bisect.insort(self._starts, start)
            self._nbytes[start] = len(buffer)
        buffer.end = _End(self._ended, start)

    def have(self, at: int) -> bool:
        """Whether an address lies in one of them."""
        with self._lock:
            self._forget()
            before = bisect.bisect_right(self._starts, at)
            return before > 0 and at < self._starts[before - 1] + self._nbytes[self._starts[before - 1]]

    def _forget(self) -> None:
        while self._ended:
            start = self._ended.popleft()
            del self._starts[bisect.bisect_left(self._starts, start)], self._nbytes[start]


class _End:
    """Dies with the buffer that it belongs to."""

    def __init__(self, ended: deque[int], start: int) -> None:
        self.ended, self.start = ended, start

    def __del__(self) -> None:
        self.ended.append(self.start)


_device_memory: dict[int, Regions] = {index: Regions() for index in range(8)}
_pinned_memory = Regions()


def device_of(at: int) -> int | None:
    """Whose memory has an address; None for the host's."""
    return next((index for index, regions in _device_memory.items() if regions.have(at)), None)


def _refuse_foreign(name: str, types: Sequence[str], arguments: Sequence[Any], index: int) -> None:
    """A GPU stops at an address that is not of its memory. (Another GPU's may be mapped there, but nothing here asks for that.)"""
    for type_, at in zip(types, arguments):
        if type_[0] == "*" and at and device_of(at) != index:
            raise DeviceError(f"{name}: an illegal memory access: {at:#x} is not an address of cuda:{index}")


class _Used:
    """Counts memory as long as it is there; what streams have left to do may still use it."""

    def __init__(self, cuda: FakeCuda, memory: Any) -> None:
        self.cuda, self.memory = cuda, memory

    def __del__(self) -> None:
        self.cuda.used -= len(self.memory)
        if self.cuda.is_late:
            self.cuda.late.freed.append(self.memory)
