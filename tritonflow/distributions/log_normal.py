"""The log-normal distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.normal import Normal
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import ExpTransform
from tritonflow.framework.tensor import Tensor

__all__ = ["LogNormal"]


class LogNormal(TransformedDistribution):
    """exp(X) of a normal variable X.

    Args:
        loc: the mean of X, a number or a tensor.
        scale: the standard deviation of X, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#lognormal

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.LogNormal(0.0, 1.0).mean
        tensor(1.6487)
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True
    base_dist: Normal

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def loc(self) -> Tensor:
        return self.base_dist.loc

    @property
    def scale(self) -> Tensor:
        return self.base_dist.scale

    @property
    def mean(self) -> Tensor:
        return _C.exp(self.loc + self.scale.square() / 2)

    @property
    def mode(self) -> Tensor:
        return _C.exp(self.loc - self.scale.square())

    @property
    def variance(self) -> Tensor:
        spread = self.scale.square()
        return _C.expm1(spread) * _C.exp(2 * self.loc + spread)

    def entropy(self) -> Tensor:
        return self.base_dist.entropy() + self.loc
