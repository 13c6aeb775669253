"""NVIDIA GPUs as devices: Triton's own compiler and launcher, memory and streams through torch."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import itertools
import os
import statistics
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tritonflow import triton_compat, versions
from tritonflow.device import cuda_driver, torch_cuda, torch_memory
from tritonflow.device.cuda_errors import CudaProgramErrorWords, DeviceErrorWords, Pieces
from tritonflow.device.cuda_graph import CudaGraph
from tritonflow.device.cuda_kernel import CudaKernel
from tritonflow.device.cuda_stream import CudaStream, LaunchTarget, use_several_streams
from tritonflow.device.device import Device
from tritonflow.device.memory import Block, MemoryPool, Storage
from tritonflow.device.program import Check, LaunchForm, LaunchGroup, LaunchLoop, ProgramLaunch
from tritonflow.device.program_family import ProgramFamily
from tritonflow.device.provider import CompiledKernel, ErrorWord, Program, Signature, register_provider
from tritonflow.device.stream import Stream, current_stream
from tritonflow.settings import settings

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

_SMALL_COPY = 1 << 20
"""Copies up to this size are not worth another stream; from ordinary host memory they go through pinned memory, so that
the issuer does not wait. Larger ones go through the driver's own staging."""

_BURST = 10  # runs that are timed together

_STAGING = 64 << 10
"""Bytes of pinned memory, in which what the host reads arrives."""


class CudaProvider:
    """One GPU.

    The default compute stream is torch's default stream, so what torch and tritonflow do with shared memory is in order
    without events. Copies between host and device have streams of their own.

    Raises:
        RuntimeError: there is no such GPU, or it cannot be used; the text says why.
    """

    divisibility = True
    compilers = len(os.sched_getaffinity(0))

    def __init__(self, device: Device) -> None:
        runtime = torch_cuda.runtime
        index = device.index
        runtime.require(index)
        self.device = device
        self.arch = runtime.capability(index)
        self.name: str = runtime.properties(index).name
        self.facts = runtime.facts(index)
        self.stream = CudaStream(device, "compute", runtime.default_stream(index))
        self.h2d = CudaStream(device, "h2d", runtime.new_stream(index), "h2d")
        self.d2h = CudaStream(device, "d2h", runtime.new_stream(index), "d2h")
        self.launch_target = LaunchTarget(device, self.stream.handle)
        self.pool = MemoryPool(
            str(device),
            self._allocate,
            self.wait,
            trim=runtime.empty_cache,
            capacity=lambda: runtime.memory(index)[1],
        )
        self._staging: list[TorchTensor] = []  # pinned memory that is not in use
        self._error_words = DeviceErrorWords(index, self.h2d.torch_stream, self._fetch_behind_all)
        self.error_word: ErrorWord = self._error_words
        self._foreign: dict[int, CudaStream] = {self.stream.handle: self.stream}
        if index != 0:
            use_several_streams()

    def kernel(
        self, fn: Any, signature: Signature, constexprs: dict[Any, Any], attrs: dict[Any, Any], **options: Any
    ) -> CompiledKernel:
        """Compile `fn` for this GPU's architecture."""
        compiled = triton_compat.compile_cuda(fn, signature, constexprs, attrs, self.arch, **options)
        return CudaKernel(compiled, self.launch_target)

    def code_key(self) -> str | None:
        """The architecture, and what launch configurations are chosen by."""
        return f"cuda {self.arch} {tuple(self.facts)}"

    def timing_key(self) -> str:
        """The GPU's name and architecture."""
        return f"{self.name} {divmod(self.arch, 10)}"

    def measurement_key(self, *parts: str) -> str:
        """Of Triton's version; needs nothing of the compiler for CPUs."""
        return hashlib.sha256("\0".join((f"triton {versions.installed('triton')}", *parts)).encode()).hexdigest()

    def load(self, reference: str) -> CompiledKernel | None:
        """The kernel in Triton's cache on disk."""
        compiled = triton_compat.find_cuda(reference)
        return None if compiled is None else CudaKernel(compiled, self.launch_target)

    def wait(self) -> None:
        """Wait until the device has done everything that was launched."""
        torch_cuda.runtime.synchronize(self.device.index)

    def program(self, launches: Sequence[ProgramLaunch], family: ProgramFamily | None = None) -> Program:
        """One CUDA graph; launches one after the other where TRITONFLOW_CUDA_GRAPHS=0, a profiler's hooks or a kernel want that."""
        if settings.cuda_graphs and launches and all(launch.kernel.node(launch.grid) for launch in launches):
            return CudaGraph(launches, self.launch_target, family or ProgramFamily())
        return LaunchLoop(launches)

    def program_form(self, groups: Sequence[LaunchGroup], family: ProgramFamily | None = None) -> LaunchForm:
        """A program for each filling; those of a family share executable graphs."""
        return LaunchForm(groups, functools.partial(self.program, family=family))

    def error_words(self, checks: Sequence[Check]) -> CudaProgramErrorWords:
        """Words of a program's own, looked at by the next synchronisation behind a run."""
        return CudaProgramErrorWords(self._error_words, checks)

    def synchronize(self) -> None:
        """Wait until the device has done everything that was launched.

        Raises:
            IndexError: an op launched since the last synchronisation met an index out of range.
        """
        self.wait()
        self.error_word.raise_pending()

    # ---------------------------------------------------------------------------------------------------- streams

    def new_stream(self, name: str, priority: int = 0) -> CudaStream:
        """Another compute stream, for `with flow.cuda.stream(s)`."""
        use_several_streams()
        return CudaStream(self.device, name, torch_cuda.runtime.new_stream(self.device.index, priority))

    def torch_stream(self) -> CudaStream:
        """The stream that torch's own work of this thread goes to, as a stream of the VM."""
        theirs = torch_cuda.runtime.current_stream(self.device.index)
        found = self._foreign.get(theirs.cuda_stream)
        if found is None:
            found = CudaStream(self.device, "torch", theirs)
            found = self._foreign.setdefault(found.handle, found)
        return found

    # ----------------------------------------------------------------------------------------------------- memory

    def _allocate(self, nbytes: int, stream: CudaStream) -> Storage:
        """Memory of torch's, which is in order with what torch did with it before on the stream that is current there."""
        with torch_cuda.runtime.on_stream(stream.torch_stream):
            storage: Storage = torch_cuda.runtime.storage(nbytes, self.device.index)
            return storage

    def share(self, address: int, nbytes: int, owner: Any) -> TorchTensor:
        """A torch tensor of bytes over this device's memory, which keeps `owner` alive."""
        return torch_cuda.runtime.share(address, nbytes, self.device.index, owner)

    def read_host(self, ptr: int, target: Any) -> None:
        """Copy device memory into a ctypes array; waits for it."""
        (found,) = self._fetch([(ptr, ctypes.sizeof(target))])
        ctypes.memmove(target, found, len(found))

    def write_host(self, ptr: int, source: Any, stream: Stream | None = None) -> None:
        """Copy a ctypes array into device memory; waits for it, or with a stream takes part in its order."""
        bytes_ = torch_memory.array_bytes(source)
        chosen = self.stream if stream is None else stream
        assert isinstance(chosen, CudaStream)
        with torch_cuda.runtime.on_stream(chosen.torch_stream):
            target = self.share(ptr, ctypes.sizeof(source), None)
            if stream is None:
                torch_cuda.runtime.copy(target, bytes_)
            else:
                torch_cuda.runtime.copy(target, _pinned(bytes_), wait=False)

    def read_now(self, ptr: int, nbytes: int) -> bytes:
        """Bytes of device memory, behind everything launched on the compute stream.

        Raises:
            IndexError: an op launched since the last synchronisation met an index out of range.
        """
        noted = self._error_words.collect()
        if not noted:
            return self._fetch([(ptr, nbytes)])[0]
        found, *words = self._fetch_behind_all([(ptr, nbytes), *[each.piece() for each in noted]])
        self._error_words.finish(noted, words)
        return found

    def seconds(self, run: Callable[[], None]) -> float:
        """The median of `_BURST` runs, by events; the second-level cache is overwritten before each, as in training."""
        runtime, stream = torch_cuda.runtime, self.stream.torch_stream
        nbytes = 2 * self.facts.cache
        block = self.pool.allocate(nbytes, self.stream)
        with runtime.on_stream(stream):
            memory = self.share(block.ptr, nbytes, block)
            events = []
            for _ in range(_BURST):
                runtime.clear(memory)
                before, after = runtime.event(timing=True), runtime.event(timing=True)
                before.record(stream)
                run()
                after.record(stream)
                events.append((before, after))
        events[-1][1].synchronize()
        block.free.append(block)
        return statistics.median([before.elapsed_time(after) for before, after in events]) / 1000

    def _staging_for(self, nbytes: int) -> TorchTensor:
        """Pinned memory that nobody else uses."""
        if nbytes > _STAGING:
            return torch_cuda.runtime.pinned(nbytes)
        try:
            return self._staging.pop()
        except IndexError:
            return torch_cuda.runtime.pinned(_STAGING)

    def _fetch_behind_all(self, pieces: Pieces) -> list[bytes]:
        """The bytes of pieces of device memory, behind everything launched on any stream."""
        if not self.launch_target.plain:
            self.wait()
        return self._fetch(pieces)

    def _fetch(self, pieces: Pieces) -> list[bytes]:
        """The bytes of pieces of device memory, behind everything launched on the compute stream: one wait for all."""
        driver, stream = cuda_driver.driver, self.stream.handle
        nbytes = sum(size for _, size in pieces)
        staging = self._staging_for(nbytes)
        start = staging.data_ptr()
        before = driver.enter(self.device.index)
        try:
            at = start
            for ptr, size in pieces:
                driver.read(at, ptr, size, stream)
                at += size
            driver.wait(stream)
        finally:
            driver.leave(before)
        bytes_ = ctypes.string_at(start, nbytes)
        if len(staging) == _STAGING:
            self._staging.append(staging)
        if len(pieces) == 1:
            return [bytes_]
        ends = list(itertools.accumulate(size for _, size in pieces))
        return [bytes_[end - size : end] for end, (_, size) in zip(ends, pieces)]

    def copy_stream(self, nbytes: int, to_device: bool) -> Stream:
        """The stream for a copy between host and device."""
        if nbytes <= _SMALL_COPY:
            return current_stream(self.device)
        return self.h2d if to_device else self.d2h

    def copy(self, stream: Stream, target: tuple[Block, int], source: tuple[Block, int], nbytes: int) -> None:
        """Copy bytes, to or from this device, on a stream. Target and source are a block and an address in it."""
        assert isinstance(stream, CudaStream)
        theirs, ours = _bytes_of(source, nbytes), _bytes_of(target, nbytes)
        runtime = torch_cuda.runtime
        wait = False
        if runtime.on_host(theirs):
            if nbytes <= _SMALL_COPY:
                theirs = _pinned(theirs)
            else:  # the driver takes other memory before it returns; the owner of this may write it meanwhile
                wait = runtime.is_pinned(theirs)
        with runtime.on_stream(stream.torch_stream):
            runtime.copy(ours, theirs, wait)


def _pinned(bytes_: TorchTensor) -> TorchTensor:
    """A copy in pinned memory. torch uses the memory again when what was copied from it has arrived."""
    staged = torch_cuda.runtime.pinned(len(bytes_))
    staged.copy_(bytes_)
    return staged


def _bytes_of(location: tuple[Block, int], nbytes: int) -> TorchTensor:
    """A part of a block as torch sees it."""
    block, address = location
    return torch_memory.storage_bytes(block.storage, address - block.storage.data_ptr(), nbytes)


register_provider("cuda", CudaProvider)
