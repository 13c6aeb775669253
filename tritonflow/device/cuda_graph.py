"""A program on a GPU: one CUDA graph, launched with one call whatever the number of kernels.

The graph is built node by node, not by recording a stream: nothing that other threads do meanwhile can spoil it, and the default
stream cannot be recorded at all. Its launches stand in a row. Arguments that change from run to run, addresses of inputs
and outputs and learning rates, are not copied to fixed addresses on the device: before a run, those launches whose arguments have
changed are given the new ones. That is a call for each of a few launches, none where the memory pool
hands out the same blocks again, and no kernel and no byte of memory more.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from math import prod
from os import getpid
from typing import Any

from tritonflow.device import cuda_driver
from tritonflow.device.cuda_driver import KernelNodeParams
from tritonflow.device.cuda_stream import LaunchTarget
from tritonflow.device.program import Live, ProgramLaunch

_SCRATCH = 2  # pointers that Triton adds to every kernel's parameters: to scratch memory, and a profiler's, null here
_TYPES: dict[str, Any] = {
    "i1": ctypes.c_bool, "u1": ctypes.c_bool,
    "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32, "i64": ctypes.c_int64,
    "u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64,
    "fp32": ctypes.c_float, "fp64": ctypes.c_double,
}  # fmt: skip


class CudaGraph:
    """Launches in order.

    Args:
        launches: of kernels whose `node(grid)` is not None.
        target: the device, and the stream that its work goes to.
    """

    atomic = True

    def __init__(self, launches: Sequence[ProgramLaunch], target: LaunchTarget) -> None:
        self._graph = self._executable = 0
        self._process = getpid()
        self._driver = cuda_driver.driver
        self._target = target
        self._kernels = [launch.kernel for launch in launches]  # which must stay loaded
        count = sum(len(kernel.types) + _SCRATCH for kernel in self._kernels)
        self._slots = (ctypes.c_uint64 * count)()  # the values of all arguments, 8 bytes each
        start = ctypes.addressof(self._slots)
        self._pointers = (ctypes.c_void_p * count)(*[start + 8 * slot for slot in range(count)])
        self._live: list[tuple[int, Any, int, int, int]] = []  # slot, the value there, number, offset, number of the launch
        self._scratch: list[tuple[int, int, int]] = []  # slot, bytes, number of the launch
        self._lock = threading.Lock()
        self._stale: dict[int, None] = {}  # launches whose arguments the graph does not have yet
        self._parameters = (KernelNodeParams * len(launches))()
        self._build(launches)

    def _build(self, launches: Sequence[ProgramLaunch]) -> None:
        driver, at, last = self._driver, 0, None
        before = driver.enter(self._target.device.index)
        try:
            self._graph = driver.graph()
            self._nodes: list[int] = []
            for number, launch in enumerate(launches):
                self._write(number, at, launch)
                last = driver.add_kernel(self._graph, self._parameters[number], last)
                self._nodes.append(last)
                at += len(launch.kernel.types) + _SCRATCH
            self._executable = driver.instantiate(self._graph)
        finally:
            driver.leave(before)

    def _write(self, number: int, at: int, launch: ProgramLaunch) -> None:
        """Fill in a launch's parameters, whose arguments begin at the slot `at`."""
        node = self._parameters[number]
        node.function, threads, node.shared = launch.kernel.node(launch.grid)
        node.grid[:], node.block[:] = launch.grid, (threads, 1, 1)
        node.arguments = ctypes.addressof(self._pointers) + 8 * at
        values = (*launch.arguments, *launch.sizes)
        if launch.kernel.scratch:
            self._scratch.append((at + len(launch.kernel.types), launch.kernel.scratch * prod(launch.grid), number))
        for slot, (type_, value) in enumerate(zip(launch.kernel.types, values, strict=True), at):
            field = (ctypes.c_uint64 if type_.startswith("*") else _TYPES[type_]).from_buffer(self._slots, 8 * slot)
            if isinstance(value, Live):
                self._live.append((slot, field, value.number, value.offset, number))
            else:
                field.value = value

    def run(self, live: Sequence[Any]) -> None:
        """Launch the graph with these numbers for the `Live` arguments."""
        target, driver = self._target, self._driver
        stream = target.default if target.plain else target.stream()
        with self._lock:  # the driver's functions give up the interpreter's lock
            self._put(live)
            self._put_scratch(stream)
            before = driver.enter(target.device.index)
            try:
                for launch in list(self._stale):
                    driver.set_kernel(self._executable, self._nodes[launch], self._parameters[launch])
                    del self._stale[launch]
                driver.launch(self._executable, stream)
            finally:
                driver.leave(before)

    def _put(self, live: Sequence[Any]) -> None:
        """Write the live arguments, and note the launches that have others now."""
        slots = self._slots
        for slot, field, number, offset, launch in self._live:
            before = slots[slot]
            field.value = live[number] + offset if offset else live[number]
            if slots[slot] != before:
                self._stale[launch] = None

    def _put_scratch(self, stream: int) -> None:
        """Write the addresses of the stream's scratch memory, and note the launches that had another's."""
        for slot, nbytes, launch in self._scratch:
            address = self._target.scratch(stream, nbytes)
            if self._slots[slot] != address:
                self._slots[slot] = address
                self._stale[launch] = None

    def __del__(self) -> None:
        if (self._executable or self._graph) and getpid() == self._process:  # a forked child has no such graph
            before = self._driver.enter(self._target.device.index)
            try:
                self._driver.destroy(self._graph, self._executable)
            finally:
                self._driver.leave(before)
