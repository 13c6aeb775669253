"""The facts of a device that launch configurations are chosen by. `tritonflow.device` finds them out."""

from typing import Literal, NamedTuple


class DeviceFacts(NamedTuple):
    """What a launch configuration, or an estimate of a kernel's time, may know of a device.

    What of it changes the order of a sum is part of a result: two devices of equal facts give equal bits. A CPU's number of
    threads is no fact, and its `cache` is an assumption, so that no result depends on the one or the size of the other.

    Attributes:
        kind: what runs a program: "cpu", a core with its vectors, or "gpu", the threads of a multiprocessor.
        lanes: float32 numbers in a vector of a CPU; threads in a warp of a GPU.
        processors: multiprocessors of a GPU; 1 on a CPU.
        shared_memory: bytes of it that a program can have; 0 on a CPU.
        cache: bytes of the second-level cache: a core's, or the GPU's.
        capability: a GPU's architecture as in sm_90; 0 on a CPU.
        bandwidth: bytes a second of a GPU's memory; 0 on a CPU, and where nothing tells it.
        memory: bytes of it, in whole GiB; 0 on a CPU.
    """

    kind: Literal["cpu", "gpu"]
    lanes: int
    processors: int
    shared_memory: int
    cache: int
    capability: int = 0
    bandwidth: int = 0
    memory: int = 0

    def warps(self, wanted: int) -> int:
        """The warps of a program for which a GPU should have so many. On a CPU a program is one thread."""
        return 1 if self.kind == "cpu" else wanted
