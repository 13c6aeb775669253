"""Orthogonal polynomials of degree n at x, by their recurrences, in float64; 0 of a negative degree, NaN beyond the largest one.

All elements go on to the largest degree among them; an element stops at its own.
"""

import triton
import triton.language as tl

MOST = tl.constexpr(65536)  # a larger degree takes a step for each of as many, which would end in years


@triton.jit
def _operands(x, n):
    """x in float64 and the degree's whole part, of one shape; NaN and infinities count as negative degrees."""
    wide, degree = tl.broadcast(x.to(tl.float64), n.to(tl.float64))
    return wide, tl.where(tl.abs(degree) < 1e18, tl.minimum(degree, MOST + 1), -1).to(tl.int64)


@triton.jit
def _chosen(first, last, n):
    """The polynomial of degree n: 1 of degree 0, `first` of degree 1, `last` behind."""
    return tl.where(n < 0, 0, tl.where(n == 0, 1, tl.where(n == 1, first, tl.where(n > MOST, float("nan"), last))))


@triton.jit
def _chebyshev(x, n, first):
    """p(k + 1) = 2 x p(k) - p(k - 1), from 1 and `first`."""
    before = tl.full(x.shape, 1, tl.float64)
    last = first
    for k in range(1, tl.max(n)):
        following = 2 * x * last - before
        before = tl.where(k < n, last, before)
        last = tl.where(k < n, following, last)
    return _chosen(first, last, n)


@triton.jit
def chebyshev_polynomial_t(x, n):
    wide, degree = _operands(x, n)
    return _chebyshev(wide, degree, wide).to(x.dtype)


@triton.jit
def chebyshev_polynomial_u(x, n):
    wide, degree = _operands(x, n)
    return _chebyshev(wide, degree, 2 * wide).to(x.dtype)


@triton.jit
def chebyshev_polynomial_v(x, n):
    wide, degree = _operands(x, n)
    return _chebyshev(wide, degree, 2 * wide - 1).to(x.dtype)


@triton.jit
def chebyshev_polynomial_w(x, n):
    wide, degree = _operands(x, n)
    return _chebyshev(wide, degree, 2 * wide + 1).to(x.dtype)


@triton.jit
def shifted_chebyshev_polynomial_t(x, n):
    wide, degree = _operands(x, n)
    wide = 2 * wide - 1
    return _chebyshev(wide, degree, wide).to(x.dtype)


@triton.jit
def shifted_chebyshev_polynomial_u(x, n):
    wide, degree = _operands(x, n)
    wide = 2 * wide - 1
    return _chebyshev(wide, degree, 2 * wide).to(x.dtype)


@triton.jit
def shifted_chebyshev_polynomial_v(x, n):
    wide, degree = _operands(x, n)
    wide = 2 * wide - 1
    return _chebyshev(wide, degree, 2 * wide - 1).to(x.dtype)


@triton.jit
def shifted_chebyshev_polynomial_w(x, n):
    wide, degree = _operands(x, n)
    wide = 2 * wide - 1
    return _chebyshev(wide, degree, 2 * wide + 1).to(x.dtype)


@triton.jit
def _hermite(x, n, scale):
    """p(k + 1) = scale (x p(k) - k p(k - 1)), from 1 and scale x."""
    first = scale * x
    before = tl.full(x.shape, 1, tl.float64)
    last = first
    for k in range(1, tl.max(n)):
        following = scale * (x * last - k * before)
        before = tl.where(k < n, last, before)
        last = tl.where(k < n, following, last)
    return _chosen(first, last, n)


@triton.jit
def hermite_polynomial_h(x, n):
    """That of physics."""
    wide, degree = _operands(x, n)
    return _hermite(wide, degree, 2.0).to(x.dtype)


@triton.jit
def hermite_polynomial_he(x, n):
    """That of probability."""
    wide, degree = _operands(x, n)
    return _hermite(wide, degree, 1.0).to(x.dtype)


@triton.jit
def laguerre_polynomial_l(x, n):
    """(k + 1) p(k + 1) = (2k + 1 - x) p(k) - k p(k - 1)"""
    wide, degree = _operands(x, n)
    first = 1 - wide
    before = tl.full(wide.shape, 1, tl.float64)
    last = first
    for k in range(1, tl.max(degree)):
        following = ((2 * k + 1 - wide) * last - k * before) / (k + 1)
        before = tl.where(k < degree, last, before)
        last = tl.where(k < degree, following, last)
    return _chosen(first, last, degree).to(x.dtype)


@triton.jit
def legendre_polynomial_p(x, n):
    """(k + 1) p(k + 1) = (2k + 1) x p(k) - k p(k - 1)"""
    wide, degree = _operands(x, n)
    before = tl.full(wide.shape, 1, tl.float64)
    last = wide
    for k in range(1, tl.max(degree)):
        following = ((2 * k + 1) * wide * last - k * before) / (k + 1)
        before = tl.where(k < degree, last, before)
        last = tl.where(k < degree, following, last)
    return _chosen(wide, last, degree).to(x.dtype)
