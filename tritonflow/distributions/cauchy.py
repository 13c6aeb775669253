"""The Cauchy distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import broadcast_all
from tritonflow.framework.tensor import Tensor

__all__ = ["Cauchy"]


class Cauchy(Distribution):
    """The density 1 / (pi scale (1 + ((x - loc) / scale)^2)); it has no mean.

    Args:
        loc: the median, a number or a tensor.
        scale: half the width at half of the maximum, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#cauchy

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Cauchy(0.0, 1.0).log_prob(flow.tensor([0.0, 1.0]))
        tensor([-1.1447, -1.8379])
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return _C.full(self._extended_shape(), math.nan, dtype=self.loc.dtype, **beside(self.loc))

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        return _C.full(self._extended_shape(), math.inf, dtype=self.loc.dtype, **beside(self.loc))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        drawn = _C.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype, **beside(self.loc))
        return self.icdf(drawn)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return -math.log(math.pi) - _C.log(self.scale) - _C.log1p(((value - self.loc) / self.scale) ** 2)

    def cdf(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return _C.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value: Any) -> Tensor:
        return _C.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self) -> Tensor:
        return math.log(4 * math.pi) + _C.log(self.scale)
