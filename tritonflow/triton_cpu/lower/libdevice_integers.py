"""libdevice's functions of integers, and those that turn floats into integers or back."""

from __future__ import annotations

import re
from collections.abc import Callable

from tritonflow.triton_cpu.types import INT_BITS, is_float

from . import integers, libm
from .lanes import LaneBuilder, Lanes, made, mangled, uniform, vector_type

Handler = Callable[[LaneBuilder, list[Lanes], int], Lanes]

_TO_INTEGER = re.compile(r"(?:float|double)2(u?)(?:int|ll)_r([nzdu])")
_TO_FLOAT = re.compile(r"(u?)(?:int|ll)2(?:float|double)_rn")
_ROUND = {"n": "rint", "z": "trunc", "d": "floor", "u": "ceil"}
_PAIRS = {
    "min": "smin", "llmin": "smin", "umin": "umin", "ullmin": "umin",
    "max": "smax", "llmax": "smax", "umax": "umax", "ullmax": "umax",
}  # fmt: skip
_BITCASTS = frozenset(
    "int_as_float uint_as_float longlong_as_double float_as_int float_as_uint double_as_longlong".split()
)


def call(lb: LaneBuilder, name: str, args: list[Lanes], elem: str, width: int) -> Lanes | None:
    """`__nv_<name>`, or None where it is none of these."""
    if is_float(args[0].elem):
        return _of_float(lb, name, args[0], elem, width)
    to_float = _TO_FLOAT.fullmatch(name)
    if to_float:
        return lb.cast("uitofp" if to_float[1] else "sitofp", args[0], elem, width)
    if name in _BITCASTS:
        return lb.bitcast(args[0], elem, width)
    if name in _PAIRS:
        return lb.intrinsic(_PAIRS[name], args, elem, width)
    handler = _HANDLERS.get(name)
    return _resized(lb, handler(lb, args, width), elem, width) if handler else None


def _of_float(lb: LaneBuilder, name: str, x: Lanes, elem: str, width: int) -> Lanes | None:
    match = _TO_INTEGER.fullmatch(name)
    if match:
        return _saturated(lb, _rounded(lb, _ROUND[match[2]], x, width), elem, width, bool(match[1]))
    if name in _BITCASTS:
        return lb.bitcast(x, elem, width)
    name = name.removesuffix("f") if x.elem == "f32" else name
    if name in ("llrint", "llround"):
        return _saturated(lb, _rounded(lb, name[2:], x, width), elem, width, False)
    if name == "ilogb":
        exponent = _saturated(lb, libm.call(lb, "logb", [x], x.elem, width), elem, width, False)
        return lb.select(lb.op("fcmp uno", [x, x], "i1", width), uniform(elem, -(2**31)), exponent, elem, width)
    if name == "double2float_rn":
        return lb.cast("fptrunc", x, elem, width)
    if name in ("double2hiint", "double2loint"):
        bits = lb.bitcast(x, "i64", width)
        if name == "double2hiint":
            bits = lb.op("lshr", [bits, uniform("i64", 32)], "i64", width)
        return lb.cast("trunc", bits, elem, width)
    return None


def _rounded(lb: LaneBuilder, how: str, x: Lanes, width: int) -> Lanes:
    return lb.intrinsic(how, [x], x.elem, width)


def _saturated(lb: LaneBuilder, x: Lanes, elem: str, width: int, unsigned: bool) -> Lanes:
    """To the nearest integer there is; 0 for NaN."""
    width = 1 if x.uniform else width
    type_, source = vector_type(elem, width), vector_type(x.elem, width)
    function = f"@llvm.fpto{'u' if unsigned else 's'}i.sat.{mangled(elem, width)}.{mangled(x.elem, width)}"
    lb.b.declare(f"{type_} {function}({source})")
    return made(elem, lb.b.inst(f"call {type_} {function}({source} {lb.vec(x, width)})"), width)


def _resized(lb: LaneBuilder, x: Lanes, elem: str, width: int) -> Lanes:
    """Counts of bits are i32, whatever they count."""
    if x.elem == elem or is_float(elem):
        return x
    return lb.cast("trunc" if INT_BITS[elem] < INT_BITS[x.elem] else "zext", x, elem, width)


def _op(lb: LaneBuilder, name: str, a: Lanes, b: Lanes | int, width: int) -> Lanes:
    return lb.op(name, [a, uniform(a.elem, b) if isinstance(b, int) else b], a.elem, width)


def flagged(lb: LaneBuilder, name: str, x: Lanes, width: int) -> Lanes:
    """abs, ctlz or cttz, which take a flag for one special operand: its result is defined."""
    width = 1 if x.uniform else width
    type_ = vector_type(x.elem, width)
    function = f"@llvm.{name}.{mangled(x.elem, width)}"
    lb.b.declare(f"{type_} {function}({type_}, i1)")
    return made(x.elem, lb.b.inst(f"call {type_} {function}({type_} {lb.vec(x, width)}, i1 false)"), width)


def _first_set(lb: LaneBuilder, args: list[Lanes], width: int) -> Lanes:
    """The position of the lowest set bit, from 1 on; 0 if there is none."""
    x = args[0]
    position = _op(lb, "add", flagged(lb, "cttz", x, width), 1, width)
    none = lb.op("icmp eq", [x, uniform(x.elem, 0)], "i1", width)
    return lb.select(none, uniform(x.elem, 0), position, x.elem, width)


def _average(shift: str, up: bool) -> Handler:
    """Half of a + b = 2 (a & b) + (a ^ b) = 2 (a | b) - (a ^ b), which may not fit."""

    def handler(lb: LaneBuilder, args: list[Lanes], width: int) -> Lanes:
        a, b = args
        common = _op(lb, "or" if up else "and", a, b, width)
        return _op(lb, "sub" if up else "add", common, _op(lb, shift, _op(lb, "xor", a, b, width), 1, width), width)

    return handler


def _distance(kind: str) -> Handler:
    """|a - b| + c"""

    def handler(lb: LaneBuilder, args: list[Lanes], width: int) -> Lanes:
        a, b, c = args
        larger, smaller = (lb.intrinsic(f"{kind}{name}", [a, b], a.elem, width) for name in ("max", "min"))
        return _op(lb, "add", _op(lb, "sub", larger, smaller, width), c, width)

    return handler


def _product_of_24_bits(shift: str) -> Handler:
    def handler(lb: LaneBuilder, args: list[Lanes], width: int) -> Lanes:
        a, b = (_op(lb, shift, _op(lb, "shl", x, 8, width), 8, width) for x in args)
        return _op(lb, "mul", a, b, width)

    return handler


def _signed_high_product(lb: LaneBuilder, args: list[Lanes], width: int) -> Lanes:
    """Of the unsigned one, less the other factor for each negative factor."""
    a, b = args
    result, sign = integers.high_product(lb, a, b, a.elem, width), INT_BITS[a.elem] - 1
    for x, other in ((a, b), (b, a)):
        result = _op(lb, "sub", result, _op(lb, "and", _op(lb, "ashr", x, sign, width), other, width), width)
    return result


def _permuted_bytes(lb: LaneBuilder, args: list[Lanes], width: int) -> Lanes:
    """Four of the eight bytes of b:a, chosen by the lowest three bits of each nibble of s."""
    both, s = _joined(lb, args[1], args[0], width), lb.cast("zext", args[2], "i64", width)
    result = uniform("i64", 0)
    for k in range(4):
        which = _op(lb, "and", _op(lb, "lshr", s, 4 * k, width), 7, width)
        byte = _op(lb, "and", _op(lb, "lshr", both, _op(lb, "shl", which, 3, width), width), 0xFF, width)
        result = _op(lb, "or", _op(lb, "shl", byte, 8 * k, width), result, width)
    return lb.cast("trunc", result, "i32", width)


def _joined(lb: LaneBuilder, high: Lanes, low: Lanes, width: int) -> Lanes:
    upper = _op(lb, "shl", lb.cast("zext", high, "i64", width), 32, width)
    return _op(lb, "or", upper, lb.cast("zext", low, "i64", width), width)


def _double_of_parts(lb: LaneBuilder, args: list[Lanes], width: int) -> Lanes:
    return lb.bitcast(_joined(lb, args[0], args[1], width), "f64", width)


def _unary(name: str) -> Handler:
    return lambda lb, args, width: lb.intrinsic(name, args, args[0].elem, width)


def _flagged(name: str) -> Handler:
    return lambda lb, args, width: flagged(lb, name, args[0], width)


def _high_product(lb: LaneBuilder, args: list[Lanes], width: int) -> Lanes:
    return integers.high_product(lb, args[0], args[1], args[0].elem, width)


_HANDLERS: dict[str, Handler] = {
    "abs": _flagged("abs"), "llabs": _flagged("abs"), "clz": _flagged("ctlz"), "clzll": _flagged("ctlz"),
    "popc": _unary("ctpop"), "popcll": _unary("ctpop"), "brev": _unary("bitreverse"), "brevll": _unary("bitreverse"),
    "ffs": _first_set, "ffsll": _first_set,
    "hadd": _average("ashr", False), "uhadd": _average("lshr", False),
    "rhadd": _average("ashr", True), "urhadd": _average("lshr", True),
    "sad": _distance("s"), "usad": _distance("u"),
    "mul24": _product_of_24_bits("ashr"), "umul24": _product_of_24_bits("lshr"),
    "mulhi": _signed_high_product, "mul64hi": _signed_high_product, "umulhi": _high_product, "umul64hi": _high_product,
    "byte_perm": _permuted_bytes, "hiloint2double": _double_of_parts,
}  # fmt: skip
