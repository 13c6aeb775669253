"""The Weibull distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.exponential import Exponential
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import AffineTransform, PowerTransform
from tritonflow.distributions.utils import broadcast_all, euler_constant
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["Weibull"]


class Weibull(TransformedDistribution):
    """scale X^(1 / k), where X is exponentially distributed and k the concentration.

    Args:
        scale: the scale, a number or a tensor, positive.
        concentration: k, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#weibull

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Weibull(1.0, 2.0).mean
        tensor(0.8862)
    """

    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive

    def __init__(self, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(_C.ones_like(self.scale), validate_args=validate_args)
        transforms = [PowerTransform(self.concentration_reciprocal), AffineTransform(0, self.scale)]
        super().__init__(base, transforms, validate_args=validate_args)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        super()._expand_parameters(new, shape)
        new.concentration_reciprocal = new.concentration.reciprocal()

    @property
    def mean(self) -> Tensor:
        return self.scale * _C.exp(_C.lgamma(1 + self.concentration_reciprocal))

    @property
    def mode(self) -> Tensor:
        k = self.concentration
        return self.scale * ((k - 1) / k) ** self.concentration_reciprocal

    @property
    def variance(self) -> Tensor:
        square = _C.exp(_C.lgamma(1 + 2 * self.concentration_reciprocal))
        return self.scale.square() * (square - _C.exp(2 * _C.lgamma(1 + self.concentration_reciprocal)))

    def entropy(self) -> Tensor:
        inverse = self.concentration_reciprocal
        return euler_constant * (1 - inverse) + _C.log(self.scale * inverse) + 1
