"""The exponential distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.utils import broadcast_all
from tritonflow.framework.tensor import Tensor

__all__ = ["Exponential"]


class Exponential(ExponentialFamily):
    """The density rate exp(-rate x) of x >= 0.

    Args:
        rate: a number or a tensor, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#exponential

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Exponential(flow.tensor([2.0])).log_prob(flow.tensor(1.0))
        tensor([-1.3069])
    """

    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.rate.reciprocal()

    @property
    def mode(self) -> Tensor:
        return _C.zeros_like(self.rate)

    @property
    def stddev(self) -> Tensor:
        return self.rate.reciprocal()

    @property
    def variance(self) -> Tensor:
        return self.rate ** (-2)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        return _C.empty(shape, dtype=self.rate.dtype, **beside(self.rate)).exponential_() / self.rate

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return _C.log(self.rate) - self.rate * value

    def cdf(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return 1 - _C.exp(-self.rate * value)

    def icdf(self, value: Any) -> Tensor:
        return -_C.log1p(-value) / self.rate

    def entropy(self) -> Tensor:
        return 1.0 - _C.log(self.rate)

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (-self.rate,)

    def _log_normalizer(self, x: Tensor) -> Tensor:  # type: ignore[override]
        return -_C.log(-x)
