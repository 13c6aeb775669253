"""What an op on a consistent tensor costs on the host beside the same op on its shard: 16 elements, nothing is boxed.

    python bench/consistent_overhead.py [--json bench/results/consistent_overhead.json]

One rank is enough: what an op does without boxing does not depend on how many there are. Ratios are medians over rounds in
which bursts of both alternate. Bar: 1.05. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import triton

import tritonflow as flow

CALLS, ROUNDS = 2000, 31
Call = Callable[[], Any]


def nanoseconds(call: Call) -> float:
    """The time of one call in a burst, the loop's own time included."""
    start = time.perf_counter_ns()
    for _ in range(CALLS):
        call()
    return (time.perf_counter_ns() - start) / CALLS


def compare(consistent: Call, local: Call) -> dict[str, float]:
    """Medians of alternating bursts, and the median of their ratios."""
    for call in (consistent, local):
        nanoseconds(call)
    pairs = [(nanoseconds(consistent), nanoseconds(local)) for _ in range(ROUNDS)]
    return {
        "consistent_ns": round(statistics.median(a for a, _ in pairs), 1),
        "local_ns": round(statistics.median(b for _, b in pairs), 1),
        "ratio": round(statistics.median(a / b for a, b in pairs), 3),
    }


def cases(x: Any, w: Any, b: Any) -> dict[str, Call]:
    """Ops with one, two and three inputs, in place, as views, with a scalar, and recorded for backward."""
    y, leaf = x.clone(), x.clone().requires_grad_()
    return {
        "relu": lambda: flow.relu(x),
        "add": lambda: x + b,
        "add a scalar": lambda: x + 1.0,
        "add in place": lambda: y.add_(b),
        "matmul": lambda: x @ w,
        "linear": lambda: flow.nn.functional.linear(x, w, b),
        "layer_norm": lambda: flow.nn.functional.layer_norm(x, (4,)),
        "softmax": lambda: flow.softmax(x, 1),
        "transpose": lambda: x.permute(1, 0),
        "sum of rows": lambda: x.sum(1),
        "relu, recorded": lambda: flow.relu(leaf),
        "add, recorded": lambda: leaf + b,
    }


def main() -> None:
    """Print a line for each case, and write them all as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    placement = flow.placement("cpu", ranks=[0])
    x, w, b = flow.randn(4, 4), flow.randn(4, 4), flow.randn(4)
    split, whole = flow.sbp.split(0), flow.sbp.broadcast
    laid_out = [t.to_global(placement=placement, sbp=s) for t, s in ((x, split), (w, whole), (b, whole))]
    results = {}
    for (name, consistent), local in zip(cases(*laid_out).items(), cases(x, w, b).values()):
        found = results[name] = compare(consistent, local)
        print(f"{name:<16}{found['consistent_ns']:>10,.0f} ns {found['local_ns']:>10,.0f} ns   {found['ratio']:.3f}")
    if arguments.json:
        versions = {"python": platform.python_version(), "torch": torch.__version__, "triton": triton.__version__}
        arguments.json.write_text(json.dumps({"versions": versions, "cases": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
