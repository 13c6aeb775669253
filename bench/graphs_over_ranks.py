"""A training step over ranks: how much of the wire is hidden behind kernels, as a graph and in eager mode.

    python bench/graphs_over_ranks.py [--ranks 2] [--json bench/results/graphs_over_ranks.json]

Weights are on every rank, the batch is split: each gradient is added up over the ranks. The wire is throttled, so that moving all
gradients takes a part of the kernels' time: 0.5, 1 and 2. `step` is the step's time by the larger of the two; the bar is 1.15.
Without the throttle, a graph of one rank of this world is compared with the same graph of local tensors. Run it on a quiet machine
with a core for each rank.

`moved` is a graph's step by that of the same graph whose boxings begin where they were captured, each by itself; both run in turn.
`zero` splits the parameters, so that they are gathered; in `where_used` each layer gathers its own. `small` has many small ones.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tritonflow.bench.script import is_a_rank, on_ranks, script_parser, write_results
from tritonflow.bench.timing import Effort, alternate, burst_of
from tritonflow.bench.verdict import Quantiles

WIDTH, LAYERS, ROWS = 512, 6, 1024
STEPS = 9
PARTS = (0.5, 1.0, 2.0)
DECISIONS = {"place_boxes", "bucket"}


class Case(NamedTuple):
    """A model.

    Attributes:
        width, layers: of the model.
        rows: of a batch.
        zero: whether its parameters are split by the graph.
        where_used: whether they are split, and gathered by their layers.
        without: decisions about boxings that are not made.
    """

    width: int = WIDTH
    layers: int = LAYERS
    rows: int = ROWS
    zero: bool = False
    where_used: bool = False
    without: frozenset[str] = frozenset()

    @property
    def parameter_bytes(self) -> int:
        """Of all parameters."""
        return self.layers * (self.width * self.width + self.width) * 4


LARGE = Case()
CASES = {
    "zero": Case(zero=True),
    "where_used": Case(where_used=True),
    "small": Case(64, 40, 256),
    "small_zero": Case(64, 40, 256, zero=True),
}  # fmt: skip


def trained(over_ranks: bool, as_graph: bool, case: Case = LARGE) -> Callable[[], float]:
    """A step; gives its loss."""
    import tritonflow as flow
    from tritonflow import nn

    flow.manual_seed(0)
    layers = [layer for _ in range(case.layers) for layer in (nn.Linear(case.width, case.width), nn.ReLU())]
    model: Any = nn.Sequential(*layers)
    x = flow.randn(case.rows, case.width)
    if over_ranks:
        everyone = flow.placement.all("cpu")
        model = model.to_global(placement=everyone, sbp=flow.sbp.broadcast)
        x = x.to_global(placement=everyone, sbp=flow.sbp.split(0))
        if case.where_used:
            for layer in model[::2]:
                gather_where_used(layer)
    optimizer = flow.optim.SGD(model.parameters(), lr=1e-3)

    class Step(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.model = model
            self.add_optimizer(optimizer)
            self.config.without |= case.without
            if case.zero:
                self.config.enable_zero(True, stage=3, shard_min_size=1)

        def build(self, x: Any) -> Any:
            loss = self.model(x).square().mean()
            loss.backward()
            return loss

    graph = Step()

    def eager() -> Any:
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    def step() -> float:
        loss = graph(x) if as_graph else eager()
        return float((loss if loss.is_local else loss.to_local()).item())

    return step


def gather_where_used(layer: Any) -> None:
    """Split a layer's parameters, and let it gather them in each call."""
    import tritonflow as flow
    from tritonflow import nn

    for name, p in list(layer.named_parameters()):
        setattr(layer, name, nn.Parameter(p.detach().to_global(sbp=flow.sbp.split(0))))

    def forward(x: Any) -> Any:
        whole = [p.to_global(sbp=flow.sbp.broadcast) for p in (layer.weight, layer.bias)]
        return nn.functional.linear(x, *whole)

    layer.forward = forward


def seconds(step: Callable[[], float]) -> float:
    """Of a step: a median, as many steps on each rank."""
    effort = Effort(rounds=STEPS, least=STEPS, burst=0.0, calls=1)
    return Quantiles.of(alternate({"step": burst_of(step)}, effort)["step"]).p50


def measure() -> dict[str, Any]:
    """On one of the ranks."""
    import tritonflow as flow
    from tritonflow.wire.world import this_rank

    world = this_rank().world_size
    compute = seconds(trained(False, True))
    nbytes = LARGE.parameter_bytes * 2 * (world - 1) / world
    found: dict[str, Any] = {"compute_ms": round(1e3 * compute, 2)}
    steps = {"graph": trained(True, True), "eager": trained(True, False)}
    found["unthrottled"] = {name: round(seconds(step) / compute, 3) for name, step in steps.items()}
    for part in PARTS:
        with flow.testing.throttled(latency=1e-4, rate=nbytes / (part * compute)):
            longer = max(compute, part * compute)
            found[f"communication_{part}"] = {name: round(seconds(step) / longer, 3) for name, step in steps.items()}
    for name, case in CASES.items():
        found[f"moved_{name}"] = moved(case, world)
    return found


def moved(case: Case, world: int) -> dict[str, Any]:
    """The step of a graph by that of one whose boxings are moved where they were captured, over several wires."""
    import tritonflow as flow

    local = seconds(trained(False, True, case._replace(zero=False, where_used=False)))
    captured = case._replace(without=frozenset(DECISIONS))
    bursts = {name: burst_of(trained(True, True, each)) for name, each in (("moved", case), ("captured", captured))}
    effort = Effort(rounds=3 * STEPS, least=3 * STEPS, burst=0.0, calls=1)

    def ratio() -> dict[str, float]:
        times = alternate(bursts, effort)
        ratios = Quantiles.of([a / b for a, b in zip(times["moved"], times["captured"])])
        return {"ratio": round(ratios.p50, 3), "ms": round(1e3 * Quantiles.of(times["moved"]).p50, 2)}

    found: dict[str, Any] = {"local_ms": round(1e3 * local, 2), "unthrottled": ratio()}
    nbytes = case.parameter_bytes * 2 * (world - 1) / world
    for part in PARTS:
        with flow.testing.throttled(latency=1e-4, rate=nbytes / (part * local)):
            found[f"communication_{part}"] = ratio()
    return found


def overhead() -> float:
    """Microseconds that a small graph takes more where its tensors lie over a placement of one rank."""
    import tritonflow as flow

    def small(over: bool) -> Callable[[], Any]:
        x, w = flow.ones(4, 8), flow.ones(8, 8)
        if over:
            x, w = (t.to_global(flow.placement.all("cpu"), flow.sbp.broadcast) for t in (x, w))
        compiled = flow.compile(lambda x: flow.relu(x @ w) + 1)
        return lambda: compiled(x)

    effort = Effort(rounds=40, least=40, burst=0.0, calls=200)
    times = alternate({name: burst_of(small(name == "over")) for name in ("over", "local")}, effort)
    return 1e6 * Quantiles.of([a - b for a, b in zip(times["over"], times["local"])]).p50


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--ranks", type=int, default=2, help="how many")
    parser.add_argument("--rank-writes", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if is_a_rank(arguments, measure):
        return
    results = {"ranks": arguments.ranks, **on_ranks(__file__, arguments.ranks), "overhead_us_of_one_rank": round(overhead(), 2)}
    for name, value in results.items():
        print(f"{name:<28}{value}")
    write_results(arguments.json, results)


if __name__ == "__main__":
    main()
