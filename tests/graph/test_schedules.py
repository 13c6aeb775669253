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
    _, eager, told = setup(*case)
    net, optimizer, schedule = setup(*case)
    train = Train(net, optimizer, schedule)
    expected, actual = [], []
    for _ in range(STEPS):
        expected.append(told.get_last_lr()[0])
        eager.step()
        told.step()
        actual += rates(train, 1)
        assert schedule.get_last_lr() == told.get_last_lr() == [optimizer.param_groups[0]["lr"]]
        assert schedule.last_step == told.last_step and schedule.state_dict().keys() == told.state_dict().keys()
        assert optimizer.state_dict()["param_groups"] == eager.state_dict()["param_groups"]
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
    ends, options = [], []
    for graph in (False, True):
        net = Weight()
        optimizer = flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        schedule = flow.optim.lr_scheduler.OneCycleLR(optimizer, 0.5, total_steps=7)
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
        options.append({name: optimizer.param_groups[0][name] for name in ("lr", "momentum")})
    assert ends[0] == ends[1]
    assert options[0] == options[1]


def test_a_graph_goes_on_from_the_step_of_its_scheduler() -> None:
    net, optimizer, schedule = setup("ExponentialLR", {"gamma": 0.5}, None)
    optimizer.step()
    schedule.step()
    numpy.testing.assert_allclose(rates(Train(net, optimizer, schedule), 2), [0.05, 0.025], rtol=1e-6)


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_step_behind_a_graph_is_the_graphs(name: str) -> None:
    """OneFlow's programs step the scheduler beside the graph, to print and to save it: that is no second step."""
    expected = []
    for steps_beside in (False, True):
        net = Weight()
        optimizer = flow.optim.SGD(net.parameters(), lr=0.1)
        schedule = SCHEDULES[name](optimizer)
        train = Train(net, optimizer, schedule)
        found = []
        for k in range(8):
            found += rates(train, 1)
            if steps_beside and k != 4:  # once it is left out, which changes nothing
                schedule.step()
            found += [*schedule.get_last_lr(), schedule.last_step if hasattr(schedule, "last_epoch") else None]
        expected.append(found)
    assert expected[0] == expected[1]
    schedule.step()
    schedule.step()
    assert schedule.get_last_lr() != found[-2:-1], "nothing but the first step behind a call is the graph's"


def test_a_schedule_goes_on_from_graphs_to_eager_steps_and_compiled_ones() -> None:
    net, optimizer, schedule = setup("ExponentialLR", {"gamma": 0.5}, None)
    train = Train(net, optimizer, schedule)

    def loss_and_step() -> None:
        optimizer.zero_grad()
        net().backward()
        optimizer.step()

    def whole() -> None:
        loss_and_step()
        schedule.step()

    def eagerly_stepped(step: Any) -> Any:
        def run() -> None:
            step()
            schedule.step()

        return run

    compiled, compiled_whole = flow.compile(loss_and_step, fullgraph=True), flow.compile(whole, fullgraph=True)
    ways = [train, whole, eagerly_stepped(train), eagerly_stepped(compiled), compiled_whole]
    found, expected, rate = [], [], 0.1
    for way in (0, 0, 1, 1, 0, 2, 1, 0, 3, 3, 0, 4, 4, 2, 2, 3, 1, 0):
        ways[way]()
        found.append(-net.weight.item())
        expected.append(rate)
        rate *= 0.5
        assert optimizer.param_groups[0]["lr"] == schedule.get_last_lr()[0] == rate
        with flow.no_grad():
            net.weight.zero_()
    numpy.testing.assert_array_equal(numpy.float32(found), numpy.float32(expected))
    assert schedule.last_step == len(found)


def test_a_loaded_state_forgets_the_step_of_the_graph() -> None:
    net, optimizer, schedule = setup("ExponentialLR", {"gamma": 0.5}, None)
    train = Train(net, optimizer, schedule)
    state = copy.deepcopy(train.state_dict())
    train()
    train.load_state_dict(state)
    assert schedule.last_step == 0 and optimizer.param_groups[0]["lr"] == 0.1
    schedule.step()
    assert schedule.last_step == 1 and optimizer.param_groups[0]["lr"] == 0.05


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
