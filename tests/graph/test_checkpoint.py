"""Activation checkpointing: less memory, the same bits, and what is computed again where."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests.graph.models import GPT
from tests.graph.test_graph import Train, batches
from tests.graph.test_random_graphs import SHAPES, programs, step
from tritonflow import nn
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir import Graph
from tritonflow.graph.passes import optimize
from tritonflow.graph.passes.checkpoint import checkpoint
from tritonflow.nn.graph import GraphModule
from tritonflow.testing import assert_close

F = nn.functional


def mark(*modules: Any) -> None:
    for module in modules:
        module.to(GraphModule).activation_checkpointing = True


def run(net: Any, data: list[Any], loss: Any = F.cross_entropy, optimizer: Any = flow.optim.SGD) -> tuple[list[bytes], Any]:
    """The bits of losses, parameters and buffers, and the executable; unfused, as each fusion has roundings of its own."""

    class Step(Train):
        def build(self, x: Any, target: Any) -> Any:
            value = loss(self.net(x), target)
            value.backward()
            return value

    graph = Step(net, optimizer(net.parameters(), lr=0.1))
    for name in ("pointwise", "add_to_output", "reductions", "attention"):
        getattr(graph.config, f"allow_fuse_{name}")(False)
    flow.manual_seed(4)
    values = [graph(*batch) for batch in data]
    (kept,) = graph._captured.captures()
    return [t.numpy().tobytes() for t in (*values, *net.state_dict().values())], kept.executable


def captured(program: Any, *inputs: Any) -> Graph:
    with Capture() as capture:
        return capture.finish(list(program(*[capture.input(x.meta) for x in inputs])))


def names(graph: Graph) -> list[str]:
    graph.verify()
    return [op.op.name for node in graph.nodes for op in node.ops()]


def test_the_setting() -> None:
    net = nn.Linear(8, 4)
    view = net.to(GraphModule)
    assert view.activation_checkpointing is False
    mark(net)
    assert net.to(GraphModule).activation_checkpointing is True and repr(view) == "GraphModule(activation_checkpointing=True)"
    assert copy.deepcopy(net).to(GraphModule).activation_checkpointing is True
    assert view.to(nn.Module) is net and net.to(nn.Module) is net
    net(flow.ones(2, 8)).sum().backward()  # eager mode does not mind
    view.activation_checkpointing = False
    assert net.to(GraphModule).activation_checkpointing is False and not net._forward_hooks
    with pytest.raises(TypeError, match="True or False, not int"):
        view.activation_checkpointing = 1


def test_what_backward_reads_is_computed_again() -> None:
    net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))
    mark(net)

    def program(x: Any) -> Any:
        loss = net(x).sum()
        loss.backward()
        return [loss, *[p.grad for p in net.parameters()]]

    x = flow.randn(3, 4)
    graph = captured(program, x)
    before = names(graph)
    after = names(checkpoint(graph))
    assert [after.count(op) - before.count(op) for op in ("linear", "tanh", "sum")] == [1, 1, 0]
    again = after.index("linear", after.index("sum"))
    assert after[again : again + 2] == ["linear", "tanh"]
    optimized = names(optimize(captured(program, x)))
    assert optimized.count("linear") == 3  # no pass merges them


def test_without_a_backward_nothing_happens() -> None:
    net = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
    mark(net)
    graph = captured(lambda x: [net(x)], flow.randn(3, 4))
    assert len(graph.segments) == 1
    assert names(checkpoint(graph)) == ["linear", "tanh"]


class Deep(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        layers = [nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32), nn.Dropout(0.2)) for _ in range(12)]
        self.blocks, self.head = nn.Sequential(*layers), nn.Linear(32, 4)

    def forward(self, x: Any) -> Any:
        return self.head(self.blocks(x))


def test_memory_of_a_deep_net() -> None:
    flow.manual_seed(0)
    net = Deep()
    twin = copy.deepcopy(net)
    mark(*twin.blocks)
    data = [(flow.randn(256, 32), flow.randint(0, 4, (256,))) for _ in range(3)]
    plain, executable = run(net, data)
    again, smaller = run(twin, data)
    assert again == plain
    assert smaller.arena_bytes < 0.4 * executable.arena_bytes


def test_memory_of_a_gpt() -> None:
    flow.manual_seed(0)
    net = GPT(layers=4)
    twin = copy.deepcopy(net)
    mark(*twin.blocks)
    data = [(flow.randint(0, 20, (8, 16)), flow.randint(0, 20, (8, 16))) for _ in range(2)]
    loss = lambda y, target: F.cross_entropy(y, target.reshape(-1))
    plain, executable = run(net, data, loss, flow.optim.AdamW)
    again, smaller = run(twin, data, loss, flow.optim.AdamW)
    assert again == plain
    assert smaller.arena_bytes < 0.6 * executable.arena_bytes


class Shared(nn.Module):
    """A module that is called twice, keeps something of its inside, returns a view, and contains a marked one."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Dropout(0.3))
        self.outer, self.kept = nn.Linear(8, 8), []  # type: tuple[Any, list[Any]]

    def forward(self, x: Any) -> Any:
        y = flow.tanh(self.inner(x))
        self.kept.append(y)
        z = self.outer(y).clone()
        z[:, 0] += 1.0
        return z.t().contiguous().t().reshape(-1, 2, 4).sum(2, keepdim=True).expand(-1, 2, 4).reshape(-1, 8)


class Twice(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part, self.head = Shared(), nn.Linear(8, 4)

    def forward(self, x: Any) -> Any:
        y = self.part(self.part(x).relu())
        y = self.head(y) + sum(k.mean() for k in self.part.kept)
        self.part.kept.clear()
        return y


def test_modules_that_are_hard_to_compute_again() -> None:
    flow.manual_seed(0)
    net = Twice()
    twin = copy.deepcopy(net)
    mark(twin.part, twin.part.inner)
    data = batches(3)
    assert run(twin, data)[0] == run(net, data)[0]
    assert int(twin.part.inner[1].num_batches_tracked) == 6  # statistics move once


LAYERS = (
    lambda: nn.Linear(8, 8), nn.GELU, nn.ReLU, lambda: nn.Dropout(0.4), lambda: nn.BatchNorm1d(8), lambda: nn.LayerNorm(8),
    lambda: nn.Sequential(nn.Linear(8, 12), nn.Tanh(), nn.Linear(12, 8)), lambda: nn.Sequential(nn.Linear(8, 8), nn.ReLU(inplace=True)),
)  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(LAYERS) - 1), st.booleans()), min_size=1, max_size=8), st.booleans())
def test_random_nets(layers: list[tuple[int, bool]], whole: bool) -> None:
    flow.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 8), nn.Sequential(*[LAYERS[kind]() for kind, _ in layers]), nn.Linear(8, 4))
    twin = copy.deepcopy(net)
    mark(*[module for module, (_, marked) in zip(twin[1], layers) if marked], *([twin[1]] if whole else []))
    data = batches(2)
    assert run(twin, data)[0] == run(net, data)[0]


def test_gradients_in_the_forward_of_a_compiled_call() -> None:
    """The forward computes a segment again itself; the backward of the call does so once more."""
    flow.manual_seed(0)
    inner, outer = nn.Sequential(nn.Linear(8, 8), nn.Tanh()), nn.Linear(8, 8)

    def forward(x: Any) -> Any:
        hidden = outer(x)
        y = inner(hidden)
        (slope,) = flow.autograd.grad(y.square().sum(), [hidden], retain_graph=True)
        return (y + slope.detach() * y).sum()

    x, parameters = flow.randn(4, 8), [*inner.parameters(), *outer.parameters()]
    expected = flow.autograd.grad(forward(x), parameters)
    mark(inner)
    actual = flow.autograd.grad(flow.compile(forward)(x), parameters)
    for a, b in zip(actual, expected):
        assert_close(a, b, rtol=1e-5, atol=1e-6)


class Program(nn.Module):
    """A random program as a module."""

    def __init__(self, program: Any) -> None:
        super().__init__()
        self.program = program

    def forward(self, *inputs: Any) -> Any:
        return self.program(*inputs)


@pytest.mark.parametrize("count", (6, pytest.param(100, marks=pytest.mark.long), pytest.param(300, marks=pytest.mark.hours)))
def test_random_programs(count: int) -> None:
    """Views, in-place writes, broadcasts and reductions, two of them one behind the other."""

    @settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs(), programs(), st.integers(0, 2**31))
    def check(first: Any, second: Any, seed: int) -> None:
        flow.manual_seed(seed)
        inputs = [flow.randn(shape) for shape in SHAPES]
        modules = [Program(first), Program(second)]
        both = lambda *tensors: modules[1](*modules[0](*tensors), *tensors)
        expected = step(both, inputs)
        mark(*modules)
        actual = flow.compile(lambda *tensors: step(both, list(tensors)))(*inputs)
        for a, b in zip(actual, expected):
            assert_close(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)

    check()
