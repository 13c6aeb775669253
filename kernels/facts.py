"""The facts of a device that launch configurations are chosen by. `tritonflow.device` finds them out.

What differs between architectures of GPUs stands in ARCHITECTURES and nowhere else: who plans asks for a fact, as
`facts.architecture.operands_on_chip`, and not for a number such as sm_90.
"""

from functools import lru_cache
from typing import Literal, NamedTuple


class Architecture(NamedTuple):
    """What a multiprocessor of a GPU has.

    Attributes:
        matrix_units: what gives them their products. A "warp" has the operands in its registers (mma.sync); a "group" of four
            warps has them in shared memory (wgmma); with "tensor memory" one thread does it, and the sums are in no registers
            (tcgen05). "none" are those that have neither bfloat16 nor TF32.
        halves: multiply-adds of 16-bit numbers in a clock, by matrix units where there are any; TF32 has half as many.
        singles: multiply-adds of float32 in a clock, by no matrix unit.
        float8: whether matrix units multiply float8.
        descriptors: whether a copy unit brings tiles on chip by tensor descriptors (TMA).
        shared_memory: bytes. A program can have less: `DeviceFacts.shared_memory`.
        warps: as many are there at once.
        moved: bytes in a clock from memory and to it, of a typical device.
        registers: of 32 bits, of all threads; one has 255 at most.
    """

    matrix_units: Literal["none", "warp", "group", "tensor memory"]
    halves: int
    singles: int
    float8: bool
    descriptors: bool
    shared_memory: int
    warps: int
    moved: float
    registers: int = 65536

    @property
    def tf32(self) -> int:
        """Multiply-adds in TF32 in a clock; 0 where matrix units have none."""
        return self.halves // 2 if self.matrix_units != "none" else 0

    @property
    def operands_on_chip(self) -> bool:
        """Whether operands of matrix units are in shared memory. Where they are in registers, there are fewer for sums."""
        return self.matrix_units in ("group", "tensor memory")


# By capability. Rates and sizes are those of NVIDIA's CUDA C++ Programming Guide (compute capabilities) and of the data sheets of
# an A100, A40, L40S, H100, B200 and RTX PRO 6000.
ARCHITECTURES = {
    0: Architecture("none", 128, 64, False, False, 64 << 10, 32, 4),
    80: Architecture("warp", 1024, 64, False, False, 164 << 10, 64, 14),
    86: Architecture("warp", 512, 128, False, False, 100 << 10, 48, 5),
    87: Architecture("warp", 512, 128, False, False, 164 << 10, 48, 10),
    89: Architecture("warp", 512, 128, True, False, 100 << 10, 48, 2.5),
    90: Architecture("group", 2048, 128, True, True, 228 << 10, 64, 14),
    100: Architecture("tensor memory", 4096, 128, True, True, 228 << 10, 64, 28),
    110: Architecture("warp", 1024, 128, True, True, 228 << 10, 48, 8),  # Triton has no products in tensor memory for it
    120: Architecture("warp", 512, 128, True, True, 100 << 10, 48, 4),
}  # fmt: skip


@lru_cache
def architecture_of(capability: int) -> Architecture:
    """That of a capability: an unknown one has the facts of the one before it."""
    return ARCHITECTURES[max(known for known in ARCHITECTURES if known <= capability)]


class DeviceFacts(NamedTuple):
    """What a launch configuration, or an estimate of a kernel's time, may know of a device.

    What of it changes the order of a sum is part of a result: two devices of equal facts give equal bits. A CPU's `cache` is an
    assumption, and its `threads` may choose only what changes no order, so that no result depends on the size of either.

    Attributes:
        kind: what runs a program: "cpu", a core with its vectors, or "gpu", the threads of a multiprocessor.
        lanes: float32 numbers in a vector of a CPU; threads in a warp of a GPU.
        processors: multiprocessors of a GPU; 1 on a CPU.
        shared_memory: bytes of it that a program can have; 0 on a CPU.
        cache: bytes of the second-level cache: a core's, or the GPU's.
        capability: a GPU's architecture as in sm_90; 0 on a CPU.
        bandwidth: bytes a second of a GPU's memory; 0 on a CPU, and where nothing tells it.
        memory: bytes of it, in whole GiB; 0 on a CPU.
        tiles: whether a CPU has a matrix unit for bfloat16 and int8 (AMX).
        threads: how many share a grid of a CPU; 1 on a GPU.
    """

    kind: Literal["cpu", "gpu"]
    lanes: int
    processors: int
    shared_memory: int
    cache: int
    capability: int = 0
    bandwidth: int = 0
    memory: int = 0
    tiles: bool = False
    threads: int = 1

    @property
    def architecture(self) -> Architecture:
        """What a multiprocessor of the GPU has; on a CPU, and for a GPU that tells no capability, one without matrix units."""
        return architecture_of(self.capability)

    def warps(self, wanted: int) -> int:
        """The warps of a program for which a GPU should have so many. On a CPU a program is one thread."""
        return 1 if self.kind == "cpu" else wanted
