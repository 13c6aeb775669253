"""pow, roots, lengths, and products with powers of 2."""

from __future__ import annotations

from tritonflow.triton_cpu.lower import libm
from tritonflow.triton_cpu.lower.lanes import Lanes, made, mangled, uniform, vector_type

from .exponential import exp2_to_f32
from .floats import Floats
from .logarithm import log2_nearly


def pow(p: Floats, x: Lanes, y: Lanes) -> Lanes:
    return _pow_wide(p, x, p.widened(y))


def powi(p: Floats, x: Lanes, n: Lanes) -> Lanes:
    """With an i32 exponent, which f32 could not hold."""
    return _pow_wide(p, x, p.lb.cast("sitofp", n, "f64", p.width))


def _pow_wide(p: Floats, x: Lanes, y: Lanes) -> Lanes:
    """2**(y log2 |x|), in f64: the absolute error of the product
    is the relative error of the result.
    """
    w, infinity = p.wide(), float("inf")
    size = w.abs(p.widened(x))
    logarithm = log2_nearly(w, size)
    logarithm = w.pick(w.test("olt", size, infinity), logarithm, size)
    logarithm = w.pick(w.test("oeq", size, 0.0), -infinity, logarithm)
    magnitude = exp2_to_f32(w, w.mul(y, logarithm))
    whole, odd = _parity(w, y)
    sign = p.lb.select(odd, p.sign_bit(x), uniform("i32", 0), "i32", p.width)
    result = p.real(p.i("xor", p.bits(magnitude), sign))
    negative = p.both(p.test("olt", x, 0.0), p.test("ogt", x, -infinity))
    result = p.pick(whole, result, p.pick(negative, float("nan"), result))
    one = p.either(p.test("oeq", x, 1.0), w.test("oeq", y, 0.0))
    one = p.either(one, p.both(p.test("oeq", x, -1.0), w.test("oeq", w.abs(y), infinity)))
    return p.pick(one, 1.0, result)


def _parity(w: Floats, y: Lanes) -> tuple[Lanes, Lanes]:
    """Whether y is whole, and whether it is odd.

    Floats beyond 2**32 count as even, as in f32 they are.
    """
    y = w.at_most(w.abs(y), 2.0**32)
    shifted = w.add(y, w.format.rounding)
    whole = w.test("oeq", w.sub(shifted, w.format.rounding), y)
    return whole, w.both(whole, w.bit(w.bits(shifted), 0))


def rsqrt(p: Floats, x: Lanes) -> Lanes:
    return p.div(1.0, p.sqrt(x))


def rsqrt_exactly(p: Floats, x: Lanes) -> Lanes:
    """Correctly rounded: f64's error is less than any result's distance from a tie."""
    w = p.wide()
    return p.narrowed(w.div(1.0, w.sqrt(p.widened(x))))


def norm(p: Floats, *args: Lanes) -> Lanes:
    """The root of the sum of squares (hypot, norm3d, norm4d).

    In f64, squares neither overflow nor vanish.
    """
    return _unless_infinite(p, args, p.narrowed(_length(p, args)), float("inf"))


def rnorm(p: Floats, *args: Lanes) -> Lanes:
    """1 / norm"""
    return _unless_infinite(p, args, p.narrowed(p.wide().div(1.0, _length(p, args))), 0.0)


def _length(p: Floats, args: tuple[Lanes, ...]) -> Lanes:
    w = p.wide()
    first, *others = map(p.widened, args)
    total = w.mul(first, first)
    for a in others:
        total = w.mad(a, a, total)
    return w.sqrt(total)


def _unless_infinite(p: Floats, args: tuple[Lanes, ...], result: Lanes, otherwise: float) -> Lanes:
    """An infinite argument wins over NaN."""
    for a in args:
        result = p.pick(p.test("oeq", p.abs(a), float("inf")), otherwise, result)
    return result


def cbrt(p: Floats, x: Lanes) -> Lanes:
    size = p.abs(x)
    regular = p.both(p.test("ogt", size, 0.0), p.test("olt", size, float("inf")))
    return p.pick(regular, p.copysign(_cube_root(p, size), x), x)


def rcbrt(p: Floats, x: Lanes) -> Lanes:
    return p.div(1.0, cbrt(p, x) if p.elem == "f32" else libm.call(p.lb, "cbrt", [x], "f64", p.width))


def _cube_root(p: Floats, size: Lanes) -> Lanes:
    """Two cubic iterations for size**(-1/3), and one of Newton's for size**(1/3) in f64."""
    tiny = p.test("olt", size, p.format.least_normal)
    size = p.pick(tiny, p.mul(size, 2.0**24), size)
    third = p.lb.cast("fptosi", p.mul(p.lb.cast("sitofp", p.bits(size), "f32", p.width), 1 / 3), "i32", p.width)
    y = p.real(p.i("sub", uniform("i32", 0x54A21D2A), third))
    for _ in range(2):
        error = p.mad(p.neg(p.mul(size, y)), p.mul(y, y), 1.0)
        y = p.mad(p.mul(y, error), p.mad(error, 2 / 9, 1 / 3), y)
    w = p.wide()
    inverse, cube = p.widened(y), p.widened(size)
    square = w.mul(inverse, inverse)
    root = w.mul(cube, square)
    error = w.sub(cube, w.mul(root, w.mul(root, root)))
    root = w.mad(w.mul(error, square), 1 / 3, root)
    return p.narrowed(w.mul(root, w.pick(tiny, 2.0**-8, 1.0)))


def ldexp(p: Floats, x: Lanes, n: Lanes) -> Lanes:
    """x * 2**n rounded once. For f32 the product is exact in f64; f64 calls the C library."""
    if p.elem == "f64":
        return _ldexp_wide(p, x, n)
    n = p.lb.intrinsic("smin", [n, uniform("i32", 400)], "i32", p.width)
    n = p.lb.intrinsic("smax", [n, uniform("i32", -400)], "i32", p.width)
    w = p.wide()
    exponent = p.lb.cast("zext", p.i("add", n, w.format.bias), "i64", p.width)
    return p.narrowed(w.mul(p.widened(x), w.real(w.i("shl", exponent, w.format.mantissa))))


def _ldexp_wide(w: Floats, x: Lanes, n: Lanes) -> Lanes:
    type_, integer = vector_type("f64", w.width), vector_type("i32", w.width)
    function = f"@llvm.ldexp.{mangled('f64', w.width)}.{mangled('i32', w.width)}"
    w.lb.b.declare(f"{type_} {function}({type_}, {integer})")
    value = w.lb.b.inst(f"call {type_} {function}({type_} {w.lb.vec(x, w.width)}, {integer} {w.lb.vec(n, w.width)})")
    return made("f64", value, w.width)
