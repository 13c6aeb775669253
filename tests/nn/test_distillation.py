"""The divergence of the distributions of two linear maps, beside a composition in float64."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.ops.sides import ours
from tritonflow.errors import ArgumentValueError, ShapeError
from tritonflow.nn import distillation
from tritonflow.testing import assert_close

F = flow.nn.functional


def composed(x: Any, w: Any, b: Any, y: Any, v: Any, labels: Any, beta: float, temperature: float) -> torch.Tensor:
    """As its authors write it, with all logits."""
    q = torch.log_softmax((x @ w.T + b) / temperature, -1)
    p = torch.log_softmax(y @ v.T / temperature, -1)
    if 0 < beta < 1:
        m = torch.log(beta * p.exp() + (1 - beta) * q.exp())
        losses = beta * p.exp() * (p - m) + (1 - beta) * q.exp() * (q - m)
    else:
        losses = p.exp() * (p - q) if beta == 0 else q.exp() * (q - p)
    counted = labels != -100
    return (losses.sum(-1) * counted).sum() / counted.sum().clamp(min=1)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("beta", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_as_composed(dtype: torch.dtype, beta: float, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In three parts, of widths that differ, with rows that do not count."""
    monkeypatch.setattr(distillation, "_ELEMENTS", 16 * 41)
    torch.manual_seed(0)
    shapes = ((5, 8, 13), (41, 13), (41,), (5, 8, 7), (41, 7))
    given = [torch.randn(shape).to(dtype) * 0.5 for shape in shapes]
    labels = torch.randint(0, 41, (5, 8))
    labels[1], labels[4, 3] = -100, -100
    exact = [each.double().requires_grad_(k < 3) for k, each in enumerate(given)]
    wanted = composed(*exact, labels, beta, 2.0)
    wanted.backward()
    x, w, b, y, v = (ours(each).requires_grad_(k < 3) for k, each in enumerate(given))

    def loss_of(x: Any, w: Any, b: Any, y: Any, v: Any, labels: Any) -> Any:
        return F.linear_jsd_loss(x, w, y, v, labels, beta, student_bias=b, temperature=2.0)

    loss = (flow.compile(loss_of) if compiled else loss_of)(x, w, b, y, v, ours(labels))
    loss.backward()
    assert loss.dtype is flow.float32
    assert_close(loss.detach(), wanted.detach().float(), rtol=0.03 if dtype == torch.bfloat16 else 1e-5, atol=1e-6, check_device=False)
    for mine, theirs in zip((x, w, b), exact):
        error = (flow.to_torch(mine.grad).double() - theirs.grad).norm() / theirs.grad.norm()
        assert error < (0.03 if dtype == torch.bfloat16 else 1e-5)


def test_no_row_counts_and_none_is_there() -> None:
    weight = flow.randn(5, 3, requires_grad=True)
    for rows in (4, 0):
        x = flow.randn(rows, 3)
        loss = F.linear_jsd_loss(x, weight, x, weight, flow.full((rows,), -100, dtype=flow.int64))
        loss.backward()
        assert loss.item() == 0 and weight.grad is not None and not weight.grad.any()


def test_what_does_not_fit() -> None:
    x, w = flow.ones(2, 3), flow.ones(4, 3)
    with pytest.raises(ShapeError, match=r"shapes \[2, 3\], \[4, 3\], \[1, 3\], \[4, 3\] do not fit"):
        F.linear_jsd_loss(x, w, x[:1], w)
    with pytest.raises(ShapeError, match=r"labels must be of shape \[2\], but got \[3\]"):
        F.linear_jsd_loss(x, w, x, w, flow.zeros(3, dtype=flow.int64))
    with pytest.raises(ArgumentValueError, match="temperature must be above 0, but got 0"):
        F.linear_jsd_loss(x, w, x, w, temperature=0)
    with pytest.raises(ArgumentValueError, match="beta must be in 0 to 1, but got 2"):
        F.linear_jsd_loss(x, w, x, w, beta=2)
