"""Gradients where functions have none in the ordinary sense: norms of zeros, medians of equal elements, losses of NaN. They are torch's."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.testing import assert_close

NAN = float("nan")


def _compare(function: Any, numbers: list[float]) -> None:
    results = []
    for side in (flow, torch):
        x = side.tensor(numbers, dtype=side.float64, requires_grad=True)
        y = function(side, x)
        y.sum().backward()
        results.append((y, x.grad))
    for mine, theirs in zip(*results):
        assert_close(mine.cpu(), theirs, op_class="transcendental", equal_nan=True)


@pytest.mark.parametrize("numbers", [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, -2.0, 2.0]], ids=str)
@pytest.mark.parametrize("p", [-2.0, 0.5, 1.5, 3.0])
def test_norms_of_zeros(p: float, numbers: list[float]) -> None:
    _compare(lambda side, x: x.norm(p=p), numbers)
    _compare(lambda side, x: side.dist(x, x.detach(), p), numbers)
    _compare(lambda side, x: side.nn.functional.normalize(x.view(2, 2), p=p, dim=1), numbers)


@pytest.mark.parametrize("numbers", [[0.0, 0.0, 0.0], [1.0, 2.0, 2.0, 0.0, 1.0]], ids=str)
def test_equal_elements_share_the_gradient_of_a_median(numbers: list[float]) -> None:
    _compare(lambda side, x: x.median(), numbers)
    _compare(lambda side, x: x.nanmedian(), [*numbers, NAN])


@pytest.mark.parametrize("name", ["smooth_l1_loss", "huber_loss"])
def test_losses_of_nan_have_gradients_of_nan(name: str) -> None:
    _compare(lambda side, x: getattr(side.nn.functional, name)(x, side.zeros_like(x)), [NAN, 1.0, 0.5, -1.0, -3.0])
