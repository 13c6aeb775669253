"""The normal distribution of vectors."""

from __future__ import annotations

import math
from typing import Any

from tritonflow.distributions import constraints
from tritonflow.distributions.covariance import (
    CovarianceParameters,
    broadcast_shapes,
    factor_of,
    log_diagonal,
    mahalanobis,
    times_vectors,
)
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import standard_normal
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["MultivariateNormal"]


class MultivariateNormal(CovarianceParameters, Distribution):
    """The normal distribution of vectors, with the density exp(-(x - loc)^T C^-1 (x - loc) / 2) / sqrt(det(2 pi C)).

    Args:
        loc: the mean, (..., n).
        covariance_matrix: C, (..., n, n), symmetric and positive definite.
        precision_matrix: the inverse of C.
        scale_tril: the lower triangular L with C = L L^T. Exactly one of the three is given.

    Raises:
        ValueError: none or several of the matrices are given, or one with too few dimensions.

    Source: https://pytorch.org/docs/stable/distributions.html#multivariatenormal

    Example:
        >>> import tritonflow as flow
        >>> d = flow.distributions.MultivariateNormal(flow.zeros(2), flow.eye(2))
        >>> d.log_prob(flow.zeros(2))
        tensor(-1.8379)
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.ndim < 1:
            raise ValueError("loc must be at least one-dimensional.")
        named = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril}
        given = [(name, matrix) for name, matrix in named.items() if matrix is not None]
        if len(given) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        ((name, matrix),) = given
        if matrix.ndim < 2:
            label = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(f"{label} must be at least two-dimensional, with optional leading batch dimensions")
        batch_shape = broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        self._take_matrix(name, matrix, batch_shape)
        self.loc = loc.expand((*batch_shape, loc.shape[-1]))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = factor_of(name, matrix)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        super()._expand_parameters(new, shape)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        return self._unbroadcasted_scale_tril.square().sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        noise = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + times_vectors(self._unbroadcasted_scale_tril, noise)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        squares = mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        constant = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + squares) - log_diagonal(self._unbroadcasted_scale_tril)

    def entropy(self) -> Tensor:
        entropy = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + log_diagonal(self._unbroadcasted_scale_tril)
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy
