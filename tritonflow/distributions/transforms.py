"""Transforms: invertible functions with the logarithm of their Jacobian's determinant."""

from __future__ import annotations

import math
from numbers import Number
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.transform import (
    ComposeTransform,
    IndependentTransform,
    ReshapeTransform,
    Transform,
    _InverseTransform,
    identity_transform,
)
from tritonflow.distributions.transform_parts import CatTransform, StackTransform
from tritonflow.distributions.utils import shape_of, sum_rightmost, tril_matrix_to_vec, vec_to_tril_matrix
from tritonflow.dtypes import finfo
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = [
    "AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform",
    "CumulativeDistributionTransform", "ExpTransform", "IndependentTransform", "LowerCholeskyTransform",
    "PositiveDefiniteTransform", "PowerTransform", "ReshapeTransform", "SigmoidTransform", "SoftmaxTransform",
    "SoftplusTransform", "StackTransform", "StickBreakingTransform", "TanhTransform", "Transform", "identity_transform",
]  # fmt: skip

_InverseTransform = _InverseTransform  # programs look at torch.distributions.transforms._InverseTransform


class _Plain(Transform):
    """The base of transforms without parameters: two of a class are equal."""

    def __eq__(self, other: object) -> Any:
        return type(other) is type(self)

    __hash__ = object.__hash__


class _Monotone(_Plain):
    """The base of increasing functions of one variable."""

    domain = constraints.real
    bijective = True
    sign = +1


class ExpTransform(_Monotone):
    """y = exp(x)."""

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return _C.exp(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return _C.log(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return x


class PowerTransform(Transform):
    """y = x^exponent, of positive numbers.

    Args:
        exponent: a tensor, or a number.
        cache_size: as of every transform.
    """

    domain = constraints.positive
    codomain = constraints.positive
    bijective = True

    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.exponent = exponent

    def with_cache(self, cache_size: int = 1) -> Any:
        return self if self._cache_size == cache_size else PowerTransform(self.exponent, cache_size=cache_size)

    @property
    def sign(self) -> Any:
        if isinstance(self.exponent, Tensor):
            return self.exponent.sign()
        return (self.exponent > 0) - (self.exponent < 0)

    def __eq__(self, other: object) -> Any:
        return isinstance(other, PowerTransform) and _same(self.exponent, other.exponent)

    __hash__ = object.__hash__

    def _call(self, x: Tensor) -> Tensor:
        return x**self.exponent

    def _inverse(self, y: Tensor) -> Tensor:
        return y ** (1 / self.exponent)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape: Any) -> Size:
        return _broadcast(shape, shape_of(self.exponent))

    inverse_shape = forward_shape


def _broadcast(*shapes: Any) -> Size:
    """The shape to which these broadcast."""
    result = [1] * max(len(shape) for shape in shapes)
    for shape in shapes:
        for i, size in enumerate(reversed(tuple(shape)), 1):
            if size != 1 and result[-i] not in (1, size):
                raise RuntimeError(f"Shape mismatch: objects cannot be broadcast to a single shape: {shapes}")
            result[-i] = size if size != 1 else result[-i]
    return Size(result)


def _same(a: Any, b: Any) -> bool:
    """Whether two parameters are equal everywhere."""
    if isinstance(a, Number) and isinstance(b, Number):
        return a == b
    equal = a == b
    return bool(equal.all())


class SigmoidTransform(_Monotone):
    """y = 1 / (1 + exp(-x)), clamped to the numbers between 0 and 1."""

    codomain = constraints.unit_interval

    def _call(self, x: Tensor) -> Tensor:
        info = finfo(x.dtype)
        return _C.sigmoid(x).clamp(info.tiny, 1.0 - info.eps)

    def _inverse(self, y: Tensor) -> Tensor:
        info = finfo(y.dtype)
        y = y.clamp(info.tiny, 1.0 - info.eps)
        return _C.log(y) - _C.log1p(-y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -_C.softplus(-x) - _C.softplus(x)


class SoftplusTransform(_Monotone):
    """y = log(1 + exp(x)), and x where x > 20."""

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return _C.softplus(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return _C.log(-_C.expm1(-y)) + y

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -_C.softplus(-x)


class TanhTransform(_Monotone):
    """y = tanh(x). `log_abs_det_jacobian` is 2 (log 2 - x - softplus(-2 x)), which is exact for large x."""

    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x: Tensor) -> Tensor:
        return _C.tanh(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return 0.5 * (_C.log1p(y) - _C.log1p(-y))

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return 2.0 * (math.log(2.0) - x - _C.softplus(-2.0 * x))


class AbsTransform(_Plain):
    """y = |x|; the inverse takes the positive x."""

    domain = constraints.real
    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return x.abs()

    def _inverse(self, y: Tensor) -> Tensor:
        return y


class AffineTransform(Transform):
    """y = loc + scale x.

    Args:
        loc, scale: tensors, or numbers.
        event_dim: how many dimensions from the right make one event.
        cache_size: as of every transform.
    """

    bijective = True

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    @property
    def event_dim(self) -> int:
        return self._event_dim

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:  # type: ignore[override]
        return constraints.independent(constraints.real, self.event_dim) if self.event_dim else constraints.real

    codomain = domain  # type: ignore[assignment]

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return AffineTransform(self.loc, self.scale, self.event_dim, cache_size=cache_size)

    def __eq__(self, other: object) -> Any:
        return isinstance(other, AffineTransform) and _same(self.loc, other.loc) and _same(self.scale, other.scale)

    __hash__ = object.__hash__

    @property
    def sign(self) -> Any:
        if isinstance(self.scale, Tensor):
            return self.scale.sign()
        return (self.scale > 0) - (self.scale < 0)

    def _call(self, x: Tensor) -> Tensor:
        return self.loc + self.scale * x  # type: ignore[no-any-return]

    def _inverse(self, y: Tensor) -> Tensor:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        if isinstance(self.scale, Tensor):
            slope = self.scale.abs().log()
        else:
            slope = _C.full_like(x, math.log(abs(self.scale)))
        shape = x.shape
        if self.event_dim:
            slope = sum_rightmost(slope.expand(_broadcast(slope.shape, shape)), self.event_dim)
            shape = shape[: -self.event_dim]
        return slope.expand(shape)

    def forward_shape(self, shape: Any) -> Size:
        return _broadcast(shape, shape_of(self.loc), shape_of(self.scale))

    inverse_shape = forward_shape


class SoftmaxTransform(_Plain):
    """y = softmax(x) along the last dimension, and x = log(y): no bijection, so that it has no determinant."""

    domain = constraints.real_vector
    codomain = constraints.simplex

    def _call(self, x: Tensor) -> Tensor:
        return _C.softmax(x, dim=-1)

    def _inverse(self, y: Tensor) -> Tensor:
        return _C.log(y)

    def forward_shape(self, shape: Any) -> Size:
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return shape  # type: ignore[no-any-return]

    inverse_shape = forward_shape


class StickBreakingTransform(_Plain):
    """From K - 1 numbers to K probabilities: each takes its share of what the ones before it have left.

    z_i = sigmoid(x_i - log(K - i)) for i = 0 ... K-2, and y_i = z_i (1 - z_0) ... (1 - z_{i-1}). The last one takes the rest.
    """

    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True

    def _call(self, x: Tensor) -> Tensor:
        z = _share(x)
        left = _C.cumprod(1 - z, -1)
        return _C.pad(z, [0, 1], value=1) * _C.pad(left, [1, 0], value=1)

    def _inverse(self, y: Tensor) -> Tensor:
        taken = y[..., :-1]
        left = (1 - _C.cumsum(taken, -1)).clamp(min=finfo(y.dtype).tiny)
        return _C.log(taken) - _C.log(left) + _C.log(_rest(taken))

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        x = x - _C.log(_rest(x))
        return (-x + _C.logsigmoid(x) + _C.log(y[..., :-1])).sum(-1)

    def forward_shape(self, shape: Any) -> Size:
        return _last_grown(shape, 1)

    def inverse_shape(self, shape: Any) -> Size:
        return _last_grown(shape, -1)


def _rest(x: Tensor) -> Tensor:
    """How many shares are left: K - 1, K - 2, ..., 1."""
    return _C.arange(x.shape[-1], 0, -1, dtype=x.dtype, **beside(x))


def _share(x: Tensor) -> Tensor:
    info = finfo(x.dtype)
    return _C.sigmoid(x - _C.log(_rest(x))).clamp(info.tiny, 1.0 - info.eps)


def _last_grown(shape: Any, by: int) -> Size:
    if len(shape) < 1:
        raise ValueError("Too few dimensions on input")
    return Size((*shape[:-1], shape[-1] + by))


class LowerCholeskyTransform(_Plain):
    """Lower triangular matrices with a positive diagonal, the exponential of x's."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x: Tensor) -> Tensor:
        return x.tril(-1) + _C.diag_embed(_C.exp(x.diagonal(0, -2, -1)))

    def _inverse(self, y: Tensor) -> Tensor:
        return y.tril(-1) + _C.diag_embed(_C.log(y.diagonal(0, -2, -1)))


class PositiveDefiniteTransform(_Plain):
    """Positive definite matrices L L^T, L the lower triangular matrix of LowerCholeskyTransform."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x: Tensor) -> Tensor:
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y: Tensor) -> Tensor:
        return LowerCholeskyTransform().inv(_C.linalg_cholesky(y))


class CorrCholeskyTransform(Transform):
    """From n (n - 1) / 2 numbers to the Cholesky factor of a correlation matrix of size n: rows of length 1.

    With z = tanh(x) below the diagonal, row i is z_ij sqrt((1 - z_i0^2) ... (1 - z_i,j-1^2)), and its diagonal has the rest.
    """

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x: Tensor) -> Tensor:
        eps = finfo(x.dtype).eps
        r = vec_to_tril_matrix(_C.tanh(x).clamp(-1 + eps, 1 - eps), diag=-1)
        left = (1 - r**2).sqrt().cumprod(-1)
        r = r + _C.eye(r.shape[-1], dtype=r.dtype, **beside(r))
        return r * _C.pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y: Tensor) -> Tensor:
        left = _C.pad((1 - _C.cumsum(y * y, -1))[..., :-1], [1, 0], value=1)
        t = tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(left, diag=-1).sqrt()
        return (_C.log1p(t) - _C.log1p(-t)) / 2

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor, intermediates: Any = None) -> Tensor:
        left = 1 - (y * y).cumsum(-1)
        rows = 0.5 * tril_matrix_to_vec(left, diag=-2).log().sum(-1) if y.shape[-1] > 2 else 0.0
        return rows - 2 * (x + _C.softplus(-2 * x) - math.log(2.0)).sum(-1)

    def forward_shape(self, shape: Any) -> Size:
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        size = round((0.25 + 2 * shape[-1]) ** 0.5 + 0.5)
        if size * (size - 1) // 2 != shape[-1]:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return Size((*shape[:-1], size, size))

    def inverse_shape(self, shape: Any) -> Size:
        if len(shape) < 2:
            raise ValueError("Too few dimensions on input")
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return Size((*shape[:-2], shape[-1] * (shape[-1] - 1) // 2))


class CumulativeDistributionTransform(Transform):
    """y = cdf(x) of a distribution of one variable.

    Args:
        distribution: the distribution.
        cache_size: as of every transform.
    """

    bijective = True
    codomain = constraints.unit_interval
    sign = +1

    def __init__(self, distribution: Distribution, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.distribution = distribution

    @property
    def domain(self) -> Any:  # type: ignore[override]
        return self.distribution.support

    def _call(self, x: Tensor) -> Tensor:
        return self.distribution.cdf(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return self.distribution.log_prob(x)

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return CumulativeDistributionTransform(self.distribution, cache_size=cache_size)
