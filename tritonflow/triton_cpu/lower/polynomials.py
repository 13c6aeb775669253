"""exp, log, sin, tanh, erf ... of f32 lanes as inline polynomials (a few units in the last place; tests hold that).

The coefficients of exp, log, sin, cos and tanh are those of Cephes (S. Moshier), erf's are N. Juffa's.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..types import float_literal
from . import libm
from .lanes import Lane, LaneBuilder, uniform

_LN2_HIGH, _LN2_LOW = 0.693145751953125, 1.42860682030941723212e-6
_ROUNDING = 12582912.0  # 1.5 * 2**23: adding it rounds to an integer in the low bits
_ROUNDING_BITS = 0x4B400000
_EXP = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
_LOG = (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
    -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
_SIN = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COS = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_TANH = (-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1)
_LOG2E_LESS_1 = 0.44269504088896340735992
_HALF_PI = (1.5707963705062866, -4.371138828673793e-08, -1.7151245100059307e-15)
_REDUCIBLE = 30000.0  # beyond, three f32 parts of pi/2 are too few


class Polynomials:
    def __init__(self, lb: LaneBuilder, width: int) -> None:
        self.lb, self.width = lb, width

    # ---- f32 and i32 operations, short

    def c(self, value: float) -> Lane:
        return uniform("f32", float_literal("f32", value))

    def f(self, name: str, *args: Lane) -> Lane:
        return self.lb.op(name, list(args), "f32", self.width)

    def i(self, name: str, a: Lane, b: Lane | int) -> Lane:
        return self.lb.op(name, [a, uniform("i32", b) if isinstance(b, int) else b], "i32", self.width)

    def test(self, predicate: str, a: Lane, b: Lane | float) -> Lane:
        b = b if isinstance(b, Lane) else self.c(b)
        return self.lb.op(f"fcmp {predicate}", [a, b], "i1", self.width)

    def pick(self, condition: Lane, a: Lane, b: Lane) -> Lane:
        return self.lb.select(condition, a, b, a.elem, self.width)

    def fma(self, a: Lane, b: Lane, c: Lane) -> Lane:
        return self.lb.intrinsic("fma", [a, b, c], "f32", self.width)

    def abs(self, a: Lane) -> Lane:
        return self.lb.intrinsic("fabs", [a], "f32", self.width)

    def neg(self, a: Lane) -> Lane:
        return self.lb.op("fneg", [a], "f32", self.width)

    def bits(self, a: Lane) -> Lane:
        return self.lb.bitcast(a, "i32", self.width)

    def real(self, a: Lane) -> Lane:
        return self.lb.bitcast(a, "f32", self.width)

    def horner(self, x: Lane, coefficients: Sequence[float], start: Lane | None = None) -> Lane:
        result = start if start is not None else self.c(coefficients[0])
        for k in coefficients[0 if start is not None else 1 :]:
            result = self.fma(result, x, self.c(k))
        return result

    # ---- functions

    def exp(self, x: Lane, base2: bool = False) -> Lane:
        high, low = (self.c(129.0), self.c(-151.0)) if base2 else (self.c(89.0), self.c(-104.5))
        x = self.pick(self.test("ogt", x, high), high, x)
        x = self.pick(self.test("olt", x, low), low, x)
        shifted = self.fma(x, self.c(1.0 if base2 else 1.44269504088896341), self.c(_ROUNDING))
        n = self.f("fsub", shifted, self.c(_ROUNDING))
        count = self.i("sub", self.bits(shifted), _ROUNDING_BITS)
        if base2:
            r = self.f("fmul", self.f("fsub", x, n), self.c(0.6931471805599453))
        else:
            r = self.fma(n, self.c(-_LN2_LOW), self.fma(n, self.c(-_LN2_HIGH), x))
        square = self.f("fmul", r, r)
        value = self.f("fadd", self.fma(self.horner(r, _EXP), square, r), self.c(1.0))
        half = self.i("ashr", count, 1)  # two factors: the result may be denormal or overflow
        scaled = self.f("fmul", value, self.power_of_2(half))
        return self.f("fmul", scaled, self.power_of_2(self.i("sub", count, half)))

    def power_of_2(self, n: Lane) -> Lane:
        return self.real(self.i("shl", self.i("add", n, 127), 23))

    def log(self, x: Lane, base2: bool = False) -> Lane:
        tiny = self.test("olt", x, 1.1754943508222875e-38)
        y = self.pick(tiny, self.f("fmul", x, self.c(2.0**23)), x)
        bits = self.bits(y)
        exponent = self.i("ashr", self.i("sub", bits, 0x3F3504F3), 23)
        f = self.f("fsub", self.real(self.i("sub", bits, self.i("shl", exponent, 23))), self.c(1.0))
        e = self.lb.cast("sitofp", exponent, "f32", self.width)
        e = self.f("fsub", e, self.pick(tiny, self.c(23.0), self.c(0.0)))
        square = self.f("fmul", f, f)
        tail = self.f("fmul", self.f("fmul", f, square), self.horner(f, _LOG))
        if base2:
            tail = self.fma(square, self.c(-0.5), tail)
            part = self.fma(f, self.c(_LOG2E_LESS_1), self.f("fmul", tail, self.c(_LOG2E_LESS_1)))
            result = self.f("fadd", self.f("fadd", self.f("fadd", part, tail), f), e)
        else:
            tail = self.fma(e, self.c(-2.12194440e-4), tail)
            tail = self.fma(square, self.c(-0.5), tail)
            result = self.fma(e, self.c(0.693359375), self.f("fadd", f, tail))
        infinity = float("inf")
        result = self.pick(self.test("oeq", x, infinity), x, result)
        result = self.pick(self.test("oeq", x, 0.0), self.c(-infinity), result)
        return self.pick(self.test("uge", x, 0.0), self.pick(self.test("uno", x, x), x, result), self.c(float("nan")))

    def sin(self, x: Lane, quadrant: int = 0) -> Lane:
        """`quadrant` 1 makes it cos. Huge arguments anywhere in the chunk send it to the C library."""
        big = self.test("uge", self.abs(x), _REDUCIBLE)
        if big.vector:
            mask = self.lb.b.inst(f"bitcast <{self.width} x i1> {big.value} to i{self.width}")
            any_big = self.lb.b.inst(f"icmp ne i{self.width} {mask}, 0")
        else:
            any_big = big.value
        type_ = f"<{self.width} x float>" if big.vector else "float"
        cell = self.lb.b.alloca(type_)

        def fast() -> None:
            self.lb.b.line(f"store {type_} {self._sin_reduced(x, quadrant).value}, ptr {cell}")

        def slow() -> None:
            result = libm.call(self.lb, "cos" if quadrant else "sin", [x], "f32", self.width)
            self.lb.b.line(f"store {type_} {result.value}, ptr {cell}")

        cost = self.lb.b.cost
        self.lb.b.if_else(any_big, slow, fast)
        self.lb.b.cost = cost + 40 * self.lb.b.weight
        return Lane("f32", self.lb.b.inst(f"load {type_}, ptr {cell}"), None, big.vector)

    def _sin_reduced(self, x: Lane, quadrant: int) -> Lane:
        shifted = self.fma(x, self.c(0.6366197723675814), self.c(_ROUNDING))
        n = self.f("fsub", shifted, self.c(_ROUNDING))
        count = self.i("add", self.bits(shifted), quadrant - _ROUNDING_BITS)
        r = x
        for part in _HALF_PI:
            r = self.fma(n, self.c(-part), r)
        square = self.f("fmul", r, r)
        sine = self.fma(self.f("fmul", self.horner(square, _SIN), square), r, r)
        cosine = self.fma(
            self.horner(square, _COS), self.f("fmul", square, square), self.fma(square, self.c(-0.5), self.c(1.0))
        )
        odd = self.lb.op("icmp ne", [self.i("and", count, 1), uniform("i32", 0)], "i1", self.width)
        sign = self.i("shl", self.i("and", count, 2), 30)
        return self.real(self.i("xor", self.bits(self.pick(odd, cosine, sine)), sign))

    def tanh(self, x: Lane) -> Lane:
        size, square = self.abs(x), self.f("fmul", x, x)
        small = self.fma(self.f("fmul", self.horner(square, _TANH), square), x, x)
        e = self.exp(self.f("fadd", size, size))
        large = self.f("fsub", self.c(1.0), self.f("fdiv", self.c(2.0), self.f("fadd", e, self.c(1.0))))
        large = self.lb.intrinsic("copysign", [large, x], "f32", self.width)
        return self.pick(self.test("olt", size, 0.625), small, large)

    def erf(self, x: Lane) -> Lane:
        t, q = self.abs(x), self.f("fmul", x, x)
        r = self.fma(self.c(-1.72853470e-5), t, self.c(3.83197126e-4))
        u = self.fma(self.c(-3.88396438e-3), t, self.c(2.42546219e-2))
        r = self.horner(t, (-1.06777877e-1, -6.34846687e-1, -1.28717512e-1), self.fma(r, q, u))
        r = self.fma(r, t, self.neg(t))
        large = self.f("fsub", self.c(1.0), self.exp(r))
        large = self.lb.intrinsic("copysign", [large, x], "f32", self.width)
        p = self.horner(
            q, (-5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1, -3.76125336e-1, 1.28379166e-1)
        )
        return self.pick(self.test("ogt", t, 0.927734375), large, self.fma(p, x, x))


def call(lb: LaneBuilder, name: str, x: Lane, width: int) -> Lane | None:
    """`name`(x) for f32 lanes, or None where there is no polynomial."""
    p = Polynomials(lb, 1 if x.uniform else width)
    if name in ("exp", "exp2"):
        return p.exp(x, name == "exp2")
    if name in ("log", "log2"):
        return p.log(x, name == "log2")
    if name in ("sin", "cos"):
        return p.sin(x, int(name == "cos"))
    if name in ("tanh", "erf"):
        return p.tanh(x) if name == "tanh" else p.erf(x)
    return None
