"""CUDA's libdevice functions (`tl.extra.libdevice`), which TTIR calls by symbol: `__nv_tanhf`."""

from __future__ import annotations

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.types import FLOAT_BITS, is_float

from . import libdevice_integers, libm
from .functions import power, table
from .functions.floats import floats
from .lanes import LaneBuilder, Lanes, uniform

_INTRINSICS = {
    "fabs": "fabs", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "rint", "nearbyint": "nearbyint",
    "round": "round", "sqrt": "sqrt", "sqrt_rn": "sqrt", "dsqrt_rn": "sqrt", "fsqrt_rn": "sqrt", "fma": "fma",
    "fmaf_rn": "fma", "fma_rn": "fma", "copysign": "copysign", "fmax": "maxnum", "fmin": "minnum",
}  # fmt: skip
_BINARY = {
    "fadd_rn": "fadd", "fmul_rn": "fmul", "fsub_rn": "fsub", "fdiv_rn": "fdiv", "dadd_rn": "fadd", "dmul_rn": "fmul",
    "dsub_rn": "fsub", "ddiv_rn": "fdiv", "fdividef": "fdiv", "fast_fdividef": "fdiv",
}  # fmt: skip
_SMALL_RESULT = {
    "isnan": "nan", "isnand": "nan", "isinf": "inf", "isinfd": "inf", "finite": "finite", "isfinited": "finite",
    "signbit": "sign", "signbitd": "sign",
}  # fmt: skip


def call(lb: LaneBuilder, symbol: str, args: list[Lanes], elem: str, width: int) -> Lanes:
    """`symbol` of float or integer lanes."""
    if not symbol.startswith("__nv_"):
        raise UnsupportedError(f"the external function {symbol}")
    name = symbol[len("__nv_") :]
    if all(a.uniform for a in args):
        width = 1
    result = libdevice_integers.call(lb, name, args, elem, width)
    if result is not None:
        return result
    if is_float(args[0].elem):
        return _real(lb, name, args, elem, width)
    raise UnsupportedError(f"the libdevice function {name} of {args[0].elem}")


def _plain_name(name: str, elem: str) -> str:
    name = name.removeprefix("fast_")
    known = libm.FUNCTIONS | set(table.FUNCTIONS) | set(_INTRINSICS) | set(_BINARY) | set(_SMALL_RESULT)
    if elem == "f32" and name.endswith("f") and (name[:-1] in known or name not in known):
        return name[:-1]
    return name


def _real(lb: LaneBuilder, name: str, args: list[Lanes], elem: str, width: int) -> Lanes:
    source = args[0].elem
    plain = _plain_name(name, source)
    if plain in _SMALL_RESULT:
        return _classify(lb, _SMALL_RESULT[plain], args[0], elem, width)
    if plain in _INTRINSICS:
        return lb.intrinsic(_INTRINSICS[plain], args, elem, width)
    if plain in _BINARY:
        return lb.op(_BINARY[plain], args, elem, width)
    if plain in ("powi", "ldexp", "scalbn"):
        return _with_exponent(lb, plain, args, elem, width)
    if all(a.elem == elem for a in args):
        if plain in table.FUNCTIONS or plain in libm.FUNCTIONS:
            return table.call(lb, plain, args, width)
        composed = _composed(lb, plain, args, elem, width)
        if composed is not None:
            return composed
    raise UnsupportedError(f"the libdevice function {name} of {source}")


def _composed(lb: LaneBuilder, name: str, args: list[Lanes], elem: str, width: int) -> Lanes | None:
    x = args[0]
    one, zero = (uniform(elem, v) for v in ("1.0", "0.0"))
    if name == "frsqrt_rn":
        return power.rsqrt_exactly(floats(lb, args, width), x)
    if name in ("frcp_rn", "drcp_rn"):
        return lb.op("fdiv", [one, x], elem, width)
    if name == "saturate":
        return lb.intrinsic("minnum", [lb.intrinsic("maxnum", [x, zero], elem, width), one], elem, width)
    return None


def _with_exponent(lb: LaneBuilder, name: str, args: list[Lanes], elem: str, width: int) -> Lanes:
    x, n = args
    p = floats(lb, args, width)
    if name != "powi":
        return power.ldexp(p, x, n)
    if elem == "f32":
        return power.powi(p, x, n)
    return libm.call(lb, "pow", [x, lb.cast("sitofp", n, elem, width)], elem, width)


def _classify(lb: LaneBuilder, kind: str, x: Lanes, elem: str, width: int) -> Lanes:
    """isnan and the like: their result is 0 or 1 as an integer (or i1)."""
    if kind == "nan":
        test = lb.op("fcmp uno", [x, x], "i1", width)
    elif kind == "sign":
        bits = f"i{FLOAT_BITS[x.elem]}"
        test = lb.op("icmp slt", [lb.bitcast(x, bits, width), uniform(bits, 0)], "i1", width)
    else:
        infinity = uniform(x.elem, "0x7FF0000000000000")
        size = lb.intrinsic("fabs", [x], x.elem, width)
        test = lb.op("fcmp oeq" if kind == "inf" else "fcmp one", [size, infinity], "i1", width)
    return test if elem == "i1" else lb.cast("zext", test, elem, width)


def absolute(lb: LaneBuilder, x: Lanes, width: int) -> Lanes:
    """The absolute value of integers; the smallest one stays as it is."""
    return libdevice_integers.flagged(lb, "abs", x, width)
