"""Divergences of normal distributions of vectors: (log det C_q / det C_p + trace(C_q^-1 C_p) + x^T C_q^-1 x - n) / 2."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.distributions.covariance import log_diagonal, mahalanobis
from tritonflow.distributions.divergence import register_kl
from tritonflow.distributions.lowrank_multivariate_normal import (
    LowRankMultivariateNormal,
    lowrank_logdet,
    lowrank_mahalanobis,
)
from tritonflow.distributions.multivariate_normal import MultivariateNormal
from tritonflow.framework.tensor import Tensor


def _check(p: Any, q: Any, name: str) -> None:
    if p.event_shape != q.event_shape:
        raise ValueError(f"KL-divergence between two {name} with different event shapes cannot be computed")


def _log_det(d: Any) -> Tensor:
    if isinstance(d, LowRankMultivariateNormal):
        return lowrank_logdet(*d._parts, d._capacitance_tril)
    return 2 * log_diagonal(d._unbroadcasted_scale_tril)


def _factors(p: Any) -> list[Tensor]:
    """Matrices F whose products F F^T add up to the covariance matrix."""
    if isinstance(p, LowRankMultivariateNormal):
        W, D = p._parts
        return [W, _C.diag_embed(D.sqrt())]
    return [p._unbroadcasted_scale_tril]


def _squares(x: Tensor) -> Tensor:
    return x.square().sum((-2, -1))


def _divergence(p: Any, q: Any) -> Tensor:
    """The trace is made of the squares of L^-1 F; by Woodbury's identity where q has a low rank."""
    trace: Any = 0.0
    if isinstance(q, LowRankMultivariateNormal):
        W, D = q._parts
        inner = _C.linalg_solve_triangular(q._capacitance_tril, W.mT / D.unsqueeze(-2), upper=False)
        for factor in _factors(p):
            trace = trace + _squares(factor * D.rsqrt().unsqueeze(-1)) - _squares(inner @ factor)
        distance = lowrank_mahalanobis(W, D, q.loc - p.loc, q._capacitance_tril)
    else:
        for factor in _factors(p):
            trace = trace + _squares(_C.linalg_solve_triangular(q._unbroadcasted_scale_tril, factor, upper=False))
        distance = mahalanobis(q._unbroadcasted_scale_tril, q.loc - p.loc)
    return 0.5 * (_log_det(q) - _log_det(p) + trace + distance - p.event_shape[0])


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate(p: Any, q: Any) -> Tensor:
    _check(p, q, "Multivariate Normals")
    return _divergence(p, q)


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _lowrank(p: Any, q: Any) -> Tensor:
    _check(p, q, "Low Rank Multivariate Normals")
    return _divergence(p, q)


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _mixed(p: Any, q: Any) -> Tensor:
    _check(p, q, "(Low Rank) Multivariate Normals")
    return _divergence(p, q)
