"""Polynomials and Chebyshev series with constant coefficients, by which special functions are computed."""

import triton
import triton.language as tl


@triton.jit
def horner(x, COEFFICIENTS: tl.constexpr):
    """c0 x^n + c1 x^(n-1) + ... + cn: the highest power first."""
    p = x * 0 + COEFFICIENTS[0]
    for k in tl.static_range(1, len(COEFFICIENTS)):
        p = p * x + COEFFICIENTS[k]
    return p


@triton.jit
def monic(x, COEFFICIENTS: tl.constexpr):
    """x^n + c0 x^(n-1) + ... + c(n-1): the highest coefficient is 1 and not among the given ones."""
    p = x + COEFFICIENTS[0]
    for k in tl.static_range(1, len(COEFFICIENTS)):
        p = p * x + COEFFICIENTS[k]
    return p


@triton.jit
def chebyshev_series(x, COEFFICIENTS: tl.constexpr):
    """c0 T_n(x/2) + ... + cn / 2 by Clenshaw's recurrence: the highest order first."""
    before = x * 0
    last = x * 0
    sum = x * 0 + COEFFICIENTS[0]
    for k in tl.static_range(1, len(COEFFICIENTS)):
        before = last
        last = sum
        sum = x * last - before + COEFFICIENTS[k]
    return 0.5 * (sum - before)
