"""Launches: torch and Triton alone, arguments of every kind, kernels of users, errors, the profiler."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl

from gpu.roads.registry import road
from gpu.roads.stage import DEVICE, close, host, ours, package

FACTS = (
    "warp_size", "multi_processor_count", "shared_memory_per_block_optin", "L2_cache_size", "memory_clock_rate",
    "memory_bus_width",
)  # fmt: skip


@triton.jit  # type: ignore[untyped-decorator]
def double_kernel(x: Any, y: Any, n: Any, BLOCK: tl.constexpr) -> None:
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)


@road(first=True, real=True)
def torch_alone() -> Any:
    """torch finds the GPU; its versions and facts."""
    about = torch.cuda.get_device_properties(0)
    x = torch.randn(512, 512, device=DEVICE)
    assert torch.allclose((x @ x).cpu(), x.cpu() @ x.cpu(), atol=0.5)
    facts = {name: getattr(about, name, "absent") for name in FACTS}
    return {"torch": torch.__version__, "cuda": torch.version.cuda, "name": about.name, **facts}


@road(first=True, real=True)
def triton_alone() -> Any:
    """A kernel of Triton's on tensors of torch's: a C compiler, Python's headers, libcuda."""
    from triton.runtime.cache import triton_key

    x = torch.randn(1000, device=DEVICE)
    y = torch.empty_like(x)
    double_kernel[(4,)](x, y, 1000, BLOCK=256)
    assert torch.equal(y, 2 * x)
    return {"triton": triton.__version__, "key": hashlib.sha256(triton_key().encode()).hexdigest()[:16]}


@road(first=True)
def first_op() -> Any:
    """The provider, and one launch: two pointers, an output, a size."""
    package()
    a, b = torch.randn(1000), torch.randn(1000)
    error = close(ours(a) + ours(b), a + b, 1e-7)
    from tritonflow.device.device import Device
    from tritonflow.device.provider import get_provider

    found: Any = get_provider(Device(DEVICE))
    stream = found.stream.handle
    return f"{error} arch {found.arch} stream {stream} plain {found.launch_target.plain} facts {tuple(found.facts)}"


@road()
def scalars_and_odd_addresses() -> Any:
    """fp32, fp64 and int64 arguments; pointers that no 16 divides; negative and zero strides."""
    a = torch.randn(33, 65)
    x, d = ours(a), ours(a.double())
    close(x * 1.5 + 2.25, a * 1.5 + 2.25, 1e-6)
    close(d * 1.1 - 1e-9, a.double() * 1.1 - 1e-9, 1e-14)
    close(x[1:, 1:] * 2 + x[0, 1:], a[1:, 1:] * 2 + a[0, 1:], 1e-6)
    close(x.flip(0), a.flip(0), 0)
    close(x.t().contiguous() + x[0, 0], a.t() + a[0, 0], 1e-6)
    big = ours(torch.tensor([2**40 + 3, 5]))
    assert host(big + 2**41).tolist() == [2**40 + 3 + 2**41, 5 + 2**41]
    return "ok"


@road()
def large_grids() -> Any:
    """More than 65535 rows, planes and elements of every kind of grid; none at all."""
    flow = package()
    found = []
    for shape in ((70_000, 3), (3, 70_000, 2), (70_000, 1, 5)):
        a = torch.randn(shape)
        x = ours(a)
        found.append(close(x.sum(-1), a.double().sum(-1), 1e-5))
        found.append(close(x.transpose(0, 1).contiguous() + 1, a.transpose(0, 1) + 1, 1e-6))
        found.append(close(flow.softmax(x, -1), torch.softmax(a.double(), -1), 1e-5))
    a, b = torch.randn(66_000, 4, 2), torch.randn(66_000, 2, 3)
    found.append(close(flow.bmm(ours(a), ours(b)), torch.bmm(a.double(), b.double()), 1e-5))
    assert host(ours(torch.randn(0, 5)).sum(0)).tolist() == [0.0] * 5
    return found


@road(real=True)
def own_kernels() -> Any:
    """kernel[grid] on tensors of ours, in eager mode, in a graph and on another stream."""
    flow = package()
    t = torch.randn(5000)

    def double(x: Any) -> Any:
        y = flow.empty_like(x)
        double_kernel[(-(-x.numel() // 256),)](x, y, x.numel(), BLOCK=256)
        return y

    close(double(ours(t)) + 1, 2 * t + 1, 1e-6)
    compiled = flow.compile(lambda x: double(x + 1) * 3)
    for _ in range(2):
        close(compiled(ours(t)), (t + 1) * 6, 1e-6)
    with flow.cuda.stream(flow.cuda.Stream()):
        x = ours(t) + 1
        y = double(x)
    return close(y, 2 * (t + 1), 1e-6)


@road()
def index_errors() -> Any:
    """An index out of range is an IndexError at the next synchronisation that names the line; in a graph, too; work goes on."""
    flow = package()
    x, bad = ours(torch.randn(10)), ours(torch.tensor([3, 12]))
    compiled = flow.compile(lambda x, i: flow.gather(x, 0, i))
    calls: list[Callable[[], Any]] = [lambda: flow.gather(x, 0, bad), lambda: compiled(x, bad), lambda: x[bad]]
    named = []
    for call in calls:
        try:
            call()
            flow.cuda.synchronize()
        except IndexError as error:
            named.append(Path(__file__).name in str(error))
        else:
            raise AssertionError("no IndexError")
        close(x + 1, host(x) + 1, 1e-7)
    return named


@road()
def profiler() -> Any:
    """Launch hooks and the timeline: launches go through Triton's own launcher meanwhile."""
    flow = package()
    x = ours(torch.randn(64, 64))
    with flow.profiler.profile() as found:
        y = (x @ x).relu().sum()
    kernels = [event for event in found.events() if event.kind == "kernel"]
    assert len(kernels) >= 3, len(kernels)
    return f"{len(kernels)} kernels, {y.item():.3f}"
