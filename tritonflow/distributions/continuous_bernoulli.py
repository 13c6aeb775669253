"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.binary import Binary
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.utils import broadcast_all, clamp_probs, lazy_property, logits_to_probs
from tritonflow.framework.tensor import Size, Tensor
from tritonflow.functional.target import beside

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
                if not inside.is_lazy and not inside.all():
                    raise ValueError("The parameter probs has invalid values")
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

    def _log_norm(self) -> Tensor:
        """log C, where C = 2 artanh(1 - 2 p) / (1 - 2 p)."""
        p = self._cut_probs()
        closed = _C.log((_C.log1p(-p) - _C.log(p)).abs()) - _C.log((1.0 - 2.0 * p).abs())
        x = (self.probs - 0.5).square()
        return _C.where(self._stable(), closed, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self) -> Tensor:
        p = self._cut_probs()
        closed = p / (2.0 * p - 1.0) + 1.0 / (_C.log1p(-p) - _C.log(p))
        x = self.probs - 0.5
        return _C.where(self._stable(), closed, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x.square()) * x)

    @property
    def variance(self) -> Tensor:
        p = self._cut_probs()
        closed = p * (p - 1.0) / (1.0 - 2.0 * p).square() + 1.0 / (_C.log1p(-p) - _C.log(p)).square()
        x = (self.probs - 0.5).square()
        return _C.where(self._stable(), closed, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        drawn = _C.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype, **beside(self.probs))
        return self.icdf(drawn)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return self._log_norm() - _C.binary_cross_entropy_with_logits(logits, value, reduction="none")

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
        failure, success = _C.log1p(-self.probs), _C.log(self.probs)
        return self.mean * (failure - success) - self._log_norm() - failure

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.logits,)

    def _log_normalizer(self, x: Tensor) -> Tensor:  # type: ignore[override]
        low, high = self._lims[0] - 0.5, self._lims[1] - 0.5
        stable = (x <= low) | (x > high)
        cut = _C.where(stable, x, low)
        closed = _C.log(_C.expm1(cut).abs()) - _C.log(cut.abs())
        return _C.where(stable, closed, 0.5 * x + x**2 / 24.0 - x**4 / 2880.0)
