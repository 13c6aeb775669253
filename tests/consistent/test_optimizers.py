"""Optimizers, clipping and loss scaling over parameters that are split, and some that are not: the numbers of one process."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.framework.sbp import broadcast, split

SHAPES = ((5, 3), (3, 7), (4,), (2, 2))
LAYOUTS = {
    (2,): [(split(0),), (split(1),), (broadcast,), (split(0),)],
    (2, 2): [(split(0), split(1)), (broadcast, split(1)), (broadcast, split(0)), (broadcast, broadcast)],
}


def parameters(mesh: tuple[int, ...] | None) -> list[flow.Tensor]:
    """Parameters with the same numbers, local or over a placement of this shape."""
    found = []
    for k, shape in enumerate(SHAPES):
        p = flow.arange(numpy.prod(shape), dtype=flow.float32).reshape(shape) * 0.1 - 1
        if mesh is not None:
            placement = flow.placement("cpu", numpy.arange(numpy.prod(mesh)).reshape(mesh))
            p = p.to_global(placement, [broadcast] * len(mesh)).to_global(placement, LAYOUTS[mesh][k])
        found.append(p.detach().clone().requires_grad_(True))
    return found


def train(mesh: tuple[int, ...] | None, optimizer: Any, options: dict[str, Any]) -> list[Any]:
    """Four steps with scaled losses and clipped gradients. Of the second one element overflows, so that it is skipped."""
    weights = parameters(mesh)
    steps = optimizer(weights, **options)
    scaler = flow.amp.GradScaler(init_scale=4.0, growth_interval=2)
    for step in range(4):
        steps.zero_grad()
        loss = sum(((p * p) * (k + 1)).sum() for k, p in enumerate(weights))
        if step == 1:
            loss = loss + (weights[0][4:5] * float("inf")).sum()
        scaler.scale(loss).backward()
        scaler.unscale_(steps)
        norm = flow.nn.utils.clip_grad_norm_(weights, 1.5)
        scaler.step(steps)
        scaler.update()
    return [*[p.numpy() for p in weights], norm.numpy(), numpy.array(scaler.get_scale())]


@pytest.mark.parametrize("mesh", LAYOUTS, ids=str)
@pytest.mark.parametrize(
    ("optimizer", "options"),
    [(flow.optim.SGD, {"lr": 0.1, "momentum": 0.9}), (flow.optim.AdamW, {"lr": 0.1}), (flow.optim.NAdam, {"lr": 0.1}), (flow.optim.LAMB, {"lr": 0.1})],
    ids=["sgd", "adamw", "nadam", "lamb"],
)
def test_training(optimizer: Any, options: dict[str, Any], mesh: tuple[int, ...]) -> None:
    expected = train(None, optimizer, options)
    assert expected[-1] == 4.0, "the overflow halved the scale, and two steps without one doubled it"
    for found in flow.testing.simulate(int(numpy.prod(mesh)))(train)(mesh, optimizer, options):
        for theirs, ours in zip(expected, found):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-7)
