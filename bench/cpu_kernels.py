"""Our kernels on the CPU beside torch's, and beside what the machine can do.

    python bench/cpu_kernels.py [NAME ...] [--json bench/results/cpu_kernels.json] [--plot docs/cpu_kernels.png]

A NAME selects the cases whose name begins with it. Two threads on either side. Columns:

- `torch`: torch's time / ours; above 1 we are faster. Medians over rounds in which the two alternate, with p20 and p80.
- `roof`: the fraction of the machine's peak that we reach. Arithmetic cases: of a loop of fused multiply-adds, the best
  of the run. Cases that move bytes: of the best native loop that reads and writes as many arrays of the
  same total size (native_loops.c; with and without stores that bypass the caches).

torch's memory is taken from a heap that keeps what is freed, as ours is, so that neither pays for page faults.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

THREADS = 2
os.environ["OMP_NUM_THREADS"] = str(THREADS)

import torch  # noqa: E402
import torch.nn.functional as TF  # noqa: E402
import triton  # noqa: E402

import tritonflow as flow  # noqa: E402

F = flow.nn.functional
HERE = Path(__file__).resolve().parent
ROUNDS, BURST, LIMIT = 21, 0.02, 4.0  # rounds of a case, seconds of one measurement in it, seconds in all
Call = Callable[[], Any]


@dataclass
class Case:
    name: str
    ours: Call
    torch: Call | None
    flops: float = 0.0
    streams: tuple[int, int, int] = (0, 0, 0)  # arrays read, arrays written, bytes of each
    check: tuple[float, float] | None = (1e-4, 1e-4)  # rtol, atol; None where results cannot be compared
    bar: float = 0.0  # of the roof


def keep_freed_memory() -> None:
    """glibc gives large blocks back to the system at once otherwise."""
    libc = ctypes.CDLL(None)
    libc.mallopt(-4, 0)  # M_MMAP_MAX
    libc.mallopt(-1, ctypes.c_int(2**31 - 1))  # M_TRIM_THRESHOLD


# ---- what the machine can do


def loaded_openmp() -> str:
    """torch's OpenMP runtime: a second one in the process would spin against it."""
    paths = (text.split()[-1] for text in Path("/proc/self/maps").read_text().splitlines() if "libgomp" in text)
    return next(paths)


class Native:
    def __init__(self) -> None:
        compiler = shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")
        if compiler is None:
            raise SystemExit("bench/cpu_kernels.py needs a C compiler")
        ctypes.CDLL(loaded_openmp(), mode=ctypes.RTLD_GLOBAL)
        with tempfile.TemporaryDirectory() as folder:
            object_, path = f"{folder}/native.o", f"{folder}/native.so"
            flags = ["-O3", "-march=native", "-fopenmp", "-fPIC", "-c", "-o", object_]
            subprocess.run([compiler, *flags, str(HERE / "native_loops.c")], check=True)
            subprocess.run([compiler, "-shared", "-o", path, object_], check=True)
            self.library = ctypes.CDLL(path)
        self.library.fma_loop.restype = ctypes.c_double
        self.best = 1.0
        self.arrays: dict[tuple[int, int, int], Any] = {}

    def peak(self) -> float:
        """Seconds for a floating-point operation, the least seen in this run."""
        start = time.perf_counter()
        done: float = self.library.fma_loop(ctypes.c_long(400_000), THREADS)
        self.best = min(self.best, (time.perf_counter() - start) / done)
        return self.best

    def loop(self, reads: int, writes: int, size: int, bypass: bool) -> Call:
        count = max(size // 4 // 16 * 16, 16)
        key = (reads, writes, count)
        if key not in self.arrays:
            self.arrays = {key: [torch.zeros(count) for _ in range(reads + writes)]}
        pointers = [ctypes.c_void_p(t.data_ptr()) for t in self.arrays[key]]
        sources = (ctypes.c_void_p * max(reads, 1))(*pointers[:reads])
        targets = (ctypes.c_void_p * max(writes, 1))(*pointers[reads:])
        arguments = (sources, reads, targets, writes, ctypes.c_long(count), THREADS, int(bypass))
        return lambda: self.library.stream_loop(*arguments)


# ---- measuring


def seconds(call: Call, repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def repeats_for(call: Call) -> int:
    call()
    return max(1, math.ceil(BURST / max(seconds(call, 1), 1e-7)))


def spread(values: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(values, n=5)
    return {"p20": round(cuts[0], 3), "p50": round(statistics.median(values), 3), "p80": round(cuts[3], 3)}


def measure(case: Case, native: Native) -> dict[str, Any]:
    sides: dict[str, Call] = {"ours": case.ours}
    if case.torch is not None:
        sides["torch"] = case.torch
    if case.streams[2]:
        sides["stores"], sides["bypass"] = (native.loop(*case.streams, bypass) for bypass in (False, True))
    counts = {name: repeats_for(call) for name, call in sides.items()}
    times: dict[str, list[float]] = {name: [] for name in (*sides, "roof")}
    start = time.perf_counter()
    while len(times["ours"]) < ROUNDS and (len(times["ours"]) < 5 or time.perf_counter() - start < LIMIT):
        for name, call in sides.items():
            times[name].append(seconds(call, counts[name]))
        if case.flops:
            times["roof"].append(native.peak() * case.flops)
        elif case.streams[2]:
            times["roof"].append(min(times["stores"][-1], times["bypass"][-1]))
    result: dict[str, Any] = {"case": case.name, "ours_us": round(statistics.median(times["ours"]) * 1e6, 1)}
    if case.torch is not None:
        result["torch"] = spread([b / a for a, b in zip(times["ours"], times["torch"], strict=True)])
    if times["roof"]:
        result["roof"] = spread([b / a for a, b in zip(times["ours"], times["roof"], strict=True)])
        result["bar"] = case.bar
    return result


def compare(case: Case) -> None:
    """Both sides compute the same, or the case means nothing."""
    if case.check is None or case.torch is None:
        return
    ours, theirs = case.ours(), case.torch()
    rtol, atol = case.check
    for a, b in zip(_tensors(ours), _tensors(theirs), strict=True):
        found = torch.from_dlpack(a.detach()).double()
        torch.testing.assert_close(found, b.double(), rtol=rtol, atol=atol, msg=lambda text: f"{case.name}: {text}")


def _tensors(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


Pair = tuple[Any, torch.Tensor]


def pair(*shape: int, dtype: torch.dtype = torch.float32) -> Pair:
    """The same numbers on both sides, each in memory of its own."""
    x = torch.randn(shape).to(dtype)
    return flow.from_torch(x.clone()), x


def integers(high: int, *shape: int) -> Pair:
    x = torch.randint(0, high, shape)
    return flow.from_torch(x.clone()), x


def each(function: Callable[[Any], Any], p: Pair) -> Pair:
    return function(p[0]), function(p[1])


def versus(name: str, ours: Call, theirs: Call, pairs: Iterable[Pair], **rest: Any) -> Case:
    xs, ts = zip(*pairs, strict=True)
    return Case(name, lambda: ours(*xs), lambda: theirs(*ts), **rest)


def backward(name: str, ours: Call, theirs: Call, pairs: Iterable[Pair], **rest: Any) -> Case:
    """The gradients of the floating-point tensors in `pairs`."""
    xs, ts = zip(*pairs, strict=True)
    wanted = [k for k, t in enumerate(ts) if t.is_floating_point()]
    for k in wanted:
        xs[k].requires_grad_(), ts[k].requires_grad_()
    y, ty = ours(*xs), theirs(*ts)
    g, tg = pair(*ty.shape)
    leaves, tleaves = [xs[k] for k in wanted], [ts[k] for k in wanted]
    return Case(
        f"{name} backward",
        lambda: flow.autograd.grad(y, leaves, g, retain_graph=True),
        lambda: torch.autograd.grad(ty, tleaves, tg, retain_graph=True),
        **rest,
    )


# ---- the cases

ATEN = torch.ops.aten
Sides = tuple[Call, Call]


def matmuls() -> Iterator[Case]:
    def product(name: str, a: Pair, b: Pair, bar: float, check: tuple[float, float] = (1e-4, 1e-3)) -> Case:
        flops = 2.0 * a[1].numel() * b[1].shape[1]
        return versus(f"matmul {name}", flow.matmul, torch.matmul, (a, b), flops=flops, check=check, bar=bar)

    for n in (512, 1024, 2048):
        yield product(str(n), pair(n, n), pair(n, n), 0.85)
    for m, k, n in ((500, 700, 300), (1000, 1000, 1000), (1537, 1023, 511)):
        yield product(f"{m}x{k}x{n}", pair(m, k), pair(k, n), 0.7)
    yield product("512 nt", pair(512, 512), each(lambda t: t.T, pair(512, 512)), 0.7)
    yield product("512 tn", each(lambda t: t.T, pair(512, 512)), pair(512, 512), 0.7)
    yield product("512 tt", each(lambda t: t.T, pair(512, 512)), each(lambda t: t.T, pair(512, 512)), 0.7)
    for m, k, n in ((32, 4096, 1024), (32, 1024, 1024), (32, 784, 512)):
        yield product(f"{m}x{k}x{n}", pair(m, k), pair(k, n), 0.7)
    parts = (pair(32, 1024), pair(1024, 1024), pair(1024))
    yield versus(
        "linear 32x1024x1024", F.linear, TF.linear, parts, flops=2.0 * 32 * 1024**2, check=(1e-4, 1e-3), bar=0.7
    )
    for label, dtype in (("bf16", torch.bfloat16), ("fp16", torch.float16)):
        for n in (512, 1024):
            yield product(f"{label} {n}", pair(n, n, dtype=dtype), pair(n, n, dtype=dtype), 0.0, (2e-2, 0.5))


def attentions() -> Iterator[Case]:
    heads, length, depth = 8, 1024, 64
    flops = 4.0 * heads * length * length * depth
    for causal, name, share in ((False, "attention", 1.0), (True, "attention causal", 0.5)):
        parts = [pair(1, heads, length, depth) for _ in range(3)]
        sides = [
            partial(f, is_causal=causal) for f in (F.scaled_dot_product_attention, TF.scaled_dot_product_attention)
        ]
        yield versus(name, *sides, parts, flops=flops * share, bar=0.5)
        yield backward(name, *sides, parts, flops=2.5 * flops * share, check=(1e-3, 1e-3), bar=0.4)


# (input channels, image, output channels, kernel, stride) of ResNet-18 and -50
RESNET = (
    (3, 224, 64, 7, 2), (64, 56, 64, 3, 1), (64, 56, 256, 1, 1), (128, 28, 128, 3, 1), (128, 56, 128, 3, 2),
    (256, 14, 256, 3, 1), (512, 7, 512, 3, 1),
)  # fmt: skip


def convolutions() -> Iterator[Case]:
    for inputs, size, outputs, kernel, stride in RESNET:
        parts = (pair(8, inputs, size, size), pair(outputs, inputs, kernel, kernel))
        sides = [partial(f, stride=stride, padding=kernel // 2) for f in (F.conv2d, TF.conv2d)]
        flops = 2.0 * 8 * outputs * (size // stride) ** 2 * inputs * kernel**2
        name = f"conv {inputs}x{size} {outputs} {kernel}x{kernel}" + (f" /{stride}" if stride > 1 else "")
        yield versus(name, *sides, parts, flops=flops, check=(1e-3, 1e-2))
        yield backward(name, *sides, parts, flops=2 * flops, check=(1e-3, 0.5))
    parts = (pair(8, 144, 56, 56), pair(144, 1, 3, 3))
    sides = [partial(f, padding=1, groups=144) for f in (F.conv2d, TF.conv2d)]
    yield versus("conv depthwise 144x56 3x3", *sides, parts)
    yield backward("conv depthwise 144x56 3x3", *sides, parts, check=(1e-3, 0.5))


def streams() -> Iterator[Case]:
    for label, n in (("1M", 1 << 20), ("1M ragged", 1_000_003), ("16M", 1 << 24)):
        x, y = pair(n), pair(n)
        out, half = torch.empty(n), torch.empty(n, dtype=torch.bfloat16)
        unary: dict[str, Sides] = {
            "relu": (flow.relu, partial(ATEN.clamp_min.out, min=0, out=out)),
            "copy": (flow.clone, out.copy_),
            "exp": (flow.exp, partial(ATEN.exp.out, out=out)),
            "gelu": (F.gelu, partial(ATEN.gelu.out, out=out)),
            "gelu tanh": (partial(F.gelu, approximate="tanh"), partial(ATEN.gelu.out, approximate="tanh", out=out)),
        }
        for name, sides in unary.items():
            yield versus(f"{name} {label}", *sides, [x], streams=(1, 1, 4 * n), bar=0.9)
        cast = (partial(flow.cast, dtype=flow.bfloat16), half.copy_)
        yield versus(f"cast to bf16 {label}", *cast, [x], streams=(1, 1, 3 * n), bar=0.9)
        yield versus(f"add {label}", flow.add, partial(ATEN.add.out, out=out), [x, y], streams=(2, 1, 4 * n), bar=0.9)
    yield adam(10_000_000)


def adam(n: int) -> Case:
    (x, tx), (g, tg) = pair(n), pair(n)
    x.requires_grad_(), tx.requires_grad_()
    x.grad, tx.grad = g, tg
    ours, theirs = flow.optim.Adam([x]), torch.optim.Adam([tx], fused=True)
    return Case(f"Adam {n // 1_000_000}M", ours.step, theirs.step, streams=(4, 3, 4 * n), check=None, bar=0.9)


def rows() -> Iterator[Case]:
    for r, c in ((4096, 1024), (4096, 1000)):
        x, w, b, target = pair(r, c), pair(c), pair(c), integers(c, r)
        normal = [partial(f, normalized_shape=(c,)) for f in (F.layer_norm, TF.layer_norm)]
        norm = [lambda x, w, b, f=f: f(x, weight=w, bias=b) for f in normal]
        families: tuple[tuple[str, Sides, list[Pair], int], ...] = (
            ("softmax", (partial(F.softmax, dim=1), partial(torch.softmax, dim=1)), [x], 1),
            ("layer norm", (norm[0], norm[1]), [x, w, b], 1),
            ("cross entropy", (F.cross_entropy, TF.cross_entropy), [x, target], 0),
        )
        for name, sides, parts, outputs in families:
            yield versus(f"{name} {r}x{c}", *sides, parts, streams=(1, outputs, 4 * r * c), bar=0.8)
        for name, sides, parts, outputs in families:
            loops = (1 + outputs, 1, 4 * r * c)
            yield backward(f"{name} {r}x{c}", *sides, parts, streams=loops, check=(1e-3, 1e-2), bar=0.7)
    x = pair(4096, 1024)
    reductions: tuple[tuple[str, str, dict[str, int]], ...] = (
        ("row sums", "sum", {"dim": 1}), ("column sums", "sum", {"dim": 0}), ("sum", "sum", {}), ("argmax", "argmax", {"dim": 1}),
    )  # fmt: skip
    for name, function, options in reductions:
        sides = [partial(getattr(m, function), **options) for m in (flow, torch)]
        yield versus(f"{name} 4096x1024", *sides, [x], streams=(1, 0, 4 * 4096 * 1024), check=(1e-4, 1e-1), bar=0.85)


def indexing() -> Iterator[Case]:
    moved = 4 * 16_384 * 256
    parts = [integers(50_000, 16_384), pair(50_000, 256)]
    yield versus("embedding 16384 of 50000x256", F.embedding, TF.embedding, parts, streams=(1, 1, moved), bar=0.8)
    x, s, at = pair(4096, 1024), pair(4096, 1024), integers(4096, 4096, 1024)
    gathers = [lambda x, at, m=m: m.gather(x, 0, at) for m in (flow, torch)]
    yield versus("gather 4096x1024", *gathers, [x, at], streams=(3, 1, 4 * 4096 * 1024), bar=0.8)
    scatters = [lambda x, at, s, m=m: m.scatter_add(x, 0, at, s) for m in (flow, torch)]
    yield versus("scatter_add 4096x1024", *scatters, [x, at, s])
    flat = each(lambda t: t.reshape(-1)[: 1 << 20], x)
    yield versus("sort 1M", *[lambda t, m=m: m.sort(t)[0] for m in (flow, torch)], [flat])
    yield versus("topk 4096x1024, 8", *[lambda t, m=m: m.topk(t, 8, 1)[0] for m in (flow, torch)], [x])
    loops = (1, 1, 4 * 4096 * 1024)
    sums = [partial(m.cumsum, dim=1) for m in (flow, torch)]
    yield versus("cumsum 4096x1024", *sums, [x], streams=loops, check=(1e-3, 1e-2))
    yield Case("randn 1M", lambda: flow.randn(1 << 20), lambda: torch.randn(1 << 20), check=None)
    pools = [partial(m.max_pool2d, kernel_size=2) for m in (F, TF)]
    yield versus("max_pool2d 64x56", *pools, [pair(8, 64, 56, 56)])
    turned = each(lambda t: t.T, pair(2048, 2048))
    yield versus(
        "transposed copy 2048",
        lambda t: t.contiguous(),
        lambda t: t.contiguous(),
        [turned],
        streams=(1, 1, 4 * 2048**2),
    )


FAMILIES = {f.__name__: f for f in (matmuls, attentions, convolutions, streams, rows, indexing)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="beginnings of names of cases")
    parser.add_argument("--json", type=Path, help="where the numbers go as well")
    parser.add_argument("--plot", type=Path, help="where a picture of the ratios to torch goes")
    parser.add_argument("--family", choices=FAMILIES, help="only these cases, in this process")
    arguments = parser.parse_args()
    if arguments.family is not None:
        results = run_family(arguments.family, arguments.names)
    else:
        print(f"{'':36} {'ours':>10}  torch / ours        of the roof", flush=True)
        results = [result for family in FAMILIES for result in in_a_process(family, arguments.names)]
    if arguments.json is not None:
        record = {
            "date": time.strftime("%Y-%m-%d"), "python": platform.python_version(), "torch": torch.__version__,
            "triton": triton.__version__, "cpu": processor(), "threads": THREADS, "cases": results,
        }  # fmt: skip
        arguments.json.write_text(json.dumps(record, indent=1) + "\n")
    if arguments.plot is not None:
        draw([r for r in results if "torch" in r], arguments.plot)


def in_a_process(family: str, names: list[str]) -> list[dict[str, Any]]:
    """The results of a family, undisturbed by what other families left in memory: sums read a third slower behind them."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [sys.executable, __file__, *names, "--family", family, "--json", file.name]
        subprocess.run(command, check=True)
        cases: list[dict[str, Any]] = json.loads(Path(file.name).read_text())["cases"]
        return cases


def run_family(family: str, names: list[str]) -> list[dict[str, Any]]:
    keep_freed_memory()
    torch.set_num_threads(THREADS)
    torch.manual_seed(0)
    native = Native()
    results = []
    for case in FAMILIES[family]():
        if names and not any(case.name.startswith(name) for name in names):
            continue
        compare(case)
        results.append(measure(case, native))
        print(line(results[-1]), flush=True)
    return results


def draw(results: list[dict[str, Any]], path: Path) -> None:
    """torch's time / ours as bars on a logarithmic axis, p20 to p80 as a line on each."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    results = results[::-1]
    figure, axes = plt.subplots(figsize=(8, 0.19 * len(results) + 1), layout="constrained")
    middle = [r["torch"]["p50"] for r in results]
    below = [max(m - r["torch"]["p20"], 0) for m, r in zip(middle, results, strict=True)]
    above = [max(r["torch"]["p80"] - m, 0) for m, r in zip(middle, results, strict=True)]
    colours = ["#2a7f62" if m >= 0.9 else "#c0842f" for m in middle]
    axes.barh([r["case"] for r in results], [m - 1 for m in middle], left=1, color=colours)
    axes.errorbar(middle, range(len(results)), xerr=[below, above], fmt="none", ecolor="#444444", elinewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_xticks(
        [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64], ["1/8", "1/4", "1/2", "1", "2", "4", "8", "16", "32", "64"]
    )
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_title(f"torch's time / ours, {THREADS} threads, {processor()}", fontsize=9)
    axes.set_ylim(-0.7, len(results) - 0.3)
    axes.tick_params(labelsize=7)
    figure.savefig(path, dpi=130)


def line(result: dict[str, Any]) -> str:
    text = f"{result['case']:36} {result['ours_us']:8.0f}us"
    if "torch" in result:
        text += f"  {result['torch']['p50']:5.2f} ({result['torch']['p20']:.2f} to {result['torch']['p80']:.2f})"
    if "roof" in result:
        share, bar = result["roof"], result["bar"]
        text += f"  {share['p50']:5.0%} ({share['p20']:.0%} to {share['p80']:.0%})"
        if bar:
            text += f" of {bar:.0%}" + ("" if share["p50"] >= bar else "  below")
    return text


def processor() -> str:
    for text in Path("/proc/cpuinfo").read_text().splitlines():
        if text.startswith("model name"):
            return text.split(":")[1].strip()
    return platform.machine()


if __name__ == "__main__":
    main()
