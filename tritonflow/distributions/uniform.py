"""The uniform distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import broadcast_all
from tritonflow.framework.tensor import Tensor

__all__ = ["Uniform"]


class Uniform(Distribution):
    """Numbers in [low, high), all equally likely.

    Args:
        low, high: the bounds, numbers or tensors.

    Raises:
        ValueError: `low` is not less than `high`.

    Source: https://pytorch.org/docs/stable/distributions.html#uniform

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Uniform(0.0, 4.0).log_prob(flow.tensor(1.0))
        tensor(-1.3863)
    """

    has_rsample = True

    @property
    def arg_constraints(self) -> dict[str, Any]:
        return {"low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)}

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:  # type: ignore[override]
        return constraints.interval(self.low, self.high)

    @property
    def mean(self) -> Tensor:
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Tensor:
        return math.nan * self.high

    @property
    def stddev(self) -> Tensor:
        return (self.high - self.low) / 12**0.5

    @property
    def variance(self) -> Tensor:
        return (self.high - self.low) ** 2 / 12

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        drawn = _C.rand(self._extended_shape(sample_shape), dtype=self.low.dtype, **beside(self.low))
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        inside = (self.low <= value) & (self.high > value)
        return _C.log(inside.to(self.low.dtype)) - _C.log(self.high - self.low)

    def cdf(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(0, 1)

    def icdf(self, value: Any) -> Tensor:
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Tensor:
        return _C.log(self.high - self.low)
