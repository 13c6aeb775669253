"""Integer arithmetic of several instructions: division that cannot trap, high products."""

from __future__ import annotations

from tritonflow.triton_cpu.types import INT_BITS, llvm_type

from .lanes import LaneBuilder, Lanes, uniform


def divide(lb: LaneBuilder, name: str, a: Lanes, b: Lanes, elem: str, width: int) -> Lanes:
    """sdiv, udiv, srem or urem.

    A zero divisor gives some number: masked-off lanes must not trap.
    """
    signed = name[0] == "s"
    if b.literal and b.value not in ("0", "-1"):
        if a.multiple and int(b.value) > 0:
            exact = lb.quotient if "div" in name else lb.remainder
            found = exact(a, int(b.value), elem)
            if found is not None:
                return found
        return lb.op(name, [a, b], elem, width)
    if elem == "i1":
        return a if "div" in name else uniform(elem, 0)
    one = uniform(elem, 1)
    divisor = lb.select(lb.op("icmp eq", [b, uniform(elem, 0)], "i1", width), one, b, elem, width)
    if a.uniform and b.uniform or INT_BITS[elem] == 64:
        return _whole(lb, name, a, divisor, elem, width) if signed else lb.op(name, [a, divisor], elem, width)
    return _through_floats(lb, name, a, divisor, elem, width)


def _whole(lb: LaneBuilder, name: str, a: Lanes, b: Lanes, elem: str, width: int) -> Lanes:
    """Signed: the smallest integer by -1 traps, so -1 becomes a negation."""
    minus = lb.op("icmp eq", [b, uniform(elem, -1)], "i1", width)
    safe = lb.select(minus, uniform(elem, 1), b, elem, width)
    result = lb.op(name, [a, safe], elem, width)
    special = lb.op("sub", [uniform(elem, 0), a], elem, width) if name == "sdiv" else uniform(elem, 0)
    return lb.select(minus, special, result, elem, width)


def _through_floats(lb: LaneBuilder, name: str, a: Lanes, b: Lanes, elem: str, width: int) -> Lanes:
    """Division of vectors in floats: f64 for 32-bit integers, f32 for 16.

    One divisor of all lanes is inverted once. a + 1/2 (with a's sign) over b is at least 1 / (2 b) away from each integer, and
    the roundings, of the reciprocal too, are smaller: it truncates to the quotient.
    """
    signed = name[0] == "s"
    real = "f64" if INT_BITS[elem] == 32 else "f32"
    to_float = "sitofp" if signed else "uitofp"
    dividend, divisor = lb.cast(to_float, a, real, width), lb.cast(to_float, b, real, width)
    shifted = lb.op("fadd", [dividend, _half(lb, dividend, signed, width)], real, width)
    if b.uniform:
        inverse = lb.op("fdiv", [uniform(real, "1.0"), divisor], real, width)
        quotient = lb.op("fmul", [shifted, inverse], real, width)
    else:
        quotient = lb.op("fdiv", [shifted, divisor], real, width)
    result = _truncated(lb, quotient, signed, elem, width)
    if "div" in name:
        return result
    return lb.op("sub", [a, lb.op("mul", [result, b], elem, width)], elem, width)


def _half(lb: LaneBuilder, x: Lanes, signed: bool, width: int) -> Lanes:
    """1/2 with the sign of x."""
    half = uniform(x.elem, "0.5")
    return lb.intrinsic("copysign", [half, x], x.elem, width) if signed else half


def _truncated(lb: LaneBuilder, x: Lanes, signed: bool, elem: str, width: int) -> Lanes:
    """The integer part of a number that is no integer. One of the smallest integer by -1 wraps around.

    Without AVX-512 no vector instruction converts f64 to i64. The sum with 1.5 * 2^52 has the nearest integer in its last bits.
    """
    if x.elem == "f64" and not lb.avx512:
        nearest = lb.op("fsub", [x, _half(lb, x, signed, width)], x.elem, width)
        shifted = lb.op("fadd", [nearest, uniform(x.elem, "6755399441055744.0")], x.elem, width)
        return lb.cast("trunc", lb.bitcast(shifted, "i64", width), elem, width)
    wide = "i64" if x.elem == "f64" and signed else ("i32" if x.elem == "f32" else elem)
    result = lb.cast("fptosi" if signed else "fptoui", x, wide, width)
    return result if wide == elem else lb.cast("trunc", result, elem, width)


def high_product(lb: LaneBuilder, a: Lanes, b: Lanes, elem: str, width: int) -> Lanes:
    """The upper half of an unsigned product."""
    bits = INT_BITS[elem]
    if a.uniform and b.uniform:
        width = 1
    narrow, wide = llvm_type(elem), f"i{2 * bits}"
    if width > 1:
        narrow, wide = f"<{width} x {narrow}>", f"<{width} x {wide}>"
    x, y = (lb.b.inst(f"zext {narrow} {lb.vec(v, width)} to {wide}") for v in (a, b))
    product = lb.b.inst(f"mul {wide} {x}, {y}")
    shift = str(bits) if width == 1 else f"splat (i{2 * bits} {bits})"
    high = lb.b.inst(f"lshr {wide} {product}, {shift}")
    return Lanes(elem, lb.b.inst(f"trunc {wide} {high} to {narrow}"), None, width > 1)
