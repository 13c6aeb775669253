"""Random lives of a model: learning rates, options, modes, autocast, batches and written states change between captured steps.

Beside it a twin lives the same life in eager mode.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tests import where
from tritonflow import nn
from tritonflow.testing import assert_close

F = nn.functional
OPTIMIZERS: tuple[Callable[[Any], Any], ...] = (
    lambda parameters: flow.optim.SGD(parameters, lr=0.1, momentum=0.9),
    lambda parameters: flow.optim.AdamW(parameters, lr=0.01, eps=0.1),  # beside that, gradients that are only roundings are nothing
)


class Life:
    """A model with its optimizer, and the two programs that are called."""

    def __init__(self, model: Any, optimizer: Callable[[Any], Any]) -> None:
        self.model = model
        self.optimizer = optimizer(model.parameters())
        self.train: Any = self._train
        self.infer: Any = lambda x: self.model(x).softmax(-1)

    def compile(self) -> None:
        self.train, self.infer = flow.compile(self.train), flow.compile(self.infer)

    def _train(self, x: Any, y: Any) -> Any:
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss

    def state(self) -> list[Any]:
        """Parameters, buffers and what the optimizer remembers; gradients stay inside of what is captured."""
        memory = [self.optimizer.state[p] for p in self.model.parameters() if p in self.optimizer.state]
        values = [value for each in memory for value in each.values() if isinstance(value, flow.Tensor)]
        return [*self.model.state_dict().values(), *values]


def act(life: Life, action: int, number: float, mode: bool, seed: int) -> Any:
    """One event of a life; what it gives."""
    flow.manual_seed(seed)
    rows = 3 if seed % 2 else 6
    x, y = flow.randn(rows, 4), flow.randint(0, 3, (rows,))
    (group,) = life.optimizer.param_groups
    if action == 0:
        group["lr"] = number
    elif action == 1:
        group["weight_decay"] = number if mode else 0.0
    elif action == 2:
        life.model.train(mode)
    elif action == 3:
        life.model[3].p = number / 2
    elif action == 4:
        with flow.no_grad():
            list(life.model.parameters())[seed % 4].mul_(1 + number)
    elif action == 5:
        list(life.model.parameters())[seed % 4].requires_grad_(mode)
    elif action == 6:
        with flow.no_grad() if mode else flow.inference_mode(), flow.autocast(where.device, dtype=flow.bfloat16, enabled=seed % 3 == 0):
            return life.infer(x)
    elif action == 7:
        life.model[1].momentum = number
    else:
        with flow.autocast(where.device, dtype=flow.bfloat16, enabled=mode):
            return life.train(x, y)
    return None


def check(seed: int, events: int) -> None:
    """Live twice, and compare behind every event; the captured twin then goes on from the eager one's numbers."""
    chance = random.Random(seed)
    flow.manual_seed(seed)
    model = nn.Sequential(nn.Linear(4, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.Dropout(0.25), nn.Linear(5, 3))
    optimizer = chance.choice(OPTIMIZERS)
    eager, captured = Life(copy.deepcopy(model), optimizer), Life(model, optimizer)
    captured.compile()
    told: list[Any] = []
    for _ in range(events):
        event = (chance.choice([*range(8), *[8] * 8, 6, 6]), chance.uniform(0.001, 0.2), chance.random() < 0.5, chance.randrange(1000))
        told.append(event)
        expected, actual = act(eager, *event), act(captured, *event)
        try:
            if expected is not None:
                assert expected.dtype == actual.dtype
                assert_close(actual.float(), expected.float(), rtol=2e-2, atol=2e-2)
            for a, b in zip(captured.state(), eager.state(), strict=True):
                assert (a is None) == (b is None)
                if a is not None:
                    assert_close(a, b, rtol=2e-3, atol=2e-4)
                    with flow.no_grad():
                        a.copy_(b)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {optimizer}, events {told}") from error


def test_random_lives(seed: int) -> None:
    check(seed, 40)


@pytest.mark.long
def test_longer_random_lives(seed: int) -> None:
    for number in range(4):
        check(seed + number, 120)


@pytest.mark.hours
@pytest.mark.timeout(7200)
def test_many_random_lives(seed: int) -> None:
    for number in range(300):
        check(seed + number, 150)
