"""The Pareto distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.exponential import Exponential
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import AffineTransform, ExpTransform
from tritonflow.distributions.utils import broadcast_all
from tritonflow.framework.tensor import Tensor

__all__ = ["Pareto"]


class Pareto(TransformedDistribution):
    """The density a scale^a / x^(a + 1) of x >= scale.

    Args:
        scale: the least value, a number or a tensor, positive.
        alpha: a, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#pareto

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Pareto(1.0, 2.0).mean
        tensor(2.)
    """

    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale: Any, alpha: Any, validate_args: bool | None = None) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        base = Exponential(self.alpha, validate_args=validate_args)
        transforms = [ExpTransform(), AffineTransform(0, self.scale)]
        super().__init__(base, transforms, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:  # type: ignore[override]
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self) -> Tensor:
        a = self.alpha.clamp(min=1)  # infinite up to there
        return a * self.scale / (a - 1)

    @property
    def mode(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        a = self.alpha.clamp(min=2)
        return self.scale.square() * a / ((a - 1).square() * (a - 2))

    def entropy(self) -> Tensor:
        return _C.log(self.scale / self.alpha) + (1 + self.alpha.reciprocal())
