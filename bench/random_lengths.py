"""An epoch of a small language model over sentences of random lengths, compiled from the first step on, beside eager mode.

    python bench/random_lengths.py [--layers N] [--steps N] [--json FILE]

Batches of eight sentences have one length of 16 to 256 each. Three trainings take turns, batch by batch: in eager mode, compiled,
and compiled with all batches padded to 256. Every capture and plan is counted, and kernels that are on no disk.
Printed are the whole epoch beside eager mode's, and the time of a token beside that of a padded batch: of all steps, and of those
whose length occurred before. Run it on a quiet machine.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import tritonflow as flow
from sizes import Step, step_of
from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.verdict import Quantiles

BATCH, SHORTEST, LONGEST = 8, 16, 256
FIRST = 20  # steps, which have the captures and most plans


def batch(length: int) -> tuple[flow.Tensor, flow.Tensor]:
    """Words, and those that follow."""
    return flow.randint(0, 128, (BATCH, length)), flow.randint(0, 128, (BATCH, length))


def seconds(step: Step, length: int) -> float:
    """How long a step took."""
    x, y = batch(length)
    start = time.perf_counter()
    step(x, y).item()
    return time.perf_counter() - start


def epoch(layers: int, lengths: list[int]) -> dict[str, list[float]]:
    """The seconds of each step of each training."""
    sized: Any = flow.compile(step_of(layers))
    padded: Any = flow.compile(step_of(layers))
    eager = step_of(layers)
    seconds(eager, LONGEST)  # imports are no training
    found: dict[str, list[float]] = {"eager": [], "sized": [], "padded": []}
    for length in lengths:
        found["eager"].append(seconds(eager, length))
        found["sized"].append(seconds(sized, length))
        found["padded"].append(seconds(padded, LONGEST))
    return found


def measured(layers: int, steps: int) -> dict[str, float]:
    """All figures."""
    draw = random.Random(0)
    lengths = [draw.randint(SHORTEST, LONGEST) for _ in range(steps)]
    found = epoch(layers, lengths)
    sized, total = found["sized"], {name: sum(each) for name, each in found.items()}
    met_before = [k for k, length in enumerate(lengths) if length in lengths[:k]]
    of_a_padded_token = Quantiles.of(found["padded"]).p50 / (BATCH * LONGEST)

    def of_a_token(chosen: Sequence[int]) -> float:
        """The time of a token in some steps beside that of a padded one."""
        return sum(sized[k] for k in chosen) / sum(BATCH * lengths[k] for k in chosen) / of_a_padded_token

    return {
        "epoch: sized / eager": total["sized"] / total["eager"],
        "epoch: sized / padded": total["sized"] / total["padded"],
        "a token: sized / padded batch": of_a_token(range(steps)),
        "a token, lengths met before: sized / padded batch": of_a_token(met_before),
        "first 20 steps: sized / eager": sum(sized[:FIRST]) / sum(found["eager"][:FIRST]),
        "lengths": len(set(lengths)),
        "epoch, s: sized": total["sized"],
        "epoch, s: eager": total["eager"],
        "epoch, s: padded": total["padded"],
    }


def main() -> None:
    """Print the figures."""
    parser = script_parser(__doc__)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args()
    found = measured(options.layers, options.steps)
    for name, figure in found.items():
        print(f"{name:50} {figure:9.3f}")
    write_results(options.json, {"figures": found}, layers=options.layers, steps=options.steps)


if __name__ == "__main__":
    main()
