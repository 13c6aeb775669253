"""Casts between element types.

Halves, `i16` in LLVM, and fp8, `i8`, are computed in f32 and rounded.
"""

from __future__ import annotations

from tritonflow.triton_cpu.types import FP8, INT_BITS, bits_of, is_float, is_small

from . import fp8
from .lanes import LaneBuilder, Lanes, made, uniform, vector_type


def widen(lb: LaneBuilder, x: Lanes, width: int) -> Lanes:
    """f16, bf16 or fp8 to f32, exactly."""
    if x.elem in FP8:
        return fp8.widen(lb, x, width)
    if x.elem == "bf16":
        bits = lb.cast("zext", Lanes("i16", x.value, x.offsets, x.vector), "i32", width)
        return lb.bitcast(lb.op("shl", [bits, uniform("i32", 16)], "i32", width), "f32", width)
    if lb.native_f16:
        type_ = "half" if x.uniform or width == 1 else f"<{width} x half>"
        wide = type_.replace("half", "float")
        half = lb.b.inst(f"bitcast {type_.replace('half', 'i16')} {x.value} to {type_}")
        return Lanes("f32", lb.b.inst(f"fpext {type_} {half} to {wide}"), None, x.vector)
    return _soft_widen(lb, x, width)


def narrow(lb: LaneBuilder, x: Lanes, elem: str, width: int) -> Lanes:
    """f32 to f16, bf16 or fp8, to nearest even."""
    if elem in FP8:
        return fp8.narrow(lb, x, elem, width)
    if elem == "bf16":
        return _narrow_bf16(lb, x, width)
    if lb.native_f16:
        type_ = "float" if x.uniform or width == 1 else f"<{width} x float>"
        half = type_.replace("float", "half")
        bits = lb.b.inst(f"fptrunc {type_} {x.value} to {half}")
        return Lanes(elem, lb.b.inst(f"bitcast {half} {bits} to {half.replace('half', 'i16')}"), None, x.vector)
    return _soft_narrow(lb, x, width)


def _narrow_bf16(lb: LaneBuilder, x: Lanes, width: int) -> Lanes:
    i32 = _i32(lb, width)
    bits = lb.bitcast(x, "i32", width)
    high = i32("lshr", bits, 16)
    even = i32("and", high, 1)
    rounded = i32("lshr", lb.add(lb.add(bits, even, "i32", width), uniform("i32", 0x7FFF), "i32", width), 16)
    nan = lb.op("fcmp uno", [x, x], "i1", width)
    return lb.cast("trunc", lb.select(nan, i32("or", high, 0x40), rounded, "i32", width), "bf16", width)


def _i32(lb: LaneBuilder, width: int):  # type: ignore[no-untyped-def]
    return lambda name, a, b: lb.op(name, [a, uniform("i32", b) if isinstance(b, int) else b], "i32", width)


def _soft_widen(lb: LaneBuilder, x: Lanes, width: int) -> Lanes:
    """f16 to f32 with integer and f32 operations only, for targets without the instruction."""
    i32 = _i32(lb, width)
    bits = lb.cast("zext", Lanes("i16", x.value, x.offsets, x.vector), "i32", width)
    sign = i32("shl", i32("and", bits, 0x8000), 16)
    rest = i32("shl", i32("and", bits, 0x7FFF), 13)
    scaled = lb.op(
        "fmul", [lb.bitcast(rest, "f32", width), uniform("f32", "0x46F0000000000000")], "f32", width
    )  # 2**112
    special = lb.op("icmp uge", [rest, uniform("i32", 0x7C00 << 13)], "i1", width)
    value = lb.select(special, i32("or", rest, 0x7F800000), lb.bitcast(scaled, "i32", width), "i32", width)
    return lb.bitcast(i32("or", value, sign), "f32", width)


def _soft_narrow(lb: LaneBuilder, x: Lanes, width: int) -> Lanes:
    i32 = _i32(lb, width)
    bits = lb.bitcast(x, "i32", width)
    sign = i32("and", i32("lshr", bits, 16), 0x8000)
    magnitude = i32("and", bits, 0x7FFFFFFF)
    # Normal results: round the mantissa. Denormal ones: let an f32 addition round at the right bit.
    odd = i32("and", i32("lshr", magnitude, 13), 1)
    normal = i32("lshr", i32("add", i32("add", magnitude, odd), 0xFFF - (112 << 23)), 13)
    shifted = lb.op("fadd", [lb.bitcast(magnitude, "f32", width), uniform("f32", "0x3FE0000000000000")], "f32", width)
    denormal = i32("sub", lb.bitcast(shifted, "i32", width), 0x3F000000)
    small = lb.op("icmp ult", [magnitude, uniform("i32", 113 << 23)], "i1", width)
    huge = lb.op("icmp uge", [magnitude, uniform("i32", 0x477FF000)], "i1", width)
    nan = lb.op("icmp ugt", [magnitude, uniform("i32", 0x7F800000)], "i1", width)
    value = lb.select(small, denormal, normal, "i32", width)
    value = lb.select(huge, uniform("i32", 0x7C00), value, "i32", width)
    value = lb.select(nan, uniform("i32", 0x7E00), value, "i32", width)
    return lb.cast("trunc", i32("or", value, sign), "f16", width)


def _round_to_odd(lb: LaneBuilder, x: Lanes, width: int) -> Lanes:
    """f64 to f32 such that rounding the result again to a half is one correct rounding of `x`."""
    near = lb.cast("fptrunc", x, "f32", width)
    back = lb.cast("fpext", near, "f64", width)
    bits = lb.bitcast(near, "i32", width)
    even = lb.op("icmp eq", [lb.op("and", [bits, uniform("i32", 1)], "i32", width), uniform("i32", 0)], "i1", width)
    inexact = lb.op("fcmp one", [back, x], "i1", width)
    above = lb.op(
        "fcmp ogt", [lb.intrinsic("fabs", [back], "f64", width), lb.intrinsic("fabs", [x], "f64", width)], "i1", width
    )
    step = lb.select(above, uniform("i32", -1), uniform("i32", 1), "i32", width)
    moved = lb.op("add", [bits, step], "i32", width)
    both = lb.op("and", [even, inexact], "i1", width)
    return lb.bitcast(lb.select(both, moved, bits, "i32", width), "f32", width)


def float_to_float(lb: LaneBuilder, x: Lanes, elem: str, width: int) -> Lanes:
    """To nearest even."""
    if x.elem == elem:
        return x
    if is_small(x.elem):
        return float_to_float(lb, widen(lb, x, width), elem, width)
    if is_small(elem):
        return narrow(lb, _round_to_odd(lb, x, width) if x.elem == "f64" else x, elem, width)
    return lb.cast("fptrunc" if bits_of(elem) < bits_of(x.elem) else "fpext", x, elem, width)


def truncate(lb: LaneBuilder, x: Lanes, elem: str, width: int) -> Lanes:
    """To a narrower float type, toward zero: one below the
    nearest number, where that is beyond `x`.
    """
    x = as_compute(lb, x, width)
    if elem in FP8:
        return fp8.narrow(lb, truncate(lb, x, "f32", width) if x.elem == "f64" else x, elem, width, toward_zero=True)
    if x.elem == elem:
        return x
    near = float_to_float(lb, x, elem, width)
    back = float_to_float(lb, near, x.elem, width)
    sizes = [lb.intrinsic("fabs", [value], x.elem, width) for value in (back, x)]
    beyond = lb.op("fcmp ogt", sizes, "i1", width)
    bits = f"i{bits_of(elem)}"
    code = Lanes(bits, near.value, None, near.vector) if is_small(elem) else lb.bitcast(near, bits, width)
    before = lb.op("sub", [code, uniform(bits, 1)], bits, width)
    result = lb.select(beyond, before, code, bits, width)
    return Lanes(elem, result.value, None, result.vector) if is_small(elem) else lb.bitcast(result, elem, width)


def int_to_float(lb: LaneBuilder, x: Lanes, elem: str, width: int, signed: bool) -> Lanes:
    """To nearest even."""
    name = "sitofp" if signed else "uitofp"
    if is_small(elem):
        # Through f64 for wide integers: f32 would round twice.
        middle = "f64" if INT_BITS[x.elem] > 16 else "f32"
        return float_to_float(lb, lb.cast(name, x, middle, width), elem, width)
    return lb.cast(name, x, elem, width)


def float_to_int(lb: LaneBuilder, x: Lanes, elem: str, width: int, signed: bool) -> Lanes:
    """Toward zero.

    Numbers out of range give what the CPU gives, in a wider signed type if there is one.
    """
    x = as_compute(lb, x, width)
    bits = INT_BITS[elem]
    if bits == 64:
        return _truncated(lb, "fptosi" if signed else "fptoui", x, elem, width)
    if bits == 32 and signed:
        return _truncated(lb, "fptosi", x, elem, width)
    return _cut(lb, _truncated(lb, "fptosi", x, "i64" if bits == 32 else "i32", width), elem, width)


def _truncated(lb: LaneBuilder, name: str, x: Lanes, elem: str, width: int) -> Lanes:
    """A cast whose result is a number for every operand; on x86 the most negative one out of range.

    LLVM's result is poison there, which would spread to all that depends on it.
    """
    result = lb.cast(name, x, elem, width)
    frozen = lb.b.inst(f"freeze {vector_type(elem, width if result.vector else 1)} {result.value}")
    return made(elem, frozen, width if result.vector else 1)


def _cut(lb: LaneBuilder, x: Lanes, elem: str, width: int) -> Lanes:
    return lb.cast("trunc", x, elem, width)


def compute_type(elem: str) -> str:
    """The type that floats of `elem` are computed in."""
    return "f32" if is_small(elem) else elem


def as_compute(lb: LaneBuilder, x: Lanes, width: int) -> Lanes:
    """A value in the type that it is computed in."""
    return widen(lb, x, width) if is_small(x.elem) else x


def from_compute(lb: LaneBuilder, x: Lanes, elem: str, width: int) -> Lanes:
    """A computed value, rounded to `elem`."""
    return narrow(lb, x, elem, width) if is_small(elem) and is_float(x.elem) and x.elem != elem else x
