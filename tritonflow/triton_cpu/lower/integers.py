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
    """Division of vectors in floats: quotients are exact in f64
    for 32-bit integers, in f32 for 16.
    """
    signed = name[0] == "s"
    real = "f64" if INT_BITS[elem] == 32 else "f32"
    to_float, to_int = ("sitofp", "fptosi") if signed else ("uitofp", "fptoui")
    wide = "i64" if real == "f64" and signed else ("i32" if real == "f32" else elem)
    quotient = lb.op("fdiv", [lb.cast(to_float, a, real, width), lb.cast(to_float, b, real, width)], real, width)
    result = lb.cast(to_int, quotient, wide, width)
    if wide != elem:
        result = lb.cast("trunc", result, elem, width)
    if "div" in name:
        return result
    return lb.op("sub", [a, lb.op("mul", [result, b], elem, width)], elem, width)


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
