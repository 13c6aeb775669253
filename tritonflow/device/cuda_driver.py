"""What tritonflow asks of NVIDIA's driver itself: graphs of kernels, and numbers that the host reads.

Everything else goes through torch (`torch_cuda`) or Triton.

Tests without a GPU put an object with the same functions in its place (`driver`).
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from tritonflow.errors import DeviceError


class KernelNodeParams(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS_v2: a launch as a node of a graph. `arguments` points to an array of pointers to the values."""

    _fields_ = [
        ("function", ctypes.c_void_p),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("arguments", ctypes.c_void_p),
        ("extra", ctypes.c_void_p),
        ("kernel", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
    ]


class CudaDriver:
    """The driver's functions, of CUDA 12 and later; handles are integers."""

    def enter(self, index: int) -> int | None:
        """Make a device's primary context, the one that torch and Triton use, the calling thread's.

        Returns:
            For `leave`, the context that the thread had, 0 for none; None if it is this one.
        """
        present, wanted = ctypes.c_void_p(), self._context(index)
        self._call("cuCtxGetCurrent", ctypes.byref(present))
        if present.value == wanted.value:
            return None
        self._call("cuCtxSetCurrent", wanted)
        return present.value or 0

    def leave(self, before: int | None) -> None:
        """Give the calling thread back what `enter` has found."""
        if before is not None:
            self._call("cuCtxSetCurrent", ctypes.c_void_p(before))

    def read(self, target: int, source: int, nbytes: int, stream: int) -> None:
        """Copy device memory to an address of the host's, behind everything launched on a stream; `wait` tells when it is there."""
        self._call(
            "cuMemcpyDtoHAsync_v2", ctypes.c_void_p(target), ctypes.c_void_p(source), ctypes.c_size_t(nbytes),
            ctypes.c_void_p(stream),
        )  # fmt: skip

    def wait(self, stream: int) -> None:
        """Wait, with the interpreter's lock released, for everything launched on a stream."""
        self._call("cuStreamSynchronize", ctypes.c_void_p(stream))

    def graph(self) -> int:
        """A new graph without nodes."""
        made = ctypes.c_void_p()
        self._call("cuGraphCreate", ctypes.byref(made), 0)
        return made.value or 0

    def add_kernel(self, graph: int, node: KernelNodeParams, behind: int | None) -> int:
        """Add a launch behind another node; returns its node. The values of its arguments are copied now."""
        made, before = ctypes.c_void_p(), (ctypes.c_void_p * 1)(behind)
        count = ctypes.c_size_t(0 if behind is None else 1)
        self._call("cuGraphAddKernelNode_v2", ctypes.byref(made), ctypes.c_void_p(graph), before, count, ctypes.byref(node))
        return made.value or 0

    def instantiate(self, graph: int) -> int:
        """An executable of a graph, whose nodes name its launches as long as the graph lives."""
        made = ctypes.c_void_p()
        self._call("cuGraphInstantiateWithFlags", ctypes.byref(made), ctypes.c_void_p(graph), ctypes.c_ulonglong(0))
        return made.value or 0

    def set_kernel(self, executable: int, handle: int, node: KernelNodeParams) -> None:
        """Give a launch other values of its arguments, for the runs from the next on; runs on their way keep theirs."""
        self._call(
            "cuGraphExecKernelNodeSetParams_v2", ctypes.c_void_p(executable), ctypes.c_void_p(handle), ctypes.byref(node)
        )

    def launch(self, executable: int, stream: int) -> None:
        """Run behind everything launched on a stream so far, and behind the run before."""
        self._call("cuGraphLaunch", ctypes.c_void_p(executable), ctypes.c_void_p(stream))

    def destroy(self, graph: int, executable: int) -> None:
        """Free both; a run on its way goes on to its end. For destructors: it raises nothing."""
        if executable:
            self._library.cuGraphExecDestroy(ctypes.c_void_p(executable))
        if graph:
            self._library.cuGraphDestroy(ctypes.c_void_p(graph))

    @functools.cached_property
    def _library(self) -> Any:
        try:
            return ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise DeviceError(f"NVIDIA's driver cannot be loaded: {error}") from None

    @functools.cache  # noqa: B019 - there is one driver
    def _context(self, index: int) -> ctypes.c_void_p:
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuDeviceGet", ctypes.byref(device), index)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        return context

    def _call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self._library.cuGetErrorString(code, ctypes.byref(text))
            raise DeviceError(f"{name} failed: {(text.value or b'unknown error').decode()} (CUDA error {code})")


driver = CudaDriver()
