"""sin, cos, tan and their inverses of f32 lanes.

x = n * pi/2 + r with |r| <= pi/4. n * pi/2 is subtracted in three f32 parts by fused
multiplications. Arguments that are too large for that call the C library.
"""

from __future__ import annotations

from collections.abc import Callable

from tritonflow.triton_cpu.lower import libm
from tritonflow.triton_cpu.lower.lanes import Lanes, uniform

from .floats import Floats, Whole

_HALF_PI = (1.5707963705062866, -4.371138828673793e-08, -1.7151245100059307e-15)
_REDUCIBLE = 100000.0
_SIN = (-0.000195078843, 0.00833210628, -0.166666538)
_COS = (2.44312014e-05, -0.00138873036, 0.0416666456)
_TAN = (0.00446259137, -8.45577015e-05, 0.0109721534, 0.0212301165, 0.0540698655, 0.13332577, 0.333333522)
_ATAN = (
    0.002920144, -0.0163656045, 0.0432078466, -0.0755185261, 0.10665825, -0.14211008, 0.199937671, -0.333331525,
)  # fmt: skip
_ASIN = (0.0421582907, 0.0241847821, 0.0454691499, 0.0749530941, 0.166667521)


def sin(p: Floats, x: Lanes) -> Lanes:
    return _reducible(p, x, "sin", lambda size: p.real(p.i("xor", _turned(p, *_reduced(p, size), 0), p.sign_bit(x))))


def cos(p: Floats, x: Lanes) -> Lanes:
    return _reducible(p, x, "cos", lambda size: p.real(_turned(p, *_reduced(p, size), 1)))


def sinpi(p: Floats, x: Lanes) -> Lanes:
    n, r = _half_turns(p, p.abs(x))
    result = p.real(p.i("xor", _turned(p, n, r, 0), p.sign_bit(x)))
    return p.pick(p.test("oeq", result, 0.0), p.copysign(result, x), result)


def cospi(p: Floats, x: Lanes) -> Lanes:
    return p.add(p.real(_turned(p, *_half_turns(p, p.abs(x)), 1)), 0.0)  # no zero is negative


def tan(p: Floats, x: Lanes) -> Lanes:
    """tan(r), or -1 / tan(r) in every second quadrant.

    The error of r is added back with the slope.
    """

    def reduced(size: Lanes) -> Lanes:
        n, r, lost = _reduced_twice(p, size)
        count = _quadrant(p, n)
        square = p.mul(r, r)
        tail = p.mul(p.mul(p.horner(square, _TAN), square), r)
        tail = p.add(tail, p.mad(square, lost, lost))
        t = p.add(r, tail)
        inverse = p.div(-1.0, t)
        error = p.fma(inverse, t, 1.0)
        error = p.mad(inverse, p.add(p.sub(r, t), tail), error)  # with what t lost
        t = p.pick(p.bit(count, 0), p.mad(inverse, error, inverse), t)
        return p.real(p.i("xor", p.bits(t), p.sign_bit(x)))

    return _reducible(p, x, "tan", reduced)


def _reducible(p: Floats, x: Lanes, name: str, reduced: Callable[[Lanes], Lanes]) -> Lanes:
    """Each lane's way depends on its own argument alone, not on its neighbours in the chunk."""
    size = p.abs(x)
    large, result = p.test("uge", size, _REDUCIBLE), reduced(size)
    return p.rarely(large, lambda: p.pick(large, libm.call(p.lb, name, [x], "f32", p.width), result), lambda: result)


def _reduced(p: Floats, size: Lanes) -> tuple[Whole, Lanes]:
    n = p.nearest(size, 0.6366197723675814)
    r = size
    for part in _HALF_PI:
        r = p.fma(n.value, -part, r)
    return n, r


def _reduced_twice(p: Floats, size: Lanes) -> tuple[Whole, Lanes, Lanes]:
    """n, r and r's error.

    The first difference is exact, the second is Knuth's sum with its error.
    """
    n = p.nearest(size, 0.6366197723675814)
    a = p.fma(n.value, -_HALF_PI[0], size)
    b = p.mul(n.value, -_HALF_PI[1])
    sum_ = p.add(a, b)
    moved = p.sub(sum_, a)
    error = p.add(p.sub(a, p.sub(sum_, moved)), p.sub(b, moved))
    error = p.add(error, p.fma(n.value, -_HALF_PI[1], p.neg(b)))
    error = p.mad(n.value, -_HALF_PI[2], error)
    r = p.add(sum_, error)
    return n, r, p.add(p.sub(sum_, r), error)


def _quadrant(p: Floats, n: Whole) -> Lanes:
    """A number whose two lowest bits are those of n."""
    return p.i("add", p.bits(n.shifted), -p.format.bias % 4)


def _half_turns(p: Floats, size: Lanes) -> tuple[Whole, Lanes]:
    """n and r with size * pi = n * pi/2 + r: all but the product with pi is exact."""
    rest = p.mad(p.intrinsic("rint", p.mul(size, 0.5)), -2.0, size)
    n = p.nearest(rest, 2.0)
    rest = p.mad(n.value, -0.5, rest)
    return n, p.fma(rest, 2 * _HALF_PI[0], p.mul(rest, 2 * _HALF_PI[1]))


def _turned(p: Floats, n: Whole, r: Lanes, quadrant: int) -> Lanes:
    """The bits of sin(n pi/2 + r + quadrant pi/2)."""
    square = p.mul(r, r)
    sine = p.mad(p.mul(p.horner(square, _SIN), square), r, r)
    cosine = p.mad(p.horner(square, _COS), p.mul(square, square), p.mad(square, -0.5, 1.0))
    count = p.i("add", _quadrant(p, n), quadrant)
    sign = p.i("shl", p.i("and", count, 2), 30)
    return p.i("xor", p.bits(p.pick(p.bit(count, 0), cosine, sine)), sign)


def atan(p: Floats, x: Lanes) -> Lanes:
    """A polynomial up to 1; beyond, pi/2 - atan(1 / |x|)."""
    size = p.abs(x)
    outside = p.test("ogt", size, 1.0)
    t = p.pick(outside, p.div(1.0, size), size)
    return p.copysign(_atan_of_fraction(p, t, outside), x)


def _atan_of_fraction(p: Floats, t: Lanes, outside: Lanes) -> Lanes:
    """atan(t) for 0 <= t <= 1, or pi/2 less that."""
    square = p.mul(t, t)
    tail = p.mul(p.mul(p.horner(square, _ATAN), square), t)
    inside = p.add(t, tail)
    complement = p.sub(_HALF_PI[0], p.add(p.sub(t, _HALF_PI[1]), tail))
    return p.pick(outside, complement, inside)


def atan2(p: Floats, y: Lanes, x: Lanes) -> Lanes:
    height, width = p.abs(y), p.abs(x)
    steep = p.test("ogt", height, width)
    low, high = p.pick(steep, width, height), p.pick(steep, height, width)
    t = p.div(low, high)
    t = p.pick(p.test("oeq", low, high), p.pick(p.test("oeq", high, 0.0), 0.0, 1.0), t)  # 0 / 0, infinity / infinity
    angle = _atan_of_fraction(p, t, steep)
    behind = p.sub(2 * _HALF_PI[0], p.sub(angle, 2 * _HALF_PI[1]))
    backward = p.lb.op("icmp slt", [p.bits(x), uniform("i32", 0)], "i1", p.width)
    angle = p.copysign(p.pick(backward, behind, angle), y)
    return p.pick(p.test("uno", x, y), float("nan"), angle)


def asin(p: Floats, x: Lanes) -> Lanes:
    """A polynomial up to 1/2; beyond, pi/2 - 2 asin(sqrt((1 - |x|) / 2))."""
    size = p.abs(x)
    outside, t, tail = _asin_parts(p, size)
    twice = p.add(p.add(t, t), p.sub(p.add(tail, tail), _HALF_PI[1]))
    result = p.pick(outside, p.sub(_HALF_PI[0], twice), p.add(t, tail))
    return p.copysign(result, x)


def acos(p: Floats, x: Lanes) -> Lanes:
    """pi/2 - asin(x) up to 1/2; beyond, 2 asin(sqrt((1 - |x|) / 2)), or pi minus it for x < 0."""
    size = p.abs(x)
    outside, t, tail = _asin_parts(p, size)
    inner = p.sub(_HALF_PI[0], p.add(p.copysign(t, x), p.sub(p.copysign(tail, x), _HALF_PI[1])))
    twice = p.add(p.add(t, tail), p.add(t, tail))
    behind = p.sub(2 * _HALF_PI[0], p.sub(twice, 2 * _HALF_PI[1]))
    outer = p.pick(p.test("olt", x, 0.0), behind, twice)
    return p.pick(outside, outer, inner)


def _asin_parts(p: Floats, size: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """Whether |x| is beyond 1/2, and t and asin(t) - t of t = |x|, or sqrt((1 - |x|) / 2) there."""
    outside = p.test("ogt", size, 0.5)
    square = p.pick(outside, p.mad(size, -0.5, 0.5), p.mul(size, size))
    t = p.pick(outside, p.sqrt(square), size)
    return outside, t, p.mul(p.mul(p.horner(square, _ASIN), square), t)
