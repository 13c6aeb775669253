"""The Bernoulli distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.binary import Binary
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.utils import broadcast_all
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad

__all__ = ["Bernoulli"]


class Bernoulli(Binary, ExponentialFamily):
    """1 with the probability p, else 0.

    Args:
        probs: p, a number or a tensor.
        logits: log(p / (1 - p)), instead of `probs`.

    Source: https://pytorch.org/docs/stable/distributions.html#bernoulli

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Bernoulli(probs=0.25).log_prob(flow.tensor([0.0, 1.0]))
        tensor([-0.2877, -1.3863])
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._set_parameter(probs, logits)
        super().__init__(self._param.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        mode = (self.probs >= 0.5).to(self.probs.dtype)
        return _C.where(self.probs == 0.5, math.nan, mode)

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            return _C.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -_C.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Tensor:
        return _C.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = _C.arange(2, dtype=self._param.dtype, **beside(self._param))
        values = values.reshape((-1, *(1,) * len(self._batch_shape)))
        return values.expand((-1, *self._batch_shape)) if expand else values

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (_C.log(self.probs / (1 - self.probs)),)

    def _log_normalizer(self, x: Tensor) -> Tensor:  # type: ignore[override]
        return _C.log1p(_C.exp(x))
