"""The generalized Pareto distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import broadcast_all
from tritonflow.framework.tensor import Tensor
from tritonflow.functional.target import beside

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """The distribution of excesses, 1 - (1 + c z)^(-1 / c) with z = (x - loc) / scale; 1 - exp(-z) where c = 0.

    Args:
        loc: the least value, a number or a tensor.
        scale: the scale, positive.
        concentration: c.

    Source: https://pytorch.org/docs/stable/distributions.html#generalizedpareto

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.GeneralizedPareto(0.0, 1.0, 0.5).mean
        tensor(2.)
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:  # type: ignore[override]
        end = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, _C.where(self.concentration < 0, end, math.inf))

    def _zero_and_safe(self) -> tuple[Tensor, Tensor]:
        """Where the concentration is 0, and a concentration by which one may divide."""
        zero = self.concentration.abs() <= 1e-8
        return zero, _C.where(zero, 1.0, self.concentration)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        drawn = _C.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype, **beside(self.loc))
        return self.icdf(drawn)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        zero, c = self._zero_and_safe()
        z = (value - self.loc) / self.scale
        power = 1 / c + _C.ones_like(z)
        logs = _C.where(power == 0, power, power * _C.log1p(c * z))
        return -_C.log(self.scale) - _C.where(zero, z, logs)

    def log_survival_function(self, value: Any) -> Tensor:
        """log(1 - cdf(value))"""
        if self._validate_args:
            self._validate_sample(value)
        zero, c = self._zero_and_safe()
        z = (value - self.loc) / self.scale
        return _C.where(zero, -z, -_C.log1p(c * z) / c)

    def log_cdf(self, value: Any) -> Tensor:
        """log(cdf(value))"""
        return _C.log1p(-_C.exp(self.log_survival_function(value)))

    def cdf(self, value: Any) -> Tensor:
        return _C.exp(self.log_cdf(value))

    def icdf(self, value: Any) -> Tensor:
        zero, c = self._zero_and_safe()
        logs = _C.log1p(-value)
        return _C.where(zero, self.loc - self.scale * logs, self.loc + self.scale / c * _C.expm1(-c * logs))

    @property
    def mean(self) -> Tensor:
        c = _C.where(self.concentration < 1, self.concentration, 0.5)
        return _C.where(self.concentration < 1, self.loc + self.scale / (1 - c), math.nan)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        c = _C.where(self.concentration < 0.5, self.concentration, 0.25)
        spread = self.scale.square() / ((1 - c).square() * (1 - 2 * c))
        return _C.where(self.concentration < 0.5, spread, math.nan)

    def entropy(self) -> Tensor:
        return _C.log(self.scale) + self.concentration + 1
