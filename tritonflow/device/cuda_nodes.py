"""The kernel nodes of a CUDA graph as the host has them: functions, grids, and the values of arguments."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from tritonflow.device.cuda_driver import KernelNodeParams
from tritonflow.device.program import ProgramLaunch

_SCRATCH = 2  # pointers that Triton adds to every kernel's parameters: to scratch memory, and a profiler's, null here
_TYPES: dict[str, Any] = {
    "i1": ctypes.c_bool, "u1": ctypes.c_bool,
    "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32, "i64": ctypes.c_int64,
    "u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64,
    "fp32": ctypes.c_float, "fp64": ctypes.c_double,
}  # fmt: skip


class KernelNodes:
    """The parameters of launches in a row; the values of their arguments are written into slots of 8 bytes.

    Args:
        launches: of kernels whose `node(grid)` is not None.

    Attributes:
        kernels: of the launches; they must stay loaded.
        starts: the number of the first slot of each launch.
        slots: the values.
        parameters: of each launch, for the driver.
    """

    def __init__(self, launches: Sequence[ProgramLaunch]) -> None:
        self.kernels = [launch.kernel for launch in launches]
        *self.starts, count = accumulate([len(kernel.types) + _SCRATCH for kernel in self.kernels], initial=0)
        self._ends = [*self.starts[1:], count]
        self.slots = (ctypes.c_uint64 * count)()
        self._bytes = (ctypes.c_char * (8 * count)).from_buffer(self.slots)
        start = ctypes.addressof(self.slots)
        self._pointers = (ctypes.c_void_p * count)(*[start + 8 * slot for slot in range(count)])
        self.parameters = (KernelNodeParams * len(launches))()
        self._heads = [self._head(number, launch) for number, launch in enumerate(launches)]

    def _head(self, number: int, launch: ProgramLaunch) -> bytes:
        """Fill in a launch's parameters; returns those that are no pointers of the host's."""
        node = self.parameters[number]
        node.function, threads, node.shared = launch.kernel.node(launch.grid)
        node.grid[:], node.block[:] = launch.grid, (threads, 1, 1)
        node.arguments = ctypes.addressof(self._pointers) + 8 * self.starts[number]
        return bytes(node)[: KernelNodeParams.arguments.offset]

    def __len__(self) -> int:
        return len(self.kernels)

    def field(self, slot: int, type_: str) -> Any:
        """The value in a slot, of a type of Triton's."""
        return (ctypes.c_uint64 if type_.startswith("*") else _TYPES[type_]).from_buffer(self.slots, 8 * slot)

    def content(self, number: int) -> tuple[Any, bytes]:
        """All that the node of a launch is set to. Two nodes with equal contents run the same."""
        values: bytes = self._bytes[8 * self.starts[number] : 8 * self._ends[number]]  # type: ignore[assignment]
        return self.kernels[number], self._heads[number] + values
