"""Gradient accumulation in a graph against the same micro-steps in eager mode."""

from __future__ import annotations

import copy
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests.graph.test_graph import OPTIMIZERS, Residual, Train, close, same_parameters
from tritonflow import nn

F = nn.functional


def eager_steps(net: Any, optimizer: Any, x: Any, target: Any, steps: int) -> Any:
    size = x.shape[0] // steps
    optimizer.zero_grad()
    losses = []
    for k in range(steps):
        loss = F.cross_entropy(net(x[k * size : (k + 1) * size]), target[k * size : (k + 1) * size])
        (loss * (1.0 / steps)).backward()
        losses.append(loss.detach())
    optimizer.clip_grad()
    optimizer.step()
    return flow.stack(losses)


def batch(size: int = 12) -> Any:
    return flow.randn(size, 8), flow.randint(0, 4, (size,))


@pytest.mark.parametrize("name", ("momentum", "adam", "clipped"))
def test_micro_steps_are_eagers(name: str) -> None:
    """Dropout and batch norm inside: the same random numbers, and statistics that move in each micro-step."""
    flow.manual_seed(0)
    net = Residual()
    twin = copy.deepcopy(net)
    ours, eager = OPTIMIZERS[name](net.parameters()), OPTIMIZERS[name](twin.parameters())
    data = [batch() for _ in range(6)]
    graph = Train(net, ours)
    graph.config.set_gradient_accumulation_steps(3)
    flow.manual_seed(7)
    losses = [graph(*each) for each in data]
    flow.manual_seed(7)
    for each, loss in zip(data, losses):
        assert loss.shape == (3,)
        close(loss, eager_steps(twin, eager, *each, 3))
    same_parameters(net, twin)
    assert int(net.norm.num_batches_tracked) == 18


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 4), st.integers(1, 3))
def test_a_mean_loss_has_the_gradient_of_the_whole(steps: int, size: int) -> None:
    net = nn.Linear(8, 4)
    twin = copy.deepcopy(net)
    graph = Train(net, flow.optim.SGD(net.parameters(), lr=0.5))
    graph.config.set_gradient_accumulation_steps(steps)
    x, target = batch(steps * size)
    close(graph(x, target).mean(), eager_steps(twin, flow.optim.SGD(twin.parameters(), lr=0.5), x, target, 1).mean())
    same_parameters(net, twin)


def test_results_are_put_together() -> None:
    net = nn.Linear(8, 4)

    class Several(Train):
        def build(self, batch: Any, scale: float, name: str) -> Any:
            y = self.net(batch["x"])
            loss = y.sum() * scale
            loss.backward()
            return {"y": y, "pair": (loss, [name, None, 3])}

    graph = Several(net, flow.optim.SGD(net.parameters(), lr=0.0))
    graph.config.set_gradient_accumulation_steps(2)
    x = flow.randn(6, 8)
    for scale in (2.0, -1.0):
        result = graph({"x": x}, scale, "text")
        close(result["y"], net(x))
        close(result["pair"][0], flow.stack([net(part).sum() * scale for part in (x[:3], x[3:])]))
        assert result["pair"][1] == ["text", None, 3]
    assert len(graph._captured.captures()) == 1


def test_with_a_scaler() -> None:
    net = Residual()
    net.eval()
    twin = copy.deepcopy(net)
    ours, eager = (flow.optim.Adam(m.parameters(), lr=0.01) for m in (net, twin))
    graph = Train(net, ours)
    graph.config.set_gradient_accumulation_steps(2)
    graph.set_grad_scaler(flow.amp.GradScaler(init_scale=1024.0))
    for _ in range(3):
        each = batch()
        close(graph(*each), eager_steps(twin, eager, *each, 2))
    same_parameters(net, twin)


def test_steps_may_change_and_wrong_ones_are_refused() -> None:
    net = nn.Linear(8, 4)
    graph = Train(net, flow.optim.SGD(net.parameters(), lr=0.1))
    for steps in (1, 3, 2):
        graph.config.set_gradient_accumulation_steps(steps)
        assert graph(*batch()).shape == ((steps,) if steps > 1 else ())
    before = net.weight.numpy().copy()
    graph.config.set_gradient_accumulation_steps(5)
    with pytest.raises(RuntimeError, match=r"divided into 5 micro-batches along dim 0, which a tensor of shape \(12, 8\)"):
        graph(*batch())
    numpy.testing.assert_array_equal(net.weight.numpy(), before)
    for wrong, error in ((0, ValueError), (2.0, TypeError), (True, TypeError)):
        with pytest.raises(error, match="set_gradient_accumulation_steps"):
            graph.config.set_gradient_accumulation_steps(wrong)  # type: ignore[arg-type]
    assert graph.config.gradient_accumulation_steps == 5


def test_different_structures_are_refused() -> None:
    net = nn.Linear(8, 4)

    class Changing(Train):
        calls = 0

        def build(self, x: Any, target: Any) -> Any:
            self.calls += 1
            loss = super().build(x, target)
            return loss if self.calls % 2 else (loss, loss)

    graph = Changing(net, flow.optim.SGD(net.parameters(), lr=0.1))
    graph.config.set_gradient_accumulation_steps(2)
    with pytest.raises(RuntimeError, match="different structures"):
        graph(*batch())


def test_a_graph_that_does_not_train_takes_its_inputs_whole() -> None:
    class Evaluate(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.config.set_gradient_accumulation_steps(4)

        def build(self, x: Any) -> Any:
            return x.sum()

    x = flow.ones(3)
    assert Evaluate()(x).item() == 3.0


def arena(steps: int, net: Any) -> int:
    """The memory of a step of so many micro-batches of 16."""
    graph = Train(net, flow.optim.SGD(net.parameters(), lr=0.1))
    graph.config.set_gradient_accumulation_steps(steps)
    graph(*batch(16 * steps))
    (captured,) = graph._captured.captures()
    return int(captured.executable.arena_bytes)


def test_memory_does_not_grow_with_the_number_of_micro_steps() -> None:
    net = nn.Sequential(nn.Linear(8, 64), nn.GELU(), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 4))
    gradients = sum(4 * p.numel() for p in net.parameters())
    one, two, six = (arena(steps, net) for steps in (1, 2, 6))
    assert two <= one + gradients + 1024, "beside a micro-step's memory there are the gradients so far"
    assert six <= two + 1024
