"""Distributions of the exponential family."""

from __future__ import annotations

from typing import Any

from tritonflow.autograd.backward import grad
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import sum_rightmost
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import enable_grad

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """A density exp(<t(x), theta> - F(theta) + k(x)), with natural parameters theta and log-normalizer F.

    A subclass gives `_natural_params`, `_log_normalizer` and `_mean_carrier_measure`, the mean of k. Its entropy is
    F(theta) - <theta, grad F(theta)> - E[k(x)] (Nielsen and Nock, 2010).

    Source: https://pytorch.org/docs/stable/distributions.html#exponentialfamily

    Example:
        >>> import tritonflow as flow
        >>> issubclass(flow.distributions.Gamma, flow.distributions.ExponentialFamily)
        True
    """

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> Any:
        raise NotImplementedError

    def entropy(self) -> Tensor:
        with enable_grad():
            parameters = [p.detach().requires_grad_() for p in self._natural_params]
            normalizer = self._log_normalizer(*parameters)
            slopes = grad(normalizer.sum(), parameters, create_graph=True)
        result = normalizer - self._mean_carrier_measure
        for parameter, slope in zip(parameters, slopes):
            assert slope is not None
            result = result - sum_rightmost(parameter * slope, len(self.event_shape))
        return result
