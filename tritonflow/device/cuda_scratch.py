"""Scratch memory of kernels on a GPU: where Triton's kernels write descriptors of tensors for the device's copy unit."""

from __future__ import annotations

import threading
from typing import Any

from tritonflow.device import torch_cuda

_ALIGNMENT = 128  # of a descriptor


class ScratchMemory:
    """A buffer for each stream of a device, which all launches on the stream use: they are in order.

    A buffer that has become too small stays, since launches that were given it may not have run.
    """

    def __init__(self, index: int) -> None:
        self._index = index
        self._buffers: dict[int, tuple[int, int]] = {}  # of a stream: bytes, address
        self._memory: list[Any] = []
        self._lock = threading.Lock()

    def __call__(self, stream: int, nbytes: int) -> int:
        """The address of at least so many bytes for launches on a stream."""
        size, address = self._buffers.get(stream, (0, 0))
        return address if size >= nbytes else self._grown(stream, nbytes)

    def _grown(self, stream: int, nbytes: int) -> int:
        with self._lock:
            size = 1 << max(nbytes - 1, 0xFFFF).bit_length()
            runtime = torch_cuda.runtime
            with runtime.on_stream(runtime.stream_of(stream, self._index)):  # in order with what torch used the memory for before
                memory = runtime.storage(size + _ALIGNMENT, self._index)
            address = -(-memory.data_ptr() // _ALIGNMENT) * _ALIGNMENT
            self._memory.append(memory)
            self._buffers[stream] = size, address
        return address
