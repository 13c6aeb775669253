"""What launching a kernel on a GPU costs the host: Triton's `kernel[grid](...)` beside the closures of `device.cuda_kernel`.

    python bench/launch.py [--json bench/results/launch.json]

For CPUs see `launch_cpu.py`. Runs without a GPU, against the stub driver of tests/device, whose launch is a function that
returns: what is left is the way there. `add` of two pointers, an output and a size, each way in nanoseconds:

- `jit`: `kernel[grid](x, y, out, n, BLOCK=...)` with torch tensors, Triton's own way.
- `launcher`: Triton's launcher object with plain addresses.
- `closure`: what a plan calls; bar: at most 500 ns, and a tenth of `jit`.
- `closure_several`: the same once a program uses several streams or GPUs.
- `floor`: a Python function of as many arguments that does nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CALLS, ROUNDS = 500, 101


def measure(ways: dict[str, Callable[[], Any]]) -> dict[str, dict[str, float]]:
    """Nanoseconds of a call: least and percentiles over bursts, the ways in turn."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, call in ways.items():
            start = time.perf_counter_ns()
            for _ in range(CALLS):
                call()
            times[name].append((time.perf_counter_ns() - start) / CALLS)
    result = {}
    for name, values in times.items():
        cuts = statistics.quantiles(values, n=5)
        result[name] = {
            "min": round(min(values)), "p20": round(cuts[0]), "p50": round(statistics.median(values)), "p80": round(cuts[3])
        }  # fmt: skip
    return result


def ways() -> dict[str, Callable[[], Any]]:
    """The same launch in every way."""
    import torch
    import triton
    import triton.language as tl

    from tests.device.fake_cuda import FakeCuda  # of tests/device
    from tests.device.stub_program import Driver
    from tritonflow.device import torch_cuda
    from tritonflow.device.cuda_kernel import CudaKernel
    from tritonflow.device.cuda_stream import LaunchTarget
    from tritonflow.device.device import Device
    from tritonflow.device.provider import get_provider

    @triton.jit
    def add(x, y, out, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = i < n
        tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)

    triton.runtime.driver.set_active(Driver())
    torch_cuda.runtime = FakeCuda()
    provider: Any = get_provider(Device("cuda"))
    signature = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    kernel = provider.kernel(add, signature, {"BLOCK": 256}, {(k,): [["tt.divisibility", 16]] for k in range(4)})
    several = CudaKernel(kernel.compiled, LaunchTarget(Device("cuda"), provider.stream.handle))
    several._loaded = kernel._load()
    several.target.plain = False
    x, y, out = (torch.empty(1024) for _ in range(3))
    addresses = tuple(t.data_ptr() for t in (x, y, out))
    closure, closure_several = kernel.bind(4, 1, 1, (1024,)), several.bind(4, 1, 1, (1024,))
    launch, grid = kernel._loaded.launch, (4, 1, 1)

    def floor(a: int, b: int, c: int) -> None:
        pass

    return {
        "jit": lambda: add[(4,)](x, y, out, 1024, BLOCK=256),
        "launcher": lambda: launch(grid, 0, (*addresses, 1024)),
        "closure": lambda: closure(*addresses),
        "closure_several": lambda: closure_several(*addresses),
        "floor": lambda: floor(*addresses),
    }


def with_stub() -> int:
    """Run this program again, with the stub in the place of the driver."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise SystemExit("bench/launch.py needs a C compiler")
    with tempfile.TemporaryDirectory() as folder:
        command = [compiler, "-shared", "-fPIC", "-O2", "-Wl,-soname,libcuda.so.1", "-o", f"{folder}/libcuda.so.1"]
        subprocess.run([*command, str(ROOT / "tests/device/libcuda.c")], check=True)
        environment = {**os.environ, "LD_LIBRARY_PATH": folder, "TRITON_LIBCUDA_PATH": folder, "BENCH_LAUNCH_STUB": "1"}
        return subprocess.run([sys.executable, *sys.argv], env=environment).returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="where the numbers go as well")
    arguments = parser.parse_args()
    if "BENCH_LAUNCH_STUB" not in os.environ:
        raise SystemExit(with_stub())
    sys.path[:0] = [str(ROOT)]
    import torch
    import triton

    results = measure(ways())
    for name, times in results.items():
        print(f"{name:16} {times['p50']:6.0f} ns   (least {times['min']}; {times['p20']} to {times['p80']})")
    if arguments.json is not None:
        record = {
            "nanoseconds": results, "date": time.strftime("%Y-%m-%d"), "python": platform.python_version(),
            "torch": torch.__version__, "triton": triton.__version__, "cpu": platform.processor() or platform.machine(),
            "busy": round(os.getloadavg()[0], 1),
        }  # fmt: skip
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
