"""A compiled training step of many sizes, beside eager mode and beside programs of one size.

    python bench/sizes.py [--layers N] [--json FILE]

A small language model and AdamW. Printed are the time of calls of several lengths in turn, beside static programs and eager mode;
that of the first call of a length beside a later one; and how many graphs and plans there are. Run it on a quiet machine.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from typing import Any

import tritonflow as flow
from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.verdict import Quantiles

LENGTHS = range(16, 256, 7)[:32]
ROUNDS = 9
Step = Callable[[Any, Any], Any]


class Block(flow.nn.Module):
    """Attention and a wider layer."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.first, self.second = flow.nn.LayerNorm(size), flow.nn.LayerNorm(size)
        self.attention = flow.nn.Linear(size, 3 * size)
        self.up, self.down = flow.nn.Linear(size, 4 * size), flow.nn.Linear(4 * size, size)

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        batch, length, size = x.shape
        q, k, v = self.attention(self.first(x)).view(batch, length, 3, 4, size // 4).permute(2, 0, 3, 1, 4).unbind(0)
        y = flow.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + y.transpose(1, 2).reshape(batch, length, size)
        return x + self.down(flow.nn.functional.gelu(self.up(self.second(x))))


def step_of(layers: int) -> Step:
    """A step of a new model."""
    flow.manual_seed(0)
    words, head = flow.nn.Embedding(128, 64), flow.nn.Linear(64, 128)
    net = flow.nn.Sequential(*[Block(64) for _ in range(layers)])
    optimizer = flow.optim.AdamW([*words.parameters(), *net.parameters(), *head.parameters()], lr=1e-3)

    def step(x: flow.Tensor, y: flow.Tensor) -> flow.Tensor:
        optimizer.zero_grad()
        loss = flow.nn.functional.cross_entropy(head(net(words(x))).reshape(-1, 128), y.reshape(-1))
        loss.backward()
        optimizer.step()
        return loss

    return step


def batch(length: int) -> tuple[flow.Tensor, flow.Tensor]:
    """Of four sentences."""
    return flow.randint(0, 128, (4, length)), flow.randint(0, 128, (4, length))


def seconds(step: Step, lengths: Iterable[int]) -> list[float]:
    """How long each call took."""
    found = []
    for length in lengths:
        x, y = batch(length)
        start = time.perf_counter()
        step(x, y).item()
        found.append(time.perf_counter() - start)
    return found


def measured(layers: int) -> dict[str, float]:
    """All figures."""
    forms: dict[str, Step] = {
        "eager": step_of(layers), "static": flow.compile(step_of(layers), dynamic=False), "sized": flow.compile(step_of(layers))
    }  # fmt: skip
    seconds(forms["eager"], LENGTHS[:4])
    seconds(forms["static"], LENGTHS[:16])
    seconds(forms["sized"], LENGTHS[:2])
    first = seconds(forms["sized"], LENGTHS[2:])
    again = [seconds(step, LENGTHS[:16] if name == "static" else LENGTHS) for _ in range(ROUNDS) for name, step in forms.items()]
    times = {name: [sum(each[:16]) for each in again[k :: len(forms)]] for k, name in enumerate(forms)}
    draw = random.Random(0)
    fresh = seconds(forms["sized"], [draw.randint(16, 255) for _ in range(100)])
    captured: Any = forms["sized"]
    (template,) = next(iter(captured.programs._families.values())).templates
    graphs, plans = template._forward._schedules.counts
    return {
        "sized / static": Quantiles.of_ratios(times["sized"], times["static"]).p50,
        "sized / eager": Quantiles.of_ratios(times["sized"], times["eager"]).p50,
        "first call of a length, ms": 1e3 * Quantiles.of(first).p50,
        "later call, ms": 1e3 * Quantiles.of([each for one in again[2 :: len(forms)] for each in one]).p50,
        "100 random lengths, ms a call": 10 * sum(fresh),
        "graphs": graphs,
        "step plans": plans,
    }


def main() -> None:
    """Print the figures."""
    parser = script_parser(__doc__)
    parser.add_argument("--layers", type=int, default=4)
    options = parser.parse_args()
    found = measured(options.layers)
    for name, figure in found.items():
        print(f"{name:32} {figure:9.2f}")
    write_results(options.json, {"figures": found}, layers=options.layers)


if __name__ == "__main__":
    main()
