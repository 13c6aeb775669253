"""What compiled functions and graphs have is freed with them."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tritonflow import nn


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.scale, self.calls = nn.Linear(2, 2), 2.0, 0

    def forward(self, x: Any) -> Any:
        return self.linear(x) * self.scale

    @flow.compile
    def score(self, x: Any) -> Any:
        self.calls += 1
        return self.linear(x) * self.scale * self.calls

    @flow.compile
    def looks(self, x: Any) -> Any:
        return self.linear(x) if x.sum() > 0 else x * self.scale


class Stepped(nn.Graph):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(2, 2)
        self.add_optimizer(flow.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9))

    def build(self, x: Any) -> Any:
        loss = self.net(x).sum()
        loss.backward()
        return loss


def method() -> Any:
    made = Scaled()
    made.score(flow.ones(1, 2))
    return [made]


def method_in_eager_mode() -> Any:
    made = Scaled()
    made.looks(flow.ones(1, 2))
    return [made]


def module() -> Any:
    made = Scaled()
    compiled = flow.compile(made)
    compiled(flow.ones(1, 2)).sum().backward()
    return [made, compiled]


def compiled_in_place() -> Any:
    made = nn.Linear(2, 2)
    made.compile()
    made(flow.ones(1, 2))
    return [made]


def training_graph() -> Any:
    made = Stepped()
    made(flow.ones(1, 2))
    return [made, made.net]


def closure() -> Any:
    net, space, state = nn.Linear(2, 2), Scaled(), flow.ones(2)

    def f(x: Any) -> Any:
        nonlocal state
        state = state + net(x).detach()
        return state * space.scale

    compiled = flow.compile(f)
    compiled(flow.ones(1, 2))
    return [net, space, compiled]


def closure_in_eager_mode() -> Any:
    net = nn.Linear(2, 2)
    compiled = flow.compile(lambda x: net(x) if x.sum() > 0 else x)
    compiled(flow.ones(1, 2))
    return [net, compiled]


def input_with_a_history() -> Any:
    x = flow.ones(2, requires_grad=True)
    DOUBLE(x).sum().backward()
    return [x]


DOUBLE = flow.compile(lambda x: x * 2)
DROPPED = (
    method, method_in_eager_mode, module, compiled_in_place, training_graph, closure, closure_in_eager_mode,
    input_with_a_history,
)  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*is not compiled")
@pytest.mark.parametrize("make", DROPPED, ids=lambda make: make.__name__)
def test_what_is_dropped_is_freed_without_the_garbage_collector(make: Callable[[], Any]) -> None:
    gc.collect()
    gc.disable()
    try:
        gone = [weakref.ref(each) for each in make()]
        assert [reference() for reference in gone] == [None] * len(gone)
    finally:
        gc.enable()
