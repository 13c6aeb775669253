"""The chi-squared distribution."""

from __future__ import annotations

from typing import Any

from tritonflow.distributions import constraints
from tritonflow.distributions.gamma import Gamma
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["Chi2"]


class Chi2(Gamma):
    """The sum of the squares of df standard normal variables: Gamma(df / 2, 1 / 2).

    Args:
        df: the degrees of freedom, a number or a tensor, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#chi2

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Chi2(flow.tensor([2.0])).mean
        tensor([2.])
    """

    arg_constraints = {"df": constraints.positive}

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        new.concentration, new.rate = self.concentration.expand(shape), self.rate.expand(shape)

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self.concentration * 2
