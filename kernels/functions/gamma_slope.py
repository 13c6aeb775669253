"""The derivative of a gamma-distributed number with respect to its shape, where its quantile stays (Figurnov and others, 2018)."""

import triton
import triton.language as tl

LARGE = tl.constexpr(400.0)  # the shape from which on the quantile is expanded


@triton.jit
def _psi_of_next(a):
    """digamma(a + 1) for a > 0: Stirling's series of a + 9, and the eight terms between."""
    z = a + 9
    terms = 1 / (a + 1) + 1 / (a + 2) + 1 / (a + 3) + 1 / (a + 4) + 1 / (a + 5) + 1 / (a + 6) + 1 / (a + 7) + 1 / (a + 8)
    r = 1 / (z * z)
    tail = r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r * (1.0 / 240 - r * (1.0 / 132)))))
    return tl.log(z) - 0.5 / z - tail - terms


@triton.jit
def _slope_by_series(a, x):
    """sum_k x^(k+1) Gamma(a) / Gamma(a+k+1) (digamma(a+k+1) - log x), from the series of the lower incomplete gamma function."""
    far = _psi_of_next(a) - tl.log(x)
    term = x / a
    total = term * far
    k = a + 1
    going = (total == total) & (x < float("inf"))
    while tl.max(going.to(tl.int32)) > 0:
        term = tl.where(going, term * x / k, term)
        far = tl.where(going, far + 1 / k, far)
        total = tl.where(going, total + term * far, total)
        k = tl.where(going, k + 1, k)
        going = going & ((k <= x) | (tl.abs(term * far) > 1e-17 * tl.abs(total))) & (k < a + 3000)
    return total


@triton.jit
def _quantile_rest(z, s):
    """Terms of Cornish and Fisher's expansion of the quantile behind a + s z, where s = sqrt(a)."""
    w = z * z
    first = (w - 1) / 3 + z * (w - 7) / (36 * s)
    second = (3 * w * w + 7 * w - 16) / (810 * s * s)
    return first - second + z * (9 * w * w + 256 * w - 433) / (38880 * s * s * s)


@triton.jit
def _slope_by_expansion(a, x):
    s = tl.sqrt(a)
    z = (x - a) / s
    for _ in tl.static_range(12):
        z = (x - a - _quantile_rest(z, s)) / s
    w = z * z
    cube = a * s
    first = 1 + z / (2 * s) - z * (w - 7) / (72 * cube)
    return first + (3 * w * w + 7 * w - 16) / (810 * a * a) - z * (9 * w * w + 256 * w - 433) / (25920 * a * cube)


@triton.jit
def gamma_slope(shape, drawn):
    """Computed in float64, as the series has terms of both signs; 0 where the number is 0."""
    a, x = shape.to(tl.float64), drawn.to(tl.float64)
    large, usual = a > LARGE, (a > 0) & (x > 0)
    series = _slope_by_series(tl.where(usual & ~large, a, 1), tl.where(usual & ~large, x, 1))
    expansion = _slope_by_expansion(tl.where(large, a, LARGE), tl.where(large, x, LARGE))
    slope = tl.where(large, expansion, series)
    return tl.where(usual, slope, a * x * 0).to(drawn.dtype)
