"""An estimate of a training step on an H200, launch by launch, from the compiler's output. Needs no GPU.

    python bench/gpu_step.py [NAME ...] [--layers N] [--json FILE]

NAME is a part of "GPT-2 124M" or "ResNet-50", the cases of bench/gpu_models.py; both unless it is given. `gpu_estimate.py` has the
model behind the figures. A floor is the larger of bytes / 4.3 TB/s and operations of products / 788 TFLOP/s. Launches of one
kernel, grid and row of `explain()` are one line; --layers takes a GPT of fewer layers, which is compiled sooner.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import tritonflow as flow  # noqa: E402
from bench import gpu_models  # noqa: E402
from bench.gpu_estimate import MEMORY, kernel_of, moved  # noqa: E402
from tests.kernels.compile_sweep import Launched, sweep  # noqa: E402
from tritonflow.bench.script import script_parser, write_results  # noqa: E402

OPERATIONS = 788e12  # of products of halves, in a second


@dataclass
class Line:
    """Equal launches: how often, and the estimate and floor of all of them in seconds."""

    title: str
    kernels: tuple[str, ...]
    times: int = 0
    seconds: float = 0.0
    floor: float = 0.0
    facts: list[dict[str, Any]] = field(default_factory=list)


def explained(model: Any) -> tuple[list[Any], list[Launched]]:
    """The kernels of a compiled step as `explain()` tells them, and their launches on an H200."""
    with sweep(90) as found, flow.device("cuda"):
        step = model.step(flow, "cuda", False, True)
        step()
        launches = [launched for launched in found.launches if launched.request.fn.__name__ != "put_addresses"]
        kernels = step.func.explain().kernels
    return kernels, launches[-sum(row.launches for row in kernels) :]


def lines_of(kernels: list[Any], launches: list[Launched]) -> list[Line]:
    """What the step launches, equal launches together, the longest first."""
    found: dict[Any, Line] = {}
    first = 0
    for row in kernels:
        mine = launches[first : first + row.launches]
        first += row.launches
        key = (row.title, *[(str(launched.request), launched.grid) for launched in mine])
        line = found.setdefault(key, Line(row.title, tuple([launched.request.name for launched in mine])))
        line.times += 1
        _add(line, row, mine)
    return sorted(found.values(), key=lambda line: -line.seconds)


def _add(line: Line, row: Any, launches: list[Launched]) -> None:
    """A row of `explain()`, with its launches: bytes are shared by all, operations by those that multiply in matrix units."""
    kernels = [kernel_of(launched) for launched in launches]
    operations = row.cost.flops if row.kind == "product" else 0.0
    multiplying = sum(bool(kernel.loops) for kernel in kernels)
    beside = [moved(launched) if operations else 0.0 for launched in launches]  # which the row does not count
    own = beside.count(0.0)
    for kernel, launched, extra in zip(kernels, launches, beside):
        flops = operations / multiplying if kernel.loops else 0.0
        line.seconds += kernel.seconds(launched, flops, extra or row.cost.bytes / own)
    line.floor += max(row.cost.bytes / MEMORY, operations / OPERATIONS)
    if not line.facts:
        line.facts = [
            {
                "kernel": launched.request.name, "grid": prod(launched.grid), "programs": kernel.code.programs,
                "registers": kernel.code.registers, "stack": kernel.code.stack,
                "loops": [[round(loop.matrix), round(loop.instructions)] for loop in kernel.loops],
            }
            for kernel, launched in zip(kernels, launches)
        ]  # fmt: skip


def main() -> None:
    parser = script_parser(__doc__, names="parts of names of models; all unless told")
    parser.add_argument("--layers", type=int)
    arguments = parser.parse_args()
    if arguments.layers:
        gpu_models.GPT2 = replace(gpu_models.GPT2, layers=arguments.layers)
    found = {}
    for name, model in gpu_models.MODELS.items():
        if not arguments.names or any(part in name for part in arguments.names):
            lines = lines_of(*explained(model))
            found[name] = {"step_ms": round(_total(lines), 2), "lines": [vars(line) for line in lines]}
            _print(name, lines)
    write_results(arguments.json, {"steps": found})


def _total(lines: list[Line]) -> float:
    return sum(line.seconds for line in lines) * 1e3


def _print(name: str, lines: list[Line]) -> None:
    print(f"\n{name}: {sum(line.times * len(line.kernels) for line in lines)} launches, {_total(lines):.2f} ms")
    for line in lines:
        each = line.seconds / line.times * 1e6
        share = line.floor / line.seconds
        facts = "; ".join(f"{f['kernel']} {f['grid']}, {f['registers']} registers {f['loops'] or ''}" for f in line.facts)
        print(f"{line.seconds * 1e6:9.1f} us = {line.times:3} x {each:7.1f} {share:5.0%}  {line.title[:44]:44} {facts}")


if __name__ == "__main__":
    main()
