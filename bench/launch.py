"""What launching a kernel on a GPU costs the host, and what an eager op does: processor time, in nanoseconds.

    python bench/launch.py [--json bench/results/launch.json] [--only closure item]

For CPUs see `launch_cpu.py`. Runs without a GPU, against the stub driver of tests/device, whose launch is a function that
returns: what is left is the way there. First `add` of two pointers, an output and a size, each way:

- `jit`: `kernel[grid](x, y, out, n, BLOCK=...)` with torch tensors, Triton's own way.
- `launcher`: Triton's launcher object with plain addresses.
- `closure`: what a plan calls; bar: at most 500 ns, and a tenth of `jit`.
- `closure_several`: the same once a program uses several streams or GPUs.
- `floor`: a Python function of as many arguments that does nothing.

Then whole ops on tensors of 32 x 64, as a user calls them. Bar: 2000 ns for those of one launch.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.timing import Effort, alternate, burst_of
from tritonflow.bench.verdict import Quantiles

ROOT = Path(__file__).resolve().parent.parent

Ways = dict[str, Callable[[], Any]]


def measure(ways: Ways, rounds: int) -> dict[str, dict[str, int]]:
    """Nanoseconds of a call: least and percentiles over bursts, the ways in turn."""
    effort = Effort(rounds=rounds, least=rounds, burst=2e-4)
    times = alternate({name: burst_of(call, clock="thread") for name, call in ways.items()}, effort)
    found = {name: {"min": min(values), **Quantiles.of(values).as_dict()} for name, values in times.items()}
    return {name: {key: round(1e9 * value) for key, value in values.items()} for name, values in found.items()}


def use_stub() -> Any:
    """The provider of a GPU whose driver is the stub."""
    import triton

    from tests.device.fake_cuda import FakeCuda
    from tests.device.stub_program import Driver
    from tritonflow.device import torch_cuda
    from tritonflow.device.device import Device
    from tritonflow.device.provider import get_provider

    triton.runtime.driver.set_active(Driver())
    torch_cuda.runtime = FakeCuda()
    return get_provider(Device("cuda"))


def launches(provider: Any) -> Ways:
    """The same launch in every way."""
    import torch
    import triton
    import triton.language as tl

    from tritonflow.device.cuda_kernel import CudaKernel
    from tritonflow.device.cuda_stream import LaunchTarget

    @triton.jit
    def add(x, y, out, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = i < n
        tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)

    signature = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    kernel = provider.kernel(add, signature, {"BLOCK": 256}, {(k,): [["tt.divisibility", 16]] for k in range(4)})
    several = CudaKernel(kernel._loaded.compiled, LaunchTarget(provider.device, provider.stream.handle))
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


def ops() -> Ways:
    """Whole eager ops."""
    import tritonflow as flow
    from tritonflow.nn import functional as F

    def full(*shape: int, grad: bool = False) -> Any:
        return flow.full(shape, 0.5, device="cuda").requires_grad_(grad)

    x, y, z, w, b, number = full(32, 64), full(32, 64), full(32, 64), full(64, 64), full(64), full()
    images, filters, heads = full(2, 16, 8, 8), full(16, 16, 3, 3), full(2, 4, 16, 32)
    indices = flow.zeros(32, dtype=flow.int64, device="cuda")
    wg, bg = full(64, 64, grad=True), full(64, grad=True)
    parameters = [full(64, grad=True) for _ in range(20)]
    for p in parameters:
        p.grad = full(64)
    adam = flow.optim.Adam(parameters)

    def step() -> None:
        for p in parameters:
            p.grad = p.grad.clone()
        adam.step()

    return {
        "add": lambda: x + y,
        "relu": lambda: flow.relu(x),
        "matmul": lambda: x @ w,
        "sum": lambda: x.sum(),
        "softmax": lambda: F.softmax(x, -1),
        "x[i]": lambda: x[3],
        "tensor * 2.0": lambda: x * 2.0,
        "add_": lambda: z.add_(y),
        "mul_ by a number": lambda: z.mul_(1.0),
        "linear": lambda: F.linear(x, w, b),
        "linear with grad": lambda: F.linear(x, wg, bg),
        "layer_norm": lambda: F.layer_norm(x, (64,), b, b),
        "dropout": lambda: F.dropout(x, 0.5),
        "embedding": lambda: F.embedding(indices, w),
        "attention": lambda: F.scaled_dot_product_attention(heads, heads, heads),
        "conv2d": lambda: F.conv2d(images, filters),
        "item": lambda: number.item(),
        "Adam, 20 parameters": step,
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
    parser = script_parser(__doc__)
    parser.add_argument("--only", nargs="+", help="names of what is measured; all by default")
    parser.add_argument("--rounds", type=int, default=101, help="bursts of each")
    arguments = parser.parse_args()
    if "BENCH_LAUNCH_STUB" not in os.environ:
        raise SystemExit(with_stub())
    sys.path[:0] = [str(ROOT)]
    provider = use_stub()
    ways = {**launches(provider), **ops()}
    unknown = set(arguments.only or ()) - set(ways)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}: choose from {', '.join(ways)}")
    chosen = {name: call for name, call in ways.items() if not arguments.only or name in arguments.only}
    for call in chosen.values():
        call()
    results = measure(chosen, arguments.rounds)
    for name, times in results.items():
        print(f"{name:20} {times['p50']:6.0f} ns   (least {times['min']}; {times['p20']} to {times['p80']})")
    write_results(arguments.json, {"nanoseconds": results})


if __name__ == "__main__":
    main()
