"""Draws have their distributions; gamma draws follow their concentration as quantiles do."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests import where
from tritonflow import _C

stats = pytest.importorskip("scipy.stats")
special = pytest.importorskip("scipy.special")

DRAWS = {
    "Normal": (lambda d: d.Normal(1.0, 2.0), stats.norm(1, 2)),
    "Laplace": (lambda d: d.Laplace(1.0, 2.0), stats.laplace(1, 2)),
    "Exponential": (lambda d: d.Exponential(2.0), stats.expon(scale=0.5)),
    "Gumbel": (lambda d: d.Gumbel(1.0, 2.0), stats.gumbel_r(1, 2)),
    "Gamma": (lambda d: d.Gamma(2.5, 2.0), stats.gamma(2.5, scale=0.5)),
    "Gamma below 1": (lambda d: d.Gamma(0.2, 1.0), stats.gamma(0.2)),
    "Beta": (lambda d: d.Beta(0.5, 2.0), stats.beta(0.5, 2)),
    "StudentT": (lambda d: d.StudentT(3.0), stats.t(3)),
    "Weibull": (lambda d: d.Weibull(1.0, 2.0), stats.weibull_min(2)),
    "VonMises": (lambda d: d.VonMises(0.5, 2.0), stats.vonmises(2, loc=0.5)),
    "Cauchy": (lambda d: d.Cauchy(0.0, 1.0), stats.cauchy()),
}


@pytest.mark.parametrize("name", DRAWS)
def test_draws_are_distributed_exactly(name: str) -> None:
    """Kolmogorov and Smirnov's test of 4096 numbers of a fixed seed."""
    make, law = DRAWS[name]
    flow.manual_seed(7)
    drawn = make(flow.distributions).sample((4096,)).numpy().astype(numpy.float64)
    assert stats.kstest(drawn, law.cdf).pvalue > 1e-3


@pytest.mark.parametrize("name", ["Categorical", "Multinomial", "Geometric", "NegativeBinomial", "Dirichlet"])
def test_moments_of_draws(name: str) -> None:
    weights = flow.tensor([0.2, 0.3, 0.5])
    make: Any = {
        "Categorical": lambda d: d.OneHotCategorical(weights), "Multinomial": lambda d: d.Multinomial(5, weights),
        "Geometric": lambda d: d.Geometric(weights), "NegativeBinomial": lambda d: d.NegativeBinomial(3.0, weights),
        "Dirichlet": lambda d: d.Dirichlet(weights * 4),
    }[name]  # fmt: skip
    flow.manual_seed(7)
    law = make(flow.distributions)
    drawn = law.sample((4096,)).numpy().astype(numpy.float64)
    deviation = law.variance.sqrt().numpy()
    assert (abs(drawn.mean(0) - law.mean.numpy()) < 5 * deviation / 64).all()
    assert (abs(drawn.std(0) / deviation - 1) < 0.15).all()


def test_slope_of_gamma_draws() -> None:
    """Against differences of quantiles, over 8 decades of the concentration and out to both tails."""
    a = numpy.array([1e-3, 0.05, 0.3, 1, 2.5, 10, 50, 200, 399, 401, 1000, 1e5])
    for u in (0.01, 0.5, 0.9999):
        x, h = special.gammaincinv(a, u), 1e-4 * a
        steps = [special.gammaincinv(a + k * h, u) for k in (-2, -1, 1, 2)]
        expected = (steps[0] - 8 * steps[1] + 8 * steps[2] - steps[3]) / (12 * h)
        found = _C.standard_gamma_grad(flow.tensor(a), flow.tensor(x)).numpy()
        inside = x > 1e-290
        numpy.testing.assert_allclose(found[inside], expected[inside], rtol=1e-7)


def test_gamma_draws_and_their_gradients() -> None:
    a = flow.tensor([0.5, 3.0, 0.0, float("inf")], requires_grad=True)
    flow.manual_seed(3)
    drawn = _C.standard_gamma(a)
    assert drawn.tolist()[2:] == [0.0, float("inf")] and min(drawn.tolist()[:2]) > 0
    (slope,) = flow.autograd.grad(drawn[:2].sum(), [a])
    assert min(slope.tolist()[:2]) > 0
    flow.manual_seed(3)
    captured = flow.compile(_C.standard_gamma)(a)
    assert captured.tolist() == drawn.tolist()
    with pytest.raises(RuntimeError, match="non-negative"):
        _C.standard_gamma(flow.tensor([-1.0]))
        where.settle()
    assert _C.standard_gamma(flow.empty(0, 3)).shape == (0, 3)


def test_small_concentrations_leave_probabilities() -> None:
    """Of (0.001, 0.001) nearly all draws are 0 or 1, each as often, though gamma draws of them have no number in float64."""
    flow.manual_seed(5)
    drawn = flow.distributions.Beta(0.001, 0.001).sample((4096,)).numpy()
    assert numpy.isfinite(drawn).all() and abs(drawn.mean() - 0.5) < 0.04 and ((drawn < 1e-3) | (drawn > 0.999)).mean() > 0.97


def test_means_of_gradients() -> None:
    """d E[x] / d parameter, as the mean of the draws' gradients."""
    d = flow.distributions
    a, b = flow.tensor(2.0, requires_grad=True), flow.tensor(3.0, requires_grad=True)
    flow.manual_seed(5)
    for law in (d.Gamma(a, b), d.Beta(a, b)):
        found = flow.autograd.grad(law.rsample((4096,)).mean(), [a, b])
        expected = flow.autograd.grad(law.mean, [a, b])
        for mine, exact in zip(found, expected):
            assert abs(float(mine) - float(exact)) < 0.03
