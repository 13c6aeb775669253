"""erf and erfc."""

from __future__ import annotations

from ..lanes import Lane
from .exponential import exp_nearly, exp_of_small
from .floats import Floats

# erf: N. Juffa's: x + x P(x^2), and 1 - exp(polynomial of |x|).
_NEAR = (-5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1, -3.76125336e-1, 1.28379166e-1)
_FAR = (3.83197126e-4, -3.88396438e-3, 2.42546219e-2, -1.06777877e-1, -6.34846687e-1, -1.28717512e-1)
_FAR_FIRST = -1.72853470e-5
# (1 + 2 a) exp(a^2) erfc(a) as a polynomial of (a - 2) / (a + 2), by tests/triton_cpu/minimax.py; the form is that of
# M. Shepherd and J. Laframboise, Chebyshev approximation of (1 + 2x) exp(x^2) erfc x, 1981.
_ERFC = (
    -1.3450634234085127e-05, -1.1007784234155385e-05, 0.00011835597404065566, 0.00020516864241042253,
    -0.00043350953825252854, -0.0014531434239824252, 0.0012645608849608545, 0.008721237324850658,
    -0.0080328957731615, -0.0542197946799191, 0.1640511975315914, -0.16603040775915517, -0.09276382477604335,
    1.27697838162825,
)  # fmt: skip


def erf(p: Floats, x: Lane) -> Lane:
    size, square = p.abs(x), p.mul(x, x)
    near = p.mad(p.horner(square, _NEAR), x, x)
    t = p.at_most(size, 4.0)  # erf(4) is 1
    far = p.sub(1.0, exp_of_small(p, p.mad(p.horner(t, (_FAR_FIRST, *_FAR)), t, p.neg(t))))
    return p.pick(p.test("ogt", size, 0.927734375), p.copysign(far, x), near)


def erfc(p: Floats, x: Lane) -> Lane:
    """In f64: the error of x^2 would be the relative error of exp(-x^2)."""
    w = p.wide()
    a = w.at_most(w.abs(p.widened(x)), 10.5)  # erfc(10.5) is 0
    twice, more = w.mad(a, 2.0, 1.0), w.add(a, 2.0)
    inverse = w.div(1.0, w.mul(twice, more))
    t = w.mul(w.mul(w.sub(a, 2.0), twice), inverse)
    upper = w.mul(w.mul(w.horner(t, _ERFC), w.mul(inverse, more)), exp_nearly(w, w.neg(w.mul(a, a))))
    negative = p.test("olt", x, 0.0)
    return p.narrowed(w.pick(negative, w.sub(2.0, upper), upper))
