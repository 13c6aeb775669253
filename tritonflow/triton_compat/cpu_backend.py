"""A backend for the CPU in the installed Triton: `kernel[grid](...)` runs on the host."""

from __future__ import annotations

import importlib
import time
from typing import Any, Protocol

import triton

from .checked_cache import use_checked_cache
from .compile_listener import listen
from .cpu_launcher import CpuLauncher
from .internals import GPUTarget, check_version
from .ttir import FRONT_END_OPTIONS, code_generation, front_end, optimise, overflow_checks


class CpuCode(Protocol):
    """What `register_cpu_backend` is given: compilation of TTIR, and loading of its result."""

    def lower(self, ttir: str) -> tuple[str, dict[str, Any]]:
        """LLVM IR, and metadata that Triton keeps beside the code."""

    def compile(self, llir: str) -> bytes:
        """Machine code."""

    def load(self, name: str, code: bytes) -> Any:
        """Something with `launch(gx, gy, gz, *args)`, run-time arguments flattened, pointers as integers.

        Where `takes_tensors` is true, tensors are passed as they are.
        """

    def key(self) -> str:
        """What the code depends on besides the kernel."""


def register_cpu_backend(code: CpuCode) -> None:
    """Make `kernel[grid](...)` of the installed Triton run on the CPU in this process."""
    backend, driver = _cpu_classes(code)
    triton.backends.backends["cpu"] = triton.backends.Backend(compiler=backend, driver=driver)
    use_checked_cache()
    listen()
    triton.runtime.driver.set_active(driver())


def _cpu_classes(code: CpuCode) -> tuple[type, type]:
    check_version()
    base = type(front_end())
    target = GPUTarget("cpu", 80, 1)

    class CpuBackend(base):  # type: ignore[misc, valid-type]
        binary_ext = "obj"

        @staticmethod
        def supports_target(target: Any) -> bool:
            return bool(target.backend == "cpu")

        def __init__(self, target: Any) -> None:
            self.target, self.binary_ext = target, "obj"

        def hash(self) -> str:
            return f"tritonflow-cpu-{code.key()}"

        def parse_options(self, options: Any) -> Any:
            # Clusters are refused below sm_90; on a CPU they mean as little as warps.
            checks = overflow_checks(bool(options.get("debug")))
            return super().parse_options({**FRONT_END_OPTIONS, **checks, **options, "arch": "sm80", "num_ctas": 1})

        def get_codegen_implementation(self, options: Any) -> Any:
            return code_generation(super().get_codegen_implementation(options))

        def pack_metadata(self, metadata: Any) -> tuple[()]:
            return ()

        def add_stages(self, stages: Any, options: Any, language: Any = None) -> None:
            def ttir(module: Any, metadata: Any) -> Any:
                optimise(module, module.context)
                return module

            def llir(module: Any, metadata: Any) -> str:
                text, more = code.lower(str(module))
                metadata.update(more, shared=0)
                return text

            stages.update(ttir=ttir, llir=llir, obj=lambda text, metadata: code.compile(text))

    class CpuLoader:
        def load_binary(self, name: str, data: bytes, shared: int, device: int) -> tuple[Any, ...]:
            kernel = code.load(name, data)
            return kernel, kernel, 0, 0, 1 << 30

        def get_device_properties(self, device: int) -> dict[str, int]:
            names = "max_num_regs warpSize sm_clock_rate mem_clock_rate mem_bus_width".split()
            return {**dict.fromkeys(names, 0), "max_shared_mem": 1 << 30, "multiprocessor_count": 1, "warpSize": 1}

        def unload_module(self, module: Any) -> None:
            pass

    return CpuBackend, _cpu_driver(target, CpuLoader)


def _cpu_driver(target: Any, loader: type) -> type:
    from triton.backends.driver import DriverBase

    class CpuDriver(DriverBase):
        def __init__(self) -> None:
            self.utils, self.launcher_cls = loader(), CpuLauncher

        @classmethod
        def is_active(cls) -> bool:
            return True

        def map_python_to_cpp_type(self, type_: str) -> str:
            return type_

        def get_current_target(self) -> Any:
            return target

        def get_current_device(self) -> str:
            return "cpu"  # as torch.cpu.current_device(): kernels are kept by device

        def get_current_stream(self, device: str) -> int:
            return 0

        def get_active_torch_device(self) -> Any:
            import torch  # which Triton has imported

            return torch.device("cpu")

        def get_device_interface(self) -> Any:
            return _CpuTiming

        def get_benchmarker(self) -> Any:
            return importlib.import_module("triton.testing").do_bench

        def get_empty_cache_for_benchmark(self) -> Any:
            import torch

            return torch.empty(1 << 20)

        def clear_cache(self, cache: Any) -> None:
            cache.zero_()

    return CpuDriver


class _CpuTiming:
    """What `triton.testing.do_bench`, and with it the autotuner, asks of a device: here every launch is over on return."""

    class Event:
        def __init__(self, enable_timing: bool = False) -> None:
            self.time = 0

        def record(self, stream: object = None) -> None:
            self.time = time.perf_counter_ns()

        def elapsed_time(self, end: _CpuTiming.Event) -> float:
            """Milliseconds up to `end`."""
            return max(end.time - self.time, 1) / 1e6

    @staticmethod
    def synchronize(device: object = None) -> None:
        pass
