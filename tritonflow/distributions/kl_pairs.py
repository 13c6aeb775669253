"""Divergences of two distributions of different families: minus the entropy of p, minus the mean of log q under p."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.distributions.bernoulli import Bernoulli
from tritonflow.distributions.beta import Beta
from tritonflow.distributions.continuous_bernoulli import ContinuousBernoulli
from tritonflow.distributions.divergence import infinite_like, register_kl, x_log_x
from tritonflow.distributions.exponential import Exponential
from tritonflow.distributions.gamma import Gamma
from tritonflow.distributions.gumbel import Gumbel
from tritonflow.distributions.laplace import Laplace
from tritonflow.distributions.normal import Normal
from tritonflow.distributions.pareto import Pareto
from tritonflow.distributions.poisson import Poisson
from tritonflow.distributions.uniform import Uniform
from tritonflow.distributions.utils import euler_constant
from tritonflow.framework.tensor import Tensor

_LOG_2PI = math.log(2 * math.pi)

# p has values where q has none
_OUTSIDE: dict[Any, tuple[Any, ...]] = {
    Beta: (Pareto,),
    ContinuousBernoulli: (Pareto,),
    Exponential: (Beta, ContinuousBernoulli, Pareto, Uniform),
    Gamma: (Beta, ContinuousBernoulli, Pareto, Uniform),
    Gumbel: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Laplace: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Normal: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Pareto: (Beta, ContinuousBernoulli, Uniform),
}


def _outside(p: Any, q: Any) -> Tensor:
    return infinite_like(p.mean)


for _type_p, _types_q in _OUTSIDE.items():
    for _type_q in _types_q:
        register_kl(_type_p, _type_q)(_outside)


def _mean_log_normal(mean: Tensor, variance: Tensor, q: Any) -> Tensor:
    """The mean of log q of a normal distribution q."""
    return _mean_log_normal_of_ratio(mean, variance / q.scale.square(), q)


def _mean_log_normal_of_ratio(mean: Tensor, ratio: Tensor, q: Any) -> Tensor:
    """As above, with the ratio of the variances, which does not overflow where they do."""
    spread = ratio + ((mean - q.loc) / q.scale).square()
    return -0.5 * spread - _C.log(q.scale) - 0.5 * _LOG_2PI


@register_kl(Bernoulli, Poisson)
def _bernoulli_poisson(p: Any, q: Any) -> Tensor:
    return -p.entropy() - (p.probs * _C.log(q.rate) - q.rate)


@register_kl(Beta, ContinuousBernoulli)
def _beta_continuous_bernoulli(p: Any, q: Any) -> Tensor:
    return -p.entropy() - p.mean * q.logits + q._log_normalizer(q.logits)


@register_kl(Beta, Exponential)
@register_kl(ContinuousBernoulli, Exponential)
def _mean_exponential(p: Any, q: Any) -> Tensor:
    return -p.entropy() - _C.log(q.rate) + q.rate * p.mean


@register_kl(Beta, Gamma)
def _beta_gamma(p: Any, q: Any) -> Tensor:
    a = q.concentration
    mean_log = _C.digamma(p.concentration1) - _C.digamma(p.concentration1 + p.concentration0)
    return -p.entropy() + _C.lgamma(a) - a * _C.log(q.rate) - (a - 1) * mean_log + q.rate * p.mean


@register_kl(Beta, Normal)
@register_kl(ContinuousBernoulli, Normal)
def _mean_normal(p: Any, q: Any) -> Tensor:
    return -p.entropy() - _mean_log_normal(p.mean, p.variance, q)


@register_kl(Beta, Uniform)
def _beta_uniform(p: Any, q: Any) -> Tensor:
    kl = -p.entropy() + _C.log(q.high - q.low)
    return _C.where((q.low > 0) | (q.high < 1), math.inf, kl)


@register_kl(ContinuousBernoulli, Uniform)
def _continuous_bernoulli_uniform(p: Any, q: Any) -> Tensor:
    kl = -p.entropy() + _C.log(q.high - q.low)
    return _C.where((q.low >= 0) | (q.high <= 1), math.inf, kl)  # at the bounds, too, as in torch


@register_kl(Exponential, Gamma)
def _exponential_gamma(p: Any, q: Any) -> Tensor:
    ratio, a = q.rate / p.rate, q.concentration
    return -a * _C.log(ratio) + ratio + _C.lgamma(a) + a * euler_constant - (1 + euler_constant)


@register_kl(Exponential, Gumbel)
def _exponential_gumbel(p: Any, q: Any) -> Tensor:
    product = p.rate * q.scale
    shift = q.loc / q.scale
    return _C.log(product) - 1 + 1 / product - shift + _C.exp(shift) * product / (product + 1)


@register_kl(Exponential, Normal)
def _exponential_normal(p: Any, q: Any) -> Tensor:
    return -p.entropy() - _mean_log_normal(p.mean, p.variance, q)


@register_kl(Gamma, Exponential)
def _gamma_exponential(p: Any, q: Any) -> Tensor:
    return -p.entropy() - _C.log(q.rate) + q.rate * p.concentration / p.rate


@register_kl(Gamma, Gumbel)
def _gamma_gumbel(p: Any, q: Any) -> Tensor:
    product, shift, a = p.rate * q.scale, q.loc / q.scale, p.concentration
    slopes = (a - 1) * _C.digamma(a) - _C.lgamma(a) - a
    return slopes + _C.log(product) + a / product - shift + _C.exp(shift) * (1 + 1 / product) ** (-a)


@register_kl(Gamma, Normal)
def _gamma_normal(p: Any, q: Any) -> Tensor:
    return -p.entropy() - _mean_log_normal(p.mean, p.variance, q)


@register_kl(Gumbel, Normal)
@register_kl(Laplace, Normal)
def _scaled_normal(p: Any, q: Any) -> Tensor:
    return -p.entropy() - _mean_log_normal_of_ratio(p.mean, (p.stddev / q.scale).square(), q)


@register_kl(Normal, Gumbel)
def _normal_gumbel(p: Any, q: Any) -> Tensor:
    own, shift = p.loc / q.scale, q.loc / q.scale
    half = 0.5 * (p.scale / q.scale).square()
    return _C.log(q.scale / p.scale) + own - shift + _C.exp(-own + half + shift) - 0.5 * (1 + _LOG_2PI)


@register_kl(Normal, Laplace)
def _normal_laplace(p: Any, q: Any) -> Tensor:
    distance = p.loc - q.loc
    far = distance / p.scale
    spread = math.sqrt(2 / math.pi) * p.scale * _C.exp(-0.5 * far.square()) + distance * _C.erf(math.sqrt(0.5) * far)
    return _C.log(2 * q.scale / p.scale) + spread / q.scale - 0.5 * (1 + _LOG_2PI)


@register_kl(Pareto, Exponential)
def _pareto_exponential(p: Any, q: Any) -> Tensor:
    kl = _C.log(p.alpha / (p.scale * q.rate)) + p.alpha * p.scale * q.rate / (p.alpha - 1) - 1 - 1 / p.alpha
    return _C.where(p.alpha <= 1, math.inf, kl)


@register_kl(Pareto, Gamma)
def _pareto_gamma(p: Any, q: Any) -> Tensor:
    a = q.concentration
    mean_log = _C.log(p.scale) + 1 / p.alpha
    kl = -p.entropy() - a * _C.log(q.rate) + _C.lgamma(a) - (a - 1) * mean_log
    kl = kl + q.rate * p.alpha * p.scale / (p.alpha - 1)
    return _C.where(p.alpha <= 1, math.inf, kl)


@register_kl(Pareto, Normal)
def _pareto_normal(p: Any, q: Any) -> Tensor:
    a = p.alpha
    mean, variance = a * p.scale / (a - 1), p.scale.square() * a / ((a - 1).square() * (a - 2))
    kl = -p.entropy() - _mean_log_normal(mean, variance, q)
    return _C.where(a <= 2, math.inf, kl)


@register_kl(Uniform, Beta)
def _uniform_beta(p: Any, q: Any) -> Tensor:
    a, b, width = q.concentration1, q.concentration0, p.high - p.low
    low = (a - 1) * (x_log_x(p.high) - x_log_x(p.low) - width) / width
    high = (b - 1) * (x_log_x(1 - p.high) - x_log_x(1 - p.low) + width) / width
    kl = -_C.log(width) + _C.lgamma(a) + _C.lgamma(b) - _C.lgamma(a + b) - low + high
    return _C.where((p.high > 1) | (p.low < 0), math.inf, kl)


@register_kl(Uniform, ContinuousBernoulli)
def _uniform_continuous_bernoulli(p: Any, q: Any) -> Tensor:
    kl = -p.entropy() - p.mean * q.logits + q._log_normalizer(q.logits)
    return _C.where((p.high > 1) | (p.low < 0), math.inf, kl)


@register_kl(Uniform, Exponential)
def _uniform_exponential(p: Any, q: Any) -> Tensor:
    kl = q.rate * (p.high + p.low) / 2 - _C.log((p.high - p.low) * q.rate)
    return _C.where(p.low < 0, math.inf, kl)


@register_kl(Uniform, Gamma)
def _uniform_gamma(p: Any, q: Any) -> Tensor:
    a, width = q.concentration, p.high - p.low
    mean_log = (x_log_x(p.high) - x_log_x(p.low)) / width - 1
    kl = -_C.log(width) + _C.lgamma(a) - a * _C.log(q.rate) - (a - 1) * mean_log + q.rate * (p.high + p.low) / 2
    return _C.where(p.low < 0, math.inf, kl)


@register_kl(Uniform, Gumbel)
def _uniform_gumbel(p: Any, q: Any) -> Tensor:
    width = (p.high - p.low) / q.scale
    low, high = (p.low - q.loc) / q.scale, (p.high - q.loc) / q.scale
    return -_C.log(width) + 0.5 * (low + high) - (_C.exp(-high) - _C.exp(-low)) / width


@register_kl(Uniform, Normal)
def _uniform_normal(p: Any, q: Any) -> Tensor:
    return -p.entropy() - _mean_log_normal(p.mean, p.variance, q)


@register_kl(Uniform, Pareto)
def _uniform_pareto(p: Any, q: Any) -> Tensor:
    width = p.high - p.low
    mean_log = (x_log_x(p.high) - x_log_x(p.low)) / width - 1
    kl = (q.alpha + 1) * mean_log - _C.log(q.alpha * q.scale**q.alpha * width)
    return _C.where(p.low < q.scale, math.inf, kl)
