"""The Wishart distribution of positive definite matrices."""

from __future__ import annotations

import math
import warnings
from typing import Any

from tritonflow import _C
from tritonflow.binding.new_tensors import tensor
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.chi2 import Chi2
from tritonflow.distributions.covariance import CovarianceParameters, broadcast_shapes, factor_of, log_diagonal
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.utils import standard_normal
from tritonflow.dtypes import finfo
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["Wishart"]

_LOG_2 = math.log(2)


class Wishart(CovarianceParameters, ExponentialFamily):
    """The sums of df outer products of normal vectors with the covariance matrix C.

    The density of a matrix X is det(X)^((df - n - 1) / 2) exp(-trace(C^-1 X) / 2), times a constant.

    Args:
        df: how many vectors, a number or a tensor, greater than n - 1.
        covariance_matrix: C, (..., n, n), symmetric and positive definite.
        precision_matrix: the inverse of C.
        scale_tril: the lower triangular L with C = L L^T. Exactly one of the three is given.

    Raises:
        AssertionError: none or several of the matrices are given.
        ValueError: the matrix has too few dimensions, or df is too small.

    Source: https://pytorch.org/docs/stable/distributions.html#wishart

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Wishart(flow.tensor(3.0), flow.eye(2)).mean
        tensor([[3., 0.],
                [0., 3.]])
    """

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    @property
    def arg_constraints(self) -> dict[str, Any]:
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def __init__(
        self,
        df: Any,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        named = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril}
        given = [(name, matrix) for name, matrix in named.items() if matrix is not None]
        if len(given) != 1:
            raise AssertionError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        ((name, matrix),) = given
        if matrix.ndim < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        if isinstance(df, Tensor):
            batch_shape = broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(tuple(batch_shape))
        else:
            batch_shape = Size(matrix.shape[:-2])
            self.df = tensor(df, dtype=matrix.dtype, **beside(matrix))
        size = matrix.shape[-1]
        if bool((self.df <= size - 1).any()):
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {size - 1}.")
        if bool((self.df < size).any()):
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.", stacklevel=2
            )
        self._take_matrix(name, matrix, batch_shape)
        super().__init__(batch_shape, matrix.shape[-2:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = factor_of(name, matrix)
        self._dist_chi2 = self._squared_lengths(batch_shape)

    def _squared_lengths(self, batch_shape: Any) -> Chi2:
        """Of Bartlett's decomposition: the diagonal of a random triangular matrix, squared."""
        factor = self._unbroadcasted_scale_tril
        steps = _C.arange(self._event_shape[-1], dtype=factor.dtype, **beside(factor))
        return Chi2((self.df.unsqueeze(-1) - steps).expand((*batch_shape, self._event_shape[-1])))

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        new._event_shape = self._event_shape
        super()._expand_parameters(new, shape)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand((*shape, *self._event_shape))
        new._dist_chi2 = new._squared_lengths(shape)

    def _of_batch(self, numbers: Tensor) -> Tensor:
        """A number for each matrix, as matrices of one element."""
        return numbers.expand(tuple(self._batch_shape)).unsqueeze(-1).unsqueeze(-1)

    @property
    def mean(self) -> Tensor:
        return self._of_batch(self.df) * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        factor = self.df - self._event_shape[-1] - 1
        return self._of_batch(_C.where(factor <= 0, math.nan, factor)) * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        covariance = self.covariance_matrix
        diagonal = covariance.diagonal(0, -2, -1)
        return self._of_batch(self.df) * (covariance.square() + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def rsample(self, sample_shape: Any = (), max_try_correction: int | None = None) -> Tensor:
        """Bartlett's decomposition. A matrix that rounding makes singular is drawn again, up to 10 times unless told."""
        sample = self._draw(sample_shape)
        for _ in range(10 if max_try_correction is None else max_try_correction):
            singular = self.support.check(sample).logical_not()
            if not singular.numel() or singular.is_lazy or not bool(singular.any()):
                break
            sample = _C.where(singular.unsqueeze(-1).unsqueeze(-1), self._draw(sample_shape), sample)
        return sample

    def _draw(self, sample_shape: Any) -> Tensor:
        lengths = self._dist_chi2.rsample(sample_shape).sqrt()
        lengths = lengths.clamp(min=finfo(lengths.dtype).eps)
        below = standard_normal(self._extended_shape(sample_shape), lengths).tril(-1)
        factor = self._unbroadcasted_scale_tril @ (below + _C.diag_embed(lengths))
        return factor @ factor.mT

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        df, n, factor = self.df, self._event_shape[-1], self._unbroadcasted_scale_tril
        trace = _C.cholesky_solve(value, factor).diagonal(0, -2, -1).sum(-1)
        constant = -df * (n * _LOG_2 / 2 + log_diagonal(factor)) - _C.mvlgamma(df / 2, n)
        return constant + (df - n - 1) / 2 * _C.linalg_slogdet(value)[1] - trace / 2

    def entropy(self) -> Tensor:
        df, n = self.df, self._event_shape[-1]
        half = (df / 2).unsqueeze(-1) - _C.arange(n, dtype=df.dtype, **beside(df)) / 2
        logarithm = n * _LOG_2 / 2 + log_diagonal(self._unbroadcasted_scale_tril)
        slopes = _C.digamma(half).sum(-1)
        return (n + 1) * logarithm + _C.mvlgamma(df / 2, n) - (df - n - 1) / 2 * slopes + df * n / 2

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:  # type: ignore[override]
        n = self._event_shape[-1]
        half = y + (n + 1) / 2
        return half * (-_C.linalg_slogdet(-2 * x)[1] + _LOG_2 * n) + _C.mvlgamma(half, n)
