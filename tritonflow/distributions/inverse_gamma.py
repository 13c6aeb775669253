"""The inverse gamma distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.gamma import Gamma
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import PowerTransform
from tritonflow.framework.tensor import Tensor

__all__ = ["InverseGamma"]


class InverseGamma(TransformedDistribution):
    """1 / X, where X is gamma distributed.

    Args:
        concentration: that of X, a number or a tensor, positive.
        rate: that of X, the scale of 1 / X, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#inversegamma

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.InverseGamma(2.0, 3.0).mean
        tensor(3.)
    """

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive
    has_rsample = True
    base_dist: Gamma

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-_C.ones_like(base.rate)), validate_args=validate_args)

    @property
    def concentration(self) -> Tensor:
        return self.base_dist.concentration

    @property
    def rate(self) -> Tensor:
        return self.base_dist.rate

    @property
    def mean(self) -> Tensor:
        return _C.where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    @property
    def mode(self) -> Tensor:
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Tensor:
        a = self.concentration
        return _C.where(a > 2, self.rate.square() / ((a - 1).square() * (a - 2)), math.inf)

    def entropy(self) -> Tensor:
        a = self.concentration
        return a + _C.log(self.rate) + _C.lgamma(a) - (1 + a) * _C.digamma(a)
