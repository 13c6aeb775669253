"""What a graph's first call takes besides its kernels, for programs of several lengths: whether it grows as they do.

    python bench/compile_time.py [--json bench/results/compile_time.json]

A step of training (forward, backward, Adam) of a recurrent net over 16 to 128 times, and of a GPT of 3 to 12 layers. Each is
captured in processes of its own that find its kernels on disk, but no plan. Printed is the processor time of the process that took
least, by stages; `plan` is places in memory, launches and addresses. A recurrent net of 64 times has a bar: 2.5 s.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from typing import Any

import tritonflow as flow
from graph import THREADS, gpt
from tritonflow.bench.script import script_parser, write_results
from tritonflow.graph.api.debug import DebugReport

STARTS = 3  # processes that are measured, behind one that compiles
SHOWN = 5  # ms, from which on a stage is printed
LENGTHS = {"lstm": (16, 32, 64, 128), "gpt": (3, 6, 12)}


class Lstm(flow.nn.Module):
    """Two layers of 64, and the class of a sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.layers, self.head = flow.nn.LSTM(32, 64, 2), flow.nn.Linear(64, 10)

    def forward(self, x: Any) -> Any:
        return self.head(self.layers(x)[0][-1])


def case(name: str, length: int) -> tuple[Any, Any, Any]:
    """A model, its input and the classes."""
    if name == "lstm":
        return Lstm(), flow.randn(length, 16, 32), flow.randint(0, 10, (16,))
    text = flow.randint(0, 128, (4, 32))
    return gpt(flow, 96, length, 128, 32), text, text.reshape(-1)


class Train(flow.nn.Graph):
    """A step."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.add_optimizer(flow.optim.Adam(model.parameters(), lr=1e-3))

    def build(self, x: Any, target: Any) -> Any:
        loss = flow.nn.functional.cross_entropy(self.model(x), target)
        loss.backward()
        return loss


class Clock(DebugReport):
    """Notes how long stages take instead of printing them."""

    def __init__(self) -> None:
        super().__init__("")
        self.ms: defaultdict[str, float] = defaultdict(float)
        self.nodes = 0
        self._last = time.process_time()

    def captured(self, graph: Any) -> None:
        self.nodes = len(graph.nodes)
        self._mark("capture")

    def passed(self, name: str, graph: Any) -> None:
        self._mark(name)

    def planned(self, graph: Any, launches: int, arena_bytes: int) -> None:
        self._mark("plan")

    def _mark(self, stage: str) -> None:
        now = time.process_time()
        self.ms[stage] += 1e3 * (now - self._last)
        self._last = now


def measure(name: str, length: int) -> dict[str, Any]:
    """In this process."""
    model, x, target = case(name, length)
    graph = Train(model)
    graph._captured.report = clock = Clock()
    graph(x, target)
    return {"case": name, "length": length, "nodes": clock.nodes, "total ms": sum(clock.ms.values()), "ms": clock.ms}


def fresh(name: str, length: int) -> dict[str, Any]:
    """The process that took least."""
    command = [sys.executable, __file__, "--case", name, str(length)]
    environment = {**os.environ, "TRITONFLOW_KEEP_PLANS": "0"}
    runs = [
        subprocess.run(command, env=environment, check=True, capture_output=True, text=True) for _ in range(STARTS + 1)
    ]
    results: list[dict[str, Any]] = [json.loads(run.stdout) for run in runs]
    return min(results[1:], key=lambda result: float(result["total ms"]))


def show(result: dict[str, Any]) -> None:
    stages = ", ".join(f"{stage} {ms:.0f}" for stage, ms in result["ms"].items() if ms >= SHOWN)
    total, nodes = result["total ms"], result["nodes"]
    head = f"{result['case']:5} {result['length']:4} {nodes:6} nodes {total:6.0f} ms, {total / nodes:.2f} a node"
    print(f"{head}: {stages}", flush=True)


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.case:
        print(json.dumps(measure(arguments.case[0], int(arguments.case[1]))))
        return
    results = []
    for name, lengths in LENGTHS.items():
        for length in lengths:
            results.append(fresh(name, length))
            show(results[-1])
    write_results(arguments.json, {"cases": results}, threads=THREADS)


if __name__ == "__main__":
    main()
