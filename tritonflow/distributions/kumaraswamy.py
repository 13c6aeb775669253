"""The Kumaraswamy distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import AffineTransform, PowerTransform
from tritonflow.distributions.uniform import Uniform
from tritonflow.distributions.utils import broadcast_all, euler_constant
from tritonflow.framework.tensor import Tensor

__all__ = ["Kumaraswamy"]


class Kumaraswamy(TransformedDistribution):
    """The distribution 1 - (1 - x^a)^b on (0, 1).

    Args:
        concentration1: a, a number or a tensor, positive.
        concentration0: b, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#kumaraswamy

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Kumaraswamy(1.0, 1.0).mean
        tensor(0.5000)
    """

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        zero = _C.zeros_like(self.concentration0)
        transforms = [
            PowerTransform(self.concentration0.reciprocal()), AffineTransform(1.0, -1.0),
            PowerTransform(self.concentration1.reciprocal()),
        ]  # fmt: skip
        super().__init__(Uniform(zero, zero + 1, validate_args=validate_args), transforms, validate_args=validate_args)

    def _moment(self, n: int) -> Tensor:
        a, b = self.concentration1, self.concentration0
        first = 1 + n / a
        return _C.exp(_C.log(b) + _C.lgamma(first) + _C.lgamma(b) - _C.lgamma(first + b))

    @property
    def mean(self) -> Tensor:
        return self._moment(1)

    @property
    def mode(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        log_mode = _C.log1p(-b) / b - _C.log1p(-a * b)
        return _C.exp(_C.where((b < 1) | (a < 1), math.nan, log_mode))

    @property
    def variance(self) -> Tensor:
        return self._moment(2) - self.mean.square()

    def entropy(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        harmonic = _C.digamma(b + 1) + euler_constant
        return (1 - 1 / b) + (1 - 1 / a) * harmonic - _C.log(a) - _C.log(b)
