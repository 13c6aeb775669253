"""A compiled kernel on a GPU: launch closures that call Triton's C launcher with plain integers.

`kernel[grid](...)` costs 7 us, the closure about 0.5 us (bench/launch.py): it was decided once that the arguments
are of the right types, where they go, and which kernel it is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from math import prod
from typing import Any

from tritonflow import triton_compat
from tritonflow.device import torch_cuda
from tritonflow.device.cuda_stream import LaunchTarget

_GRID_LIMITS = (2**31 - 1, 65535, 65535)  # CUDA's; Triton's launcher also counts all programs in 31 bits


class CudaKernel:
    """A kernel compiled for a device's architecture, and loaded: where kernels are compiled side by side, so is this done,
    which may mean to compile a launcher in C."""

    __slots__ = ("target", "_loaded")

    def __init__(self, compiled: Any, target: LaunchTarget) -> None:
        self.target = target
        with torch_cuda.runtime.on_device(target.device.index):
            self._loaded = triton_compat.LoadedCudaKernel(compiled)

    def runs_inline(self, gx: int, gy: int, gz: int) -> bool:
        """A launch returns at once, whatever its size."""
        return True

    is_brief = runs_inline

    @property
    def reference(self) -> str | None:
        """By which `CudaProvider.load` finds it in another process."""
        return self._loaded.reference

    @property
    def types(self) -> tuple[str, ...]:
        """Of the run-time arguments."""
        return self._loaded.types

    @property
    def scratch(self) -> int:
        """Bytes of scratch memory of each program."""
        return self._loaded.scratch

    def node(self, grid: tuple[int, int, int]) -> tuple[int, int, int] | None:
        """The driver's function, threads a block and bytes of shared memory, for a node of a graph; None where only Triton's
        own launcher will do, as in `bind`."""
        kernel = self._loaded
        _check(kernel.name, grid)
        return kernel.node() if triton_compat.launch_hooks() == (None, None) else None

    def bind(
        self, gx: int, gy: int, gz: int, constants: tuple[Any, ...] = (), inline: bool | None = None, brief: bool = False
    ) -> Callable[..., None]:
        """A closure that takes the leading arguments (addresses as integers, then per-call scalars) and launches.

        It goes straight to the C launcher; through Triton's own if the kernel is instrumented, or if launch hooks (a profiler's)
        are set now.
        """
        kernel = self._loaded
        grid = (gx, gy, gz)
        leading = len(kernel.types) - len(constants)
        if leading < 0:
            raise TypeError(f"{kernel.name}: {len(constants)} constants for a kernel of {len(kernel.types)} arguments")
        _check(kernel.name, grid)
        if not kernel.call or triton_compat.launch_hooks() != (None, None):
            return _through_triton(kernel, grid, constants, self.target)
        values = {**kernel.values, "gx": gx, "gy": gy, "gz": gz}
        if kernel.scratch:
            values.update(scratch=self.target.scratch, scratch_bytes=kernel.scratch * prod(grid))
        values.update((f"a{leading + i}", value) for i, value in enumerate(constants))
        make = _closure_maker(kernel.call, leading, tuple(values))
        return make(kernel.c_launch, self.target, self.target.default, *values.values())

    def __repr__(self) -> str:
        return f"<tritonflow CUDA kernel {self._loaded.name} on {self.target.device}>"


def _check(name: str, grid: tuple[int, int, int]) -> None:
    if any(size > limit for size, limit in zip(grid, _GRID_LIMITS)) or prod(grid) > _GRID_LIMITS[0]:
        raise ValueError(f"{name}: a grid of {grid} is too large: CUDA allows {_GRID_LIMITS}, in all 2**31 - 1")


def _through_triton(
    kernel: triton_compat.LoadedCudaKernel, grid: tuple[int, int, int], constants: tuple[Any, ...], target: LaunchTarget
) -> Callable[..., None]:
    def run(*leading: Any) -> None:
        if target.plain:
            return kernel.launch(grid, target.default, (*leading, *constants), target.scratch)
        before = target.enter()
        try:
            kernel.launch(grid, target.stream(), (*leading, *constants), target.scratch)
        finally:
            if before is not None:
                target.leave(before)

    return run


@functools.cache
def _closure_maker(call: str, leading: int, names: tuple[str, ...]) -> Callable[..., Callable[..., None]]:
    """A function that takes C launcher, target, default stream and the values of `names`, and returns a closure.

    For two pointers and one size on Triton 3.6, the closure is

        def run(a0, a1):
            stream = default
            if target.plain:
                return launch(gx, gy, gz, stream, function, k2, k3, k4, k5, packed, None, None, None, a0, a1, a2)
            stream, before = target.stream(), target.enter()
            try:
                launch(gx, gy, gz, stream, function, k2, k3, k4, k5, packed, None, None, None, a0, a1, a2)
            finally:
                if before is not None:
                    target.leave(before)
    """
    text = (
        f"def make(launch, target, default, {', '.join(names)}):\n"
        f"    def run({', '.join(f'a{i}' for i in range(leading))}):\n"
        f"        stream = default\n"
        f"        if target.plain:\n"
        f"            return launch({call})\n"
        f"        stream, before = target.stream(), target.enter()\n"
        f"        try:\n"
        f"            launch({call})\n"
        f"        finally:\n"
        f"            if before is not None:\n"
        f"                target.leave(before)\n"
        f"    return run\n"
    )
    scope: dict[str, Any] = {"__file__": __file__}
    exec(compile(text, "<launch of a Triton kernel>", "exec"), scope)
    make: Callable[..., Callable[..., None]] = scope["make"]
    return make
