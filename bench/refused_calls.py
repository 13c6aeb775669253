"""Calls of compiled functions that no graph can do, beside the same calls of the functions as they are.

    python bench/refused_calls.py [NAME ...] [--json FILE]

Each function asks for an array of its result, which no graph has; "40 lengths" are so many calls, each of another shape. It is
called until its calls are examined most rarely. Printed are medians, in microseconds, and the median of the ratios of alternating
bursts. Bar: 1.1 for functions of one shape. Run it on a quiet machine.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import tritonflow as flow
from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.timing import Effort, alternate, burst_of
from tritonflow.bench.verdict import Quantiles

EFFORT = Effort(rounds=61, least=61, burst=0.01)
WARM = 2000  # calls before the first that counts
Call = Callable[..., Any]


def few(x: flow.Tensor) -> flow.Tensor:
    """Three ops."""
    y = x * 2 + 1
    return y if y.sum().numpy() > 3 else -y


def many(x: flow.Tensor) -> flow.Tensor:
    """Twenty ops."""
    y = x
    for _ in range(19):
        y = y * 0.5
    return y if y.sum().numpy() > 3 else x


class Layers(flow.nn.Module):
    """Two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = flow.nn.Linear(8, 8), flow.nn.Linear(8, 8)

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        y = self.second(self.first(x).relu())
        return y if y.sum().numpy() > 3 else -y


class Block(flow.nn.Module):
    """Five ops."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.up, self.down = flow.nn.LayerNorm(64), flow.nn.Linear(64, 256), flow.nn.Linear(256, 64)

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        return x + self.down(flow.nn.functional.gelu(self.up(self.norm(x))))


class Blocks(flow.nn.Module):
    """A module of six blocks, which is a graph where it leaves no history."""

    def __init__(self) -> None:
        super().__init__()
        self.body = flow.nn.Sequential(*[Block() for _ in range(6)])

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        with flow.no_grad():
            x = self.body(x)
        return x if x.sum().numpy() > 3 else -x


class Plain:
    """A method of three ops."""

    def run(self, x: flow.Tensor) -> flow.Tensor:
        return few(x)


class Compiled(Plain):
    """The same, compiled."""

    run = flow.compile(Plain.run)


def cases() -> dict[str, tuple[Call, Call, Any]]:
    """By their names calls in eager mode, the same compiled, and the argument."""
    vector, rows, net = flow.ones(8), flow.ones(4, 8), Layers()
    plain, compiled = Plain(), Compiled()
    nested = {"inputs": [vector, vector + 1, 3], "targets": (1.0, vector + 2)}
    calls: dict[str, tuple[Call, Any]] = {
        "3 ops": (few, vector),
        "20 ops": (many, vector),
        "lambda": (lambda x: few(x), vector),
        "method of an object": (plain.run, vector),
        "nested arguments": (lambda given: few(given["inputs"][0]), nested),
        "module": (net, rows),
        "6 blocks inside": (Blocks(), flow.ones(64, 64)),
    }
    found = {name: (call, flow.compile(call), argument) for name, (call, argument) in calls.items()}
    found["compiled method"] = lambda x: plain.run(x), lambda x: compiled.run(x), vector
    lengths, sized = [flow.ones(n) for n in range(1, 41)], flow.compile(few)
    found["40 lengths"] = lambda xs: [few(x) for x in xs], lambda xs: [sized(x) for x in xs], lengths
    return found


def measure(eager: Call, compiled: Call, argument: Any) -> dict[str, float]:
    """Medians, and the median of the ratios."""
    for _ in range(WARM):
        compiled(argument)
    bursts = {"eager": burst_of(partial(eager, argument)), "compiled": burst_of(partial(compiled, argument))}
    times = alternate(bursts, EFFORT)
    medians = {f"{side}_us": round(1e6 * Quantiles.of(values).p50, 2) for side, values in times.items()}
    return {**medians, "ratio": round(Quantiles.of_ratios(times["compiled"], times["eager"]).p50, 3)}


def main() -> None:
    """Measure, and print a line for each case."""
    options = script_parser(__doc__, names="cases; all unless told").parse_args()
    warnings.simplefilter("ignore")
    found: dict[str, dict[str, float]] = {}
    for name, case in cases().items():
        if options.names and name not in options.names:
            continue
        row = found[name] = measure(*case)
        times = f"eager {row['eager_us']:7.2f} us, compiled {row['compiled_us']:7.2f} us"
        print(f"{name:20} {times}, ratio {row['ratio']:.3f}", flush=True)
    write_results(options.json, found)


if __name__ == "__main__":
    main()
