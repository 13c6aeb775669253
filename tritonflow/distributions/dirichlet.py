"""The Dirichlet distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.utils import uniform_inside
from tritonflow.dtypes import finfo, float64
from tritonflow.framework.tensor import Tensor

__all__ = ["Dirichlet"]


class Dirichlet(ExponentialFamily):
    """The density prod(x_i^(a_i - 1)) Gamma(sum(a)) / prod(Gamma(a_i)) of probabilities x.

    Args:
        concentration: a, of the shape (..., K), positive.

    Raises:
        ValueError: `concentration` has no dimension.

    Source: https://pytorch.org/docs/stable/distributions.html#dirichlet

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Dirichlet(flow.tensor([1.0, 3.0])).mean
        tensor([0.2500, 0.7500])
    """

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Tensor, validate_args: bool | None = None) -> None:
        if concentration.ndim < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        a = self.concentration.expand(self._extended_shape(sample_shape))
        wide = a.to(float64)
        # a gamma draw is u^(1 / a) times one of a + 1: only its logarithm has a number where a is small
        logs = _C.log(_C.standard_gamma(wide + 1)) + _C.log(uniform_inside(a.shape, wide)) / wide
        return _C.softmax(logs, dim=-1).to(a.dtype).clamp(finfo(a.dtype).tiny, 1 - finfo(a.dtype).eps / 2)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        a = self.concentration
        return _C.xlogy(a - 1.0, value).sum(-1) + _C.lgamma(a.sum(-1)) - _C.lgamma(a).sum(-1)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Tensor:
        above = (self.concentration - 1).clamp(min=0.0)
        mode = above / above.sum(-1, True)
        flat = (self.concentration < 1).all(-1, True)
        peak = _C.one_hot(mode.argmax(-1), mode.shape[-1]).to(mode.dtype)
        return _C.where(flat, peak, mode)

    @property
    def variance(self) -> Tensor:
        a = self.concentration
        total = a.sum(-1, True)
        return a * (total - a) / (total.square() * (total + 1))

    def entropy(self) -> Tensor:
        a, k = self.concentration, self.concentration.shape[-1]
        total = a.sum(-1)
        peaks = ((a - 1.0) * _C.digamma(a)).sum(-1)
        return _C.lgamma(a).sum(-1) - _C.lgamma(total) - (k - total) * _C.digamma(total) - peaks

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.concentration,)

    def _log_normalizer(self, x: Tensor) -> Tensor:  # type: ignore[override]
        return _C.lgamma(x).sum(-1) - _C.lgamma(x.sum(-1))
