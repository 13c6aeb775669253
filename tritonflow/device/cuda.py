"""NVIDIA GPUs as devices: Triton's own compiler and launcher, memory and streams through torch."""

from __future__ import annotations

from typing import Any

import torch

from tritonflow import triton_compat
from tritonflow.device import torch_cuda
from tritonflow.device.cuda_errors import DeviceErrorWords
from tritonflow.device.cuda_kernel import CudaKernel
from tritonflow.device.cuda_stream import CudaStream, LaunchTarget, use_several_streams
from tritonflow.device.device import Device
from tritonflow.device.memory import Block, MemoryPool
from tritonflow.device.provider import CompiledKernel, Signature, register_provider

_STAGED = 1 << 20
"""Up to this size a copy from ordinary host memory goes through pinned memory, so that the issuer does not wait for it."""


class CudaProvider:
    """One GPU.

    The default compute stream is torch's default stream, so what torch and tritonflow do with shared memory is in order
    without events. Copies between host and device have streams of their own.

    Raises:
        RuntimeError: there is no such GPU, or it cannot be used; the text says why.
    """

    target = "cuda"
    divisibility = True

    def __init__(self, device: Device) -> None:
        runtime = torch_cuda.runtime
        index = device.index
        runtime.require(index)
        self.device = device
        self.arch = runtime.capability(index)
        self.stream = CudaStream(device, "compute", runtime.default_stream(index))
        self.h2d = CudaStream(device, "h2d", runtime.new_stream(index), "h2d")
        self.d2h = CudaStream(device, "d2h", runtime.new_stream(index), "d2h")
        self.launch_target = LaunchTarget(device, self.stream.handle)
        self.pool = MemoryPool(
            str(device),
            lambda nbytes: runtime.storage(nbytes, index),
            self.wait,
            trim=runtime.empty_cache,
            capacity=lambda: runtime.capacity(index),
        )
        self.error_word = DeviceErrorWords(index, self.stream.torch_stream, self.wait)
        self._foreign: dict[int, CudaStream] = {self.stream.handle: self.stream}
        if index != 0:
            use_several_streams()

    def kernel(
        self, fn: Any, signature: Signature, constexprs: dict[Any, Any], attrs: dict[Any, Any], **options: Any
    ) -> CompiledKernel:
        """Compile `fn` for this GPU's architecture."""
        compiled = triton_compat.compile_cuda(fn, signature, constexprs, attrs, self.arch, **options)
        return CudaKernel(compiled, self.launch_target)

    def wait(self) -> None:
        """Wait until the device has done everything that was launched."""
        torch_cuda.runtime.synchronize(self.device.index)

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

    def share(self, address: int, nbytes: int, owner: Any) -> torch.Tensor:
        """A torch tensor of bytes over this device's memory, which keeps `owner` alive."""
        if nbytes == 0:
            return torch.empty(0, dtype=torch.uint8, device=torch.device("cuda", self.device.index))
        return torch_cuda.runtime.share(address, nbytes, self.device.index, owner)

    def read(self, address: int, nbytes: int) -> bytes:
        """Bytes of device memory, behind everything launched on the compute stream."""
        with torch_cuda.runtime.on_stream(self.stream.torch_stream):
            return self.share(address, nbytes, None).cpu().numpy().tobytes()

    def copy(self, stream: CudaStream, target: Block, to: int, source: Block, start: int, nbytes: int) -> None:
        """Copy bytes between two blocks, of which one at least is on this device, on a stream.

        Args:
            to, start: the addresses in the target's and the source's memory.
        """
        theirs, ours = _bytes_of(source, start, nbytes), _bytes_of(target, to, nbytes)
        if stream is self.h2d and nbytes <= _STAGED and not theirs.is_pinned():
            staged = torch_cuda.runtime.pinned(nbytes)
            staged.copy_(theirs)
            theirs = staged
        with torch_cuda.runtime.on_stream(stream.torch_stream):
            ours.copy_(theirs, non_blocking=True)


def _bytes_of(block: Block, address: int, nbytes: int) -> torch.Tensor:
    """A part of a block as torch sees it."""
    storage = block.storage
    view = torch.empty(0, dtype=torch.uint8, device=storage.device)
    return view.set_(storage, address - storage.data_ptr(), (nbytes,), (1,))


register_provider("cuda", CudaProvider)
