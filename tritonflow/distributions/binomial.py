"""The binomial distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.binary import Binary
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad

__all__ = ["Binomial"]


class Binomial(Binary):
    """How many of n trials succeed, each with the probability p.

    Args:
        total_count: n, a number or a tensor.
        probs: p, a number or a tensor.
        logits: log(p / (1 - p)), instead of `probs`.

    Source: https://pytorch.org/docs/stable/distributions.html#binomial

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Binomial(4, probs=flow.tensor(0.5)).log_prob(flow.tensor([0.0, 2.0]))
        tensor([-2.7726, -0.9808])
    """

    arg_constraints = {
        "total_count": constraints.nonnegative_integer, "probs": constraints.unit_interval, "logits": constraints.real,
    }  # fmt: skip
    has_enumerate_support = True

    def __init__(
        self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        (total_count,) = self._set_parameter(probs, logits, total_count)
        self.total_count = total_count.to(self._param.dtype)
        super().__init__(self._param.shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:  # type: ignore[override]
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.total_count * self.probs

    @property
    def mode(self) -> Tensor:
        return _C.minimum(((self.total_count + 1) * self.probs).floor(), self.total_count)

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return _C.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        n, logits = self.total_count, self.logits
        # n log(1 - p) = -n max(logit, 0) - n log(1 + exp(-|logit|))
        rest = n * _clamped_by_zero(logits) + n * _C.log1p(_C.exp(-logits.abs())) - _C.lgamma(n + 1)
        return value * logits - _C.lgamma(value + 1) - _C.lgamma(n - value + 1) - rest

    def _count(self, function: str) -> int:
        total_count = int(self.total_count.max())
        if int(self.total_count.min()) != total_count:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{function}`.")
        return total_count

    def entropy(self) -> Tensor:
        self._count("entropy")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(_C.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        count = self._count("enumerate_support")
        values = _C.arange(1 + count, dtype=self._param.dtype, **beside(self._param))
        values = values.reshape((-1, *(1,) * len(self._batch_shape)))
        return values.expand((-1, *self._batch_shape)) if expand else values


def _clamped_by_zero(x: Tensor) -> Tensor:
    """max(x, 0), with the slope 1/2 at 0."""
    return (x.clamp(min=0) + x - x.clamp(max=0)) / 2
