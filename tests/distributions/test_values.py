"""Distributions have torch's densities, moments, entropies, shapes and supports, and their gradients, in float64."""

from __future__ import annotations

import math
import warnings
from typing import Any

import mpmath
import pytest
import torch

import tritonflow as flow
from tests.distributions.cases import CASES, assert_same, close, made

QUANTILES = [0.1, 0.4, 0.8]
# torch approximates Bessel functions by polynomials of 1e-7, and a logarithm of a factorial in float32
RTOL = {"VonMises": 3e-6, "Multinomial": 1e-7}


def same(name: str, ask: Any, ours: Any, tensors: list[Any], theirs: Any, torch_tensors: list[Any]) -> None:
    """What is asked of both, or that neither has it."""
    try:
        expected = ask(theirs)
    except NotImplementedError:
        with pytest.raises(NotImplementedError):
            ask(ours)
        return
    try:
        assert_same(ask(ours), tensors, expected, torch_tensors, RTOL.get(name, 1e-9))
    except NotImplementedError:
        assert name in ("Chi2", "Gamma", "InverseGamma")  # torch has no derivative of igamma for its parameter


@pytest.mark.parametrize(("name", "parameters"), CASES, ids=[f"{name}-{'-'.join(p)}" for name, p in CASES])
@pytest.mark.sampled(most=20)
def test_values_and_gradients(name: str, parameters: dict[str, Any]) -> None:
    torch.manual_seed(0)
    ours, tensors, theirs, torch_tensors = made(name, parameters)
    at = theirs.sample((2,)).detach()
    both = (ours, tensors, theirs, torch_tensors)

    def point(d: Any) -> Any:
        return flow.tensor(at.numpy()) if d is ours else at

    def quantiles(d: Any) -> Any:
        return flow.tensor(QUANTILES, dtype=flow.float64) if d is ours else torch.tensor(QUANTILES, dtype=torch.float64)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(name, lambda d: d.log_prob(point(d)), *both)
        same(name, lambda d: d.cdf(point(d)), *both)
        if not theirs.event_shape:
            same(name, lambda d: d.icdf(quantiles(d)), *both)
        for attribute in ("mean", "variance", "stddev", "mode"):
            if (name, attribute) != ("Uniform", "mode"):
                same(name, lambda d, a=attribute: getattr(d, a), *both)
        same(name, lambda d: d.entropy(), *both)
        same(name, lambda d: d.enumerate_support(), *both)
        shape = (4, *theirs.batch_shape)
        same(name, lambda d: d.expand(shape).log_prob(point(d)[:1].expand(shape + tuple(theirs.event_shape))), *both)


@pytest.mark.parametrize(("name", "parameters"), CASES, ids=[f"{name}-{'-'.join(p)}" for name, p in CASES])
def test_shapes_and_draws(name: str, parameters: dict[str, Any]) -> None:
    ours, _, theirs, _ = made(name, parameters)
    assert tuple(ours.batch_shape) == tuple(theirs.batch_shape) and tuple(ours.event_shape) == tuple(theirs.event_shape)
    assert ours.has_rsample == theirs.has_rsample
    assert repr(ours) == repr(theirs).replace("torch.Size", "tritonflow.Size")
    assert type(ours.support).__name__ == type(theirs.support).__name__
    drawn, expected = ours.sample((2,)), theirs.sample((2,))
    assert tuple(drawn.shape) == tuple(expected.shape) and str(drawn.dtype)[11:] == str(expected.dtype)[6:]
    assert not drawn.requires_grad and bool(ours.support.check(drawn).all())
    if ours.has_rsample:
        assert ours.rsample().requires_grad


def test_every_name_of_torch() -> None:
    assert not set(torch.distributions.__all__) - set(flow.distributions.__all__)


def test_generalized_pareto() -> None:
    """In float32: torch's has an error in float64."""
    concentration = [0.0, 0.3, -0.4]
    ours = flow.distributions.GeneralizedPareto(flow.zeros(3), 2.0, flow.tensor(concentration))
    theirs = torch.distributions.GeneralizedPareto(torch.zeros(3), 2.0, torch.tensor(concentration))
    at = torch.tensor([0.5, 1.0, 3.0])
    for ask in ("log_prob", "cdf", "log_survival_function"):
        close(getattr(ours, ask)(flow.tensor(at.numpy())), getattr(theirs, ask)(at), rtol=1e-5, atol=1e-6)
    for ask in ("mean", "variance"):
        close(getattr(ours, ask), getattr(theirs, ask), rtol=1e-5, atol=1e-6)
    u = [0.1, 0.5, 0.9]
    close(ours.icdf(flow.tensor(u)), theirs.icdf(torch.tensor(u)), rtol=1e-5, atol=1e-6)


def test_generalized_pareto_without_a_tail() -> None:
    """Its concentration of 0 has the derivatives that one near 0 has."""
    at, u = flow.tensor([0.0, 0.5, 1.0, 3.0], dtype=flow.float64), flow.tensor([0.0, 0.1, 0.5, 0.9], dtype=flow.float64)

    def d(c: flow.Tensor) -> Any:
        return flow.distributions.GeneralizedPareto(flow.zeros(4, dtype=flow.float64), 2.0, c)

    y, logs = at / 2, -(1 - u).log()
    expected = {
        "log_prob": (at, y.square() / 2 - y), "log_survival_function": (at, y.square() / 2), "icdf": (u, logs.square()),
    }  # fmt: skip
    for name, (points, slope) in expected.items():
        c = flow.zeros(4, dtype=flow.float64, requires_grad=True)
        (found,) = flow.autograd.grad(getattr(d(c), name)(points).sum(), c)
        assert flow.allclose(found, slope, rtol=1e-14, atol=0), name
    for size in (1e-9, 1e-3, 0.02, 0.3):
        for sign in (-1, 1):
            c = flow.full((4,), sign * size, dtype=flow.float64, requires_grad=True)
            for name, (points, _) in expected.items():
                assert flow.autograd.gradcheck(lambda c, n=name, p=points: getattr(d(c), n)(p), c)
            assert flow.allclose(d(c).cdf(d(c).icdf(u)), u, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("concentration", [-0.5, 0.0, 0.5])
def test_generalized_pareto_outside_of_its_support(concentration: float) -> None:
    c = flow.tensor(concentration, requires_grad=True)
    d = flow.distributions.GeneralizedPareto(0.0, 1.0, c, validate_args=False)
    end = -1 / concentration if concentration < 0 else math.inf
    at = flow.tensor([-1.0, -5.0, end + 1, math.nan])
    found = d.log_prob(at)
    assert found[:3].tolist() == [-math.inf] * 3 and math.isnan(found[3].item())
    assert d.cdf(at)[:3].tolist() == [0, 0, 1] and math.isnan(d.cdf(at)[3].item())
    d.log_prob(flow.tensor([-1.0, 0.5])).sum().backward()
    assert c.grad.isfinite()


@pytest.mark.parametrize("dim", [2, 3, 5])
@pytest.mark.parametrize("concentration", [0.5, 1.0, 3.0])
def test_correlations_of_the_lkj_distribution(dim: int, concentration: float) -> None:
    """Each is 2 b - 1 with b of Beta(a, a), a = concentration + dim / 2 - 1: the variance is 1 / (2 a + 1)."""
    flow.manual_seed(0)
    factors = flow.distributions.LKJCholesky(dim, concentration).sample((20000,))
    correlations = (factors @ factors.transpose(-1, -2)).numpy()
    a = concentration + dim / 2 - 1
    for i in range(dim):
        for j in range(i):
            r = correlations[:, i, j]
            assert abs(r.mean()) < 5 * r.std() / len(r) ** 0.5
            assert r.var() == pytest.approx(1 / (2 * a + 1), rel=0.05)
            fourth = 3 / ((2 * a + 1) * (2 * a + 3))
            assert (r**4).mean() == pytest.approx(fourth, rel=0.1)


def test_mixture_and_independent() -> None:
    def build(lib: Any) -> tuple[Any, Any]:
        d, wide = lib.distributions, lib.float64
        normal = d.Normal(lib.tensor([[0.0, 1.0, 2.0]] * 2, dtype=wide), lib.tensor([[1.0, 2.0, 0.5]] * 2, dtype=wide))
        weights = d.Categorical(lib.tensor([0.2, 0.3, 0.5], dtype=wide))
        return d.MixtureSameFamily(weights, normal), d.Independent(normal, 1)

    at = torch.tensor([[0.3, -1.0]], dtype=torch.float64)
    (mixture, independent), (torch_mixture, torch_independent) = build(flow), build(torch)
    for ask in (lambda d, x: d.log_prob(x), lambda d, x: d.cdf(x), lambda d, x: d.mean, lambda d, x: d.variance):
        close(ask(mixture, flow.tensor(at.numpy())), ask(torch_mixture, at), rtol=1e-12, atol=1e-12)
    assert mixture.sample((5,)).shape == (5, 2)
    ones = torch.ones(2, 3, dtype=torch.float64)
    found = independent.log_prob(flow.ones(2, 3, dtype=flow.float64))
    close(found, torch_independent.log_prob(ones), rtol=1e-12, atol=1e-12)
    close(independent.entropy(), torch_independent.entropy(), rtol=1e-12, atol=1e-12)


WRONG = [
    (lambda d, t: d.Normal(0.0, -1.0), ValueError),
    (lambda d, t: d.Normal("a", 1.0), ValueError),
    (lambda d, t: d.Uniform(1.0, 0.0), ValueError),
    (lambda d, t: d.Bernoulli(), ValueError),
    (lambda d, t: d.Bernoulli(probs=0.5, logits=0.0), ValueError),
    (lambda d, t: d.Bernoulli(probs=1.5), ValueError),
    (lambda d, t: d.Bernoulli(probs=float("nan")), ValueError),
    (lambda d, t: d.Geometric(probs=0.0), ValueError),
    (lambda d, t: d.Categorical(t.tensor(1.0)), ValueError),
    (lambda d, t: d.Categorical(t.tensor([-1.0, 2.0])), ValueError),
    (lambda d, t: d.Dirichlet(t.tensor(1.0)), ValueError),
    (lambda d, t: d.Exponential(1.0).log_prob(t.tensor(-1.0)), ValueError),
    (lambda d, t: d.Exponential(1.0).log_prob(1.0), ValueError),
    (lambda d, t: d.Poisson(1.0).log_prob(t.tensor(0.5)), ValueError),
    (lambda d, t: d.Normal(t.zeros(3), 1.0).log_prob(t.zeros(2)), ValueError),
    (lambda d, t: d.Categorical(t.ones(3)).log_prob(t.tensor(3)), ValueError),
    (lambda d, t: d.Independent(d.Normal(0.0, 1.0), 1), ValueError),
    (lambda d, t: d.TransformedDistribution(d.Normal(0.0, 1.0), 3), ValueError),
    (lambda d, t: d.MixtureSameFamily(d.Categorical(t.ones(2)), d.Normal(t.zeros(3), 1.0)), ValueError),
    (lambda d, t: d.kl_divergence(d.Normal(0.0, 1.0), d.Poisson(1.0)), NotImplementedError),
    (lambda d, t: d.register_kl(3, d.Normal), TypeError),
    (lambda d, t: d.Multinomial(2.5, t.ones(2)), NotImplementedError),
    (lambda d, t: d.Distribution.set_default_validate_args(3), ValueError),
    (lambda d, t: d.transform_to(d.constraints.boolean), NotImplementedError),
    (lambda d, t: d.Normal(0.0, -1.0, validate_args=False), None),
    (lambda d, t: d.Normal(0.0, 1.0).log_prob(t.tensor(float("nan"))), ValueError),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_refused(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.distributions.Distribution, "_validate_args", True)  # torch's compiler switches it off
    call, error = WRONG[number]
    for lib in (torch, flow):
        if error is None:
            call(lib.distributions, lib)
        else:
            with pytest.raises(error):
                call(lib.distributions, lib)


def test_in_a_captured_graph_nothing_is_checked() -> None:
    def loss(x: Any) -> Any:
        return flow.distributions.Normal(x, x.exp()).log_prob(x + 1).sum()

    x = flow.tensor([0.0, 1.0], requires_grad=True)
    captured = flow.compile(loss)(x)
    close(captured, loss(x))


@pytest.mark.parametrize("df", [1.5, 25.0, 31.0, 250.0, 1e5, 1e10])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_students_density_of_many_degrees_of_freedom(df: float, dtype: str) -> None:
    """Nearly a normal distribution; the difference of two large logarithms, which torch takes, has no digits left."""
    own = flow.tensor(df, dtype=getattr(flow, dtype), requires_grad=True)
    found = flow.distributions.StudentT(own).log_prob(flow.tensor(0.5, dtype=own.dtype))
    with mpmath.workdps(40):

        def density(n: Any) -> Any:
            norm = mpmath.loggamma((n + 1) / 2) - mpmath.loggamma(n / 2) - mpmath.log(mpmath.pi * n) / 2
            return norm - (n + 1) / 2 * mpmath.log1p(mpmath.mpf(0.25) / n)

        assert found.item() == pytest.approx(float(density(mpmath.mpf(df))), rel=1e-5 if dtype == "float32" else 1e-12)


def test_the_gradient_of_an_infinite_variance_is_0() -> None:
    df = flow.tensor([1.5, 2.0, 3.0], requires_grad=True)
    flow.distributions.StudentT(df).variance.sum().backward()
    assert df.grad.tolist() == [0.0, 0.0, -2.0]


def test_no_draws() -> None:
    assert flow.distributions.Wishart(flow.tensor(3.0), flow.eye(2)).sample((0,)).shape == (0, 2, 2)


def test_a_mixture_shows_what_torchs_shows() -> None:
    def mixture(lib: Any) -> Any:
        return lib.distributions.MixtureSameFamily(
            lib.distributions.Categorical(lib.ones(2)), lib.distributions.Normal(lib.zeros(2), 1.0)
        )

    assert repr(mixture(flow)) == repr(mixture(torch)).replace("torch.Size", "tritonflow.Size")
