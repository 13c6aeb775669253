"""Optimizers that are changed outside of a captured step, and inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tests.graph.programs.trainings import MAKERS, Training
from tritonflow import nn


def trained(way: str, maker: str, change: Callable[[Training], Any]) -> Any:
    training = Training(way, maker)
    losses = training.losses(3)
    change(training)
    return losses + training.losses(2), [round(v, 5) for v in training.net.w.tolist()]


def halve(optimizer: Any) -> None:
    optimizer.param_groups[0]["lr"] *= 0.5


def nothing(result: Any) -> None:
    """What a hook returns that changes no argument."""


OUTSIDE: dict[str, Callable[[Training], Any]] = {
    "nothing": lambda training: None,
    "state cleared": lambda training: training.optimizer.state.clear(),
    "state popped": lambda training: training.optimizer.state.pop(training.net.w),
    "state replaced": lambda training: training.optimizer.state[training.net.w].update(
        {k: flow.zeros(2) for k in ("m", "momentum_buffer", "exp_avg") if k in training.optimizer.state[training.net.w]}
    ),
    "learning rate": lambda training: halve(training.optimizer),
    "hook before": lambda training: training.optimizer.register_step_pre_hook(
        lambda *_: nothing(training.net.w.grad.mul_(0.5))
    ),
    "hook behind": lambda training: training.optimizer.register_step_post_hook(
        lambda *_: nothing(training.net.w.data.mul_(0.5))
    ),
    "memory": lambda training: setattr(training.net.w, "data", flow.full((2,), 0.5)),
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("way", ("compile", "graph"))
def test_optimizers_that_are_changed_outside(way: str, maker: str) -> None:
    for name, change in OUTSIDE.items():
        assert trained(way, maker, change) == trained("eager", maker, change), name


@pytest.mark.parametrize("way", ("compile", "graph"))
def test_hooks_of_steps_that_are_there_at_first_and_removed(way: str) -> None:
    def losses(way: str) -> Any:
        training, seen = Training(way), []
        before = training.optimizer.register_step_pre_hook(lambda *_: seen.append(1))
        behind = training.optimizer.register_step_post_hook(lambda *_: nothing(training.net.w.data.mul_(0.5)))
        found = training.losses(2)
        behind.remove()
        found += training.losses(2)
        before.remove()
        return found + training.losses(1), seen

    assert losses(way) == losses("eager")


def test_learning_rates_that_are_set_inside() -> None:
    def counted() -> Callable[[Training], Any]:
        current = {"k": 0}

        def inside(training: Training) -> None:
            current["k"] += 1
            training.optimizer.param_groups[0]["lr"] = 0.125 / current["k"]

        return inside

    def warm(training: Training) -> None:
        group = training.optimizer.param_groups[0]
        group["lr"] = min(0.25, group["lr"] * 2)

    for make in (counted, lambda: lambda training: halve(training.optimizer), lambda: warm):
        eager, compiled = Training("eager", "momentum", make()), Training("compile", "momentum", make())
        assert compiled.losses(4) == eager.losses(4)
        assert compiled.optimizer.param_groups[0]["lr"] == eager.optimizer.param_groups[0]["lr"]


@pytest.mark.parametrize("way", ("compile", "graph"))
def test_parameters_over_one_memory(way: str) -> None:
    def stepped(way: str, kind: Any) -> Any:
        net = nn.Module()
        net.a, net.b = nn.Parameter(flow.ones(2)), nn.Parameter(flow.ones(2))
        net.b.data = net.a.data
        optimizer = kind(net.parameters(), lr=0.125)

        def loss_of(x: Any) -> Any:
            loss = (net.a * x).square().sum() + (net.b * x * 2).sum()
            loss.backward()
            return loss

        def step(x: Any) -> Any:
            optimizer.zero_grad()
            loss = loss_of(x)
            optimizer.step()
            return loss

        class Graph(nn.Graph):
            def __init__(self) -> None:
                super().__init__()
                self.net = net
                self.add_optimizer(optimizer)

            def build(self, x: Any) -> Any:
                return loss_of(x)

        f = {"eager": lambda: step, "compile": lambda: flow.compile(step), "graph": Graph}[way]()
        return [round(f(flow.ones(2)).item(), 4) for _ in range(2)], [round(v, 4) for v in net.a.tolist()]

    for kind in (flow.optim.SGD, flow.optim.Adam):
        assert stepped(way, kind) == stepped("eager", kind)
