"""Exponentials, logarithms, trigonometry and rounding, for float32 and float64.

Where the obvious formula cancels, a polynomial replaces it near the root, long enough for the type at hand.
"""

import triton
import triton.language as tl

LN2 = tl.constexpr(0.6931471805599453)
LOG10_2 = tl.constexpr(0.30102999566398120)
TWO_OVER_SQRT_PI = tl.constexpr(1.1283791670955126)


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
    s = x / (2 + x)
    s2 = s * s
    series = x * 0
    if x.dtype.is_fp64():
        for k in tl.static_range(11):
            series = series * s2 + 1.0 / (21 - 2 * k)
    else:
        for k in tl.static_range(6):
            series = series * s2 + 1.0 / (11 - 2 * k)
    return tl.where((x > -0.25) & (x < 0.35), 2 * s * series, tl.log(1 + x))


@triton.jit
def sin(x):
    return tl.sin(x)


@triton.jit
def cos(x):
    return tl.cos(x)


@triton.jit
def tan(x):
    return tl.sin(x) / tl.cos(x)


@triton.jit
def tanh(x):
    """t / (t + 2) with t = expm1(2 |x|) and the sign of x; 1 to the last bit from |x| = 20 on."""
    size = tl.abs(x)
    t = expm1(2 * tl.where(size > 20, 20, size))
    y = t / (t + 2)
    return tl.where(x < 0, -y, y)


@triton.jit
def sinh(x):
    """(t + t / (t + 1)) / 2 with t = expm1(|x|)"""
    t = expm1(tl.abs(x))
    y = tl.where(t == float("inf"), t, 0.5 * (t + t / (t + 1)))
    return tl.where(x < 0, -y, y)


@triton.jit
def cosh(x):
    e = tl.exp(tl.abs(x))
    return 0.5 * e + 0.5 / e


@triton.jit
def sigmoid(x):
    return 1 / (1 + tl.exp(-x))


@triton.jit
def logsigmoid(x):
    """log(sigmoid(x)) = min(x, 0) - log1p(exp(-|x|))"""
    return tl.where(x < 0, x, 0.0) - log1p(tl.exp(-tl.abs(x)))


@triton.jit
def erf(x):
    return tl.erf(x)


@triton.jit
def erf_derivative(x):
    """2 / sqrt(pi) * exp(-x^2)"""
    return TWO_OVER_SQRT_PI * tl.exp(-x * x)


@triton.jit
def erfinv(x):
    """The y with erf(y) = x, by Giles' polynomials in w = -log(1 - x^2); for float64 these start Newton's method,
    which is as exact as erf(y) - x: to about 1e-16 exp(y^2).

    Source: M. Giles, Approximating the erfinv function, 2010.
    """
    w = -tl.log((1 - x) * (1 + x))
    near = _erfinv_near_zero(w - 2.5) * x
    far = _erfinv_near_one(tl.sqrt(w) - 3) * x
    y = tl.where(w < 5, near, far)
    if x.dtype.is_fp64():
        for _ in tl.static_range(3):
            y -= (tl.erf(y) - x) * tl.exp(y * y) / TWO_OVER_SQRT_PI
    return tl.where((x == 1) | (x == -1), x * float("inf"), y)


@triton.jit
def _erfinv_near_zero(w):
    p = 3.43273939e-07 + 2.81022636e-08 * w
    p = -3.5233877e-06 + p * w
    p = -4.39150654e-06 + p * w
    p = 0.00021858087 + p * w
    p = -0.00125372503 + p * w
    p = -0.00417768164 + p * w
    p = 0.246640727 + p * w
    return 1.50140941 + p * w


@triton.jit
def _erfinv_near_one(w):
    p = 0.000100950558 - 0.000200214257 * w
    p = 0.00134934322 + p * w
    p = -0.00367342844 + p * w
    p = 0.00573950773 + p * w
    p = -0.0076224613 + p * w
    p = 0.00943887047 + p * w
    p = 1.00167406 + p * w
    return 2.83297682 + p * w


@triton.jit
def floor(x):
    if x.dtype.is_floating():
        return tl.floor(x)
    else:
        return x


@triton.jit
def ceil(x):
    if x.dtype.is_floating():
        return tl.ceil(x)
    else:
        return x


@triton.jit
def trunc(x):
    if x.dtype.is_floating():
        return tl.where(x < 0, tl.ceil(x), tl.floor(x))
    else:
        return x


@triton.jit
def frac(x):
    return x - trunc(x)


@triton.jit
def round(x):
    """To the nearest whole number; a tie goes to the even one."""
    if x.dtype.is_floating():
        size = tl.abs(x)
        below = tl.floor(size)
        rest = size - below
        odd = tl.floor(below * 0.5) * 2 != below
        up = (rest > 0.5) | ((rest == 0.5) & odd)
        nearest = tl.where(up, below + 1, below)
        return tl.where(nearest == size, x, tl.where(x < 0, nearest * -1, nearest))
    else:
        return x
