"""Learning rates of graphs, read off the parameters, against those of eager mode: the schedules that OneFlow's graph tests have."""

from __future__ import annotations

import copy
import os
from pathlib import Path
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


def rates(train: Train, steps: int) -> list[float]:
    """What the next steps subtract from the weight."""
    actual = []
    for _ in range(steps):
        train()
        actual.append(-train.net.weight.item())
        with flow.no_grad():
            train.net.weight.zero_()
    return actual


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
    before = copy.deepcopy(schedule.state_dict())
    actual = rates(train, STEPS)
    assert schedule.state_dict() == before  # the graph counts by itself
    assert optimizer.param_groups[0]["lr"] == schedule.get_last_lr()[0]
    numpy.testing.assert_array_equal(numpy.float32(actual), numpy.float32(expected))
    assert len(set(expected)) > 1 or case[0] == "ConstantLR"
    assert len(train._captured.captures()) == 1  # a new rate is no new program


class Counting(flow.optim.lr_scheduler.LRScheduler):
    """Changes a list in place, and reads the rate of the step before."""

    def __init__(self, optimizer: Any) -> None:
        self.seen: list[int] = []
        super().__init__(optimizer)

    def get_lr(self) -> Any:
        self.seen.append(self.last_epoch)
        return [group["lr"] / (1 + len(self.seen)) for group in self.optimizer.param_groups]


def sequence(optimizer: Any) -> Any:
    module = flow.optim.lr_scheduler
    parts = [module.ConstantLR(optimizer, 0.5, 2), module.ExponentialLR(optimizer, 0.5)]
    return module.SequentialLR(optimizer, parts, milestones=[3])


SCHEDULES = {
    "sequence": sequence,
    "chain": lambda o: flow.optim.lr_scheduler.ChainedScheduler([flow.optim.lr_scheduler.StepLR(o, 2, 0.5)]),
    "step": lambda o: flow.optim.lr_scheduler.StepLR(o, 2, 0.5),
    "own": Counting,
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_state_goes_on_in_a_graph_and_in_eager_mode(name: str) -> None:
    make = SCHEDULES[name]

    def fresh() -> tuple[Any, Any, Any]:
        net = Weight()
        optimizer = flow.optim.SGD(net.parameters(), lr=0.1)
        return net, optimizer, make(optimizer)

    whole = rates(Train(*fresh()), 7)
    first = Train(*fresh())
    assert rates(first, 3) == whole[:3]
    state = copy.deepcopy(first.state_dict())
    assert rates(first, 4) == whole[3:]
    second = Train(*fresh())
    second.load_state_dict(copy.deepcopy(state))
    assert rates(second, 4) == whole[3:]

    _, optimizer, schedule = fresh()
    schedule.load_state_dict(state["lr_schedulers"][0])
    optimizer.load_state_dict(state["optimizers"][0])
    expected = []
    for _ in range(4):
        expected.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    numpy.testing.assert_array_equal(numpy.float32(expected), numpy.float32(whole[3:]))


def test_momentum_is_scheduled_too() -> None:
    ends = []
    for graph in (False, True):
        net = Weight()
        optimizer = flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        schedule = flow.optim.lr_scheduler.OneCycleLR(optimizer, 0.5, total_steps=7)
        before = {name: optimizer.param_groups[0][name] for name in ("lr", "momentum")}
        train = Train(net, optimizer, schedule)
        for _ in range(6):
            if graph:
                train()
            else:
                optimizer.zero_grad()
                net().backward()
                optimizer.step()
                schedule.step()
        ends.append(net.weight.item())
    assert ends[0] == ends[1]
    assert before == {name: optimizer.param_groups[0][name] for name in before}


def test_a_graph_goes_on_from_the_step_of_its_scheduler() -> None:
    net, optimizer, schedule = setup("ExponentialLR", {"gamma": 0.5}, None)
    optimizer.step()
    schedule.step()
    numpy.testing.assert_allclose(rates(Train(net, optimizer, schedule), 2), [0.05, 0.025], rtol=1e-6)


def test_a_call_that_fails_is_no_step() -> None:
    net, optimizer, schedule = setup("ExponentialLR", {"gamma": 0.5}, None)
    train = Train(net, optimizer, schedule)
    with pytest.raises(TypeError):
        train(1, 2)
    assert optimizer.param_groups[0]["lr"] == 0.1
    numpy.testing.assert_allclose(rates(train, 2), [0.1, 0.05], rtol=1e-6)


def test_the_log_of_learning_rates(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ONEFLOW_DEBUG_MODE", "True")
    rates(Train(*setup("ExponentialLR", {"gamma": 0.5}, None)), 3)
    (path,) = tmp_path.glob(f"log/*/{os.getpid()}-train_step2lr.csv")
    assert path.read_text().splitlines() == ["train_step, lr", "0,0.1", "1,0.05", "2,0.025"]
