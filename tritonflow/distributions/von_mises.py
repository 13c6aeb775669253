"""The von Mises distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import broadcast_all, lazy_property
from tritonflow.dtypes import float64
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad

__all__ = ["VonMises"]


class VonMises(Distribution):
    """Angles with the density exp(k cos(x - loc)) / (2 pi I0(k)), where k is the concentration.

    Args:
        loc: the mean angle in radians, a number or a tensor.
        concentration: k, positive.

    Source: https://pytorch.org/docs/stable/distributions.html#vonmises

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.VonMises(0.0, 1.0).log_prob(flow.tensor(0.0))
        tensor(-1.0738)
    """

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False

    def __init__(self, loc: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        k = self.concentration
        return k * (_C.cos(value - self.loc) - 1) - math.log(2 * math.pi) - _C.log(_C.special_i0e(k))

    def _envelope(self) -> Tensor:
        """The parameter r of the wrapped Cauchy envelope (Best and Fisher, 1979)."""
        k = self.concentration.to(float64)
        tau = 1 + (1 + 4 * k.square()).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * k)
        return _C.where(k < 1e-5, 1 / k + k, (1 + rho.square()) / (2 * rho))

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Random angles in [-pi, pi), by rejection in float64."""
        with no_grad():
            k, r = self.concentration.to(float64), self._envelope()
            shape = self._extended_shape(sample_shape)
            angle = _C.zeros(shape, dtype=r.dtype, **beside(r))
            done = angle != 0
            while not done.all():
                u = _C.rand((3, *shape), dtype=r.dtype, **beside(r))
                z = _C.cos(math.pi * u[0])
                f = (1 + r * z) / (r + z)
                c = k * (r - f)
                accepted = (c * (2 - c) > u[1]) | (_C.log(c / u[1]) + 1 - c >= 0)
                angle = _C.where(accepted & ~done, (u[2] - 0.5).sign() * _C.acos(f.clamp(-1, 1)), angle)
                done = done | accepted
            return ((angle + math.pi + self.loc.to(float64)) % (2 * math.pi) - math.pi).to(self.loc.dtype)

    @property
    def mean(self) -> Tensor:
        """The circular mean."""
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:  # type: ignore[override]
        """The circular variance, 1 - I1(k) / I0(k)."""
        return 1 - _C.special_i1e(self.concentration) / _C.special_i0e(self.concentration)
