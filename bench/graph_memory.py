"""Peak memory of a training step as a graph, in our eager mode, in torch, and by jax.jit.

    python bench/graph_memory.py [NAME ...] [--jax] [--json bench/results/graph_memory.json]

The steps are graph.py's; without names that of GPT. Each kind of step has a process of its own. What is printed is by how much
its resident memory at its highest exceeds what it was with everything imported and the model and its inputs made: over the first
steps, compilation included, and over the steps behind them.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import torch

from graph import KINDS, THREADS, cases
from tritonflow.bench.script import script_parser, write_results

STEPS = 3


def resident(name: str) -> float:
    """MB of this process's memory: VmRSS as it is, VmHWM at its highest since the last `forget_peak`."""
    (kilobytes,) = re.findall(rf"^{name}:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(kilobytes) / 1024


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def measure(name: str, kind: str) -> dict[str, float]:
    """In this process: MB above the beginning, of the first steps and of later ones."""
    (case,) = (case for case in cases() if case.name == name)
    torch.set_num_threads(THREADS)
    torch.manual_seed(0)
    step = KINDS[kind](case, case.model(torch).state_dict(), False)
    begin = resident("VmRSS")
    result = {}
    for phase in ("first steps", "later steps"):
        forget_peak()
        for _ in range(STEPS):
            step().item()
        result[phase] = resident("VmHWM") - begin
    return result


def in_a_process(name: str, kind: str) -> dict[str, float]:
    command = [sys.executable, __file__, name, "--kind", kind]
    result: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return result


def main() -> None:
    parser = script_parser(__doc__, names="cases of graph.py; that of GPT unless told")
    parser.add_argument("--jax", action="store_true", help="jax.jit, too")
    parser.add_argument("--kind", choices=KINDS, help="only this kind, in this process, as JSON")
    arguments = parser.parse_args()
    names = arguments.names or ["gpt"]
    if arguments.kind is not None:
        print(json.dumps(measure(names[0], arguments.kind)))
        return
    kinds = ["graph", "our eager", "torch eager", *(["jax.jit"] if arguments.jax else [])]
    results = []
    for name in names:
        peaks = {kind: in_a_process(name, kind) for kind in kinds}
        graph = peaks["graph"]
        ratio = {kind: {phase: graph[phase] / mb for phase, mb in peaks[kind].items()} for kind in kinds[1:]}
        results.append({"case": name, "MB": peaks, "ratio": ratio})
        for kind in kinds:
            figures = ", ".join(
                f"{phase} {mb:6.1f} MB" + (f" (graph {ratio[kind][phase]:.2f} of it)" if kind in ratio else "")
                for phase, mb in peaks[kind].items()
            )
            print(f"{name:6} {kind:12} {figures}", flush=True)
    write_results(arguments.json, {"cases": results}, threads=THREADS)


if __name__ == "__main__":
    main()
