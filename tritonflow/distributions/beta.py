"""The beta distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.dirichlet import Dirichlet
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.utils import broadcast_all
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["Beta"]


class Beta(ExponentialFamily):
    """The density of x in (0, 1) that is proportional to x^(a - 1) (1 - x)^(b - 1).

    Args:
        concentration1: a, a number or a tensor, positive.
        concentration0: b, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#beta

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Beta(2.0, 1.0).log_prob(flow.tensor(0.5))
        tensor(0.)
    """

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        both = _C.stack(list(broadcast_all(concentration1, concentration0)), -1)
        self._dirichlet = Dirichlet(both, validate_args=validate_args)
        super().__init__(self._dirichlet._batch_shape, validate_args=validate_args)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        new._dirichlet = self._dirichlet.expand(shape)

    @property
    def concentration1(self) -> Tensor:
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self) -> Tensor:
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self) -> Tensor:
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Tensor:
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Tensor:
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.square() * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self._dirichlet.rsample(sample_shape)[..., 0]

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        if not isinstance(value, Tensor):
            value = _C.full_like(self.concentration1, value)
        return self._dirichlet.log_prob(_C.stack([value, 1.0 - value], -1))

    def entropy(self) -> Tensor:
        return self._dirichlet.entropy()

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return self.concentration1, self.concentration0

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:  # type: ignore[override]
        return _C.lgamma(x) + _C.lgamma(y) - _C.lgamma(x + y)
