"""flow.compile of whole training steps: what steps an optimizer in eager mode does the same as a graph."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests import where
from tritonflow import nn
from tritonflow.errors import CaptureError
from tritonflow.testing import assert_close

F = nn.functional


class Plain(flow.optim.Optimizer):
    """An optimizer of a user, with a step of its own."""

    def __init__(self, params: Any, lr: float) -> None:
        super().__init__(params, {"lr": lr, "weight_decay": 0.0})

    def step(self, closure: Any = None) -> None:
        with flow.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    p.mul_(1.0 - group["lr"] * group["weight_decay"])
                    p.sub_(p.grad * group["lr"])


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda params: flow.optim.SGD(params, lr=0.1),
    "momentum": lambda params: flow.optim.SGD(params, lr=0.1, momentum=0.9, dampening=0.1),
    "adamw": lambda params: flow.optim.AdamW(params, lr=0.01, betas=[0.9, 0.99]),
    "nadam": lambda params: flow.optim.NAdam(params, lr=0.01),
    "asgd": lambda params: flow.optim.ASGD(params, lr=0.1, t0=2),
    "rmsprop": lambda params: flow.optim.RMSprop(params, lr=0.01, momentum=0.9),
    "lamb": lambda params: flow.optim.LAMB(params, lr=0.01),
    "adafactor": lambda params: flow.optim.Adafactor(params, lr=0.01),
    "a user's": lambda params: Plain(params, lr=0.1),
}


def batches(count: int) -> list[Any]:
    flow.manual_seed(7)
    return [(flow.randn(8, 4), flow.randn(8, 1)) for _ in range(count)]


class Setup:
    """A net, its optimizer, and a step over both, which is compiled or not."""

    def __init__(self, optimizer: Any, compiled: bool, scaler: Any = None) -> None:
        flow.manual_seed(0)
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.optimizer, self.scaler = optimizer(self.net.parameters()), scaler
        self.step = flow.compile(self._step) if compiled else self._step

    def _step(self, x: Any, y: Any) -> Any:
        self.optimizer.zero_grad()
        with flow.autocast(where.device, flow.float16, enabled=self.scaler is not None):
            loss = F.mse_loss(self.net(x), y)
        if self.scaler is None:
            loss.backward()
            self.optimizer.step()
        else:
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
        return loss

    def weights(self) -> list[Any]:
        return [p.detach().numpy() for p in self.net.parameters()]


def same(setups: list[Setup], tolerance: float = 1e-5) -> None:
    for a, b in zip(setups[0].weights(), setups[1].weights()):
        numpy.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_learning_rates_options_and_states_are_looked_up(name: str) -> None:
    setups = [Setup(OPTIMIZERS[name], compiled) for compiled in (False, True)]
    for setup in setups:
        schedule = flow.optim.lr_scheduler.StepLR(setup.optimizer, 2)
        for batch in batches(5):
            setup.step(*batch)
            schedule.step()
        setup.optimizer.param_groups[0]["weight_decay"] = 0.3
        state = copy.deepcopy(setup.optimizer.state_dict())
        for batch in batches(3):
            setup.step(*batch)
        setup.optimizer.load_state_dict(state)
        setup.optimizer.param_groups[0]["lr"] = 0.05
        for batch in batches(3):
            setup.step(*batch)
    same(setups)
    assert len(setups[1].step.captures()) <= 4


def test_a_scaler_grows_and_shrinks() -> None:
    seen: list[Any] = []
    setups = []
    for compiled in (False, True):
        scaler = flow.amp.GradScaler(init_scale=2.0**15, growth_interval=2)
        setups.append(Setup(OPTIMIZERS["sgd"], compiled, scaler))
        scales = []
        for number, (x, y) in enumerate(batches(8)):
            setups[-1].step(x * 1000 if number == 1 else x, y)
            scales.append(scaler.get_scale())
            if number == 5:
                scaler.set_growth_factor(4.0)
        seen.append(scales)
    assert seen[0] == seen[1] and len(set(seen[0])) > 3
    same(setups, 2e-3)


PARTS = ("backward", "unscale_", "step", "update")  # of an iteration with a scaler


@pytest.mark.parametrize("first, last, message", [(0, 1, "leaves"), (1, 1, "leaves"), (1, 2, "leaves"), (2, 2, "goes on"), (2, 3, "goes on")])
def test_a_part_of_an_iteration_with_a_scaler(first: int, last: int, message: str) -> None:
    """A part that is compiled would have found_inf for itself: it runs in eager mode, or is refused, and the rest goes on."""
    found = []
    for fullgraph in (None, False, True):
        p = flow.ones(3, requires_grad=True)
        optimizer, scaler = flow.optim.SGD([p], lr=0.5), flow.amp.GradScaler(init_scale=8.0)

        def part(names: Any, factor: Any, optimizer: Any = optimizer, scaler: Any = scaler, p: Any = p) -> None:
            for name in names:
                if name == "backward":
                    optimizer.zero_grad()
                    scaler.scale((p * factor).sum()).backward()
                elif name == "update":
                    scaler.update()
                else:
                    getattr(scaler, name)(optimizer)

        compiled = part if fullgraph is None else flow.compile(part, fullgraph=fullgraph)
        numbers = []
        for k in range(4):
            factor = flow.tensor(float("inf") if k == 1 else 1.0)
            part(PARTS[:first], factor)
            if fullgraph:
                with pytest.raises(CaptureError, match=f"{message} .*an iteration of a GradScaler.*update\\(\\) all"):
                    compiled(PARTS[first : last + 1], factor)
                part(PARTS[first : last + 1], factor)
            elif fullgraph is False and k == 0:
                with pytest.warns(UserWarning, match="an iteration of a GradScaler"):
                    compiled(PARTS[first : last + 1], factor)
            else:
                compiled(PARTS[first : last + 1], factor)
            part(PARTS[last + 1 :], factor)
            numbers.append((p.tolist(), scaler.get_scale()))
        found.append(numbers)
    assert found[0] == found[1] == found[2] and found[0][1] == ([0.5] * 3, 4.0)


def test_steps_and_updates_that_are_compiled_alone() -> None:
    """A whole iteration of the scaler, whose loss was scaled outside; one that was broken off outside is told of as in eager mode."""
    p = flow.ones(3, requires_grad=True)
    optimizer, scaler = flow.optim.SGD([p], lr=0.5), flow.amp.GradScaler(init_scale=8.0)

    def step() -> None:
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()

    compiled = flow.compile(step)
    for k in range(4):
        optimizer.zero_grad()
        scaler.scale((p * flow.tensor(float("inf") if k == 1 else 1.0)).sum()).backward()
        if k == 2:
            scaler.unscale_(optimizer)
            with pytest.warns(UserWarning, match="goes on"), pytest.raises(RuntimeError, match="already been called on this optimizer"):
                compiled()
            scaler.update()
            continue
        compiled()
    assert p.tolist() == [0.0] * 3 and scaler.get_scale() == 4.0 and len(compiled.captures()) == 1


def test_gradients_of_a_backward_outside_are_those_of_the_call() -> None:
    setups = [Setup(OPTIMIZERS["sgd"], False) for _ in range(2)]
    steps = [setups[0].optimizer.step, flow.compile(setups[1].optimizer.step)]
    for x, y in batches(3):
        for setup, step in zip(setups, steps):
            setup.optimizer.zero_grad()
            F.mse_loss(setup.net(x), y).backward()
            step()
        same(setups)


@pytest.mark.parametrize("to_none", (True, False))
def test_gradients_stay_as_in_eager_mode(to_none: bool) -> None:
    setups = [Setup(OPTIMIZERS["sgd"], False) for _ in range(2)]

    def step(setup: Setup, x: Any, y: Any) -> Any:
        setup.optimizer.zero_grad(to_none)
        loss = F.mse_loss(setup.net(x), y)
        loss.backward()
        setup.optimizer.step()
        return loss

    x, y = batches(1)[0]
    for setup in setups:
        F.mse_loss(setup.net(x), y).backward()
    before = [[p.grad for p in setup.net.parameters()] for setup in setups]
    values = [grad.numpy().copy() for grad in before[1]]
    compiled = flow.compile(lambda x, y: step(setups[1], x, y))
    for _ in range(2):
        step(setups[0], x, y)
        compiled(x, y)
        for a, b in zip(*[setup.net.parameters() for setup in setups]):
            assert_close(a.grad, b.grad)
    assert len(compiled.captures()) == 1
    for eager, grad, value, p in zip(*before, values, setups[1].net.parameters()):
        if to_none:
            numpy.testing.assert_array_equal(grad.numpy(), value)
        else:  # the same tensors, which are zeroed and written again
            assert grad is p.grad
            assert_close(eager, grad)


def test_schedules_are_stepped_behind_each_run() -> None:
    def train(wrap: Any) -> Any:
        setup = Setup(OPTIMIZERS["sgd"], False)
        schedule = flow.optim.lr_scheduler.StepLR(setup.optimizer, 2)

        @wrap
        def step(x: Any, y: Any) -> Any:
            loss = setup.step(x, y)
            schedule.step()
            return loss

        rates = []
        for batch in batches(5):
            step(*batch)
            rates.append(setup.optimizer.param_groups[0]["lr"])
        return rates, schedule.state_dict(), setup.weights()

    rates, state, weights = train(flow.compile(fullgraph=True))
    expected_rates, expected_state, expected_weights = train(lambda f: f)
    assert (rates, state) == (expected_rates, expected_state)
    for a, b in zip(weights, expected_weights):
        numpy.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
