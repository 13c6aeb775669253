"""Modules inside of a function that no graph can do are graphs, where they leave no history."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import tritonflow as flow
from tritonflow import nn
from tritonflow.graph.api.compiled_graph import CompiledGraph
from tritonflow.graph.api.inner_modules import worth_a_graph
from tritonflow.testing import assert_close
from tritonflow.thread_state import thread_state


class Block(nn.Module):
    """Four modules, itself counted."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(8), nn.Linear(8, 16), nn.Linear(16, 8)
        self.drop = nn.Dropout(0.5)

    def forward(self, x: Any) -> Any:
        return x + self.drop(self.down(self.up(self.norm(x)).relu()))


class Net(nn.Module):
    """Looks at an array between two blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(8, 3)
        self.seen: list[float] = []

    def forward(self, x: Any) -> Any:
        x = self.blocks[0](x)
        self.seen.append(float(x.detach().sum().numpy()))
        return self.head(self.blocks[1](x))


def graphs(module: Any) -> list[Any]:
    """What was captured of a module's calls."""
    inner = vars(module).get("_compiled_call_impl")
    return [] if inner is None else inner._captured.captures()


@pytest.fixture
def told() -> Iterator[list[str]]:
    """The warnings of a test."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield texts
        texts += [str(each.message) for each in caught]
    assert sum("is not compiled" in text for text in texts) == 1, texts


def run(f: Any, net: Any, calls: int = 6) -> None:
    with flow.no_grad():
        for _ in range(calls):
            x = flow.randn(2, 8)
            assert_close(f(x), net(x), rtol=1e-5, atol=1e-6)


def test_blocks_of_a_module(told: list[str]) -> None:
    net = Net().eval()
    run(flow.compile(net), net)
    assert [len(graphs(block)) for block in net.blocks] == [1, 1] and len(net.seen) == 12
    assert not graphs(net.head) and not graphs(net)  # too little in it, and what no graph can do


def test_what_a_step_calls(told: list[str]) -> None:
    net = nn.Sequential(Block(), Block()).eval()

    def step(x: Any) -> Any:
        y = net(x)
        assert y.numpy().shape == (2, 8)
        return y

    run(flow.compile(step), net)
    assert len(graphs(net)) == 1 and not graphs(net[0])


def test_a_module_that_no_graph_can_do_has_others_inside(told: list[str]) -> None:
    class Outer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net, self.last = Net(), Block()

        def forward(self, x: Any) -> Any:
            return self.net(x) + self.last(x).sum()

    outer = Outer().eval()
    run(flow.compile(outer), outer, 12)
    assert not graphs(outer.net) and len(graphs(outer.last)) == 1
    assert [len(graphs(block)) for block in outer.net.blocks] == [1, 1]


def test_a_history_stays_eager_modes(told: list[str]) -> None:
    """So that it can be differentiated twice, as eager mode's can."""
    net = Net().eval()
    f = flow.compile(net)
    run(f, net)
    before = [graphs(block)[0] for block in net.blocks]
    x = flow.randn(2, 8, requires_grad=True)
    (first,) = flow.autograd.grad(f(x).pow(3).sum(), x, create_graph=True)
    first.pow(2).sum().backward()
    y = x.detach().requires_grad_()
    (again,) = flow.autograd.grad(net(y).pow(3).sum(), y, create_graph=True)
    again.pow(2).sum().backward()
    assert_close(x.grad, y.grad, rtol=1e-5, atol=1e-5)
    assert [graphs(block) for block in net.blocks] == [[each] for each in before]


def test_draws_and_modes(told: list[str]) -> None:
    net = Net()
    f = flow.compile(net)
    with flow.no_grad():
        for k in range(8):
            net.train(k % 2 == 0)
            flow.manual_seed(k)
            result = f(x := flow.randn(4, 8))
            flow.manual_seed(k)
            assert_close(result, net.forward(flow.randn(4, 8)), rtol=1e-5, atol=1e-6)
            assert x.shape == (4, 8)


def test_calls_outside_are_what_they_were(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    net = Net().eval()
    run(flow.compile(net), net)
    runs: list[Any] = []
    monkeypatch.setattr(CompiledGraph, "executable", property(runs.append))
    with flow.no_grad():
        net.blocks[0](flow.ones(2, 8))
    assert not runs and not thread_state.inner_graphs
    copied = copy.deepcopy(net)
    assert all(block._compiled_call_impl is None for block in copied.blocks)


def test_an_error_ends_it() -> None:
    net = Net().eval()
    with warnings.catch_warnings(), flow.no_grad():
        warnings.simplefilter("ignore")
        f = flow.compile(net)
        for _ in range(4):
            f(flow.ones(2, 8))
        with pytest.raises(RuntimeError):
            f(flow.ones(2, 7))
        assert not thread_state.inner_graphs
        assert_close(f(flow.ones(2, 8)), net(flow.ones(2, 8)), rtol=1e-5, atol=1e-6)


def test_what_a_graph_can_do_again_is_one_graph() -> None:
    class Sometimes(Net):
        quiet = False

        def forward(self, x: Any) -> Any:
            return self.head(self.blocks[0](x)) if self.quiet else super().forward(x)

    net = Sometimes().eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f = flow.compile(net)
        run(f, net)
        net.quiet = True
        run(f, net, 300)
    assert len(f.captures()) == 1


def test_which_modules_are_worth_it() -> None:
    net = Net()
    blocks = [*net.blocks]
    assert worth_a_graph([net, *net.modules()], net) == blocks
    assert worth_a_graph([*net.modules()], None) == [net]
    assert worth_a_graph([net.head, blocks[1]], None) == [blocks[1]]
    assert worth_a_graph([], net) == blocks and not worth_a_graph([], None)
    compiled = flow.compile(Block())
    assert not worth_a_graph([], nn.Sequential(compiled))
