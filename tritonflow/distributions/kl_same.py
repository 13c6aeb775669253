"""Divergences of two distributions of one family."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.autograd.backward import grad
from tritonflow.distributions.bernoulli import Bernoulli
from tritonflow.distributions.beta import Beta
from tritonflow.distributions.binomial import Binomial
from tritonflow.distributions.categorical import Categorical
from tritonflow.distributions.cauchy import Cauchy
from tritonflow.distributions.continuous_bernoulli import ContinuousBernoulli
from tritonflow.distributions.dirichlet import Dirichlet
from tritonflow.distributions.divergence import infinite_like, kl_divergence, register_kl
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.exponential import Exponential
from tritonflow.distributions.gamma import Gamma
from tritonflow.distributions.geometric import Geometric
from tritonflow.distributions.gumbel import Gumbel
from tritonflow.distributions.half_normal import HalfNormal
from tritonflow.distributions.independent import Independent
from tritonflow.distributions.laplace import Laplace
from tritonflow.distributions.normal import Normal
from tritonflow.distributions.one_hot_categorical import OneHotCategorical
from tritonflow.distributions.pareto import Pareto
from tritonflow.distributions.poisson import Poisson
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.uniform import Uniform
from tritonflow.distributions.utils import euler_constant, sum_rightmost
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import enable_grad


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Any, q: Any) -> Tensor:
    one = p.probs * (_C.softplus(-q.logits) - _C.softplus(-p.logits))
    one = _C.where(q.probs == 0, math.inf, one)
    one = _C.where(p.probs == 0, 0.0, one)
    zero = (1 - p.probs) * (_C.softplus(q.logits) - _C.softplus(p.logits))
    zero = _C.where(q.probs == 1, math.inf, zero)
    return one + _C.where(p.probs == 1, 0.0, zero)


@register_kl(Beta, Beta)
def _beta(p: Any, q: Any) -> Tensor:
    p1, p0, q1, q0 = p.concentration1, p.concentration0, q.concentration1, q.concentration0
    norms = _C.lgamma(q1) + _C.lgamma(q0) + _C.lgamma(p1 + p0) - _C.lgamma(q1 + q0) - _C.lgamma(p1) - _C.lgamma(p0)
    slopes = (p1 - q1) * _C.digamma(p1) + (p0 - q0) * _C.digamma(p0)
    return norms + slopes + ((q1 + q0) - (p1 + p0)) * _C.digamma(p1 + p0)


@register_kl(Binomial, Binomial)
def _binomial(p: Any, q: Any) -> Tensor:
    if bool((p.total_count < q.total_count).any()):
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    kl = p.total_count * (p.probs * (p.logits - q.logits) + _C.log1p(-p.probs) - _C.log1p(-q.probs))
    return _C.where(p.total_count > q.total_count, math.inf, kl)


@register_kl(Categorical, Categorical)
def _categorical(p: Any, q: Any) -> Tensor:
    t = p.probs * (p.logits - q.logits)
    t = _C.where((q.probs == 0).expand(t.shape), math.inf, t)
    return _C.where((p.probs == 0).expand(t.shape), 0.0, t).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot_categorical(p: Any, q: Any) -> Tensor:
    return _categorical(p._categorical, q._categorical)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: Any, q: Any) -> Tensor:
    norms = q._log_normalizer(q.logits) - p._log_normalizer(p.logits)
    return p.mean * (p.logits - q.logits) + norms


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Any, q: Any) -> Tensor:
    a, b = p.concentration, q.concentration
    total = a.sum(-1)
    norms = _C.lgamma(total) - _C.lgamma(b.sum(-1)) - (_C.lgamma(a) - _C.lgamma(b)).sum(-1)
    slopes = _C.digamma(a) - _C.digamma(total).unsqueeze(-1)
    return norms + ((a - b) * slopes).sum(-1)


@register_kl(Exponential, Exponential)
def _exponential(p: Any, q: Any) -> Tensor:
    ratio = q.rate / p.rate
    return ratio - _C.log(ratio) - 1


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p: Any, q: Any) -> Tensor:
    """The Bregman divergence of the log-normalizer between the natural parameters (Nielsen and Nock, 2010)."""
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot be computed using Bregman divergences"
        )
    with enable_grad():
        own = [x.detach().requires_grad_() for x in p._natural_params]
        normalizer = p._log_normalizer(*own)
        slopes = grad(normalizer.sum(), own, create_graph=True)
    result = q._log_normalizer(*q._natural_params) - normalizer
    for mine, other, slope in zip(own, q._natural_params, slopes):
        assert slope is not None
        result = result - sum_rightmost((other - mine) * slope, len(q.event_shape))
    return result


@register_kl(Gamma, Gamma)
def _gamma(p: Any, q: Any) -> Tensor:
    a, b = p.concentration, q.concentration
    norms = b * _C.log(p.rate / q.rate) + _C.lgamma(b) - _C.lgamma(a)
    return norms + (a - b) * _C.digamma(a) + (q.rate - p.rate) * (a / p.rate)


@register_kl(Geometric, Geometric)
def _geometric(p: Any, q: Any) -> Tensor:
    return -p.entropy() - _C.log1p(-q.probs) / p.probs - q.logits


@register_kl(Gumbel, Gumbel)
def _gumbel(p: Any, q: Any) -> Tensor:
    ratio, shift, own = p.scale / q.scale, q.loc / q.scale, p.loc / q.scale
    far = _C.exp(shift + _C.lgamma(1 + ratio) - own)
    return -_C.log(ratio) - shift + own + ratio * euler_constant + far - (1 + euler_constant)


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p: Any, q: Any) -> Tensor:
    return _normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _laplace(p: Any, q: Any) -> Tensor:
    ratio, far = p.scale / q.scale, (p.loc - q.loc).abs()
    return -_C.log(ratio) + far / q.scale + ratio * _C.exp(-far / p.scale) - 1


@register_kl(Normal, Normal)
def _normal(p: Any, q: Any) -> Tensor:
    ratio = (p.scale / q.scale).square()
    far = ((p.loc - q.loc) / q.scale).square()
    return 0.5 * (ratio + far - 1 - _C.log(ratio))


@register_kl(Pareto, Pareto)
def _pareto(p: Any, q: Any) -> Tensor:
    scale, alpha = p.scale / q.scale, q.alpha / p.alpha
    kl = q.alpha * _C.log(scale) - _C.log(alpha) + alpha - 1
    return _C.where(p.support.lower_bound < q.support.lower_bound, math.inf, kl)


@register_kl(Poisson, Poisson)
def _poisson(p: Any, q: Any) -> Tensor:
    return p.rate * (_C.log(p.rate) - _C.log(q.rate)) - (p.rate - q.rate)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p: Any, q: Any) -> Tensor:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Uniform, Uniform)
def _uniform(p: Any, q: Any) -> Tensor:
    kl = _C.log((q.high - q.low) / (p.high - p.low))
    return _C.where((q.low > p.low) | (q.high < p.high), math.inf, kl)


@register_kl(Independent, Independent)
def _independent(p: Any, q: Any) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)  # type: ignore[no-any-return]


@register_kl(Cauchy, Cauchy)
def _cauchy(p: Any, q: Any) -> Tensor:
    both = _C.log((p.scale + q.scale).square() + (p.loc - q.loc).square())
    return both - _C.log(4 * p.scale * q.scale)


@register_kl(Poisson, Bernoulli)
@register_kl(Poisson, Binomial)
def _poisson_unbounded(p: Any, q: Any) -> Tensor:
    return infinite_like(p.rate)
