"""The Gumbel distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import AffineTransform, ExpTransform
from tritonflow.distributions.uniform import Uniform
from tritonflow.distributions.utils import broadcast_all, euler_constant
from tritonflow.dtypes import finfo
from tritonflow.framework.tensor import Tensor

__all__ = ["Gumbel"]


class Gumbel(TransformedDistribution):
    """The density exp(-z - exp(-z)) / scale with z = (x - loc) / scale: that of a largest value.

    Args:
        loc: the mode, a number or a tensor.
        scale: the scale, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#gumbel

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Gumbel(0.0, 1.0).log_prob(flow.tensor(0.0))
        tensor(-1.)
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        info = finfo(self.loc.dtype)
        low, high = _C.full_like(self.loc, info.tiny), _C.full_like(self.loc, 1 - info.eps)
        transforms = [
            ExpTransform().inv, AffineTransform(0, -_C.ones_like(self.scale)), ExpTransform().inv,
            AffineTransform(self.loc, -self.scale),
        ]  # fmt: skip
        super().__init__(Uniform(low, high, validate_args=validate_args), transforms, validate_args=validate_args)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return (y - _C.exp(y)) - _C.log(self.scale)

    @property
    def mean(self) -> Tensor:
        return self.loc + self.scale * euler_constant

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return math.pi / math.sqrt(6) * self.scale

    @property
    def variance(self) -> Tensor:
        return self.stddev.square()

    def entropy(self) -> Tensor:
        return _C.log(self.scale) + (1 + euler_constant)
