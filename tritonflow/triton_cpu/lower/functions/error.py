"""erf, erfc, the normal distribution, and their inverses."""

from __future__ import annotations

import functools
import math

from tritonflow.triton_cpu.lower.lanes import Lanes

from . import pieces
from .exponential import exp_nearly, exp_of_small
from .floats import Floats
from .logarithm import log_nearly

# erf: N. Juffa's: x + x P(x^2), and 1 - exp(polynomial of |x|).
_NEAR = (-5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1, -3.76125336e-1, 1.28379166e-1)
_FAR = (3.83197126e-4, -3.88396438e-3, 2.42546219e-2, -1.06777877e-1, -6.34846687e-1, -1.28717512e-1)
_FAR_FIRST = -1.72853470e-5
# (1 + 2 a) exp(a^2) erfc(a) as a polynomial of (a - 2) / (a + 2), by tests/triton_cpu/minimax.py;
# the form is that of M. Shepherd and J. Laframboise, Chebyshev approximation of (1 + 2x) exp(x^2)
# erfc x, 1981.
_ERFC = (
    -1.3450634234085127e-05, -1.1007784234155385e-05, 0.00011835597404065566, 0.00020516864241042253,
    -0.00043350953825252854, -0.0014531434239824252, 0.0012645608849608545, 0.008721237324850658,
    -0.0080328957731615, -0.0542197946799191, 0.1640511975315914, -0.16603040775915517, -0.09276382477604335,
    1.27697838162825,
)  # fmt: skip


_ERFC_LIMIT = 10.5  # erfc of it is 0
_ERFINV_NEAR = (
    3.3543019244124777e-10, -8.772720907841236e-09, 1.8038011689928604e-08, 4.6589147960742195e-07,
    -3.4346134925045957e-06, -4.961912284241264e-06, 0.00021828263404228906, -0.0012527446594155368,
    -0.004177339407165082, 0.24664028763374798, 1.5014093535139277,
)  # fmt: skip
_ERFINV_MIDDLE = (
    -2.6763922468871107e-05, 0.00013221312097033038, -0.0001512862968053884, -0.00028986815257889156,
    0.0013293218966316577, -0.002719623650610473, 0.004118746223514466, -0.005695701501330615,
    0.007460299179343091, 1.0033560821152105, 2.9332316694332246,
)  # fmt: skip
_ERFINV_FAR = (
    4.257464291423216e-10, -2.101082559159937e-09, 3.2484448184024507e-09, -3.717983424535116e-08,
    3.0837200584609885e-07, -1.486571219713535e-06, 5.2016517407439985e-06, 8.627503760323528e-06,
    -0.0005103255835048838, 1.008493266815819, 6.969874077353648,
)  # fmt: skip


def erf(p: Floats, x: Lanes) -> Lanes:
    if p.lb.avx512 and p.elem == "f32":  # gelu of 1M elements on one thread: 600 -> 340 us
        return p.copysign(pieces.evaluate(p, p.at_most(p.abs(x), pieces.LIMIT), _erf_pieces()), x)
    size, square = p.abs(x), p.mul(x, x)
    near = p.mad(p.horner(square, _NEAR), x, x)
    t = p.at_most(size, 4.0)  # erf(4) is 1
    far = p.sub(1.0, exp_of_small(p, p.mad(p.horner(t, (_FAR_FIRST, *_FAR)), t, p.neg(t))))
    return p.pick(p.test("ogt", size, 0.927734375), p.copysign(far, x), near)


@functools.cache
def _erf_pieces() -> list[list[float]]:
    return pieces.coefficients(math.erf)


def erfc(p: Floats, x: Lanes) -> Lanes:
    """In f64: the error of x^2 would be the relative error of exp(-x^2)."""
    w = p.wide()
    return p.narrowed(_erfc(w, p.widened(x)))


def normcdf(p: Floats, x: Lanes) -> Lanes:
    """erfc(-x / sqrt(2)) / 2"""
    w = p.wide()
    return p.narrowed(w.mul(_erfc(w, w.mul(p.widened(x), -(0.5**0.5))), 0.5))


def erfcx(p: Floats, x: Lanes) -> Lanes:
    """exp(x^2) erfc(x).

    Beyond 10 by its asymptotic series, for negative x from 2 exp(x^2) - erfcx(|x|).
    """
    w = p.wide()
    size = w.abs(p.widened(x))
    a = w.at_most(size, _ERFC_LIMIT)
    inverse = w.div(1.0, size)
    square = w.mul(inverse, inverse)
    far = w.mul(w.mul(inverse, 1 / math.sqrt(math.pi)), w.horner(square, (105 / 16, -15 / 8, 3 / 4, -1 / 2, 1.0)))
    upper = w.pick(w.test("ogt", size, 10.0), far, _scaled_erfc(w, a))
    lower = w.sub(w.mul(exp_nearly(w, w.mul(a, a)), 2.0), upper)
    return p.narrowed(w.pick(p.test("olt", x, 0.0), lower, upper))


def _erfc(w: Floats, x: Lanes) -> Lanes:
    a = w.at_most(w.abs(x), _ERFC_LIMIT)
    upper = w.mul(_scaled_erfc(w, a), exp_nearly(w, w.neg(w.mul(a, a))))
    return w.pick(w.test("olt", x, 0.0), w.sub(2.0, upper), upper)


def _scaled_erfc(w: Floats, a: Lanes) -> Lanes:
    """exp(a^2) erfc(a)"""
    twice, more = w.mad(a, 2.0, 1.0), w.add(a, 2.0)
    inverse = w.div(1.0, w.mul(twice, more))
    t = w.mul(w.mul(w.sub(a, 2.0), twice), inverse)
    return w.mul(w.horner(t, _ERFC), w.mul(inverse, more))


def erfinv(p: Floats, x: Lanes) -> Lanes:
    """As M. Giles, Approximating the erfinv function, 2010: x times a
    polynomial of w = -log(1 - x^2), or of its root.
    """
    w = p.wide()
    wide = p.widened(x)
    result = w.mul(wide, _erfinv_ratio(w, w.mul(w.sub(1.0, wide), w.add(wide, 1.0)), far=False))
    size = p.abs(x)
    result = _within(p, p.narrowed(result), size, 1.0)
    return p.pick(p.test("oeq", size, 1.0), p.mul(x, math.inf), result)


def erfcinv(p: Floats, x: Lanes) -> Lanes:
    return _erfcinv(p, x, p.widened(x), 2.0, 1.0)


def normcdfinv(p: Floats, x: Lanes) -> Lanes:
    """-sqrt(2) erfcinv(2 x)"""
    return _erfcinv(p, x, p.wide().mul(p.widened(x), 2.0), 1.0, -math.sqrt(2))


def _erfcinv(p: Floats, x: Lanes, y: Lanes, end: float, factor: float) -> Lanes:
    """`factor` * erfcinv(y) for x between 0, where that is infinite, and `end`."""
    w = p.wide()
    ratio = _erfinv_ratio(w, w.mul(y, w.sub(2.0, y)), far=True)
    distance = w.sub(1.0, y) if factor > 0 else w.sub(y, 1.0)  # such that no zero is negative
    result = p.narrowed(w.mul(w.mul(distance, ratio), abs(factor)))
    infinity = math.copysign(math.inf, factor)
    result = p.pick(p.test("oeq", x, 0.0), infinity, p.pick(p.test("oeq", x, end), -infinity, result))
    return p.pick(p.test("olt", x, 0.0), math.nan, _within(p, result, x, end))


def _within(p: Floats, result: Lanes, x: Lanes, end: float) -> Lanes:
    return p.pick(p.test("ogt", x, end), math.nan, result)


def _erfinv_ratio(w: Floats, product: Lanes, far: bool) -> Lanes:
    """erfinv(x) / x, from (1 - x) (1 + x); `far` where that may be less than exp(-16)."""
    exponent = w.neg(log_nearly(w, product))
    root = w.sqrt(exponent)
    result = w.horner(w.sub(root, 3.1), _ERFINV_MIDDLE)
    if far:
        result = w.pick(w.test("olt", root, 4.0), result, w.horner(w.sub(root, 7.1), _ERFINV_FAR))
    return w.pick(w.test("olt", exponent, 5.0), w.horner(w.sub(exponent, 2.5), _ERFINV_NEAR), result)
