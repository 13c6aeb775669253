"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.utils import broadcast_all, standard_normal
from tritonflow.framework.tensor import Tensor

__all__ = ["Normal"]


class Normal(ExponentialFamily):
    """The normal distribution, with the density exp(-(x - loc)^2 / (2 scale^2)) / (scale sqrt(2 pi)).

    Args:
        loc: the mean, a number or a tensor.
        scale: the standard deviation, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#normal

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Normal(0.0, 1.0).log_prob(flow.tensor([0.0, 1.0]))
        tensor([-0.9189, -1.4189])
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        return self.scale.square()

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        noise = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + noise * self.scale

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        deviation = (value - self.loc) / self.scale  # before the square: that of a small scale is no number
        return -0.5 * deviation.square() - _C.log(self.scale) - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return 0.5 * (1 + _C.erf((value - self.loc) / self.scale / math.sqrt(2)))

    def icdf(self, value: Any) -> Tensor:
        return self.loc + self.scale * _C.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Tensor:
        return 0.5 + 0.5 * math.log(2 * math.pi) + _C.log(self.scale)

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return self.loc / self.scale.square(), -0.5 / self.scale.square()

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:  # type: ignore[override]
        return -0.25 * x.square() / y + 0.5 * _C.log(-math.pi / y)
