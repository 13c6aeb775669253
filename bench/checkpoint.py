"""A checkpoint that is written while training goes on: what a step waits for, and what it takes meanwhile.

    python bench/checkpoint.py [--mib 200] [--json bench/results/checkpoint.json]

`blocked / copy` is the time that `async_save` takes, by that of a copy on the host. `step / alone` is a step while a checkpoint is
written, by one while none is. Run it on a quiet machine, on a disk that people would write to.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import tritonflow as flow
from tritonflow import nn
from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.verdict import Quantiles
from tritonflow.distributed import checkpoint

ROUNDS = 7
WIDTH = 512


def training() -> Any:
    """A step of some ten milliseconds."""
    flow.manual_seed(0)
    net = nn.Sequential(*[layer for _ in range(4) for layer in (nn.Linear(WIDTH, WIDTH), nn.ReLU())])
    optimizer = flow.optim.AdamW(net.parameters(), lr=1e-3)
    x = flow.randn(256, WIDTH)

    def step() -> float:
        begin = perf_counter()
        optimizer.zero_grad()
        loss = net(x).square().mean()
        loss.backward()
        optimizer.step()
        loss.item()
        return perf_counter() - begin

    return step


def copied(state: dict[str, Any]) -> float:
    """Seconds of a copy of all tensors."""
    begin = perf_counter()
    for x in state.values():
        x.clone()
    flow.sync()
    return perf_counter() - begin


def measure(mib: int) -> dict[str, float]:
    """Ratios of interleaved rounds."""
    state = {f"x{k}": flow.ones(mib // 8, 1 << 18) for k in range(8)}
    step = training()
    for _ in range(5):
        step()
    blocked, steps = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS + 1):
            alone = [step() for _ in range(20)]
            copy = min(copied(state) for _ in range(2))
            begin = perf_counter()
            future = checkpoint.async_save(state, checkpoint_id=str(Path(folder) / str(number)))
            wait = perf_counter() - begin
            during = []
            while not future.done():
                during.append(step())
            future.result()
            if number:  # the first one makes the host's buffer
                blocked.append(wait / copy)
                steps.append(Quantiles.of(during).p50 / Quantiles.of(alone).p50)
    return {"blocked / copy": Quantiles.of(blocked).p50, "step / alone": Quantiles.of(steps).p50}


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--mib", type=int, default=200, help="how large the checkpoint is")
    arguments = parser.parse_args()
    found = measure(arguments.mib)
    for name, value in found.items():
        print(f"{name:<20}{value:6.2f}")
    write_results(arguments.json, {"figures": found, "mib": arguments.mib})


if __name__ == "__main__":
    main()
