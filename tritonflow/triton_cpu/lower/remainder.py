"""The remainder of floats with the sign of the dividend, exactly (C's fmod).

With q = trunc(|x| / |y|), as rounded, the remainder is |x| - q |y|: q is right or 1 too large, so the difference is a multiple of
the last bit of x or y that is no larger than y, and one fused multiplication and subtraction has no error. The sign tells where q
was too large. The C library has what is left: large quotients, infinities, NaN and zeros.
"""

from __future__ import annotations

from . import libm
from .lanes import LaneBuilder, Lanes, made, uniform, vector_type

_INFINITY = "0x7FF0000000000000"
_LARGE_QUOTIENT = {"f32": "4.194304e+06", "f64": "1.125899906842624e+15"}  # 2^22 and 2^50


def fmod(lb: LaneBuilder, x: Lanes, y: Lanes, elem: str, width: int) -> Lanes:
    """The remainder of f32 or f64 lanes, without calls where the quotients of all lanes are small."""
    if not lb.fma or width == 1 or (x.uniform and y.uniform):
        return libm.call(lb, "fmod", [x, y], elem, width)
    type_ = vector_type(elem, width)
    out = lb.b.alloca(type_)

    def keep(result: Lanes) -> None:
        lb.b.line(f"store {type_} {lb.vec(result, width)}, ptr {out}")

    a, b = (lb.intrinsic("fabs", [v], elem, width) for v in (x, y))
    q = lb.intrinsic("trunc", [lb.op("fdiv", [a, b], elem, width)], elem, width)
    small = lb.op("fcmp olt", [q, uniform(elem, _LARGE_QUOTIENT[elem])], "i1", width)
    small = lb.op("and", [small, lb.op("fcmp olt", [b, uniform(elem, _INFINITY)], "i1", width)], "i1", width)
    bits = lb.b.inst(f"bitcast <{width} x i1> {lb.vec(small, width)} to i{width}")
    lb.b.if_else(
        lb.b.inst(f"icmp eq i{width} {bits}, -1"),
        lambda: keep(_of_small_quotients(lb, x, a, b, q, elem, width)),
        lambda: keep(libm.call(lb, "fmod", [x, y], elem, width)),
    )
    return made(elem, lb.b.inst(f"load {type_}, ptr {out}"), width)


def _of_small_quotients(lb: LaneBuilder, x: Lanes, a: Lanes, b: Lanes, q: Lanes, elem: str, width: int) -> Lanes:
    rest = lb.intrinsic("fma", [lb.op("fneg", [q], elem, width), b, a], elem, width)
    over = lb.op("fcmp olt", [rest, uniform(elem, "0.0")], "i1", width)
    rest = lb.select(over, lb.op("fadd", [rest, b], elem, width), rest, elem, width)
    return lb.intrinsic("copysign", [rest, x], elem, width)
