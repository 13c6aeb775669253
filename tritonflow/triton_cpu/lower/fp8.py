"""Conversions between f32 and the 8-bit floats, in integer arithmetic and the same on every CPU."""

from __future__ import annotations

from tritonflow.triton_cpu.types import FP8

from .lanes import LaneBuilder, Lanes, uniform


class _Bits:
    """i32 arithmetic on lanes, with Python's numbers for constants."""

    def __init__(self, lb: LaneBuilder, width: int) -> None:
        self.lb, self.width = lb, width

    def __call__(self, name: str, a: Lanes, b: Lanes | int) -> Lanes:
        return self.lb.op(name, [a, uniform("i32", b) if isinstance(b, int) else b], "i32", self.width)

    def test(self, predicate: str, a: Lanes, b: int) -> Lanes:
        return self.lb.op(f"icmp {predicate}", [a, uniform("i32", b)], "i1", self.width)

    def select(self, condition: Lanes, a: Lanes | int, b: Lanes) -> Lanes:
        chosen = uniform("i32", a) if isinstance(a, int) else a
        return self.lb.select(condition, chosen, b, "i32", self.width)


def widen(lb: LaneBuilder, x: Lanes, width: int) -> Lanes:
    """To f32, exactly."""
    format_, bits = FP8[x.elem], _Bits(lb, width)
    code = lb.cast("zext", Lanes("i8", x.value, x.offsets, x.vector), "i32", width)
    magnitude = bits("and", code, 0x7F)
    value = _number(lb, bits, magnitude, format_.mantissa, format_.bias)
    if format_.has_infinity:  # the exponent of all ones: infinity, and NaNs above it
        special = bits("or", bits("shl", magnitude, 23 - format_.mantissa), 0x7F800000)
        value = bits.select(bits.test("ugt", magnitude, format_.largest), special, value)
    elif format_.signed_zero:
        value = bits.select(bits.test("eq", magnitude, format_.nan), 0x7FC00000, value)
    value = bits("or", value, bits("shl", bits("and", code, 0x80), 24))
    if not format_.signed_zero:
        value = bits.select(bits.test("eq", code, format_.nan), 0x7FC00000, value)
    return lb.bitcast(value, "f32", width)


def widen_e2m1(lb: LaneBuilder, code: Lanes, width: int) -> Lanes:
    """To f32 from the lower four bits of i32 lanes: 0, 0.5, 1,
    1.5, 2, 3, 4, 6 and their negatives.
    """
    bits = _Bits(lb, width)
    value = _number(lb, bits, bits("and", code, 7), 1, 1)
    return lb.bitcast(bits("or", value, bits("shl", bits("and", code, 8), 28)), "f32", width)


def _number(lb: LaneBuilder, bits: _Bits, magnitude: Lanes, mantissa: int, bias: int) -> Lanes:
    """The bits of the f32 that a code without its sign stands for, as if all codes were finite."""
    normal = bits("add", bits("shl", magnitude, 23 - mantissa), (127 - bias) << 23)
    unit = uniform("f32", f"0x{_exponent(1 - bias - mantissa):016X}")
    subnormal = lb.op("fmul", [lb.cast("uitofp", magnitude, "f32", bits.width), unit], "f32", bits.width)
    return bits.select(bits.test("ult", magnitude, 1 << mantissa), lb.bitcast(subnormal, "i32", bits.width), normal)


def narrow(lb: LaneBuilder, x: Lanes, elem: str, width: int, toward_zero: bool = False) -> Lanes:
    """From f32, to nearest even or toward zero.

    What is too large, infinity too, becomes the largest number.
    """
    format_, bits = FP8[elem], _Bits(lb, width)
    all_bits = lb.bitcast(x, "i32", width)
    magnitude = bits("and", all_bits, 0x7FFFFFFF)
    cut = 23 - format_.mantissa
    rounded = magnitude
    if not toward_zero:
        odd = bits("and", bits("lshr", magnitude, cut), 1)
        rounded = bits("add", bits("add", magnitude, odd), (1 << (cut - 1)) - 1)
    normal = bits("sub", bits("lshr", rounded, cut), (127 - format_.bias) << format_.mantissa)
    smallest_normal = (128 - format_.bias) << 23
    small = bits.test("ult", magnitude, smallest_normal)
    code = bits.select(small, _subnormal(lb, bits, magnitude, smallest_normal, format_.mantissa, toward_zero), normal)
    code = lb.intrinsic("umin", [code, uniform("i32", format_.largest)], "i32", width)
    sign = bits("and", bits("lshr", all_bits, 24), 0x80)
    if not format_.signed_zero:
        sign = bits.select(bits.test("eq", code, 0), 0, sign)
    code = bits.select(bits.test("ugt", magnitude, 0x7F800000), format_.nan, bits("or", code, sign))
    return lb.cast("trunc", code, elem, width)


def _subnormal(
    lb: LaneBuilder, bits: _Bits, magnitude: Lanes, smallest_normal: int, mantissa: int, toward_zero: bool
) -> Lanes:
    """Codes of numbers below the smallest normal one: multiples
    of the unit 2**(1 - bias - mantissa).
    """
    size = bits.select(bits.test("ult", magnitude, smallest_normal), magnitude, uniform("i32", 0))
    number = lb.bitcast(size, "f32", bits.width)
    if toward_zero:  # in units, and cut off
        scale = uniform("f32", f"0x{_exponent(127 - (smallest_normal >> 23) + mantissa):016X}")
        return lb.cast("fptosi", lb.op("fmul", [number, scale], "f32", bits.width), "i32", bits.width)
    # The sum with a number whose last bit is the unit is rounded to units.
    magic = (smallest_normal >> 23) - mantissa + 23
    total = lb.op("fadd", [number, uniform("f32", f"0x{_exponent(magic - 127):016X}")], "f32", bits.width)
    return bits("sub", lb.bitcast(total, "i32", bits.width), magic << 23)


def _exponent(power: int) -> int:
    """The bits of 2**power as a double, LLVM's spelling of float constants."""
    return (power + 1023) << 52
