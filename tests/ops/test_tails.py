"""Derivatives far from 0: exact where one of two terms is nearly all of a number, no NaN, and sums of infinite logarithms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import pytest
import torch

import tritonflow as flow

F = flow.nn.functional
INF = math.inf
POINTS = [-700.0, -300.0, -37.4, -20.0, -5.0, -1.0, 0.5, 5.0, 20.0, 37.4, 300.0, 700.0]


def sigmoid(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


def softplus(x: Any) -> Any:
    return mpmath.log1p(mpmath.exp(x))


def entropy(target: float, **options: Any) -> Callable[[Any], Any]:
    def loss(x: Any) -> Any:
        return F.binary_cross_entropy_with_logits(x, flow.full_like(x, target), reduction="sum", **options)

    return loss


# Ours, and the exact function.
FUNCTIONS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "logsigmoid": (F.logsigmoid, lambda x: -softplus(-x)),
    "softplus": (lambda x: F.softplus(x, 2.0, 1e9), lambda x: softplus(2 * x) / 2),
    "silu": (F.silu, lambda x: x * sigmoid(x)),
    "quick_gelu": (F.quick_gelu, lambda x: x * sigmoid(mpmath.mpf(1.702) * x)),
    "mish": (F.mish, lambda x: x * mpmath.tanh(softplus(x))),
    "gelu by tanh": (
        lambda x: F.gelu(x, approximate="tanh"),
        lambda x: x * sigmoid(mpmath.mpf(1.5957691216057308) * (x + mpmath.mpf(0.044715) * x**3)),
    ),
    "entropy of 1": (entropy(1.0), lambda x: softplus(-x)),
    "entropy of 0": (entropy(0.0), softplus),
    "weighted entropy of 1": (entropy(1.0, pos_weight=flow.tensor(3.0, dtype=flow.float64)), lambda x: 3 * softplus(-x)),
    "weighted entropy of 0": (entropy(0.0, pos_weight=flow.tensor(3.0, dtype=flow.float64)), softplus),
    "soft_margin_loss": (lambda x: F.soft_margin_loss(x, flow.ones_like(x), reduction="sum"), lambda x: softplus(-x)),
    "logaddexp": (lambda x: flow.logaddexp(x, flow.zeros_like(x)), softplus),
    "logaddexp2": (lambda x: flow.logaddexp2(x, flow.zeros_like(x)), lambda x: softplus(x * mpmath.log(2)) / mpmath.log(2)),
}


def derivatives(package: Any, function: Callable[[Any], Any], points: list[float], dtype: str = "float64") -> tuple[Any, Any]:
    """The first and the second derivative at each point."""
    x = package.tensor(points, dtype=getattr(package, dtype), requires_grad=True)
    (first,) = package.autograd.grad(function(x).sum(), x, create_graph=True)
    return first.detach(), package.autograd.grad(first.sum(), x)[0]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_in_the_tails_are_exact(name: str) -> None:
    function, exact = FUNCTIONS[name]
    with mpmath.workdps(700):
        for order, found in enumerate(derivatives(flow, function, POINTS), 1):
            for x, value in zip(POINTS, found.tolist()):
                expected = float(mpmath.diff(exact, mpmath.mpf(x), order, h=mpmath.mpf(10) ** -200))
                assert math.isclose(value, expected, rel_tol=1e-10, abs_tol=1e-300), (order, x, value, expected)


def test_second_derivatives_of_compiled_functions_are_exact() -> None:
    def second(x: Any) -> Any:
        (first,) = flow.autograd.grad(F.logsigmoid(x).sum(), x, create_graph=True)
        return flow.autograd.grad(first.sum(), x)[0]

    found = flow.compile(second)(flow.tensor([-37.4, 37.4], dtype=flow.float64, requires_grad=True))
    assert found.tolist() == pytest.approx([-5.719872877313073e-17] * 2, rel=1e-12)


KINKED = {
    "elu": lambda f, x: f.nn.functional.elu(x, 0.5),
    "celu": lambda f, x: f.nn.functional.celu(x, 0.5),
    "selu": lambda f, x: f.nn.functional.selu(x),
    "log_ndtr": lambda f, x: f.special.log_ndtr(x),
    "tanh": lambda f, x: f.tanh(x),
    "sigmoid": lambda f, x: f.sigmoid(x),
    "softmin": lambda f, x: f.nn.functional.softmin(f.stack((x, x * 0)), 0)[0],
}


@pytest.mark.parametrize("name", KINKED)
def test_derivatives_of_large_numbers_are_numbers(name: str) -> None:
    """What overflows on one side of 0 says nothing about the other."""
    points = [-10.0, -1.0, 1.0, 20.0, 100.0, 800.0, 1e4]
    for found, expected in zip(*(derivatives(package, lambda x, package=package: KINKED[name](package, x), points) for package in (flow, torch))):
        assert torch.allclose(flow.to_torch(found), expected, rtol=1e-7, atol=1e-15)
    assert all(flow.isfinite(found).all() for found in derivatives(flow, lambda x: KINKED[name](flow, x), points, "float32"))


def test_softplus_does_not_overflow_below_a_high_threshold() -> None:
    x = flow.tensor([100.0, 800.0, 1e4])
    assert F.softplus(x, threshold=1e9).tolist() == x.tolist()


# ------------------------------------------------------------------------------------------------ infinite logarithms

PAIRS = [(-INF, 2.0), (2.0, -INF), (1.0, 1.5), (1000.0, -1000.0), (3.0, INF), (-INF, INF), (INF, INF), (math.nan, -INF)]


@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2"])
def test_gradients_of_sums_of_two_logarithms(name: str) -> None:
    def gradients(package: Any) -> list[Any]:
        x, y = (package.tensor(column, dtype=package.float64, requires_grad=True) for column in zip(*PAIRS))
        return list(package.autograd.grad(getattr(package, name)(x, y).sum(), (x, y)))

    for found, expected in zip(gradients(flow), gradients(torch)):
        assert torch.allclose(flow.to_torch(found), expected, equal_nan=True, rtol=1e-12, atol=0)


def nothing_added(package: Any, name: str) -> tuple[Any, Any]:
    """A sum of two that are -inf, in a sum of three; and the two inputs' second derivatives."""
    x = package.tensor([-INF, -INF, 2.0], dtype=package.float64, requires_grad=True)
    add = getattr(package, name)
    (first,) = package.autograd.grad(add(add(x[0], x[1]), x[2]), x, create_graph=True)
    return first, package.autograd.grad((first * package.arange(3)).sum(), x)[0]


@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2"])
def test_two_infinite_logarithms_pass_no_gradient(name: str) -> None:
    first, second = nothing_added(flow, name)
    assert first.tolist() == [0.0, 0.0, 1.0]
    assert second.tolist() == [0.0, 0.0, 0.0]


ROWS = [[-INF, 0.0, 1.0], [5.0, 5.0, 5.0], [INF, 0.0, -INF], [INF, INF, 0.0], [math.nan, 0.0, 1.0], [0.0, -INF, -INF]]


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_logsumexp_of_infinities(compiled: bool) -> None:
    def call(x: Any) -> Any:
        return flow.logsumexp(x, -1)

    x = flow.tensor([*ROWS, [-INF] * 3], dtype=flow.float64, requires_grad=True)
    y = flow.compile(call)(x) if compiled else call(x)
    y.sum().backward()
    reference = torch.tensor(ROWS, dtype=torch.float64, requires_grad=True)
    torch.logsumexp(reference, -1).sum().backward()
    assert y[-1].item() == -INF and x.grad[-1].tolist() == [0.0, 0.0, 0.0]  # where torch has NaN
    assert torch.allclose(flow.to_torch(x.grad[:-1]), reference.grad, equal_nan=True, rtol=1e-12, atol=0)


def test_second_derivatives_of_logsumexp_of_nothing_are_0() -> None:
    x = flow.tensor([[-INF, -INF], [0.0, -INF]], dtype=flow.float64, requires_grad=True)
    (first,) = flow.autograd.grad(flow.logsumexp(x, 1).sum(), x, create_graph=True)
    (second,) = flow.autograd.grad((first * flow.arange(4).reshape(2, 2)).sum(), x)
    assert first.tolist() == [[0.0, 0.0], [1.0, 0.0]] and second.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_logcumsumexp_of_infinities() -> None:
    x = flow.tensor([-INF, -INF, 1.0, 2.0, -INF], dtype=flow.float64, requires_grad=True)
    y = flow.logcumsumexp(x, 0)
    y.backward(flow.tensor([1.0, -2.0, 1.0, -3.0, 1.0], dtype=flow.float64))
    reference = torch.tensor([1.0, 2.0, -INF], dtype=torch.float64, requires_grad=True)
    torch.logcumsumexp(reference, 0).backward(torch.tensor([1.0, -3.0, 1.0], dtype=torch.float64))
    assert x.grad[:2].tolist() == [0.0, 0.0]  # where torch has NaN
    assert torch.allclose(flow.to_torch(x.grad[2:]), reference.grad)
