"""The gamma distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.utils import broadcast_all
from tritonflow.dtypes import finfo
from tritonflow.framework.tensor import Tensor

__all__ = ["Gamma"]


class Gamma(ExponentialFamily):
    """The density rate^a x^(a - 1) exp(-rate x) / Gamma(a) of x > 0, where a is the concentration.

    Args:
        concentration: a, a number or a tensor, positive.
        rate: 1 / scale, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#gamma

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Gamma(2.0, 1.0).log_prob(flow.tensor(1.0))
        tensor(-1.)
    """

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Tensor:
        return self.concentration / self.rate.square()

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        drawn = _C.standard_gamma(self.concentration.expand(self._extended_shape(sample_shape)))
        return (drawn / self.rate).clamp(min=finfo(drawn.dtype).tiny)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        if not isinstance(value, Tensor):
            value = _C.full_like(self.rate, value)
        a, rate = self.concentration, self.rate
        return _C.xlogy(a, rate) + _C.xlogy(a - 1, value) - rate * value - _C.lgamma(a)

    def cdf(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return _C.igamma(self.concentration, self.rate * value)

    def entropy(self) -> Tensor:
        a = self.concentration
        return a - _C.log(self.rate) + _C.lgamma(a) + (1.0 - a) * _C.digamma(a)

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:  # type: ignore[override]
        return _C.lgamma(x + 1) + (x + 1) * _C.log(-y.reciprocal())
