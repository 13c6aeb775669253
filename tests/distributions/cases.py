"""Distributions with their parameters, here and in torch, in float64."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

import tritonflow as flow

close = partial(flow.testing.assert_close, check_device=False)

LOC, SCALE = [0.0, 1.0, -2.0], [1.0, 2.0, 0.5]
MATRIX = [[2.0, 0.5, -0.3], [0.5, 1.0, 0.2], [-0.3, 0.2, 1.5]]
CHANCES, WEIGHTS = [0.2, 0.5, 0.9], [0.2, 0.3, 0.5]

# (name, parameters): lists become tensors, numbers stay
CASES: list[tuple[str, dict[str, Any]]] = [
    ("Bernoulli", {"probs": CHANCES}),
    ("Bernoulli", {"logits": [-1.0, 0.0, 2.0]}),
    ("Beta", {"concentration1": [0.5, 2.0, 5.0], "concentration0": [1.5, 1.0, 0.3]}),
    ("Binomial", {"total_count": 5, "probs": CHANCES}),
    ("Categorical", {"probs": [[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]}),
    ("Categorical", {"logits": [1.0, 0.0, -1.0]}),
    ("Cauchy", {"loc": LOC, "scale": SCALE}),
    ("Chi2", {"df": [1.0, 3.0, 5.5]}),
    ("ContinuousBernoulli", {"probs": CHANCES}),
    ("Dirichlet", {"concentration": [[0.5, 2.0, 5.0], [1.0, 1.5, 3.0]]}),
    ("Exponential", {"rate": [0.5, 1.0, 3.0]}),
    ("FisherSnedecor", {"df1": [1.0, 3.0, 6.0], "df2": [2.0, 5.0, 7.0]}),
    ("Gamma", {"concentration": [0.5, 1.0, 7.0], "rate": [2.0, 1.0, 0.5]}),
    ("Geometric", {"probs": CHANCES}),
    ("Gumbel", {"loc": LOC, "scale": SCALE}),
    ("HalfCauchy", {"scale": SCALE}),
    ("HalfNormal", {"scale": SCALE}),
    ("InverseGamma", {"concentration": [0.5, 2.5, 7.0], "rate": [2.0, 1.0, 0.5]}),
    ("Kumaraswamy", {"concentration1": [0.5, 2.0, 5.0], "concentration0": [1.5, 1.0, 3.0]}),
    ("Laplace", {"loc": LOC, "scale": SCALE}),
    ("LogNormal", {"loc": LOC, "scale": SCALE}),
    ("LogisticNormal", {"loc": LOC, "scale": SCALE}),
    ("LKJCholesky", {"dim": 3, "concentration": [0.5, 1.0, 2.5]}),
    ("LowRankMultivariateNormal", {"loc": LOC, "cov_factor": [[0.5, 1.0], [0.2, -0.3], [1.0, 0.1]], "cov_diag": SCALE}),
    ("MultivariateNormal", {"loc": LOC, "covariance_matrix": MATRIX}),
    ("MultivariateNormal", {"loc": LOC, "precision_matrix": MATRIX}),
    ("MultivariateNormal", {"loc": [LOC, LOC], "scale_tril": [[1.0, 0.0, 0.0], [0.5, 2.0, 0.0], [-1.0, 0.3, 0.5]]}),
    ("Multinomial", {"total_count": 4, "probs": WEIGHTS}),
    ("NegativeBinomial", {"total_count": [1.0, 3.0, 2.5], "probs": [0.2, 0.5, 0.8]}),
    ("Normal", {"loc": LOC, "scale": SCALE}),
    ("OneHotCategorical", {"probs": WEIGHTS}),
    ("OneHotCategoricalStraightThrough", {"probs": WEIGHTS}),
    ("Pareto", {"scale": SCALE, "alpha": [0.5, 1.5, 3.0]}),
    ("Poisson", {"rate": [0.5, 2.0, 7.0]}),
    ("RelaxedBernoulli", {"temperature": [0.7], "probs": CHANCES}),
    ("RelaxedOneHotCategorical", {"temperature": [0.7], "probs": WEIGHTS}),
    ("StudentT", {"df": [1.5, 3.0, 0.9], "loc": LOC, "scale": SCALE}),
    ("Uniform", {"low": LOC, "high": [1.0, 4.0, 0.5]}),
    ("VonMises", {"loc": LOC, "concentration": [1.0, 2.0, 8.0]}),
    ("Wishart", {"df": [3.5, 5.0], "covariance_matrix": MATRIX}),
    ("Weibull", {"scale": SCALE, "concentration": [0.8, 1.0, 3.0]}),
]


def made(name: str, parameters: dict[str, Any]) -> tuple[Any, list[Any], Any, list[Any]]:
    """The distribution here with its tensors, and that of torch."""
    ours = {k: flow.tensor(v, dtype=flow.float64, requires_grad=True) if isinstance(v, list) else v for k, v in parameters.items()}
    theirs = {
        k: torch.tensor(v, dtype=torch.float64, requires_grad=True) if isinstance(v, list) else v for k, v in parameters.items()
    }
    return (
        getattr(flow.distributions, name)(**ours), [v for v in ours.values() if isinstance(v, flow.Tensor)],
        getattr(torch.distributions, name)(**theirs), [v for v in theirs.values() if isinstance(v, torch.Tensor)],
    )  # fmt: skip


def assert_same(ours: Any, tensors: list[Any], theirs: torch.Tensor, torch_tensors: list[Any], rtol: float) -> None:
    """Values, and gradients for the parameters, of the finite elements."""
    close(ours, theirs.detach(), rtol=rtol, atol=1e-9, equal_nan=True)
    finite = torch.isfinite(theirs.detach())
    if not theirs.requires_grad or not finite.any():
        return
    expected = torch.autograd.grad(theirs[finite].sum(), torch_tensors, allow_unused=True, retain_graph=True)
    total = flow.where(flow.tensor(finite.numpy()), ours, 0.0).sum()
    found: Any = [None] * len(tensors)
    if total.requires_grad:
        found = flow.autograd.grad(total, tensors, retain_graph=True, allow_unused=True)
    for mine, other, tensor in zip(found, expected, torch_tensors):
        other = torch.zeros_like(tensor) if other is None else other
        mine = flow.zeros(tuple(tensor.shape), dtype=flow.float64) if mine is None else mine
        close(mine, other, rtol=10 * rtol, atol=1e-8, equal_nan=True)
