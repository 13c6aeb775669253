"""The half-Cauchy distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.cauchy import Cauchy
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import AbsTransform
from tritonflow.framework.tensor import Tensor

__all__ = ["HalfCauchy"]


class HalfCauchy(TransformedDistribution):
    """|X| of a Cauchy variable X around 0; it has no mean.

    Args:
        scale: the scale of X, a number or a tensor, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#halfcauchy

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.HalfCauchy(flow.tensor(1.0)).mean
        tensor(inf)
    """

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    base_dist: Cauchy

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        base = Cauchy(0, scale, validate_args=False)
        super().__init__(base, AbsTransform(), validate_args=validate_args)

    @property
    def scale(self) -> Tensor:
        return self.base_dist.scale

    @property
    def mean(self) -> Tensor:
        return _C.full(self._extended_shape(), math.inf, dtype=self.scale.dtype, **beside(self.scale))

    @property
    def mode(self) -> Tensor:
        return _C.zeros_like(self.scale)

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        if not isinstance(value, Tensor):
            value = _C.full_like(self.scale, value)
        log_prob = self.base_dist.log_prob(value) + math.log(2)
        return _C.where(value >= 0, log_prob, -math.inf)

    def cdf(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value: Any) -> Tensor:
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self) -> Tensor:
        return self.base_dist.entropy() - math.log(2)
