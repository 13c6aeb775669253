"""What distributions with a covariance matrix share: its triangular factor, and products with it."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions.utils import lazy_property
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor


class CovarianceParameters:
    """A covariance matrix, given as itself, as its inverse or as its triangular factor; the others are computed when asked for."""

    _batch_shape: Size
    _event_shape: Size
    _unbroadcasted_scale_tril: Tensor

    def _take_matrix(self, name: str, matrix: Tensor, batch_shape: Any) -> None:
        """Keep the matrix under its name, over the batch."""
        setattr(self, name, matrix.expand((*batch_shape, *matrix.shape[-2:])))

    def _matrix_shape(self) -> tuple[int, ...]:
        size = self._event_shape[-1]
        return (*self._batch_shape, size, size)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower triangular L with the covariance matrix L L^T."""
        return self._unbroadcasted_scale_tril.expand(self._matrix_shape())

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """L L^T."""
        factor = self._unbroadcasted_scale_tril
        return (factor @ factor.mT).expand(self._matrix_shape())

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance matrix."""
        return _C.cholesky_inverse(self._unbroadcasted_scale_tril).expand(self._matrix_shape())


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape that shapes broadcast to."""
    return Size(_C.broadcast_tensors([_C.empty(tuple(shape)) for shape in shapes])[0].shape)


def factor_of(name: str, matrix: Tensor) -> Tensor:
    """The lower triangular factor of the covariance matrix that a parameter of this name gives."""
    if name == "scale_tril":
        return matrix
    if name == "covariance_matrix":
        return _C.linalg_cholesky(matrix)
    flipped = _C.linalg_cholesky(_C.flip(matrix, (-2, -1)))
    inverse = _C.flip(flipped, (-2, -1)).mT
    one = _C.eye(matrix.shape[-1], dtype=matrix.dtype, **beside(matrix))
    return _C.linalg_solve_triangular(inverse, one.expand(matrix.shape), upper=False)


def log_diagonal(factor: Tensor) -> Tensor:
    """The logarithm of the determinant of a triangular matrix."""
    return _C.log(factor.diagonal(0, -2, -1)).sum(-1)


def times_vectors(matrix: Tensor, vectors: Tensor) -> Tensor:
    """Matrices times vectors; the batches broadcast."""
    return (matrix @ vectors.unsqueeze(-1)).squeeze(-1)


def mahalanobis(factor: Tensor, difference: Tensor) -> Tensor:
    """x^T (L L^T)^-1 x."""
    return _C.linalg_solve_triangular(factor, difference.unsqueeze(-1), upper=False).square().sum((-2, -1))
