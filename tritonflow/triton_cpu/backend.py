"""The CPU as a backend of the installed Triton, for `kernel[grid](torch_cpu_tensors...)`."""

from __future__ import annotations

import hashlib
from typing import Any

from tritonflow.settings import settings

from . import cache, check, dump, jit, launch, threads
from .arguments import from_elements
from .target import resolve


class _Loaded:
    def __init__(self, name: str, data: bytes, checked: bool) -> None:
        self.code = jit.LoadedObject(data, resolve())
        description = launch.described(self.code.address(launch.DESCRIPTION))
        entry = launch.NativeEntry(name, threads.start().launch, "launch(gx, gy, gz, *args)").builtin(description)
        self.launch = check.guarded(entry, name, first=3) if checked else entry
        self.takes_tensors = checked  # a checked launch is to know the tensors' memory


class _Code:
    def lower(self, ttir: str) -> tuple[str, dict[str, Any]]:
        from .launcher import module_text
        from .lower.kernel import lower

        target = resolve()
        kernel = lower(ttir, target, settings.cpu_check)
        text = module_text(kernel, from_elements(kernel.arguments))
        if settings.cpu_dump is not None:
            texts = {"ttir": ttir, "llir": text, "s": jit.assembly(text, target)}
            dump.write(kernel.name, hashlib.sha256(ttir.encode()).hexdigest(), texts)
        return text, {"name": kernel.name, "scratch": kernel.scratch, "written": list(kernel.written)}

    def compile(self, llir: str) -> bytes:
        return jit.compile_object(llir, resolve())

    def load(self, name: str, code: bytes) -> _Loaded:
        if settings.cpu_check:
            check.prepare()
        return _Loaded(name, code, settings.cpu_check)

    def key(self) -> str:
        # Triton's own cache holds no texts. With another dump folder, kernels are compiled again.
        return cache.digest(resolve().key, f"checked {settings.cpu_check}", f"dump {settings.cpu_dump}")


def install() -> None:
    """Launch Triton's kernels on the CPU from now on:
    `kernel[grid](...)` takes torch's CPU tensors.
    """
    from tritonflow import triton_compat  # with Triton, which kernels found on disk do not need

    triton_compat.register_cpu_backend(_Code())
