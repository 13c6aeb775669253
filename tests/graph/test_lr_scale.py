"""The option "lr_scale" of groups multiplies their learning rates in an nn.Graph, beside groups of such rates in eager mode."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tritonflow import nn, optim


class Layers(nn.Graph):
    def __init__(self, layers: list[nn.Module], optimizer: Any, schedule: Any, scaler: bool) -> None:
        super().__init__()
        self.layers = nn.Sequential(*layers)
        self.add_optimizer(optimizer, lr_sch=schedule)
        if scaler:
            self.set_grad_scaler(flow.amp.GradScaler())

    def build(self, x: Any) -> Any:
        loss = self.layers(x).square().sum()
        loss.backward()
        return loss


@pytest.mark.parametrize("scaler", [False, True])
@pytest.mark.parametrize(("kind", "options"), [(optim.SGD, {"momentum": 0.9}), (optim.Adam, {}), (optim.LAMB, {})])
def test_rates_are_scaled_in_a_graph(kind: Any, options: dict[str, Any], scaler: bool) -> None:
    _ = flow.manual_seed(0)
    x, scales = flow.randn(4, 3), [0.5, 1.0, 0.25]
    layers = [nn.Linear(3, 3) for _ in scales]
    others = [nn.Linear(3, 3) for _ in scales]
    for layer, other in zip(layers, others):
        other.load_state_dict(layer.state_dict())
    scaled = kind([{"params": layer.parameters(), "lr_scale": s} for layer, s in zip(layers, scales)], lr=0.1, **options)
    plain = kind([{"params": layer.parameters(), "lr": 0.1 * s} for layer, s in zip(others, scales)], lr=0.1, **options)
    schedules = [optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5) for optimizer in (scaled, plain)]
    graph = Layers(layers, scaled, schedules[0], scaler)
    for _ in range(3):
        graph(x)
        plain.zero_grad()
        nn.Sequential(*others)(x).square().sum().backward()
        plain.step()
        schedules[1].step()
    for layer, other in zip(layers, others):
        assert flow.allclose(layer.weight, other.weight, rtol=1e-5, atol=1e-6)
    scaled.param_groups[0]["lr_scale"] = 0.0
    before = [layer.weight.detach().clone() for layer in layers]
    graph(x)
    assert [flow.equal(layer.weight, old) for layer, old in zip(layers, before)] == [True, False, False]


def test_eager_steps_take_no_scale() -> None:
    p = nn.Parameter(flow.zeros(2))
    p.grad = flow.ones(2)
    optim.SGD([{"params": [p], "lr_scale": 0.5}], lr=1.0).step()
    assert p.tolist() == [-1.0, -1.0]
