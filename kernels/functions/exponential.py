"""Exponentials, hyperbolic functions and the sigmoid, for float32 and float64.

Where the obvious formula cancels, a polynomial replaces it near the root, long enough for the type at hand.
"""

import triton
import triton.language as tl

HALF_E = tl.constexpr(1.3591409142295226)


@triton.jit
def exp(x):
    return tl.exp(x)


@triton.jit
def exp2(x):
    return tl.exp2(x)


@triton.jit
def expm1(x):
    """exp(x) - 1; for |x| < 0.35 its Taylor series by Horner's rule, x (1 + x/2 (1 + x/3 (1 + ...)))."""
    series = x * 0 + 1
    if x.dtype.is_fp64():
        for k in tl.static_range(13):
            series = 1 + series * x * (1.0 / (14 - k))
    else:
        for k in tl.static_range(6):
            series = 1 + series * x * (1.0 / (7 - k))
    return tl.where(tl.abs(x) < 0.35, x * series, tl.exp(x) - 1)


@triton.jit
def tanh(x):
    """t / (t + 2) with t = expm1(2 |x|) and the sign of x; 1 to the last bit from |x| = 20 on."""
    size = tl.abs(x)
    t = expm1(2 * tl.where(size > 20, 20, size))
    y = t / (t + 2)
    return tl.where(x == 0, x, tl.where(x < 0, -y, y))


@triton.jit
def sinh(x):
    """(t + t / (t + 1)) / 2 with t = expm1(|x|), or exp(|x|) / 2 written so that it does not overflow before the result."""
    size = tl.abs(x)
    t = expm1(size)
    y = tl.where(size > 20, tl.exp(size - 1) * HALF_E, 0.5 * (t + t / (t + 1)))
    return tl.where(x == 0, x, tl.where(x < 0, -y, y))


@triton.jit
def cosh(x):
    """h + 1 / (4 h) with h = exp(|x|) / 2, written so that it does not overflow before the result."""
    h = tl.exp(tl.abs(x) - 1) * HALF_E
    return h + 0.25 / h


@triton.jit
def sigmoid(x):
    return 1 / (1 + tl.exp(-x))
