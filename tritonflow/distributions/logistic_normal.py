"""The logistic-normal distribution."""

from __future__ import annotations

from typing import Any

from tritonflow.distributions import constraints
from tritonflow.distributions.normal import Normal
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import StickBreakingTransform
from tritonflow.framework.tensor import Tensor

__all__ = ["LogisticNormal"]


class LogisticNormal(TransformedDistribution):
    """Probabilities: the stick-breaking transform of normal variables.

    Args:
        loc: the means of the variables, of the shape (..., K - 1).
        scale: their standard deviations, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#logisticnormal

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.LogisticNormal(flow.zeros(3), flow.ones(3)).event_shape
        tritonflow.Size([4])
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand((1,))
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    @property
    def loc(self) -> Tensor:
        return self.base_dist.base_dist.loc  # type: ignore[attr-defined, no-any-return]

    @property
    def scale(self) -> Tensor:
        return self.base_dist.base_dist.scale  # type: ignore[attr-defined, no-any-return]
