"""NVIDIA GPUs as devices: Triton's own compiler and launcher, memory and streams through torch."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any

import torch

from tritonflow import triton_compat
from tritonflow.device import torch_cuda
from tritonflow.device.cuda_errors import CudaProgramErrorWords, DeviceErrorWords
from tritonflow.device.cuda_graph import CudaGraph
from tritonflow.device.cuda_kernel import CudaKernel
from tritonflow.device.cuda_stream import CudaStream, LaunchTarget, use_several_streams
from tritonflow.device.device import Device
from tritonflow.device.memory import Block, MemoryPool
from tritonflow.device.program import Check, LaunchLoop, ProgramLaunch
from tritonflow.device.provider import CompiledKernel, ErrorWord, Program, Signature, register_provider
from tritonflow.device.stream import current_stream
from tritonflow.settings import settings

_SMALL_COPY = 1 << 20
"""Copies up to this size are not worth another stream; from ordinary host memory they go through pinned memory, so that
the issuer does not wait. Larger ones go through the driver's own staging."""


class CudaProvider:
    """One GPU.

    The default compute stream is torch's default stream, so what torch and tritonflow do with shared memory is in order
    without events. Copies between host and device have streams of their own.

    Raises:
        RuntimeError: there is no such GPU, or it cannot be used; the text says why.
    """

    target = "cuda"
    divisibility = True
    compilers = len(os.sched_getaffinity(0))

    def __init__(self, device: Device) -> None:
        runtime = torch_cuda.runtime
        index = device.index
        runtime.require(index)
        self.device = device
        self.arch = runtime.capability(index)
        self.stream: Any = CudaStream(device, "compute", runtime.default_stream(index))
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
        self._error_words = DeviceErrorWords(index, self.stream.torch_stream, self.wait)
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
        """The architecture."""
        return f"{self.target} {self.arch}"

    def load(self, reference: str) -> CompiledKernel | None:
        """The kernel in Triton's cache on disk."""
        compiled = triton_compat.find_cuda(reference)
        return None if compiled is None else CudaKernel(compiled, self.launch_target)

    def wait(self) -> None:
        """Wait until the device has done everything that was launched."""
        torch_cuda.runtime.synchronize(self.device.index)

    def program(self, launches: Sequence[ProgramLaunch]) -> Program:
        """One CUDA graph; launches one after the other where TRITONFLOW_CUDA_GRAPHS=0, a profiler's hooks or a kernel want that."""
        if settings.cuda_graphs and launches and all(launch.kernel.node(launch.grid) for launch in launches):
            return CudaGraph(launches, self.launch_target)
        return LaunchLoop(launches)

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

    def _allocate(self, nbytes: int, stream: CudaStream) -> torch.UntypedStorage:
        """Memory of torch's, which is in order with what torch did with it before on the stream that is current there."""
        with torch_cuda.runtime.on_stream(stream.torch_stream):
            return torch_cuda.runtime.storage(nbytes, self.device.index)

    def share(self, address: int, nbytes: int, owner: Any) -> torch.Tensor:
        """A torch tensor of bytes over this device's memory, which keeps `owner` alive."""
        return torch_cuda.runtime.share(address, nbytes, self.device.index, owner)

    def read_host(self, ptr: int, target: Any) -> None:
        """Copy device memory into a ctypes array; waits for it."""
        with torch_cuda.runtime.on_stream(self.stream.torch_stream):
            _bytes(target).copy_(self.share(ptr, ctypes.sizeof(target), None))

    def write_host(self, ptr: int, source: Any) -> None:
        """Copy a ctypes array into device memory; waits for it."""
        with torch_cuda.runtime.on_stream(self.stream.torch_stream):
            self.share(ptr, ctypes.sizeof(source), None).copy_(_bytes(source))

    def copy_stream(self, nbytes: int, to_device: bool) -> Any:
        """The stream for a copy between host and device."""
        if nbytes <= _SMALL_COPY:
            return current_stream(self.device)
        return self.h2d if to_device else self.d2h

    def copy(self, stream: CudaStream, target: tuple[Block, int], source: tuple[Block, int], nbytes: int) -> None:
        """Copy bytes, to or from this device, on a stream. Target and source are a block and an address in it."""
        theirs, ours = _bytes_of(source, nbytes), _bytes_of(target, nbytes)
        runtime = torch_cuda.runtime
        if runtime.on_host(theirs) and nbytes <= _SMALL_COPY and not theirs.is_pinned():
            staged = runtime.pinned(nbytes)
            staged.copy_(theirs)
            theirs = staged
        with runtime.on_stream(stream.torch_stream):
            ours.copy_(theirs, non_blocking=True)


def _bytes_of(place: tuple[Block, int], nbytes: int) -> torch.Tensor:
    """A part of a block as torch sees it."""
    block, address = place
    storage = block.storage
    view = torch.empty(0, dtype=torch.uint8, device=storage.device)
    return view.set_(storage, address - storage.data_ptr(), (nbytes,), (1,))


def _bytes(array: Any) -> torch.Tensor:
    return torch.frombuffer(array, dtype=torch.uint8)


register_provider("cuda", CudaProvider)
