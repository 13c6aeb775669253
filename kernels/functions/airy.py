"""The Airy function Ai, computed in float64, rounded once. Source: S. Moshier, Cephes Math Library, airy.c."""

import triton
import triton.language as tl

from .polynomial import horner, monic

AN = tl.constexpr((
    0.346538101525629, 12.007595273964581, 76.27960536152345, 168.08922493463058, 159.75639135016442,
    70.53609068404442, 14.026469116338967, 1.0,
))  # fmt: skip
AD = tl.constexpr((
    0.5675945326387702, 14.75625625848472, 84.51389701414746, 177.31808814540045, 164.2346928715297,
    71.47784008255756, 14.095913560783403, 1.0,
))  # fmt: skip
AFN = tl.constexpr((
    -0.1316963234183318, -0.6264565444319123, -0.6931580360369335, -0.2797799815451191, -0.04919001326095003,
    -0.004062659235948854, -0.0001592764962392621, -2.776491081552329e-06, -1.6778769848911465e-08,
))  # fmt: skip
AFD = tl.constexpr((
    13.356042070655324, 32.682503279522464, 26.736704094149957, 9.187074029072596, 1.4752914677166642,
    0.11568717379518804, 0.004402916416152112, 7.547203482874142e-05, 4.5185009297058035e-07,
))  # fmt: skip
AGN = tl.constexpr((
    0.01973399320916857, 0.39110302961568827, 1.0657989759959559, 0.9391692298166502, 0.35146565610554764,
    0.06338889196289255, 0.005858041130483885, 0.000282851600836737, 6.98793669997261e-06, 8.117892395543892e-08,
    3.415517847659236e-10,
))  # fmt: skip
AGD = tl.constexpr((
    9.30892908077442, 19.835292871831214, 15.564662893286462, 5.476860694229755, 0.9542936116189619,
    0.08645808263523921, 0.004126565238242226, 0.00010125908511650914, 1.1716673321441352e-06, 4.9183457006293e-09,
))  # fmt: skip
# Of exp(9/8 x) Ai(x) over [0, 2.09], by powers of x - 1, the highest first: where the power series cancels.
AI_NEAR = tl.constexpr((
    -8.668349252295053e-15, 2.9147654321035327e-14, 5.148281952179317e-13, -4.227453851387864e-12,
    -1.2378073300895907e-11, 2.8949753657447906e-10, -5.19141890485253e-10, -1.1857202260216869e-08,
    6.472316416883477e-08, 2.5635096253125916e-07, -3.0989554010242846e-06, 5.284911376441724e-07,
    8.596581383438337e-05, -0.0002098029599936297, -0.0013800949754098546, 0.00607631641310734,
    0.010846001220781647, -0.0794077781518926, -0.02138740235458445, 0.41672998025777,
))  # fmt: skip
SQRT_PI_INVERSE = tl.constexpr(0.5641895835477563)
TWO_THIRDS, TWO_THIRDS_REST = tl.constexpr(0.6666666666666666), tl.constexpr(3.700743415417188e-17)


@triton.jit
def _phase(size, root):
    """zeta = 2/3 size^(3/2) and what it is short of, which counts where zeta is large: its sine and cosine are taken."""
    product = size * root
    short = tl.fma(size, root, -product) + size * (tl.fma(-root, root, size) / (2 * root))
    two_thirds = size * 0 + TWO_THIRDS  # a number by itself would be float32 to tl.fma
    zeta = product * two_thirds
    return zeta, tl.fma(product, two_thirds, -zeta) + product * TWO_THIRDS_REST + short * two_thirds


@triton.jit
def _airy_left(x):
    """Of x < -2.09: a sine and a cosine, each times a quotient of polynomials of 1 / zeta^2."""
    size = tl.where(x < -2.09, -x, 2.09)
    root = tl.sqrt(size)
    zeta, short = _phase(size, root)
    z = 1 / zeta
    square = z * z
    f = 1 + square * horner(square, AFN) / monic(square, AFD)
    g = z * horner(square, AGN) / monic(square, AGD)
    angle = zeta + 0.7853981633974483
    short += 0.7853981633974483 - (angle - zeta)
    sine, cosine, sine_of_short, cosine_of_short = tl.sin(angle), tl.cos(angle), tl.sin(short), tl.cos(short)
    f *= sine * cosine_of_short + cosine * sine_of_short
    g *= cosine * cosine_of_short - sine * sine_of_short
    return SQRT_PI_INVERSE / tl.sqrt(root) * (f - g)


@triton.jit
def _airy_right(x):
    """Of x >= 2.09: a decaying exponential times a quotient of polynomials of 1 / zeta."""
    size = tl.where(x > 2.09, x, 2.09)
    root = tl.sqrt(size)
    zeta, short = _phase(size, root)
    z = 1 / zeta
    decay = tl.exp(-zeta) * (1 - tl.where(zeta < 1e3, short, 0))
    return SQRT_PI_INVERSE * (horner(z, AN) / horner(z, AD)) * decay / (2 * tl.sqrt(root))


@triton.jit
def _airy_middle(x):
    """Of -2.09 <= x < 2.09: the power series, of which 12 terms are enough; a polynomial where x is positive."""
    x = tl.where((x >= -2.09) & (x <= 2.09), x, 0)
    right = tl.exp(-1.125 * x) * horner(x - 1, AI_NEAR)
    cube = x * x * x
    f = x * 0 + 1
    g = x
    m = f
    n = g
    for k in tl.static_range(12):
        m = m * cube / ((3 * k + 2) * (3 * k + 3))
        n = n * cube / ((3 * k + 3) * (3 * k + 4))
        f += m
        g += n
    return tl.where(x > 0, right, 0.355028053887817239260 * f - 0.258819403792806798405 * g)


@triton.jit
def airy_ai(x):
    wide = x.to(tl.float64)
    y = tl.where(wide < -2.09, _airy_left(wide), tl.where(wide >= 2.09, _airy_right(wide), _airy_middle(wide)))
    y = tl.where(wide > 103.892, 0, y)
    lost = (wide != wide) | (wide == float("inf")) | (wide < -1e10)  # the phase of what is far to the left has no digits
    return tl.where(lost, float("nan"), y).to(x.dtype)
