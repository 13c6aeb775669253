"""What launching, compiling and loading a kernel costs on the CPU.

    python bench/launch_cpu.py [--json bench/results/launch_cpu.json]

- `closure`: 16 elements through what a plan calls; bar: 800 ns. `floor`: a Python function that does nothing.
- `jit`: the same through `kernel[grid](tensors)` after `tritonflow.triton_cpu.install()`; bar: 5 us. `jit_idle` is Triton's part of
  it: the same with a launcher that does nothing.
- `compile`: a kernel, from nothing; bar: 150 ms. `load`: from the disk cache; bar: 15 ms. Over the kernels of a few common ops.
- `import`, `first_op`: a process whose kernels are on disk, on top of importing torch; bar: 200 ms together.

Launches are the least over many bursts; the rest is time of this process, the least of a few, so that what else runs on the
machine disturbs little. Python's own cache of bytecode is warm.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STARTS = 5


def least(call: Callable[[], Any]) -> int:
    """Nanoseconds of a call."""
    from tritonflow.bench.timing import Effort, alternate, burst_of

    effort = Effort(rounds=101, least=101, burst=5e-4)
    return round(1e9 * min(alternate({"call": burst_of(call)}, effort)["call"]))


def launches() -> dict[str, int]:
    """Nanoseconds of launching `add` of 16 elements in each way."""
    import torch
    import triton
    import triton.language as tl

    from tritonflow import triton_cpu

    @triton.jit
    def add(x, y, out, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = i < n
        tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)

    triton_cpu.install()
    x, y, out = (torch.ones(16) for _ in range(3))
    a, b, c = (t.data_ptr() for t in (x, y, out))
    signature = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    closure = triton_cpu.compile(add, signature, {"BLOCK": 16}).bind(1, 1, 1, (16,))

    def floor(a: int, b: int, c: int) -> None:
        pass

    times = {"closure": least(lambda: closure(a, b, c)), "floor": least(lambda: floor(a, b, c))}
    times["jit"] = least(lambda: add[(1,)](x, y, out, 16, BLOCK=16))
    kernel = add[(1,)](x, y, out, 16, BLOCK=16)
    kernel._run = lambda *arguments: None
    times["jit_idle"] = least(lambda: add[(1,)](x, y, out, 16, BLOCK=16))
    return times


def kernels() -> list[float]:
    """Milliseconds of this process for each kernel that a few ops want, compiled or found on disk."""
    import tritonflow as flow
    from tritonflow import triton_cpu

    times: list[float] = []
    compile_ = triton_cpu.compile

    def timed(*args: Any, **kwargs: Any) -> Any:
        start = time.process_time()
        kernel = compile_(*args, **kwargs)
        times.append(1000 * (time.process_time() - start))
        return kernel

    flow.relu(flow.ones(3))  # what the process does once
    triton_cpu.compile = timed
    F, x = flow.nn.functional, flow.randn(64, 64, requires_grad=True)
    image, weight = flow.randn(2, 3, 16, 16, requires_grad=True), flow.randn(4, 3, 3, 3, requires_grad=True)
    q, k, v = (flow.randn(1, 2, 64, 32, requires_grad=True) for _ in range(3))
    labels = flow.zeros(64, dtype=flow.int64)
    losses = [
        F.gelu(x),
        F.softmax(x, 1),
        F.layer_norm(x, [64]),
        x @ x,
        F.conv2d(image, weight),
        F.cross_entropy(x, labels),
    ]
    for loss in [*losses, F.max_pool2d(image, 2), F.scaled_dot_product_attention(q, k, v)]:
        loss.sum().backward()
    flow.sort(x), x.max(1), x.cumsum(1)
    return times


def start() -> dict[str, float]:
    """Milliseconds of this process for importing tritonflow and for its first op."""
    import torch  # noqa: F401

    begin = time.process_time()
    import tritonflow as flow

    imported = time.process_time()
    _ = flow.ones(3) + 1
    return {"import": 1000 * (imported - begin), "first_op": 1000 * (time.process_time() - imported)}


PARTS: dict[str, Callable[[], Any]] = {"launches": launches, "kernels": kernels, "start": start}


def fresh(part: str, folder: str) -> Any:
    """A part of the measurements in a process of its own."""
    variables = {"TRITONFLOW_CACHE_DIR": f"{folder}/kernels", "TRITON_CACHE_DIR": f"{folder}/triton"}
    variables |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
    command = [sys.executable, __file__, "--part", part]
    done = subprocess.run(command, env={**os.environ, **variables}, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def spread(times: list[float]) -> dict[str, float]:
    from tritonflow.bench.verdict import Quantiles

    return {name: round(t, 1) for name, t in {**Quantiles.of(times).as_dict(), "max": max(times)}.items()}


def report() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        compiled, loaded = fresh("kernels", folder), fresh("kernels", folder)
        starts = [fresh("start", folder) for _ in range(STARTS + 1)][1:]
        nanoseconds = fresh("launches", folder)
    milliseconds = {
        "compile": spread(compiled),
        "load": spread(loaded),
        **{name: round(min(s[name] for s in starts)) for name in starts[0]},
    }
    return {"nanoseconds": nanoseconds, "milliseconds": milliseconds, "kernels": len(compiled)}


def main() -> None:
    if sys.argv[1:2] == ["--part"]:  # before anything is imported
        print(json.dumps(PARTS[sys.argv[2]]()))
        return
    from tritonflow.bench.script import script_parser, write_results

    arguments = script_parser(__doc__).parse_args()
    found = report()
    print(json.dumps(found, indent=1))
    write_results(arguments.json, found)


if __name__ == "__main__":
    main()
