"""exp, exp2, exp10, expm1, and what is made of them: tanh, sinh, cosh.

b**x = 2**n * b**r with n = round(x log2 b). So |r| is at most log_b(2) / 2, where a polynomial
serves. r is exact for b = 2. For other b, n * log_b(2) is subtracted in two parts. The first has so
few bits that its product with n is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from tritonflow.triton_cpu.lower.lanes import Lanes, uniform

from .floats import Floats, Whole


@dataclass(frozen=True, slots=True)
class Base:
    """The base b of an exponential function.

    Attributes:
        low: below it, the result is 0.
        high: above it, the result is infinite.
        log2: the binary logarithm of b.
        parts: log_b(2), as a sum.
        coefficients: of b**r, by tests/triton_cpu/minimax.py.
    """

    low: float
    high: float
    log2: float
    parts: tuple[float, ...]
    coefficients: tuple[float, ...]


_LN2 = (0.693145751953125, 1.42860682030941723212e-6)
_LN2_WIDE = (0.6931471803691238, 1.9082149292705877e-10)
_EXP = Base(
    -104.5, 89.0, 1.4426950408889634, _LN2,
    (0.00138434768, 0.00836790912, 0.0416676998, 0.166665331, 0.49999997, 1.0, 1.0),
)  # fmt: skip
_EXP2 = Base(
    -151.0, 129.0, 1.0, (),
    (0.000132888745, 0.00133883813, 0.00962561276, 0.0555036552, 0.240225926, 0.693147182, 1.0),
)  # fmt: skip
_EXP10 = Base(
    -45.5, 38.7, 3.321928094887362, (0.301025390625, 4.605038981195214e-06),
    (0.194930956, 0.541624606, 1.1716249, 2.03465962, 2.65094614, 2.30258512, 1.0),
)  # fmt: skip
_EXP_WIDE = Base(
    -746.0, 710.0, 1.4426950408889634, _LN2_WIDE,
    (
        2.094467600081973e-09, 2.511166154659179e-08, 2.755717927350394e-07, 2.7557236787236353e-06,
        2.480158742656704e-05, 0.00019841269893315194, 0.0013888888888842546, 0.00833333333331894,
        0.04166666666666672, 0.1666666666666668, 0.5, 1.0, 1.0,
    ),
)  # fmt: skip
_EXP2_WIDE = Base(
    -1076.0, 1025.0, 1.0, (),
    (
        5.801566069106034e-11, 4.4837003268986247e-10, 7.031002349691977e-09, 1.0177867222941416e-07,
        1.3215552302693423e-06, 1.5252734309334286e-05, 0.00015403530312182637, 0.0013333558145906608,
        0.009618129107672338, 0.05550410866482375, 0.24022650695909994, 0.6931471805599453, 1.0,
    ),
)  # fmt: skip
# For results that are rounded to f32: 2**-34 and 2**-30.
_EXP2_SHORT = Base(
    -200.0, 200.0, 1.0, (),
    (
        1.5203876631947309e-05, 0.00015466998021818615, 0.0013333908974273103, 0.009618037437845435,
        0.05550410388769698, 0.24022651070782336, 0.6931471807006496, 1.0,
    ),
)  # fmt: skip
_EXP_SHORT = Base(
    -700.0, 700.0, 1.4426950408889634, _LN2_WIDE,
    (
        0.00019994857614170808, 0.001394431067774361, 0.008334031353090233, 0.04166633039054211,
        0.16666658217520547, 0.500000004749169, 1.0, 1.0,
    ),
)  # fmt: skip
_EXPM1 = (0.000146864433, 0.00139320188, 0.00834219996, 0.0416665003, 0.166666329, 0.5)
_TANH = (-0.00569229061, 0.0206281655, -0.0537365153, 0.133314058, -0.333332807)
_SINH = (2.78221319e-06, 0.000198428956, 0.00833331048, 0.166666672)
_COSH = (0.00139390794, 0.0416664258)


def exp(p: Floats, x: Lanes) -> Lanes:
    return _power(p, x, _EXP if p.elem == "f32" else _EXP_WIDE)


def exp2(p: Floats, x: Lanes) -> Lanes:
    return _power(p, x, _EXP2 if p.elem == "f32" else _EXP2_WIDE)


def exp10(p: Floats, x: Lanes) -> Lanes:
    return _power(p, x, _EXP10)


def exp_of_small(p: Floats, x: Lanes) -> Lanes:
    """exp of numbers that are known to have a normal result."""
    n, r = _reduced(p, x, _EXP)
    return p.mul(p.horner(r, _EXP.coefficients), p.power_of_2(n))


def exp2_to_f32(w: Floats, x: Lanes) -> Lanes:
    """2**x of f64 lanes, rounded to f32."""
    x = w.at_least(w.at_most(x, _EXP2_SHORT.high), _EXP2_SHORT.low)
    n, r = _reduced(w, x, _EXP2_SHORT)
    return w.narrowed(w.mul(w.horner(r, _EXP2_SHORT.coefficients), w.power_of_2(n)))


def exp_nearly(w: Floats, x: Lanes) -> Lanes:
    """exp of f64 lanes within +-700, to 2**-30."""
    n, r = _reduced(w, x, _EXP_SHORT)
    return w.mul(w.horner(r, _EXP_SHORT.coefficients), w.power_of_2(n))


def _power(p: Floats, x: Lanes, base: Base) -> Lanes:
    n, r = _reduced(p, p.at_least(p.at_most(x, base.high), base.low), base)
    return p.scaled(p.horner(r, base.coefficients), n)


def _reduced(p: Floats, x: Lanes, base: Base) -> tuple[Whole, Lanes]:
    n = p.nearest(x, base.log2)
    return n, _less(p, x, n, base.parts) if base.parts else p.sub(x, n.value)


def _less(p: Floats, x: Lanes, n: Whole, parts: tuple[float, ...]) -> Lanes:
    """x - n * (sum of the parts)"""
    for part in parts:
        x = p.mad(n.value, -part, x)
    return x


def expm1(p: Floats, x: Lanes) -> Lanes:
    """2**n * expm1(r) + (2**n - 1).

    Half of it is computed, which does not overflow, and r's error added.
    """
    x_ = p.at_least(p.at_most(x, 89.0), -18.0)
    n = p.nearest(x_, 1.4426950408889634)
    high = p.mad(n.value, -_LN2[0], x_)
    low = p.mul(n.value, _LN2[1])
    r = p.sub(high, low)
    lost = p.sub(p.sub(high, r), low)
    tail = p.mad(p.mul(p.horner(r, _EXPM1), r), r, lost)
    power = p.moved_power_of_2(n, -1)
    rest = p.mad(p.add(r, tail), power, p.sub(power, 0.5))
    result = p.add(rest, rest)
    return p.pick(p.test("olt", p.abs(x), 2.0**-25), x, result)


def tanh(p: Floats, x: Lanes) -> Lanes:
    """A polynomial near 0, else 1 - 2 / (exp(2 |x|) + 1)."""
    size, square = p.abs(x), p.mul(x, x)
    small = p.mad(p.mul(p.horner(square, _TANH), square), size, size)
    power = exp_of_small(p, p.at_most(p.add(size, size), 20.0))
    large = p.sub(1.0, p.div(2.0, p.add(power, 1.0)))
    return p.copysign(p.pick(p.test("olt", size, 0.625), small, large), x)


def sinh(p: Floats, x: Lanes) -> Lanes:
    """With |x| = n log 2 + r: (2**n - 2**-n) / 2 * cosh(r) + (2**n + 2**-n) / 2 * sinh(r).

    n is 0 up to |x| = 1.
    """
    size = p.abs(x)
    cosh_less_1, sinh_less_r, r, difference, sum_ = _hyperbolic(p, size, p.test("olt", size, 1.0))
    odd = p.mad(sinh_less_r, sum_, p.mul(cosh_less_1, difference))
    result = p.add(p.mad(r, sum_, odd), difference)
    return p.pick(p.test("olt", size, 2.0**-12), x, p.copysign(p.mul(result, 4.0), x))


def cosh(p: Floats, x: Lanes) -> Lanes:
    cosh_less_1, sinh_less_r, r, difference, sum_ = _hyperbolic(p, p.abs(x), None)
    even = p.mad(cosh_less_1, sum_, p.mul(sinh_less_r, difference))
    return p.mul(p.add(p.mad(r, difference, even), sum_), 4.0)


def _hyperbolic(p: Floats, size: Lanes, direct: Lanes | None) -> tuple[Lanes, Lanes, Lanes, Lanes, Lanes]:
    """cosh(r) - 1, sinh(r) - r, r, (2**n - 2**-n) / 8 and (2**n + 2**-n) / 8."""
    size = p.at_most(size, 89.5)
    n = p.nearest(size, 1.4426950408889634)
    if direct is not None:
        zero = p.format.rounding + p.format.bias
        n = Whole(p.pick(direct, 0.0, n.value), p.pick(direct, zero, n.shifted))
    r = _less(p, size, n, _LN2)
    square = p.mul(r, r)
    cosh_less_1 = p.mad(p.mul(p.horner(square, _COSH), square), square, p.mul(square, 0.5))
    sinh_less_r = p.mul(p.mul(p.horner(square, _SINH), square), r)
    up = p.moved_power_of_2(n, -3)
    # From n = 125 on its exponent is negative, which makes it a negative number: 0 instead.
    down = p.at_least(p.real(p.i("sub", uniform("i32", 248 << 23), p.bits(up))), 0.0)
    return cosh_less_1, sinh_less_r, r, p.sub(up, down), p.add(up, down)
