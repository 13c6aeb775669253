"""KL divergences of every pair that torch has, with their gradients, in float64."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
import torch

import tritonflow as flow
from tests.distributions.cases import CASES, assert_same, close, made

PARAMETERS = dict(reversed(CASES))
PARAMETERS |= {"Pareto": {"scale": [1.0, 2.0, 0.5], "alpha": [1.5, 2.5, 3.0]}, "Uniform": {"low": [0.1, 1, -2], "high": [0.9, 4, 0.5]}}
# parameters of q where those of p, 1.2 times larger, will not do
OTHERS: dict[str, dict[str, Any]] = {
    "Uniform": {"low": [-0.5, 0.0, -3.0], "high": [1.5, 5.0, 1.0]},
    "Pareto": {"scale": [0.05, 0.9, 0.1], "alpha": [1.5, 2.5, 3.0]},
    "Bernoulli": {"probs": [0.3, 0.6, 0.7]},
    "Binomial": {"total_count": 5, "probs": [0.3, 0.6, 0.7]},
    "Geometric": {"probs": [0.3, 0.6, 0.7]},
    "ContinuousBernoulli": {"probs": [0.3, 0.6, 0.7]},
    "Categorical": {"probs": [[0.1, 0.4, 0.5], [0.3, 0.3, 0.4]]},
    "OneHotCategorical": {"probs": [0.1, 0.4, 0.5]},
}
INF = float("inf")
PAIRS = [(p.__name__, q.__name__) for p, q in torch.distributions.kl._KL_REGISTRY]
TESTED = [pair for pair in PAIRS if pair[0] in PARAMETERS and pair[1] in PARAMETERS]


def larger(name: str) -> dict[str, Any]:
    def scaled(value: Any) -> Any:
        return [scaled(v) for v in value] if isinstance(value, list) else value * 1.2

    return OTHERS.get(name) or {k: scaled(v) for k, v in PARAMETERS[name].items()}


@pytest.mark.parametrize("pair", TESTED, ids="-".join)
def test_divergence(pair: tuple[str, str]) -> None:
    p, p_tensors, torch_p, torch_p_tensors = made(pair[0], PARAMETERS[pair[0]])
    q, q_tensors, torch_q, torch_q_tensors = made(pair[1], larger(pair[1]))
    found, expected = flow.distributions.kl_divergence(p, q), torch.distributions.kl_divergence(torch_p, torch_q)
    assert_same(found, p_tensors + q_tensors, expected, torch_p_tensors + torch_q_tensors, 1e-9)


ENDS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    (name, {"probs": p}, name, {"probs": q})
    for name in ("Bernoulli", "ContinuousBernoulli", "Geometric")
    for p, q in ((1.0, 0.3), (1.0, 1.0), (0.5, 1.0), (1e-10, 0.4))
] + [
    ("Bernoulli", {"probs": 0.0}, "Bernoulli", {"probs": 0.3}),
    ("Bernoulli", {"logits": -800.0}, "Bernoulli", {"logits": 50.0}),
    ("Categorical", {"probs": [1.0, 0.0]}, "Categorical", {"probs": [0.5, 0.5]}),
    ("Categorical", {"probs": [0.5, 0.5]}, "Categorical", {"logits": [0.0, -INF]}),
    ("Poisson", {"rate": 0.0}, "Poisson", {"rate": 3.0}),
    ("Gumbel", {"loc": 0.0, "scale": 1e300}, "Normal", {"loc": 0.0, "scale": 1e300}),
    ("Normal", {"loc": 0.0, "scale": 1e-300}, "Laplace", {"loc": 1e10, "scale": 1.0}),
    ("Normal", {"loc": 1e300, "scale": 1.0}, "Normal", {"loc": 1e300, "scale": 1.0}),
    ("Gamma", {"concentration": 1e10, "rate": 1.0}, "Gamma", {"concentration": 1.0, "rate": 1.0}),
    ("Uniform", {"low": 0.0, "high": 1.0}, "Beta", {"concentration1": 1.0, "concentration0": 1.0}),
]  # fmt: skip


@pytest.mark.parametrize(("p", "of_p", "q", "of_q"), ENDS)
def test_divergence_at_the_ends_of_parameters(p: str, of_p: dict[str, Any], q: str, of_q: dict[str, Any]) -> None:
    def divergence(package: Any) -> Any:
        pair = [
            getattr(package.distributions, name)(
                **{k: package.tensor(v, dtype=package.float64) for k, v in values.items()}, validate_args=False
            )
            for name, values in ((p, of_p), (q, of_q))
        ]
        return package.distributions.kl_divergence(*pair)

    torch.testing.assert_close(flow.to_torch(divergence(flow)), divergence(torch), rtol=1e-6, atol=1e-9, equal_nan=True)


def _normalizer(x: Any) -> Any:
    return mpmath.log(mpmath.expm1(x) / x)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_saturated_continuous_bernoulli(dtype: str) -> None:
    """All of it follows from the logits, which saturated probabilities have forgotten; torch's divergence is negative."""
    rtol = 1e-4 if dtype == "float32" else 1e-10
    with mpmath.workdps(500):
        for a, b in ((-500.0, 20.0), (300.0, -700.0), (-40.0, -90.0), (5.0, 90.0)):
            own, other = (
                flow.distributions.ContinuousBernoulli(logits=flow.tensor(v, dtype=getattr(flow, dtype), requires_grad=True)) for v in (a, b)
            )
            mean, variance = mpmath.diff(_normalizer, a), mpmath.diff(_normalizer, a, 2)
            exact = {
                "mean": (own.mean, mean),
                "variance": (own.variance, variance),
                "entropy": (own.entropy(), _normalizer(a) - mean * a),
                "log_prob": (own.log_prob(flow.tensor(0.25, dtype=getattr(flow, dtype))), 0.25 * a - _normalizer(a)),
                "divergence": (flow.distributions.kl_divergence(own, other), mean * (a - b) + _normalizer(b) - _normalizer(a)),
            }
            for name, (found, right) in exact.items():
                assert found.item() == pytest.approx(float(right), rel=rtol), (name, a, b)
                assert flow.autograd.grad(found, own.logits, retain_graph=True)[0].isfinite().item(), (name, a, b)


def test_pairs_are_torchs() -> None:
    ours = {(p.__name__, q.__name__) for p, q in flow.distributions.kl._KL_REGISTRY}
    assert ours == set(PAIRS)


def test_transformed_and_independent() -> None:
    d = flow.distributions
    base = [d.LogNormal(flow.zeros(2), flow.ones(2)), d.LogNormal(flow.ones(2), flow.ones(2))]
    close(d.kl_divergence(*base), flow.full((2,), 0.5))
    close(d.kl_divergence(*[d.Independent(b, 1) for b in base]), flow.tensor(1.0))
