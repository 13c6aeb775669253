"""Learning rates of graphs, read off the parameters, against those of eager mode: the schedules that OneFlow's graph tests have."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow import nn

WARM = {"warmup_method": "linear", "warmup_factor": 0.1, "warmup_iters": 5, "warmup_prefix": False}
CASES: list[tuple[str | None, dict[str, Any], dict[str, Any] | None]] = [
    ("ConstantLR", {"factor": 0.1, "total_iters": 10}, None),
    ("LinearLR", {"start_factor": 0.1, "end_factor": 1.0, "total_iters": 10}, None),
    ("LinearLR", {"start_factor": 0.1, "end_factor": 0.9, "total_iters": 10}, None),
    ("StepLR", {"step_size": 10, "gamma": 0.1}, None),
    ("MultiStepLR", {"milestones": [5, 15], "gamma": 0.2}, None),
    ("PolynomialLR", {"decay_batch": 20, "end_learning_rate": 1e-5, "power": 2.0}, None),
    ("PolynomialLR", {"decay_batch": 15, "end_learning_rate": 1e-4, "power": 1.0, "cycle": True}, None),
    ("ExponentialLR", {"gamma": 0.5}, None),
    ("CosineDecayLR", {"decay_steps": 10, "alpha": 1e-3}, None),
    ("CosineAnnealingLR", {"T_max": 10, "eta_min": 1e-4}, None),
    ("CosineAnnealingWarmRestarts", {"T_0": 5, "T_mult": 1, "eta_min": 0.01}, None),
    ("CosineAnnealingWarmRestarts", {"T_0": 5, "T_mult": 2, "eta_min": 0.01}, None),
    ("CosineAnnealingWarmRestarts", {"T_0": 5, "T_mult": 2, "eta_min": 0.01, "decay_rate": 0.5, "restart_limit": 2}, None),
    ("LambdaLR", {"lr_lambda": lambda step: 1 / (1 + step)}, None),
    ("CosineAnnealingLR", {"T_max": 20, "eta_min": 1e-5}, WARM),
    ("CosineAnnealingLR", {"T_max": 20, "eta_min": 1e-5}, {**WARM, "warmup_prefix": True}),
    ("MultiStepLR", {"milestones": [10, 15], "gamma": 0.1}, WARM),
    ("CosineDecayLR", {"decay_steps": 20, "alpha": 1e-3}, {**WARM, "warmup_method": "constant"}),
    ("CosineDecayLR", {"decay_steps": 20, "alpha": 1e-3}, {**WARM, "warmup_method": "constant", "warmup_prefix": True}),
    ("StepLR", {"step_size": 3, "gamma": 0.5}, {**WARM, "warmup_iters": 0}),
    (None, {}, WARM),
]
STEPS = 25


class Weight(nn.Module):
    """The gradient of its result is 1, so that a step of SGD changes it by the learning rate."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(flow.zeros(1))

    def forward(self) -> Any:
        return self.weight.sum()


class Train(nn.Graph):
    def __init__(self, net: Any, optimizer: Any, schedule: Any) -> None:
        super().__init__()
        self.net = net
        self.add_optimizer(optimizer, lr_sch=schedule)

    def build(self) -> Any:
        loss = self.net()
        loss.backward()
        return loss


def setup(name: str | None, options: dict[str, Any], warm: dict[str, Any] | None) -> tuple[Any, Any, Any]:
    net = Weight()
    optimizer = flow.optim.SGD(net.parameters(), lr=0.1)
    schedule = optimizer if name is None else getattr(flow.optim.lr_scheduler, name)(optimizer, **options)
    return net, optimizer, schedule if warm is None else flow.optim.lr_scheduler.WarmupLR(schedule, **warm)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{'-'.join(case[1])}{'-warm' if case[2] else ''}")
def test_learning_rates_of_a_graph_are_eagers(case: Any) -> None:
    _, optimizer, schedule = setup(*case)
    expected = []
    for _ in range(STEPS):
        expected.append(schedule.get_last_lr()[0])
        optimizer.step()
        schedule.step()
    net, optimizer, schedule = setup(*case)
    train = Train(net, optimizer, schedule)
    actual = []
    for _ in range(STEPS):
        train()
        actual.append(-net.weight.item())
        with flow.no_grad():
            net.weight.zero_()
    numpy.testing.assert_array_equal(numpy.float32(actual), numpy.float32(expected))
    assert len(set(expected)) > 1 or case[0] == "ConstantLR"
    assert len(train._captured.cache) == 1  # a new rate is no new program
