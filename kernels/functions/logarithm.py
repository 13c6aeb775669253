"""Logarithms, for float32 and float64.

Where the obvious formula cancels, a polynomial replaces it near the root, long enough for the type at hand.
"""

import triton
import triton.language as tl

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
