"""The Laplace distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import broadcast_all
from tritonflow.dtypes import finfo
from tritonflow.framework.tensor import Tensor

__all__ = ["Laplace"]


class Laplace(Distribution):
    """The density exp(-|x - loc| / scale) / (2 scale).

    Args:
        loc: the mean, a number or a tensor.
        scale: the scale, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#laplace

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Laplace(0.0, 1.0).log_prob(flow.tensor([0.0, 1.0]))
        tensor([-0.6931, -1.6931])
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

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
    def variance(self) -> Tensor:
        return 2 * self.scale.square()

    @property
    def stddev(self) -> Tensor:
        return 2**0.5 * self.scale

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        eps = finfo(self.loc.dtype).eps
        drawn = _C.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype, **beside(self.loc))
        u = drawn * (2 - eps) + (eps - 1)
        tiny = finfo(self.loc.dtype).tiny
        return self.loc - self.scale * u.sign() * _C.log1p(-u.abs().clamp(min=tiny))

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return -_C.log(2 * self.scale) - (value - self.loc).abs() / self.scale

    def cdf(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        far = value - self.loc
        return 0.5 - 0.5 * far.sign() * _C.expm1(-far.abs() / self.scale)

    def icdf(self, value: Any) -> Tensor:
        far = value - 0.5
        return self.loc - self.scale * far.sign() * _C.log1p(-2 * far.abs())

    def entropy(self) -> Tensor:
        return 1 + _C.log(2 * self.scale)
