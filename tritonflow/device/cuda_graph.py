"""A program on a GPU: one CUDA graph, launched with one call whatever the number of kernels.

The graph is built node by node, not by recording a stream: nothing that other threads do meanwhile can spoil it, and the default
stream cannot be recorded at all. Its launches stand in a row. Arguments that change from run to run, addresses of inputs
and outputs and learning rates, are not copied to fixed addresses on the device: before a run, those launches whose arguments have
changed are given the new ones. That is a call for each of a few launches, none where the memory pool
hands out the same blocks again, and no kernel and no byte of memory more.

Programs for several sizes of one captured graph share an executable (`CudaGraphExec`) where they have as many launches. A run of
another size sets the nodes that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any

from tritonflow.device.cuda_graph_exec import CudaGraphExec
from tritonflow.device.cuda_nodes import KernelNodes
from tritonflow.device.cuda_stream import LaunchTarget
from tritonflow.device.program import Live, ProgramLaunch
from tritonflow.device.program_family import ProgramFamily


class CudaGraph:
    """Launches in order.

    Args:
        launches: of kernels whose `node(grid)` is not None.
        target: the device, and the stream that its work goes to.
        family: of the programs that share executables.

    Raises:
        OverflowError: a number does not fit into its type.
    """

    atomic = True

    def __init__(self, launches: Sequence[ProgramLaunch], target: LaunchTarget, family: ProgramFamily) -> None:
        self._target, self._family = target, family
        self._new_executable = partial(CudaGraphExec, target.device.index)
        self._nodes = KernelNodes(launches)
        self._live: list[tuple[int, Any, int, int, int]] = []  # slot, the value there, number, offset, number of the launch
        self._scratch: list[tuple[int, int, int]] = []  # slot, bytes, number of the launch
        for number, launch in enumerate(launches):
            self._write(number, self._nodes.starts[number], launch)

    def _write(self, number: int, at: int, launch: ProgramLaunch) -> None:
        """Fill in a launch's arguments, which begin at the slot `at`."""
        types, values = launch.kernel.types, (*launch.arguments, *launch.sizes)
        if launch.kernel.scratch:
            self._scratch.append((at + len(types), launch.kernel.scratch * prod(launch.grid), number))
        for slot, (type_, value) in enumerate(zip(types, values, strict=True), at):
            field = self._nodes.field(slot, type_)
            if isinstance(value, Live):
                self._live.append((slot, field, value.number, value.offset, number))
            else:
                field.value = value
                if not type_.startswith("fp") and field.value != value:
                    raise OverflowError(f"a number does not fit into its type: {value} as {type_}")

    def run(self, live: Sequence[Any]) -> None:
        """Launch the graph with these numbers for the `Live` arguments."""
        target = self._target
        stream = target.default if target.plain else target.stream()
        with self._family.lock:  # the driver's functions give up the interpreter's lock
            executable = self._family.shared(len(self._nodes), self._new_executable)
            executable.launch(self._nodes, partial(self._put, live, stream), stream)

    def _put(self, live: Sequence[Any], stream: int) -> dict[int, None]:
        """Write live arguments and addresses of the stream's scratch memory; returns the launches that have others now."""
        slots = self._nodes.slots
        changed: dict[int, None] = {}
        for slot, field, number, offset, launch in self._live:
            before = slots[slot]
            field.value = live[number] + offset if offset else live[number]
            if slots[slot] != before:
                changed[launch] = None
        for slot, nbytes, launch in self._scratch:
            address = self._target.scratch(stream, nbytes)
            if slots[slot] != address:
                slots[slot] = address
                changed[launch] = None
        return changed
