"""The gamma function's logarithm and derivatives, Hurwitz' zeta, incomplete gamma functions: in float64, rounded once.

Source: S. Moshier, Cephes Math Library, psi.c, zeta.c, igam.c; J. Maddock et al., Boost, for Lanczos' sum.
"""

import triton
import triton.language as tl
from triton.language.extra import libdevice

from .arithmetic import pow
from .exponential import expm1
from .logarithm import log1p
from .polynomial import horner
from .trigonometric import sin_pi

PI = tl.constexpr(3.141592653589793)
EPSILON = tl.constexpr(1.1102230246251565e-16)
LANCZOS_G = tl.constexpr(6.024680040776729)
E = tl.constexpr(2.718281828459045)
LOG_PI = tl.constexpr(1.1447298858494002)
HALF_LOG_2_PI = tl.constexpr(0.9189385332046727)
# Of log(gamma(z)) beyond (z - 1/2) log(z) - z + log(2 pi) / 2, divided by 1/z: powers of 1/z^2, the highest first.
STIRLING = tl.constexpr((1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12))
# Of log(x) - 1/(2x) - digamma(x), divided by 1/x^2.
DIGAMMA = tl.constexpr((
    0.08333333333333333, -0.021092796092796094, 0.007575757575757576, -0.004166666666666667, 0.003968253968253968,
    -0.008333333333333333, 0.08333333333333333,
))  # fmt: skip
# digamma over [1, 2], divided by x - root: powers of x - 1, the highest first. Source: Boost, digamma.hpp.
DIGAMMA_ROOT = tl.constexpr((1569415565 / 2**30, 381566830 / 2**60, 9.016312093258696e-20))
DIGAMMA_SLOPE = tl.constexpr(0.9955816268920898)
DIGAMMA_P = tl.constexpr((
    -0.0020713321167745952, -0.045251321448739056, -0.28919126444774784, -0.65031853770896507, -0.32555031186804491,
    0.25479851061131551,
))  # fmt: skip
DIGAMMA_Q = tl.constexpr((
    -0.55789841321675513e-6, 0.0021284987017821144, 0.054151797245674225, 0.43593529692665969, 1.4606242909763515,
    2.0767117023730469, 1.0,
))  # fmt: skip
# Of z (z trigamma(z) - 1) - 1/2, divided by 1/z: powers of 1/z^2, the highest first.
TRIGAMMA = tl.constexpr((
    -7.092156862745098, 1.1666666666666667, -0.2531135531135531, 0.07575757575757576, -0.03333333333333333,
    0.023809523809523808, -0.03333333333333333, 0.16666666666666666,
))  # fmt: skip
# (2k)! / B(2k), k = 1, 2, ...: divisors of Euler and Maclaurin's corrections.
ZETA = tl.constexpr((
    12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1892437580.3183792, 74724249600.0, -2950130727918.164,
    116467828143500.67, -4597978722407473.0, 1.8152105401943546e+17, -7.166165256175667e+18,
))  # fmt: skip
LANCZOS_NUMERATOR = tl.constexpr((
    0.006061842346248907, 0.5098416655656676, 19.519927882476175, 449.9445569063168, 6955.999602515376,
    75999.29304014542, 601859.6171681099, 3481712.154980646, 14605578.087685067, 43338889.32467614,
    86363131.2881386, 103794043.11634454, 56906521.913471565,
))  # fmt: skip
LANCZOS_DENOMINATOR = tl.constexpr((
    1.0, 66.0, 1925.0, 32670.0, 357423.0, 2637558.0, 13339535.0, 45995730.0, 105258076.0, 150917976.0, 120543840.0,
    39916800.0, 0.0,
))  # fmt: skip
SQRT_HALF_PI_INVERSE = tl.constexpr(0.7978845608028654)
EULER = tl.constexpr(0.5772156649015329)
ONE_MINUS_EULER = tl.constexpr(0.42278433509846713)
# Of log(gamma(1 + a)) + log(1 + a) - (1 - Euler's constant) a, divided by a^2: powers of a, the highest first.
LOG_GAMMA = tl.constexpr((
    -4.492469198764566e-07, 9.55141213040742e-07, -2.039215753801366e-06, 4.374866789907488e-06,
    -9.439488275268397e-06, 2.050721277567069e-05, -4.492623673813314e-05, 9.945751278180853e-05,
    -0.00022315475845357939, 0.0005096695247430425, -0.001192753911703261, 0.0028905103307415234,
    -0.007385551028673986, 0.020580808427784546, -0.0673523010531981, 0.3224670334241132,
))  # fmt: skip
# Of Temme's expansion of incomplete gamma functions: powers of eta, the highest first, for 1, 1/a and 1/a^2.
TEMME_0 = tl.constexpr((
    6.707853543401498e-09, -1.7665952736826078e-07, 8.296711340953087e-07, -1.85406221071516e-06,
    -2.1854485106799924e-06, 3.919263178522438e-05, -0.0001787551440329218, 0.0003527336860670194,
    0.0011574074074074073, -0.014814814814814815, 0.08333333333333333, -0.3333333333333333,
))  # fmt: skip
TEMME_1 = tl.constexpr((
    7.64916091608111e-06, -1.8098550334489977e-05, -4.018775720164609e-07, 0.00020576131687242798,
    -0.0009902263374485596, 0.0026455026455026454, -0.003472222222222222, -0.001851851851851852,
))  # fmt: skip
TEMME_2 = tl.constexpr((
    2.0093878600823047e-06, 0.0007716049382716049, -0.0026813271604938273, 0.004133597883597883,
))  # fmt: skip


@triton.jit
def _shifted(x, STEPS: tl.constexpr):
    """x (x + 1) ... (x + STEPS - 1), and its derivative, of 0 < x < STEPS; 1 and 0 of others."""
    small = x < STEPS
    at = tl.where(small, x, 1)
    product = at * 0 + 1
    slope = at * 0
    for _ in tl.static_range(STEPS):
        slope = slope * at + product
        product = product * at
        at += 1
    return tl.where(small, product, 1), tl.where(small, slope, 0)


@triton.jit
def _wide_lgamma(x):
    """Stirling's series in float64, exact enough for a float32; moved to x >= 8, of negative numbers by reflection."""
    wide = x.to(tl.float64)
    left = wide < 0
    size = tl.where(left, 1 - wide, wide)
    product, _ = _shifted(size, 8)
    z = tl.where(size < 8, size + 8, size)
    inverse = 1 / z
    y = (z - 0.5) * tl.log(z) - z + HALF_LOG_2_PI + inverse * horner(inverse * inverse, STIRLING) - tl.log(product)
    sine = tl.abs(sin_pi(tl.where(left, wide, 0.5)))
    y = tl.where(left, LOG_PI - tl.log(sine) - y, y)
    y = tl.where((wide == 1) | (wide == 2), 0, y)
    return tl.where(tl.abs(wide) == float("inf"), float("inf"), y).to(x.dtype)


@triton.jit
def lgamma(x):
    if x.dtype.is_fp64():
        return libdevice.lgamma(x)
    else:
        return _wide_lgamma(x)


@triton.jit
def _digamma_from_one_to_two(z, short):
    """digamma(z + short) of 1 <= z <= 2: times the distance from the root, so that no digits are lost near it."""
    distance = ((z - DIGAMMA_ROOT[0]) - DIGAMMA_ROOT[1]) - DIGAMMA_ROOT[2] + short
    at = z - 1
    return distance * (DIGAMMA_SLOPE + horner(at, DIGAMMA_P) / horner(at, DIGAMMA_Q))


@triton.jit
def _digamma_near_zero(x):
    """digamma of |x| < 10: moved to [1, 2] by digamma(x + 1) = digamma(x) + 1/x.

    The sum of the quotients is exact to twice the digits, because it cancels near the roots of negative numbers.
    """
    steps = tl.floor(x) - 1
    down = steps > 0
    one = x * 0 + 1
    sum, lost = x * 0, x * 0
    for k in tl.static_range(11):
        taken = tl.abs(steps) > k
        at = tl.where(taken, tl.where(down, x - (k + 1), x + k), 1)
        short = tl.where(taken & ~down, x - (at - k), 0)
        quotient = 1 / at
        rest = quotient * (tl.fma(-quotient, at, one) - quotient * short)
        term = tl.where(taken, tl.where(down, quotient, quotient * -1), 0)
        following = sum + term
        part = following - sum
        error = (sum - (following - part)) + (term - part) + tl.where(down, rest, rest * -1)
        lost += tl.where(taken & (tl.abs(following) + tl.abs(sum) < 1e10), error, 0)
        sum = following
    z = x - steps
    return sum + (_digamma_from_one_to_two(z, x - (z + steps)) + lost)


@triton.jit
def digamma(x):
    """The derivative of lgamma: moved to x >= 10 by digamma(x) = digamma(x + 1) - 1/x, then its asymptotic series."""
    wide = x.to(tl.float64)
    left = wide < 0
    z = tl.where(left, 1 - wide, wide)
    product, slope = _shifted(z, 10)
    z = tl.where(z < 10, z + 10, z)
    inverse = 1 / (z * z)
    y = tl.log(z) - 0.5 / z - inverse * horner(inverse, DIGAMMA) - slope / product
    fraction = wide - tl.floor(wide + 0.5)
    whole = fraction == 0
    turn = tl.where(whole, 0.25, fraction) * PI
    reflected = y - PI * tl.cos(turn) / tl.sin(turn)
    y = tl.where(left, reflected, y)
    if x.dtype.is_fp64():
        near = tl.abs(wide) < 10
        y = tl.where(near, _digamma_near_zero(tl.where(near, wide, 1)), y)
    y = tl.where(left & whole, float("nan"), y)
    return tl.where(wide == 0, -1 / wide, tl.where(wide == float("inf"), wide, y)).to(x.dtype)


@triton.jit
def trigamma(x):
    """The derivative of digamma: moved to z >= 10 by trigamma(z) = trigamma(z + 1) + 1 / z^2, then its asymptotic series.

    Two of these terms are one quotient. Of x < 1/2 by reflection.
    """
    wide = x.to(tl.float64)
    left = wide < 0.5
    z = tl.where(left, 1 - wide, wide)
    small = z < 10
    at = tl.where(small, z, 1)
    sum = at * 0
    for _ in tl.static_range(5):
        square, next_square = at * at, (at + 1) * (at + 1)
        sum += (square + next_square) / (square * next_square)
        at += 2
    inverse = 1 / tl.where(small, z + 10, z)
    y = inverse * (1 + inverse * (0.5 + inverse * horner(inverse * inverse, TRIGAMMA))) + tl.where(small, sum, 0)
    sine = sin_pi(tl.where(left, wide, 0.5))
    return tl.where(left, PI * PI / (sine * sine) - y, y).to(x.dtype)


@triton.jit
def _power(base, exponent, EXACT: tl.constexpr):
    """base^exponent of a base that is not 0, whole exponents of negative ones; unless EXACT, as precise as a float32 needs."""
    if EXACT:
        return pow(base, exponent)
    else:
        size = tl.exp(exponent * tl.log(tl.abs(base)))
        odd = exponent - 2 * tl.floor(0.5 * exponent) == 1
        return tl.where((base < 0) & odd, size * -1, size)


@triton.jit
def _zeta(s, q, EXACT: tl.constexpr):
    """The sum of (q + k)^-s over k = 0, 1, ...: terms up to q + k > 9, the rest by Euler and Maclaurin.

    The loop has the first term as well, because a power is the most of this function's code.
    """
    at, term, sum = q, q * 0, q * 0
    count = 0
    going = at == at
    vanishes = at != at
    while tl.max(going.to(tl.int32)) > 0:
        at = tl.where(going & (count > 0), at + 1, at)
        term = tl.where(going, _power(at, -s, EXACT), term)
        sum = tl.where(going, sum + term, sum)
        vanishes = (count > 0) & (tl.abs(term) < EPSILON * tl.abs(sum))
        count += 1
        going = going & ~vanishes & ((count < 10) | (at <= 9))
    found = sum
    sum = sum + term * at / (s - 1) - 0.5 * term
    factor = term * 0 + 1
    for k in tl.static_range(12):
        factor = factor * (s + 2 * k)
        term = term / at
        sum = sum + factor * term / ZETA[k]
        factor = factor * (s + (2 * k + 1))
        term = term / at
    return tl.where(vanishes, found, sum)


@triton.jit
def zeta(s, q):
    """Hurwitz' zeta; inf of s = 1 and at the poles q = 0, -1, ..., otherwise NaN where it is not real or does not converge."""
    return _wide_zeta(s.to(tl.float64), q.to(tl.float64), q.dtype.is_fp64()).to(q.dtype)


@triton.jit
def _wide_zeta(s, q, EXACT: tl.constexpr):
    """zeta in float64; unless EXACT, as precise as a float32 needs."""
    x, a = tl.broadcast(s, q)
    # Powers of an odd order cancel beside a whole number and a half: of q and -q, of q + 1 and -q - 1, ...
    cancels = (a < 0) & (a - tl.floor(a) == 0.5) & (x - 2 * tl.floor(0.5 * x) == 1)
    a = tl.where(cancels, 1 - a, a)
    diverges = x < 1
    pole = (a <= 0) & (tl.floor(a) == a) & ~diverges
    undefined = diverges | ((a <= 0) & (tl.floor(x) != x)) | (x != x) | (a != a)
    usual = (x > 1) & ~pole & ~undefined & (x < float("inf"))
    y = _zeta(tl.where(usual, x, 2), tl.where(usual & (a < 1e15), a, 1), EXACT)
    y = tl.where(a >= 1e15, _power(tl.where(usual & (a >= 1e15), a, 2), 1 - x, EXACT) / (x - 1), y)
    y = tl.where(x == float("inf"), tl.where(a > 1, 0, tl.where(a == 1, 1, float("inf"))), y)
    y = tl.where(undefined, float("nan"), y)
    return tl.where(pole | (x == 1), float("inf"), y)


@triton.jit
def polygamma(n, x):
    """The n-th derivative of digamma, (-1)^(n+1) n! zeta(n + 1, x), of n > 1: `trigamma` is the first one."""
    wide = x.to(tl.float64)
    order = tl.where(wide == wide, n, n).to(tl.float64)
    factorial = tl.exp(libdevice.lgamma(order + 1))
    odd = order - 2 * tl.floor(0.5 * order) == 1
    value = factorial * _wide_zeta(order + 1, wide, x.dtype.is_fp64())
    return tl.where(odd, value, value * -1).to(x.dtype)


@triton.jit
def _log_gamma_of_sum(a):
    """log(gamma(1 + a)) of a > 0; near 0 by a series, because 1 + a is rounded."""
    near = a < 0.2
    small = tl.where(near, a, 0)
    series = small * (ONE_MINUS_EULER + small * horner(small, LOG_GAMMA)) - log1p(small)
    return tl.where(near, series, libdevice.lgamma(1 + a))


@triton.jit
def _gamma_power(a, x, shifted):
    """exp(a - x) (x / shifted)^a with what the difference, the quotient and `shifted` = a + G - 1/2 lost by rounding."""
    difference = a - x
    part = difference - a
    lost = (a - (difference - part)) - (x + part)
    quotient = x / shifted
    rest = tl.fma(-quotient, shifted, x) / x - ((LANCZOS_G - 0.5) - (shifted - a)) / shifted
    power = pow(quotient, a)
    return power, tl.exp(difference) * power * (1 + (lost + a * rest))


@triton.jit
def _gamma_factor(a, x):
    """x^a exp(-x) / gamma(a + 1).

    Of a < 1 as it stands; by Lanczos' sum, which cancels nothing, where powers neither overflow nor underflow or a and x
    are near; otherwise by logarithms.
    """
    apart = tl.abs(a - x) > 0.4 * tl.abs(a)
    far = tl.exp(a * tl.log(x) - x - libdevice.lgamma(a)) / a
    large = tl.where(a > 1, a, 1)
    shifted = large + (LANCZOS_G - 0.5)
    inverse = 1 / large
    lanczos = _reversed(inverse, LANCZOS_NUMERATOR) / _reversed(inverse, LANCZOS_DENOMINATOR)
    ratio = tl.sqrt(shifted / E) / lanczos / large
    offset = (x - shifted) / shifted
    near = ratio * tl.exp(a * (log1p(offset) - offset) + x * (0.5 - LANCZOS_G) / shifted)
    bounded = (a < 200) & (x < 200)
    power, direct = _gamma_power(tl.where(bounded, large, 1), tl.where(bounded, x, 1), tl.where(bounded, shifted, 1))
    value = tl.where(bounded & (power > 1e-290), ratio * direct, tl.where(apart, far, near))
    low = tl.where(a < 1, a, 1)
    small = pow(x, low) * tl.exp(-x) * tl.exp(-_log_gamma_of_sum(low))
    return tl.where(a < 1, small, value)


@triton.jit
def _reversed(x, COEFFICIENTS: tl.constexpr):
    """cn x^n + ... + c1 x + c0: the lowest power first."""
    p = x * 0 + COEFFICIENTS[len(COEFFICIENTS) - 1]
    for k in tl.static_range(1, len(COEFFICIENTS)):
        p = p * x + COEFFICIENTS[len(COEFFICIENTS) - 1 - k]
    return p


@triton.constexpr_function
def _tolerance(dtype):
    """How small a term of a series is that does not matter, relative to its sum, of a result in that dtype."""
    return 1.1102230246251565e-16 if dtype == tl.float64 else 1e-10


@triton.jit
def _lower_series(a, x, use, TOLERANCE: tl.constexpr):
    """The regularized lower function by its power series, without the factor x^a exp(-x) / gamma(a + 1)."""
    a = tl.where(use, a, 1)
    x = tl.where(use, x, 0.5)
    bottom = a
    term = a * 0 + 1
    sum = term
    going = use
    while tl.max(going.to(tl.int32)) > 0:
        bottom += 1
        term = tl.where(going, term * x / bottom, term)
        sum = tl.where(going, sum + term, sum)
        going = going & (term > TOLERANCE * sum)
    return sum


@triton.jit
def _upper_fraction(a, x, use, TOLERANCE: tl.constexpr):
    """The regularized upper function by its continued fraction, without x^a exp(-x) / gamma(a).

    By Lentz' method, a product; of small a by Steed's, a sum of falling numbers, which is rounded less.
    """
    a = tl.where(use, a, 1)
    x = tl.where(use, x, 2)
    b = x + 1 - a
    c = b * 0 + 1e300
    d = 1 / b
    h = d
    step = d
    lost = d * 0
    k = a * 0
    going = use
    while tl.max(going.to(tl.int32)) > 0:
        k += 1
        weight = k * (a - k)
        b += 2
        step = step * (0 - weight * d)
        d = weight * d + b
        d = tl.where(d == 0, 1e-300, d)
        c = b + weight / c
        c = tl.where(c == 0, 1e-300, c)
        d = 1 / d
        change = d * c
        step = step * d
        following = tl.where(a < 2, h + step, h * change)
        lost += tl.where(going & (a < 2), (h - following) + step, 0)
        h = tl.where(going, following, h)
        going = going & (tl.abs(change - 1) > 2 * TOLERANCE)
    return h + lost


@triton.jit
def _upper_series(a, x, use, TOLERANCE: tl.constexpr):
    """The regularized upper function of small x: 1 - x^a / gamma(1 + a) and a series, without cancellation."""
    a = tl.where(use, a, 1)
    x = tl.where(use, x, 0.5)
    factor = a * 0 + 1
    sum = a * 0
    k = a * 0
    going = use
    while tl.max(going.to(tl.int32)) > 0:
        k += 1
        factor = factor * (0 - x) / k
        term = factor / (a + k)
        sum = tl.where(going, sum + term, sum)
        going = going & (tl.abs(term) > TOLERANCE * tl.abs(sum))
    exponent = a * tl.log(x) - _log_gamma_of_sum(a)
    tiny = a * (0 - tl.log(x) - EULER - sum)  # where a^2 no longer matters, and a may be denormal
    return tl.where(a < 1e-20, tiny, -expm1(exponent) - a * tl.exp(exponent) * sum)


@triton.jit
def _uniform(a, x, UPPER: tl.constexpr):
    """Of large a, where the series and the fraction are long: Temme's uniform expansion, erfc and what it lacks."""
    ratio = (x - a) / a
    near = tl.abs(ratio) < 0.01
    little = tl.where(near, ratio, 0)
    series = little * 0
    for k in tl.static_range(8):
        series = 1.0 / (9 - k) - little * series  # 1/2 - r/3 + r^2/4 - ...
    lost = tl.where(near, little * little * series, ratio - log1p(ratio))
    eta = tl.sqrt(2 * lost)
    eta = tl.where(ratio < 0, eta * -1, eta)
    small = tl.where(tl.abs(eta) < 1, eta, 0)
    inverse = 1 / a
    sum = horner(small, TEMME_0) + inverse * (horner(small, TEMME_1) + inverse * horner(small, TEMME_2))
    rest = sum * tl.exp(-a * lost) * SQRT_HALF_PI_INVERSE / (2 * tl.sqrt(a))
    root = eta * tl.sqrt(0.5 * a)
    if UPPER:
        return 0.5 * libdevice.erfc(root) + rest
    else:
        return 0.5 * libdevice.erfc(-root) - rest


@triton.jit
def _incomplete(a, x, UPPER: tl.constexpr, TOLERANCE: tl.constexpr):
    """In float64; TOLERANCE: the terms of a series that no longer matter, relative to its sum."""
    defined = (a > 0) & (x > 0) & (a < float("inf")) & (x < float("inf"))
    usual = defined & (a < 1e5)
    large = defined & ~usual
    below = (x <= 1.1) & tl.where(x <= 0.5, -0.4 / tl.log(tl.where(usual & (x <= 0.5), x, 0.5)) < a, x * 1.1 < a)
    by_lower = usual & (((x > 1.1) & (x < a)) | below | ((x > 1) & (x <= a)))
    by_fraction = usual & ~by_lower & (x > 1.1)
    by_series = usual & ~by_lower & ~by_fraction
    factor = _gamma_factor(tl.where(usual, a, 1), tl.where(usual, x, 0.5))
    fraction = a * factor * _upper_fraction(a, x, by_fraction, TOLERANCE)
    if UPPER:
        lower = factor * _lower_series(a, x, by_lower, TOLERANCE)
        upper = tl.where(by_fraction, fraction, _upper_series(a, x, by_series, TOLERANCE))
        value = tl.where(by_lower, 1 - lower, upper)
        at_zero = 1.0
    else:
        lower = factor * _lower_series(a, x, by_lower | by_series, TOLERANCE)
        value = tl.where(by_fraction, 1 - fraction, lower)
        at_zero = 0.0
    value = tl.where(large, _uniform(tl.where(large, a, 1e5), tl.where(large, x, 1e5), UPPER), value)
    value = tl.where(a == float("inf"), at_zero, tl.where(x == float("inf"), 1 - at_zero, value))
    value = tl.where(x == 0, at_zero, tl.where(a == 0, 1 - at_zero, value))
    wrong = (
        (a < 0) | (x < 0) | (a != a) | (x != x) | ((a == 0) & (x == 0)) | ((a == float("inf")) & (x == float("inf")))
    )
    return tl.where(wrong, float("nan"), value)


@triton.jit
def gammainc(a, x):
    """The regularized lower incomplete gamma function."""
    return _incomplete(a.to(tl.float64), x.to(tl.float64), False, _tolerance(x.dtype)).to(x.dtype)


@triton.jit
def gammaincc(a, x):
    """The regularized upper incomplete gamma function, 1 - gammainc."""
    return _incomplete(a.to(tl.float64), x.to(tl.float64), True, _tolerance(x.dtype)).to(x.dtype)
