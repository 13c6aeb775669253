"""Functions of the normal distribution and the scaled complement of the error function: computed in float64, rounded once."""

import triton
import triton.language as tl
from triton.language.extra import libdevice

from .logarithm import log1p
from .polynomial import chebyshev_series, horner

SQRT_HALF = tl.constexpr(0.7071067811865476)
SQRT_HALF_REST = tl.constexpr(-4.833646656726457e-17)
SQRT_PI_INVERSE = tl.constexpr(0.5641895835477563)
SQRT_2_PI = tl.constexpr(2.5066282746310002)
EXP_MINUS_2 = tl.constexpr(0.13533528323661270)
# (1 + 2 x) erfcx(x) of t = 2 (x - 3.75) / (x + 3.75), a Chebyshev series, the highest order first.
ERFCX = tl.constexpr((
    5.068148904796111e-17, 7.418235256624044e-17, -1.2507950530688648e-15, -1.864562880419313e-15,
    3.3478119482868056e-14, 3.25254814814874e-14, -9.65469674843344e-13, 1.9455868545777347e-13,
    2.86879501093067e-11, -6.318088340886684e-11, -7.754400208831351e-10, 4.521959811218287e-09,
    1.076499946567091e-08, -2.1886401049234397e-07, 7.74038306619849e-07, 4.13902798607301e-06,
    -6.916973302501207e-05, 0.0004907758365258086, -0.002413163540417608, 0.009074997670705265,
    -0.026658668435305753, 0.05920993999819189, -0.08424913336651792, -0.004590054580646478, 2.3551578691348034,
))  # fmt: skip
NDTRI_P0 = tl.constexpr((
    -59.96335010141079, 98.00107541859997, -56.67628574690703, 13.931260938727968, -1.2391658386738125,
))  # fmt: skip
NDTRI_Q0 = tl.constexpr((
    1.0, 1.9544885833814176, 4.676279128988815, 86.36024213908905, -225.46268785411937, 200.26021238006066,
    -82.03722561683334, 15.90562251262117, -1.1833162112133,
))  # fmt: skip
NDTRI_P1 = tl.constexpr((
    4.0554489230596245, 31.525109459989388, 57.16281922464213, 44.08050738932008, 14.684956192885803,
    2.1866330685079025, -0.1402560791713545, -0.03504246268278482, -0.0008574567851546854,
))  # fmt: skip
NDTRI_Q1 = tl.constexpr((
    1.0, 15.779988325646675, 45.39076351288792, 41.3172038254672, 15.04253856929075, 2.504649462083094,
    -0.14218292285478779, -0.03808064076915783, -0.0009332594808954574,
))  # fmt: skip
NDTRI_P2 = tl.constexpr((
    3.2377489177694603, 6.915228890689842, 3.9388102529247444, 1.3330346081580755, 0.20148538954917908,
    0.012371663481782003, 0.00030158155350823543, 2.6580697468673755e-06, 6.239745391849833e-09,
))  # fmt: skip
NDTRI_Q2 = tl.constexpr((
    1.0, 6.02427039364742, 3.6798356385616087, 1.3770209948908132, 0.21623699359449663, 0.013420400608854318,
    0.00032801446468212774, 2.8924786474538068e-06, 6.790194080099813e-09,
))  # fmt: skip


@triton.jit
def _erfcx(x):
    """exp(x^2) erfc(x) in float64, from 1e8 on 1 / (sqrt(pi) x); of negative numbers 2 exp(x^2) - erfcx(-x)."""
    size = tl.abs(x)
    far = size >= 1e8
    near = tl.where(far, 0, size)
    y = chebyshev_series(2 * ((near - 3.75) / (near + 3.75)), ERFCX) / (1 + 2 * near)
    y = tl.where(far, SQRT_PI_INVERSE / size, y)
    low = tl.where(x < 0, size, 0)
    square = low * low
    rest = tl.fma(low, low, -square)
    power = tl.exp(square)
    return tl.where(x < 0, 2 * (power + tl.where(size < 26, power * rest, 0)) - y, y)


@triton.jit
def erfcx(x):
    wide = x.to(tl.float64)
    return tl.where(wide == float("inf"), 0, _erfcx(wide)).to(x.dtype)


@triton.jit
def erfcx_slope(x):
    """The derivative of erfcx, 2 x erfcx(x) - 2 / sqrt(pi), from 30 on by its asymptotic series: there the terms cancel."""
    wide = x.to(tl.float64)
    large = wide > 30
    y = 0.5 / tl.where(large, wide * wide, 1)
    series = y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y * (1 - 9 * y * (1 - 11 * y)))))
    near = 2 * wide * _erfcx(tl.where(large, 0, wide)) - 1.1283791670955126
    return tl.where(large, -1.1283791670955126 * series, near).to(x.dtype)


@triton.jit
def ndtr(x):
    """The normal distribution function, erfc(t) / 2 of t = -x / sqrt(2); in float64 with what t lost by rounding."""
    wide = x.to(tl.float64)
    t = wide * -SQRT_HALF
    y = 0.5 * libdevice.erfc(t)
    if x.dtype.is_fp64():
        near = tl.where(tl.abs(wide) < 40, wide, 0)  # it is 0 or 1 of all others
        half = near * 0 - SQRT_HALF  # a number by itself would be float32 to tl.fma
        rounded = near * half
        lost = tl.fma(near, half, -rounded) - near * SQRT_HALF_REST
        y -= SQRT_PI_INVERSE * tl.exp(-rounded * rounded) * lost
    return y.to(x.dtype)


@triton.jit
def log_ndtr(x):
    """log(ndtr(x)); far to the left by the scaled complement, which does not vanish."""
    t = x.to(tl.float64) * SQRT_HALF
    far = tl.log(_erfcx(tl.where(t < 0, -t, 0)) * 0.5) - t * t
    near = log1p(libdevice.erfc(tl.where(t < -1, -1, t)) * -0.5)
    return tl.where(x < -1, far, near).to(x.dtype)


@triton.jit
def ndtri(p):
    """The x with ndtr(x) = p. Source: S. Moshier, Cephes Math Library, ndtri.c."""
    y = p.to(tl.float64)
    upper = y > 1 - EXP_MINUS_2
    tail = tl.where(upper, 1 - y, y)
    middle = y - 0.5
    square = middle * middle
    central = (middle + middle * (square * horner(square, NDTRI_P0) / horner(square, NDTRI_Q0))) * SQRT_2_PI
    x = tl.sqrt(-2 * tl.log(tl.where(tail > 0, tl.where(tail < 0.5, tail, 0.5), 0.5)))
    z = 1 / x
    near = z * horner(z, NDTRI_P1) / horner(z, NDTRI_Q1)
    far = z * horner(z, NDTRI_P2) / horner(z, NDTRI_Q2)
    outer = x - tl.log(x) / x - tl.where(x < 8, near, far)
    value = tl.where(tail > EXP_MINUS_2, central, tl.where(upper, outer, outer * -1))
    value = tl.where(y == 0, float("-inf"), tl.where(y == 1, float("inf"), value))
    return tl.where((y >= 0) & (y <= 1), value, float("nan")).to(p.dtype)
