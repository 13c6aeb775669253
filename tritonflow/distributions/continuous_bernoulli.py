"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.binary import Binary
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.utils import broadcast_all, clamp_probs, lazy_property, logits_to_probs
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.value_checks import require_all

__all__ = ["ContinuousBernoulli"]


class ContinuousBernoulli(Binary, ExponentialFamily):
    """The density C p^x (1 - p)^(1 - x) of x in [0, 1] (Loaiza-Ganem and Cunningham, 2019). Near p = 1/2 by its series.

    Args:
        probs: p, a number or a tensor.
        logits: log(p / (1 - p)), instead of `probs`.
        lims: the p between which the series is taken.

    Source: https://pytorch.org/docs/stable/distributions.html#continuousbernoulli

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.ContinuousBernoulli(probs=0.5).log_prob(flow.tensor(0.3))
        tensor(0.)
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self, probs: Any = None, logits: Any = None, lims: tuple[float, float] = (0.499, 0.501), validate_args: bool | None = None
    ) -> None:
        self._set_parameter(probs, logits)
        if probs is not None:
            if validate_args:
                inside = constraints.unit_interval.check(self.probs)
                require_all(inside, ArgumentValueError("The parameter probs has invalid values"))
            self.probs = clamp_probs(self.probs)
        self._lims = lims
        super().__init__(self._param.shape, validate_args=validate_args)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        super()._expand_parameters(new, shape)
        new._lims = self._lims

    @lazy_property
    def probs(self) -> Tensor:
        """p"""
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _stable(self) -> Tensor:
        """Whether p is far enough from 1/2 for the closed form."""
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _cut_probs(self) -> Tensor:
        return _C.where(self._stable(), self.probs, self._lims[0])

    def _cut_logits(self) -> tuple[Tensor, Tensor]:
        """The logits l, and exp(-|l|) - 1, which are not rounded where p is nearly 0 or 1."""
        low = self._lims[0]
        logits = _C.where(self._stable(), self.logits, math.log(low / (1.0 - low)))
        return logits, _C.expm1(-logits.abs())

    @property
    def mean(self) -> Tensor:
        logits, e = self._cut_logits()
        closed = _C.where(logits > 0, -1.0 / e, 1.0 + 1.0 / e) - 1.0 / logits
        x = self.probs - 0.5
        return _C.where(self._stable(), closed, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x.square()) * x)

    @property
    def variance(self) -> Tensor:
        logits, e = self._cut_logits()
        closed = 1.0 / logits.square() - (e + 1.0) / e.square()
        x = (self.probs - 0.5).square()
        return _C.where(self._stable(), closed, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        drawn = _C.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype, **beside(self.probs))
        return self.icdf(drawn)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return logits * value - self._log_normalizer(logits)

    def cdf(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        p = self._cut_probs()
        closed = (p**value * (1.0 - p) ** (1.0 - value) + p - 1.0) / (2.0 * p - 1.0)
        between = _C.where(self._stable(), closed, value)
        return _C.where(value <= 0.0, 0.0, _C.where(value >= 1.0, 1.0, between))

    def icdf(self, value: Any) -> Tensor:
        p = self._cut_probs()
        below = _C.log1p(-p)
        closed = (_C.log1p(-p + value * (2.0 * p - 1.0)) - below) / (_C.log(p) - below)
        return _C.where(self._stable(), closed, value)

    def entropy(self) -> Tensor:
        return self._log_normalizer(self.logits) - self.mean * self.logits

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.logits,)

    def _log_normalizer(self, x: Tensor) -> Tensor:  # type: ignore[override]
        """log((exp(x) - 1) / x)"""
        low, high = self._lims[0] - 0.5, self._lims[1] - 0.5
        stable = (x <= low) | (x > high)
        cut = _C.where(stable, x, low)
        size = cut.abs()
        closed = _C.relu(cut) + _C.log(-_C.expm1(-size)) - _C.log(size)
        return _C.where(stable, closed, 0.5 * x + x**2 / 24.0 - x**4 / 2880.0)
