"""Kernels and training steps on a GPU, beside torch eager, torch.compile and what the device can do.

    python bench/gpu.py [NAME ...] [--seconds 540] [--compile] [--out build/gpu] [--device cpu --tiny]

NAME selects the cases of gpu_cases.py and the models of gpu_models.py that contain it. Each row is written to FOLDER/gpu.json once
it is measured. A later run goes on behind what is there: delete the file to begin anew. A table is printed, and drawn as gpu.png.

The host's rows are of small operands: what a call takes before the device has done anything.
A kernel's time is the median of device events around one call, the second-level cache overwritten before each. A model's is that
of a training step in a row of them. Data are random. The roof is the least time for the bytes at the rate of a large copy, or for
the operations at the rate of torch's largest product of the dtype, or of a loop of products of tiles in the precision that we
multiply in, if that is higher. All are measured first.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
import triton

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import tritonflow as flow  # noqa: E402
from bench.gpu_cases import CASES, Call, Case  # noqa: E402
from bench.gpu_models import MODELS, Model  # noqa: E402
from tritonflow.device.provider import facts_of  # noqa: E402
from tritonflow.graph.explain.roof_measurement import roof_of  # noqa: E402
from tritonflow.ops.precision import product_dtype  # noqa: E402

Row = dict[str, Any]
WRONG = {"float32": 2e-5, "bfloat16": 2e-2, "float16": 4e-3}  # relative errors of results as a whole


class Bench:
    """The device, and how to measure on it; `tiny` shrinks every dimension, to try the cases out."""

    def __init__(self, device: str, tiny: bool) -> None:
        self.device, self.tiny = device, tiny
        self.flush = torch.empty(16 if tiny else 256 << 20, dtype=torch.uint8, device=device)

    # ------------------------------------------------------------------------------------------------------------- data

    def data(self, *shape: int, dtype: str = "float32", high: int | None = None) -> torch.Tensor:
        """Random numbers, or integers below `high`."""
        if self.tiny:
            shape, high = tuple(min(size, 48) for size in shape), high and min(high, 48)
        if high is not None:
            return torch.randint(0, high, shape, device=self.device)
        return torch.randn(shape, device=self.device).to(getattr(torch, dtype))

    def both(self, case: Case) -> tuple[Call, Call]:
        """The case's call in our library and in torch, of equal data."""
        made: list[torch.Tensor] = []

        def theirs(*shape: int, grad: bool = False, **options: Any) -> torch.Tensor:
            made.append(self.data(*shape, **options))
            return made[-1].clone().requires_grad_(grad)

        call = case.build(torch, theirs)
        data = iter(made)

        def ours(*shape: int, grad: bool = False, **options: Any) -> flow.Tensor:
            return flow.from_torch(next(data).clone()).requires_grad_(grad)

        return case.build(flow, ours), call

    # ------------------------------------------------------------------------------------------------------------- time

    def seconds(self, call: Call, limit: float = 0.5) -> float:
        """Of one call, with a cold cache."""
        for _ in range(2):
            call()
        if self.device == "cpu":
            start = time.perf_counter()
            call()
            return time.perf_counter() - start
        times: list[float] = []
        end = time.monotonic() + limit
        while len(times) < 10 or len(times) < 100 and time.monotonic() < end:
            events = [self._around(call) for _ in range(5)]
            torch.cuda.synchronize()
            times += [before.elapsed_time(after) * 1e-3 for before, after in events]
        return statistics.median(times)

    def _around(self, call: Call) -> tuple[Any, Any]:
        before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        self.flush.zero_()
        before.record()
        call()
        after.record()
        return before, after

    def roof(self) -> dict[str, float]:
        """Bytes a second of a copy; operations a second of matrix products and of convolutions by dtype."""
        nbytes, side = (1 << 16, 64) if self.tiny else (1 << 30, 8192)
        source = torch.empty(nbytes, dtype=torch.uint8, device=self.device)
        target = torch.empty_like(source)
        found = {"bytes": 2 * nbytes / self.seconds(lambda: target.copy_(source))}
        device = flow.device(self.device)
        for dtype in (flow.bfloat16, flow.float32):
            a, b = (self.data(side, side, dtype=dtype.name) for _ in range(2))
            theirs = 2 * side**3 / self.seconds(partial(torch.matmul, a, b))
            for kind in ("matmul", "conv"):
                precision = product_dtype(facts_of(device), dtype, kind)
                found[f"{kind} {dtype.name}"] = max(theirs, roof_of(device, [precision]).products.get(precision, 0.0))
        found["matmul float8"] = 2 * found["matmul bfloat16"]
        return found

    def host_seconds(self, call: Call, count: int = 200) -> float:
        """Of the host, for a call whose work the device does later: the least of bursts that fill no queue."""
        least = float("inf")
        for _ in range(20):
            flow.sync()
            start = time.perf_counter()
            for _ in range(count):
                call()
            least = min(least, (time.perf_counter() - start) / count)
        return least

    # ------------------------------------------------------------------------------------------------------------- rows

    def host(self, function: Callable[..., Any], shapes: tuple[tuple[int, ...], ...]) -> Row:
        ours, theirs = self.both(Case("", lambda lib, make: partial(function, lib, *(make(*s) for s in shapes)), 0))
        return {"ours": self.host_seconds(ours), "torch": self.host_seconds(theirs)}

    def case(self, case: Case, roof: dict[str, float], compiled: bool) -> Row:
        ours, theirs = self.both(case)
        row: Row = {"error": relative_error(ours(), theirs()) if case.exact else None}
        row["ours"], row["torch"] = self.seconds(ours), self.seconds(theirs)
        if compiled:
            row["torch.compile"] = self.seconds(torch.compile(theirs))
        kind = "conv" if case.name.startswith("conv") else "matmul"
        least = max(case.bytes / roof["bytes"], case.operations / roof[f"{kind} {case.dtype}"])
        row["share of the roof"] = least / row["ours"]
        return row

    def model(self, model: Model, compiled: bool) -> Row:
        steps: dict[str, Callable[[], Any]] = {
            "ours eager": model.step(flow, self.device, self.tiny, False),
            "ours": model.step(flow, self.device, self.tiny, True),
            "torch": model.step(torch, self.device, self.tiny, False),
        }
        if compiled:
            steps["torch.compile"] = model.step(torch, self.device, self.tiny, True)
        return {name: self.row_of_steps(step) for name, step in steps.items()}

    def row_of_steps(self, step: Callable[[], Any], count: int = 10) -> float:
        """Seconds of a step in a row of them, which overlap as in training."""
        for _ in range(1 if self.tiny else 5):
            float(step())
        times = []
        for _ in range(1 if self.tiny else 5):
            start = time.perf_counter()
            for _ in range(count):
                loss = step()
            float(loss)  # waits
            times.append((time.perf_counter() - start) / count)
        return statistics.median(times)


# Calls whose time is the host's: a function of the library and of tensors of these shapes.
HOST: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "host: add": (lambda lib, x, y: x + y, ((16,), (16,))),
    "host: relu": (lambda lib, x: lib.relu(x), ((16,),)),
    "host: multiply by a number": (lambda lib, x: x * 2.0, ((16,),)),
    "host: add in place": (lambda lib, x, y: x.add_(y), ((16,), (16,))),
    "host: select": (lambda lib, x: x[3], ((16,),)),
    "host: sum": (lambda lib, x: x.sum(), ((64, 64),)),
    "host: item": (lambda lib, x: x.sum().item(), ((64, 64),)),
    "host: matmul": (lambda lib, x, y: x @ y, ((64, 64), (64, 64))),
    "host: linear": (lambda lib, x, w, b: lib.nn.functional.linear(x, w, b), ((64, 64), (64, 64), (64,))),
    "host: softmax": (lambda lib, x: lib.nn.functional.softmax(x, -1), ((64, 64),)),
    "host: layer norm": (lambda lib, x, w, b: lib.nn.functional.layer_norm(x, (32,), w, b), ((64, 32), (32,), (32,))),
    "host: dropout": (lambda lib, x: lib.nn.functional.dropout(x, 0.1, True), ((64, 64),)),
}


def relative_error(ours: Any, theirs: Any) -> float:
    """The largest |x - y| / |y| over the results, in Euclidean norms."""
    pairs = zip(*(list(v) if isinstance(v, (tuple, list)) else [v] for v in (ours, theirs)))
    found = []
    for x, y in pairs:
        a, b = flow.to_torch(x.detach()).double(), y.detach().double()
        found.append(float((a - b).norm() / b.norm().clamp_min(1e-30)))
    return max(found)


def where(bench: Bench) -> dict[str, str]:
    """What the figures are of."""
    name = torch.cuda.get_device_name() if bench.device == "cuda" else platform.processor() or platform.machine()
    versions = {"tritonflow": flow.__version__, "torch": torch.__version__, "triton": triton.__version__}
    return {"device": name, **versions, "python": platform.python_version()}


def line(name: str, row: Row) -> str:
    """A row of the table."""
    if "failed" in row:
        return f"{name:52s} FAILED {row['failed']}"
    parts = [f"{name:52s} {row['ours'] * 1e6:10.1f} us"]
    parts += [
        f"{other}/ours {row[other] / row['ours']:5.2f}"
        for other in ("ours eager", "torch", "torch.compile")
        if other in row
    ]
    if "share of the roof" in row:
        parts.append(f"roof {row['share of the roof']:4.0%}")
    if row.get("error") is not None:
        wrong = row["error"] > WRONG["bfloat16" if "bfloat16" in name else "float32"] or row["error"] != row["error"]
        parts.append(f"{'WRONG' if wrong else 'error'} {row['error']:.0e}")
    return "  ".join(parts)


def draw(rows: dict[str, Row], file: Path) -> None:
    """Torch's time over ours, a bar a case; not where matplotlib is not installed."""
    try:
        from matplotlib import pyplot
    except ImportError:
        return
    names = [name for name, row in rows.items() if "torch" in row]
    figure, axes = pyplot.subplots(figsize=(9, 1 + 0.22 * len(names)), layout="constrained")
    ratios = [rows[name]["torch"] / rows[name]["ours"] for name in names]
    axes.barh(
        names,
        [ratio - 1 for ratio in ratios],
        left=1,
        color=["tab:green" if ratio >= 1 else "tab:red" for ratio in ratios],
    )
    axes.axvline(1, color="black", linewidth=1)
    axes.set(xscale="log", xlabel="torch's time / ours: above 1 we are faster")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("{x:g}")
    axes.invert_yaxis()
    figure.savefig(file, dpi=110)
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--tiny", action="store_true", help="small shapes, to try the cases out")
    parser.add_argument("--compile", action="store_true", help="torch.compile as well")
    parser.add_argument("--seconds", type=float, default=540, help="no case begins later")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "gpu")
    args = parser.parse_args()
    end = time.monotonic() + args.seconds
    torch.manual_seed(0)
    bench = Bench(args.device, args.tiny)
    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / "gpu.json"
    found = json.loads(file.read_text()) if file.exists() else {"where": where(bench), "roof": bench.roof(), "rows": {}}
    if found["where"] != where(bench):
        sys.exit(f"{file} is of {found['where']}: move it away first")
    print(found["where"], {key: f"{rate / 1e12:.3f} T/s" for key, rate in found["roof"].items()}, flush=True)
    work: dict[str, Callable[[], Row]] = {
        name: partial(bench.case, case, found["roof"], args.compile) for name, case in CASES.items()
    } | {name: partial(bench.host, *host) for name, host in HOST.items()}
    work |= {name: partial(bench.model, model, args.compile) for name, model in MODELS.items()}
    for name, measure in work.items():
        if name in found["rows"] or args.names and not any(wanted in name for wanted in args.names):
            continue
        if time.monotonic() > end:
            print("out of time: the next run goes on here")
            break
        try:
            found["rows"][name] = measure()
        except Exception as error:
            found["rows"][name] = {"failed": f"{type(error).__name__}: {error}"[:300]}
        print(line(name, found["rows"][name]), flush=True)
        file.write_text(json.dumps(found, indent=1) + "\n")
        gc.collect()
        flow.empty_cache()
    slow = sorted((row["torch"] / row["ours"], name) for name, row in found["rows"].items() if "torch" in row)[:15]
    print("\nfurthest behind torch:", *(f"\n  {ratio:5.2f}  {name}" for ratio, name in slow))
    draw(found["rows"], args.out / "gpu.png")


if __name__ == "__main__":
    main()
