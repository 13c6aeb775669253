"""The CPU as a backend of the installed Triton: `kernel[grid](torch_cpu_tensors...)` of users' kernels."""

from __future__ import annotations

from typing import Any

from .. import triton_compat
from . import cache, jit, launch, threads
from .arguments import from_elements
from .lower.kernel import lower
from .target import resolve


class _Loaded:
    def __init__(self, data: bytes) -> None:
        self.code = jit.LoadedObject(data, resolve())
        self.launch = launch.Entry("launch", self.code.address(launch.LAUNCHER), "launch(gx, gy, gz, *args)").builtin()


class _Code:
    def lower(self, ttir: str) -> tuple[str, dict[str, Any]]:
        target = resolve()
        kernel = lower(ttir, target)
        text = launch.module_text(kernel, from_elements(kernel.arguments), target.native_f16)
        return text, {"name": kernel.name, "scratch": kernel.scratch}

    def compile(self, llir: str) -> bytes:
        return jit.compile_object(llir, resolve())

    def load(self, code: bytes) -> _Loaded:
        threads.start()
        return _Loaded(code)

    def key(self) -> str:
        return cache.digest(resolve().key)


def install() -> None:
    """From here on, this process launches Triton kernels on the CPU: `kernel[grid](...)` takes torch's CPU tensors."""
    triton_compat.register_cpu_backend(_Code())
