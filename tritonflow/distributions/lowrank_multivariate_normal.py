"""The normal distribution of vectors with a covariance matrix of low rank plus a diagonal."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.covariance import log_diagonal, mahalanobis, times_vectors
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import lazy_property, standard_normal
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["LowRankMultivariateNormal"]


def capacitance_factor(W: Tensor, D: Tensor) -> Tensor:
    """The triangular factor of 1 + W^T D^-1 W."""
    inner = (W.mT / D.unsqueeze(-2)) @ W
    one = _C.eye(W.shape[-1], dtype=W.dtype, **beside(W))
    return _C.linalg_cholesky(inner + one)


def lowrank_logdet(W: Tensor, D: Tensor, capacitance: Tensor) -> Tensor:
    """The logarithm of det(W W^T + D), by the matrix determinant lemma."""
    return 2 * log_diagonal(capacitance) + _C.log(D).sum(-1)


def lowrank_mahalanobis(W: Tensor, D: Tensor, x: Tensor, capacitance: Tensor) -> Tensor:
    """x^T (W W^T + D)^-1 x, by Woodbury's identity."""
    inner = times_vectors(W.mT / D.unsqueeze(-2), x)
    return (x.square() / D).sum(-1) - mahalanobis(capacitance, inner)


class LowRankMultivariateNormal(Distribution):
    """The normal distribution of vectors with the covariance matrix W W^T + diag(D).

    Args:
        loc: the mean, (..., n).
        cov_factor: W, (..., n, rank).
        cov_diag: D, (..., n), positive.

    Raises:
        ValueError: the shapes do not fit.

    Source: https://pytorch.org/docs/stable/distributions.html#lowrankmultivariatenormal

    Example:
        >>> import tritonflow as flow
        >>> d = flow.distributions.LowRankMultivariateNormal(flow.zeros(2), flow.ones(2, 1), flow.ones(2))
        >>> d.variance
        tensor([2., 2.])
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self, loc: Tensor, cov_factor: Tensor, cov_diag: Tensor, validate_args: bool | None = None
    ) -> None:
        if loc.ndim < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.ndim < 2:
            raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m")
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            own, self.cov_factor, diagonal = _C.broadcast_tensors([loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1)])
        except RuntimeError as error:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from error
        self.loc, self.cov_diag = own[..., 0], diagonal[..., 0]
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        self._capacitance_tril = capacitance_factor(cov_factor, cov_diag)
        super().__init__(self.loc.shape[:-1], event_shape, validate_args=validate_args)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        super()._expand_parameters(new, shape)
        for name in ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril"):
            setattr(new, name, getattr(self, name))

    @property
    def _parts(self) -> tuple[Tensor, Tensor]:
        return self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag

    def _over_batch(self, matrix: Tensor) -> Tensor:
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:  # type: ignore[override]
        W, D = self._parts
        return (W.square().sum(-1) + D).expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The triangular factor sqrt(D) L, L that of 1 + D^-1/2 W W^T D^-1/2, which has no eigenvalue below 1."""
        W, D = self._parts
        root = D.sqrt().unsqueeze(-1)
        scaled = W / root
        one = _C.eye(W.shape[-2], dtype=W.dtype, **beside(W))
        return self._over_batch(root * _C.linalg_cholesky(scaled @ scaled.mT + one))

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """W W^T + diag(D)."""
        W, D = self._parts
        return self._over_batch(W @ W.mT + _C.diag_embed(D))

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance matrix, by Woodbury's identity."""
        W, D = self._parts
        inner = _C.linalg_solve_triangular(self._capacitance_tril, W.mT / D.unsqueeze(-2), upper=False)
        return self._over_batch(_C.diag_embed(D.reciprocal()) - inner.mT @ inner)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        W, D = self._parts
        of_factor = standard_normal((*shape[:-1], W.shape[-1]), self.loc)
        of_diagonal = standard_normal(shape, self.loc)
        return self.loc + times_vectors(W, of_factor) + D.sqrt() * of_diagonal

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        squares = lowrank_mahalanobis(*self._parts, value - self.loc, self._capacitance_tril)
        log_det = lowrank_logdet(*self._parts, self._capacitance_tril)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + log_det + squares)

    def entropy(self) -> Tensor:
        log_det = lowrank_logdet(*self._parts, self._capacitance_tril)
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + log_det)
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy
