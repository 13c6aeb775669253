"""An executable CUDA graph of kernel nodes in a row, which runs whatever its nodes were set to last.

By NVIDIA's reference, `cuGraphExecKernelNodeSetParams` sets a node to any function of the same context that launches nothing by
itself, with any grid and arguments. It is for later launches: those that are enqueued or run are not affected. By `cuGraphLaunch`,
a launch is ordered behind the executable's launch before, on whatever streams they are.
https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from os import getpid
from typing import Any

from tritonflow.device import cuda_driver
from tritonflow.device.cuda_nodes import KernelNodes
from tritonflow.errors import DeviceError

log = logging.getLogger("tritonflow.device")


class CudaGraphExec:
    """As many kernel nodes as the first launch has, instantiated by it.

    The driver does not let two threads use a graph at once: the caller holds a lock.

    Args:
        index: of the device.
    """

    def __init__(self, index: int) -> None:
        self._index = index
        self._driver = cuda_driver.driver
        self._process = getpid()
        self._graph = self._executable = 0
        self._was_refused = False
        self._handles: list[int] = []  # of the nodes
        self._contents: list[tuple[Any, bytes] | None] = []  # what each node is set to; None where that is not known
        self._nodes: KernelNodes | None = None  # whose contents these are; None where that is not known

    def launch(self, nodes: KernelNodes, write: Callable[[], Iterable[int]], stream: int) -> None:
        """Run these nodes on a stream.

        Args:
            write: writes the arguments of this run, and returns the numbers of the launches that have others now.

        Raises:
            DeviceError: the driver refuses. The next launch is right all the same.
        """
        before = self._driver.enter(self._index)
        try:
            is_set, self._nodes = self._nodes is nodes, None
            changed = write()
            self._set(nodes, changed if is_set else range(len(nodes)))
            self._nodes = nodes
            self._driver.launch(self._executable, stream)
        finally:
            self._driver.leave(before)

    def _set(self, nodes: KernelNodes, numbers: Iterable[int]) -> None:
        """Give these launches to their nodes, or all of them to new nodes."""
        if not self._executable:
            return self._instantiate(nodes)
        try:
            self._update(nodes, numbers)
        except DeviceError as error:
            if not self._was_refused:
                log.warning("a CUDA graph is instantiated anew, as the driver does not change it: %s", error)
            self._was_refused = True
            self._instantiate(nodes)

    def _update(self, nodes: KernelNodes, numbers: Iterable[int]) -> None:
        """Set the nodes that have other contents."""
        for number in numbers:
            content = nodes.content(number)
            if content != self._contents[number]:
                self._contents[number] = None
                self._driver.set_kernel(self._executable, self._handles[number], nodes.parameters[number])
                self._contents[number] = content

    def _instantiate(self, nodes: KernelNodes) -> None:
        """Make the graph anew, with these contents."""
        self._destroy()
        driver, last = self._driver, None
        self._graph, self._handles = driver.graph(), []
        for parameters in nodes.parameters:
            last = driver.add_kernel(self._graph, parameters, last)
            self._handles.append(last)
        self._contents = [nodes.content(number) for number in range(len(nodes))]
        self._executable = driver.instantiate(self._graph)

    def _destroy(self) -> None:
        graph, executable = self._graph, self._executable
        self._graph = self._executable = 0
        if graph or executable:
            self._driver.destroy(graph, executable)

    def __del__(self) -> None:
        if (self._graph or self._executable) and getpid() == self._process:  # a forked child has no such graph
            before = self._driver.enter(self._index)
            try:
                self._destroy()
            finally:
                self._driver.leave(before)
