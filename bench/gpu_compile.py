"""What the first call of a training step takes on a GPU whose caches are empty, by processor time. Needs no GPU.

    python bench/gpu_compile.py [NAME ...] [--cores 16] [--json bench/results/gpu_compile.json]

The cases are those of bench/gpu_models.py, for sm_90. Kernels of the step are compiled in a thread for each core. One thread
at a time has Python's lock: in the front end, and in Python around the compiler. MLIR, LLVM and ptxas give it up. Beside each
kernel with other arguments a launcher is compiled in C. The estimate for more cores gives each kernel to the first thread that is
free, and lets Python go on one after the other. Kernels of eager ops, which make weights and states, come one by one before.
"""

from __future__ import annotations

import heapq
import json
import os
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import triton._C.libtriton as libtriton  # noqa: E402
from triton.backends.nvidia import driver as launchers  # noqa: E402
from triton.runtime.build import _build  # noqa: E402

import tritonflow as flow  # noqa: E402
from bench import gpu_models  # noqa: E402
from tests.kernels import compile_sweep  # noqa: E402
from tritonflow.bench.script import script_parser, write_results  # noqa: E402
from tritonflow.triton_compat.functions import flat_types  # noqa: E402

UNLOCKED = (
    (libtriton.ir.pass_manager, "run"),
    *[(libtriton.llvm, name) for name in ("optimize_module", "translate_to_asm")],
)


class Cost(NamedTuple):
    """Seconds of a kernel: with Python's lock, without it, and of its launcher where no kernel before has the same."""

    name: str
    in_pool: bool
    locked: float
    unlocked: float
    launcher: float

    @property
    def total(self) -> float:
        return self.locked + self.unlocked + self.launcher


def requests_of(model: Any) -> tuple[list[tuple[Any, bool]], float]:
    """The kernels of a first call, whether they are compiled side by side, and the seconds of the call without them."""
    found: list[tuple[Any, bool]] = []

    def request(*parts: Any) -> Any:
        made = original(*parts)
        found.append((made, threading.current_thread().name.startswith("compile")))
        return made

    original = compile_sweep.Request
    compile_sweep.Request = request  # type: ignore[misc, assignment]
    try:
        start = time.process_time()
        with compile_sweep.sweep(90), flow.device("cuda"):
            model.step(flow, "cuda", False, True)()
        return found, time.process_time() - start
    finally:
        compile_sweep.Request = original  # type: ignore[misc]


@contextmanager
def clock_of_unlocked() -> Iterator[list[float]]:
    """A list whose only number grows by the seconds of the compiler's parts that give up Python's lock."""
    seconds = [0.0]
    originals = [getattr(owner, name) for owner, name in UNLOCKED]

    def timed(original: Any) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            start = time.thread_time()
            try:
                return original(*args, **options)
            finally:
                seconds[0] += time.thread_time() - start

        return call

    for (owner, name), original in zip(UNLOCKED, originals):
        setattr(owner, name, timed(original))
    try:
        yield seconds
    finally:
        for (owner, name), original in zip(UNLOCKED, originals):
            setattr(owner, name, original)


def costs_of(requests: list[tuple[Any, bool]]) -> list[Cost]:
    """What each kernel takes, in a cache of its own."""
    costs, built = [], set()
    with tempfile.TemporaryDirectory() as folder, clock_of_unlocked() as unlocked:
        os.environ["TRITON_CACHE_DIR"] = folder
        for request, in_pool in requests:
            start, children, before = time.process_time(), _of_children(), unlocked[0]
            request.compile(90)
            inside = unlocked[0] - before
            locked, ptxas = time.process_time() - start - inside, _of_children() - children
            types = tuple(flat_types(request.signature.values()))
            launcher = 0.0 if types in built else _launcher(folder, types)
            built.add(types)
            costs.append(Cost(request.name, in_pool, locked, inside + ptxas, launcher))
    return costs


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _launcher(folder: str, types: tuple[str, ...]) -> float:
    """Seconds of the C compiler for a launcher, which is linked with nothing here."""
    source = Path(folder) / "launcher.c"
    source.write_text(launchers.make_launcher({}, dict(enumerate(types)), None))
    start = _of_children()
    _build("__triton_launcher", str(source), folder, [], launchers.include_dirs, [], [])
    return _of_children() - start


def estimate(costs: list[Cost], cores: int) -> float:
    """Seconds of all kernels on so many cores."""
    alone = sum(cost.total for cost in costs if not cost.in_pool)
    free, lock, last = [0.0] * cores, 0.0, 0.0
    for cost in costs:
        if cost.in_pool:
            lock = max(heapq.heappop(free), lock) + cost.locked
            heapq.heappush(free, lock + cost.unlocked + cost.launcher)
            last = max(last, lock + cost.unlocked + cost.launcher)
    return alone + last


def measure(name: str, cores: int) -> dict[str, Any]:
    requests, call = requests_of(gpu_models.MODELS[name])
    costs = costs_of(requests)
    return {
        "case": name,
        "kernels": len(costs),
        "side by side": sum(cost.in_pool for cost in costs),
        "call": round(call, 2),
        "with the lock": round(sum(cost.locked for cost in costs), 2),
        "without it": round(sum(cost.unlocked for cost in costs), 2),
        "launchers": round(sum(cost.launcher for cost in costs), 2),
        "longest": [[cost.name, round(cost.total, 2)] for cost in sorted(costs, key=lambda cost: -cost.total)[:3]],
        "seconds": {str(n): round(call + estimate(costs, n), 1) for n in (1, 2, 4, 8, cores)},
    }


def main() -> None:
    parser = script_parser(__doc__, names="parts of names of models; all unless told")
    parser.add_argument("--cores", type=int, default=16)
    arguments = parser.parse_args()
    results = []
    for name in gpu_models.MODELS:
        if not arguments.names or any(part in name for part in arguments.names):
            results.append(measure(name, arguments.cores))
            print(json.dumps(results[-1]), flush=True)
    write_results(arguments.json, {"cases": results})


if __name__ == "__main__":
    main()
