"""KL divergences of every pair that torch has, with their gradients, in float64."""

from __future__ import annotations

from typing import Any

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


def test_pairs_are_torchs() -> None:
    ours = {(p.__name__, q.__name__) for p, q in flow.distributions.kl._KL_REGISTRY}
    assert ours == set(PAIRS)


def test_transformed_and_independent() -> None:
    d = flow.distributions
    base = [d.LogNormal(flow.zeros(2), flow.ones(2)), d.LogNormal(flow.ones(2), flow.ones(2))]
    close(d.kl_divergence(*base), flow.full((2,), 0.5))
    close(d.kl_divergence(*[d.Independent(b, 1) for b in base]), flow.tensor(1.0))
