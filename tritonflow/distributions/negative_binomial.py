"""The negative binomial distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.binary import Binary
from tritonflow.distributions.gamma import Gamma
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad

__all__ = ["NegativeBinomial"]


class NegativeBinomial(Binary):
    """How many trials succeed, each with the probability p, before r of them have failed.

    Args:
        total_count: r, a number or a tensor; it need not be whole.
        probs: p in [0, 1), a number or a tensor.
        logits: log(p / (1 - p)), instead of `probs`.

    Source: https://pytorch.org/docs/stable/distributions.html#negativebinomial

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.NegativeBinomial(2.0, probs=flow.tensor(0.5)).mean
        tensor(2.)
    """

    arg_constraints = {
        "total_count": constraints.greater_than_eq(0), "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }  # fmt: skip
    support = constraints.nonnegative_integer

    def __init__(self, total_count: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        (total_count,) = self._set_parameter(probs, logits, total_count)
        self.total_count = total_count.to(self._param.dtype)
        super().__init__(self._param.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.total_count * _C.exp(self.logits)

    @property
    def mode(self) -> Tensor:
        return ((self.total_count - 1) * _C.exp(self.logits)).floor().clamp(min=0.0)

    @property
    def variance(self) -> Tensor:
        return self.mean / _C.sigmoid(-self.logits)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            rate = Gamma(self.total_count, _C.exp(-self.logits), validate_args=False).sample(sample_shape)
            return _C.poisson(rate)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        n = self.total_count
        powers = n * _C.logsigmoid(-self.logits) + value * _C.logsigmoid(self.logits)
        norm = -_C.lgamma(n + value) + _C.lgamma(1.0 + value) + _C.lgamma(n)
        return powers - norm.masked_fill(n + value == 0.0, 0.0)
