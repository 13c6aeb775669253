"""Exponentials, logarithms, trigonometry and rounding, for float32 and float64.

Where the obvious formula cancels, a polynomial replaces it near the root, long enough for the type at hand.
"""

import triton
import triton.language as tl

LN2 = tl.constexpr(0.6931471805599453)
LOG10_2 = tl.constexpr(0.30102999566398120)
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


@triton.jit
def logsigmoid(x):
    """log(sigmoid(x)) = min(x, 0) - log1p(exp(-|x|))"""
    return tl.where(x < 0, x, 0.0) - log1p(tl.exp(-tl.abs(x)))


@triton.jit
def erf(x):
    return tl.erf(x)


@triton.jit
def erfinv(x):
    """The y with erf(y) = x, by Giles' polynomials in w = -log(1 - x^2): two pieces for float32, three for float64.

    Source: M. Giles, Approximating the erfinv function, 2010.
    """
    w = -tl.log((1 - x) * (1 + x))
    if x.dtype.is_fp64():
        near = _erfinv_near_zero_wide(w - 3.125)
        middle = _erfinv_between_wide(tl.sqrt(w) - 3.25)
        far = _erfinv_near_one_wide(tl.sqrt(w) - 5)
        y = tl.where(w < 6.25, near, tl.where(w < 16, middle, far)) * x
    else:
        y = tl.where(w < 5, _erfinv_near_zero(w - 2.5), _erfinv_near_one(tl.sqrt(w) - 3)) * x
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
def _erfinv_near_zero_wide(w):
    p = -1.6850591381820166e-19 - 3.64441206401782e-21 * w
    p = 1.28584807152564e-18 + p * w
    p = 1.1157877678025181e-17 + p * w
    p = -1.333171662854621e-16 + p * w
    p = 2.0972767875968562e-17 + p * w
    p = 6.637638134358324e-15 + p * w
    p = -4.054566272975207e-14 + p * w
    p = -8.151934197605472e-14 + p * w
    p = 2.6335093153082323e-12 + p * w
    p = -1.2975133253453532e-11 + p * w
    p = -5.415412054294628e-11 + p * w
    p = 1.0512122733215323e-09 + p * w
    p = -4.112633980346984e-09 + p * w
    p = -2.9070369957882005e-08 + p * w
    p = 4.2347877827932404e-07 + p * w
    p = -1.3654692000834679e-06 + p * w
    p = -1.3882523362786469e-05 + p * w
    p = 0.00018673420803405714 + p * w
    p = -0.000740702534166267 + p * w
    p = -0.006033670871430149 + p * w
    p = 0.24015818242558962 + p * w
    return 1.6536545626831027 + p * w


@triton.jit
def _erfinv_between_wide(w):
    p = 9.075656193888539e-08 + 2.2137376921775787e-09 * w
    p = -2.7517406297064545e-07 + p * w
    p = 1.8239629214389228e-08 + p * w
    p = 1.5027403968909828e-06 + p * w
    p = -4.013867526981546e-06 + p * w
    p = 2.9234449089955446e-06 + p * w
    p = 1.2475304481671779e-05 + p * w
    p = -4.7318229009055734e-05 + p * w
    p = 6.828485145957318e-05 + p * w
    p = 2.4031110387097894e-05 + p * w
    p = -0.0003550375203628475 + p * w
    p = 0.0009532893797373805 + p * w
    p = -0.0016882755560235047 + p * w
    p = 0.002491442096107851 + p * w
    p = -0.003751208507569241 + p * w
    p = 0.005370914553590064 + p * w
    p = 1.0052589676941592 + p * w
    return 3.0838856104922208 + p * w


@triton.jit
def _erfinv_near_one_wide(w):
    p = -2.555641816996525e-10 - 2.7109920616438573e-11 * w
    p = 1.5076572693500548e-09 + p * w
    p = -3.789465440126737e-09 + p * w
    p = 7.61570120807834e-09 + p * w
    p = -1.496002662714924e-08 + p * w
    p = 2.914795345090108e-08 + p * w
    p = -6.771199775845234e-08 + p * w
    p = 2.2900482228026655e-07 + p * w
    p = -9.9298272942317e-07 + p * w
    p = 4.526062597223154e-06 + p * w
    p = -1.968177810553167e-05 + p * w
    p = 7.599527703001776e-05 + p * w
    p = -0.00021503011930044477 + p * w
    p = -0.00013871931833623122 + p * w
    p = 1.0103004648645344 + p * w
    return 4.849906401408584 + p * w


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
