"""The generalized Pareto distribution."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import broadcast_all
from tritonflow.framework.tensor import Tensor

__all__ = ["GeneralizedPareto"]


# log1p(w) / w and expm1(w) / w, as polynomials of w, the highest power first.
_LOG1P = tuple([(-1) ** k / (k + 1) for k in range(8, -1, -1)])
_EXPM1 = tuple([1 / math.factorial(k + 1) for k in range(8, -1, -1)])
_SMALL = 0.01  # for less than that these polynomials are exact


def _over(function: Callable[[Tensor], Tensor], series: tuple[float, ...], w: Tensor, z: Tensor, c: Tensor) -> Tensor:
    """function(w) / c with w = c z, also where c is 0, and with derivatives there."""
    small = (w.abs() < _SMALL) | (c == 0)
    near = _C.where(small & w.isfinite(), w, 0.0)
    ratio = _C.zeros_like(near)
    for coefficient in series:
        ratio = ratio * near + coefficient
    return _C.where(small, z * ratio, function(_C.where(small, 1.0, w)) / _C.where(small, 1.0, c))


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

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        drawn = _C.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype, **beside(self.loc))
        return self.icdf(drawn)

    def _standard(self, value: Any) -> tuple[Tensor, Tensor, Tensor]:
        """z = (value - loc) / scale, or 0 where it is outside of the support; whether it is below; whether it is beyond the end."""
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        below, beyond = z < 0, (z > 0) & (self.concentration * z < -1)
        return _C.where(below | beyond, 0.0, z), below, beyond

    def log_prob(self, value: Any) -> Tensor:
        z, below, beyond = self._standard(value)
        c = self.concentration
        logs = _over(_C.log1p, _LOG1P, c * z, z, c)
        power = 1 + c
        logs = _C.where((power == 0) & logs.isinf(), 0.0, power * logs)
        return _C.where(below | beyond, -math.inf, -_C.log(self.scale) - logs)

    def log_survival_function(self, value: Any) -> Tensor:
        """log(1 - cdf(value))"""
        z, _, beyond = self._standard(value)
        logs = _over(_C.log1p, _LOG1P, self.concentration * z, z, self.concentration)
        return _C.where(beyond, -math.inf, -logs)

    def log_cdf(self, value: Any) -> Tensor:
        """log(cdf(value))"""
        return _C.log1p(-_C.exp(self.log_survival_function(value)))

    def cdf(self, value: Any) -> Tensor:
        return _C.exp(self.log_cdf(value))

    def icdf(self, value: Any) -> Tensor:
        logs = -_C.log1p(-value)
        return self.loc + self.scale * _over(_C.expm1, _EXPM1, self.concentration * logs, logs, self.concentration)

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
