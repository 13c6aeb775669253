"""Compiled calls that look at numbers of tensors, beside eager mode and beside programs that do not.

    python bench/decisions.py [--json FILE]

Printed are the time of a network whose result is clipped by an `if`, of experts chosen by `nonzero`, and of a training step with
two decisions, each beside eager mode; that of the step beside one program without decisions; and the milliseconds of a way that
is gone for the first time. Run it on a quiet machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import tritonflow as flow
from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.verdict import Quantiles

ROUNDS = 400
Call = Callable[[Any], Any]


def network() -> Call:
    """Twelve layers, and an `if`."""
    flow.manual_seed(0)
    net = flow.nn.Sequential(*[flow.nn.Sequential(flow.nn.Linear(64, 64), flow.nn.GELU()) for _ in range(12)]).requires_grad_(False)

    def clipped(x: flow.Tensor) -> flow.Tensor:
        y = net(x)
        return y / y.norm() if y.norm() > 1 else y * 2

    return clipped


class Experts(flow.nn.Module):
    """Each of four experts gets the rows that chose it."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = flow.nn.Linear(64, 4)
        self.experts = flow.nn.ModuleList(
            [flow.nn.Sequential(flow.nn.Linear(64, 128), flow.nn.GELU(), flow.nn.Linear(128, 64)) for _ in range(4)]
        )

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        weight, chosen = self.gate(x).softmax(-1).topk(2, -1)
        out = flow.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows, k = flow.where(chosen == number)
            out = out.index_add(0, rows, expert(x[rows]) * weight[rows, k][:, None])
        return out


def training(decides: bool) -> Call:
    """A step of a network, which may clip gradients and be skipped."""
    flow.manual_seed(0)
    net = flow.nn.Sequential(*[flow.nn.Sequential(flow.nn.Linear(64, 64), flow.nn.GELU()) for _ in range(6)])
    optimizer = flow.optim.AdamW(net.parameters(), lr=1e-3)

    def step(x: flow.Tensor) -> flow.Tensor:
        optimizer.zero_grad()
        loss = (net(x) - x).square().mean()
        loss.backward()
        norm = flow.stack([p.grad.norm() for p in net.parameters()]).norm()
        if decides and norm > 100:
            for p in net.parameters():
                p.grad.mul_(100 / norm)
        if not decides or flow.isfinite(loss):
            optimizer.step()
        return loss.detach()

    return step


def seconds(calls: dict[str, Call], inputs: list[flow.Tensor]) -> dict[str, list[float]]:
    """How long calls took, by turns."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    for k in range(ROUNDS + 20):
        x = inputs[k % len(inputs)]
        for name, call in calls.items():
            start = time.perf_counter()
            call(x).detach().numpy()
            if k >= 20:
                found[name].append(time.perf_counter() - start)
    return found


def first_way() -> float:
    """The milliseconds of a call that decides otherwise behind 200 ops, whose kernels are known."""

    def many(x: flow.Tensor) -> flow.Tensor:
        for _ in range(200):
            x = x + 1
        return x if x.sum() > 1000 else -x

    found = []
    for _ in range(9):
        f = flow.compile(many)
        f(flow.ones(4))
        start = time.perf_counter()
        f(flow.ones(4) * 1000)
        found.append(1e3 * (time.perf_counter() - start))
    return Quantiles.of(found).p50


def measured() -> dict[str, float]:
    """All figures."""
    flow.manual_seed(1)
    rows = [flow.randn(8, 64) for _ in range(16)]
    clipped, experts = network(), Experts().requires_grad_(False)
    of_network = seconds({"eager": clipped, "compiled": flow.compile(clipped)}, rows)
    of_experts = seconds({"eager": experts, "compiled": flow.compile(experts)}, rows)
    of_training = seconds(
        {"eager": training(True), "compiled": flow.compile(training(True)), "one program": flow.compile(training(False))}, rows
    )
    return {
        "clipped network / eager": Quantiles.of_ratios(of_network["compiled"], of_network["eager"]).p50,
        "experts / eager": Quantiles.of_ratios(of_experts["compiled"], of_experts["eager"]).p50,
        "training / eager": Quantiles.of_ratios(of_training["compiled"], of_training["eager"]).p50,
        "training / one program": Quantiles.of_ratios(of_training["compiled"], of_training["one program"]).p50,
        "another way for the first time, ms": first_way(),
    }


def main() -> None:
    """Print the figures."""
    options = script_parser(__doc__).parse_args()
    found = measured()
    for name, figure in found.items():
        print(f"{name:36} {figure:9.2f}")
    write_results(options.json, {"figures": found})


if __name__ == "__main__":
    main()
