"""Logarithms, for float32 and float64.

Where the obvious formula cancels, a polynomial replaces it near the root, long enough for the type at hand.
"""

import triton
import triton.language as tl
from triton.language.extra import libdevice

from .arithmetic import div

LOG_2 = tl.constexpr(0.6931471805599453)
LOG10_2 = tl.constexpr(0.30102999566398120)


@triton.jit
def log(x):
    return tl.log(x)


@triton.jit
def log2(x):
    return tl.log2(x)


@triton.jit
def log10(x):
    return tl.log2(x) * LOG10_2


@triton.jit
def log1p(x):
    """log(1 + x); near 0 it is 2 artanh(s) = 2 (s + s^3/3 + s^5/5 + ...) with s = x / (2 + x), |s| < 0.15."""
    twice = 2 * x / (2 + x)  # 2 s: s itself would be 0 for the smallest numbers
    s2 = 0.25 * (twice * twice)
    series = x * 0
    if x.dtype.is_fp64():
        for k in tl.static_range(11):
            series = series * s2 + 1.0 / (21 - 2 * k)
    else:
        for k in tl.static_range(6):
            series = series * s2 + 1.0 / (11 - 2 * k)
    return tl.where((x > -0.25) & (x < 0.35), twice * series, tl.log(1 + x))


@triton.jit
def logsigmoid(x):
    """log(sigmoid(x)) = min(x, 0) - log1p(exp(-|x|))"""
    return tl.where(x < 0, x, 0.0) - log1p(tl.exp(-tl.abs(x)))


@triton.jit
def asinh(x):
    return libdevice.asinh(x)


@triton.jit
def acosh(x):
    return libdevice.acosh(x)


@triton.jit
def atanh(x):
    return libdevice.atanh(x)


@triton.jit
def logaddexp(x, y):
    """log(exp(x) + exp(y)) = max(x, y) + log1p(exp(-|x - y|)); of two equal infinities that one."""
    largest = tl.where((x >= y) | (x != x), x, y)
    sum = largest + log1p(tl.exp(-tl.abs(x - y)))
    return tl.where((x == y) & (tl.abs(x) == float("inf")), x, sum)


@triton.jit
def logaddexp2(x, y):
    """log2(2^x + 2^y)"""
    largest = tl.where((x >= y) | (x != x), x, y)
    sum = largest + log1p(tl.exp2(-tl.abs(x - y))) / LOG_2
    return tl.where((x == y) & (tl.abs(x) == float("inf")), x, sum)


@triton.jit
def logit(x):
    """log(x / (1 - x))"""
    return tl.log(div(x, 1 - x))


@triton.jit
def logit_clamped(x, eps):
    """logit of x within [eps, 1 - eps]."""
    high = 1 - eps
    return logit(tl.where(x < eps, eps, tl.where(x > high, high, x)))


@triton.jit
def xlogy(x, y):
    """x log(y), and 0 where x is, unless y is NaN."""
    return tl.where(y != y, y, tl.where(x == 0, 0, x * tl.log(y)))


@triton.jit
def xlog1py(x, y):
    """x log(1 + y), and 0 where x is, unless y is NaN."""
    return tl.where(y != y, y, tl.where(x == 0, 0, x * log1p(y)))


@triton.jit
def entr(x):
    """-x log(x), 0 at 0, and -inf for negative numbers."""
    value = tl.where(x == 0, 0, 0 - x * tl.log(x))
    return tl.where(x < 0, float("-inf"), value)
