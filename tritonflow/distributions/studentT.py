"""Student's t-distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.gamma import Gamma
from tritonflow.distributions.utils import broadcast_all, standard_normal
from tritonflow.framework.tensor import Tensor

__all__ = ["StudentT"]


class StudentT(Distribution):
    """loc + scale X / sqrt(Z / df), where X is a standard normal and Z a chi-squared variable.

    Args:
        df: the degrees of freedom, a number or a tensor, positive.
        loc: the median.
        scale: the scale, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#studentt

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.StudentT(flow.tensor([2.0])).log_prob(flow.tensor(0.0))
        tensor([-1.0397])
    """

    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        super().__init__(self.df.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return _C.where(self.df <= 1, math.nan, self.loc)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        df = self.df
        finite = _C.where(df > 2, df, 3.0)
        spread = self.scale.square() * finite / (finite - 2)
        return _C.where(df > 2, spread, _C.where(df > 1, math.inf, _C.full_like(df, math.nan)))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        noise = standard_normal(self._extended_shape(sample_shape), self.df)
        z = Gamma(0.5 * self.df, 0.5, validate_args=False).rsample(sample_shape)
        return self.loc + self.scale * (noise * _C.rsqrt(z / self.df))

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        y, df = (value - self.loc) / self.scale, self.df
        norm = 0.5 * math.log(math.pi) - _log_gamma_ratio(df)
        return -0.5 * (df + 1.0) * _C.log1p(y**2.0 / df) - _C.log(self.scale) - 0.5 * _C.log(df) - norm

    def entropy(self) -> Tensor:
        df = self.df
        log_beta = math.lgamma(0.5) - _log_gamma_ratio(df)
        slope = _C.digamma(0.5 * (df + 1)) - _C.digamma(0.5 * df)
        return _C.log(self.scale) + 0.5 * (df + 1) * slope + 0.5 * _C.log(df) + log_beta


def _log_gamma_ratio(df: Tensor) -> Tensor:
    """log(Gamma((df + 1) / 2) / Gamma(df / 2)); of large df by its series: the difference loses its digits."""
    is_large = df > 30
    few, many = _C.where(is_large, 1.0, df), _C.where(is_large, df, 30.0)
    x = 1.0 / many.square()
    series = 0.5 * _C.log(0.5 * many) - (1 / 4 - (1 / 24 - (1 / 20 - 17 / 112 * x) * x) * x) / many
    return _C.where(is_large, series, _C.lgamma(0.5 * (few + 1.0)) - _C.lgamma(0.5 * few))  # type: ignore[no-any-return]
