"""Operations that act on each element alone."""

from __future__ import annotations

from collections.abc import Callable

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Op
from tritonflow.triton_cpu.types import is_half

from . import convert, integers, libdevice, remainder
from .functions import table
from .lane_kinds import is_index
from .lanes import LaneBuilder, Lanes, uniform

Rule = Callable[[LaneBuilder, Op, list[Lanes], str, int], Lanes]
RULES: dict[str, Rule] = {}

_INTEGER = {
    "arith.andi": "and", "arith.ori": "or", "arith.xori": "xor", "arith.shli": "shl", "arith.shrsi": "ashr",
    "arith.shrui": "lshr",
}  # fmt: skip
_INTEGER_PAIRS = {"arith.maxsi": "smax", "arith.minsi": "smin", "arith.maxui": "umax", "arith.minui": "umin"}
_DIVISIONS = {"arith.divsi": "sdiv", "arith.divui": "udiv", "arith.remsi": "srem", "arith.remui": "urem"}
_FLOAT = {
    "arith.addf": "fadd", "arith.subf": "fsub", "arith.mulf": "fmul", "arith.divf": "fdiv", "tt.precise_divf": "fdiv",
}  # fmt: skip
_FLOAT_INTRINSICS = {
    "arith.maxnumf": "maxnum", "arith.minnumf": "minnum", "arith.maximumf": "maximum", "arith.minimumf": "minimum",
    "math.sqrt": "sqrt", "tt.precise_sqrt": "sqrt", "math.floor": "floor", "math.ceil": "ceil", "math.fma": "fma",
    "math.trunc": "trunc", "math.round": "round", "math.roundeven": "roundeven", "math.copysign": "copysign",
}  # fmt: skip
_FUNCTIONS = (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc "
    "cbrt powf rsqrt"
).split()
# Worth a buffer rather than a second evaluation.
EXPENSIVE = frozenset({f"math.{name}" for name in _FUNCTIONS if name != "rsqrt"} | {"tt.extern_elementwise"})


def evaluate(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    """The result of an operation on each element alone."""
    rule = RULES.get(op.name)
    try:
        if rule is None:
            raise UnsupportedError(op.name)
        return rule(lb, op, args, elem, width)
    except UnsupportedError as error:
        error.about(op.line, op.text)
        raise


def handles(*names: str) -> Callable[[Rule], Rule]:
    """Register the rule of an operation on each element alone."""

    def register(rule: Rule) -> Rule:
        for name in names:
            RULES[name] = rule
        return rule

    return register


# ---- integers and pointers


@handles("arith.addi")
def _add(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return lb.add(args[0], args[1], elem, width)


@handles("arith.subi")
def _sub(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return lb.add(args[0], args[1], elem, width, -1)


@handles("arith.muli")
def _mul(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return lb.mul(args[0], args[1], elem, width)


@handles(*_INTEGER)
def _integer(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return lb.op(_INTEGER[op.name], args, elem, width)


@handles(*_INTEGER_PAIRS)
def _integer_pair(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return lb.intrinsic(_INTEGER_PAIRS[op.name], args, elem, width)


@handles(*_DIVISIONS)
def _divide(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return integers.divide(lb, _DIVISIONS[op.name], args[0], args[1], elem, width)


@handles("tt.mulhiui")
def _high_product(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return integers.high_product(lb, args[0], args[1], elem, width)


@handles("math.absi")
def _abs_int(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return libdevice.absolute(lb, args[0], width)


@handles("tt.addptr")
def _addptr(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return lb.addptr(args[0], args[1], elem, width)


# ---- comparison and choice


@handles("arith.cmpi")
def _compare_int(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return lb.op(f"icmp {op.attrs['predicate']}", args, "i1", width)


@handles("arith.cmpf")
def _compare_float(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    wide = [convert.as_compute(lb, a, width) for a in args]
    return lb.op(f"fcmp {op.attrs['predicate']}", wide, "i1", width)


@handles("arith.select")
def _select(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return lb.select(args[0], args[1], args[2], elem, width)


@handles("tt.clampf")
def _clamp(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    x, low, high = (convert.as_compute(lb, a, width) for a in args)
    keep_nan = "all" in op.attrs.get("propagateNan", "none")
    largest, least = ("maximum", "minimum") if keep_nan else ("maxnum", "minnum")
    kind = convert.compute_type(elem)
    result = lb.intrinsic(least, [lb.intrinsic(largest, [x, low], kind, width), high], kind, width)
    return convert.from_compute(lb, result, elem, width)


# ---- floats: halves are computed in f32


@handles(*_FLOAT)
def _float(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    wide = [convert.as_compute(lb, a, width) for a in args]
    return convert.from_compute(lb, lb.op(_FLOAT[op.name], wide, convert.compute_type(elem), width), elem, width)


@handles(*_FLOAT_INTRINSICS)
def _float_intrinsic(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    wide = [convert.as_compute(lb, a, width) for a in args]
    result = lb.intrinsic(_FLOAT_INTRINSICS[op.name], wide, convert.compute_type(elem), width)
    return convert.from_compute(lb, result, elem, width)


@handles("arith.negf", "math.absf")
def _sign(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    negate, kind = op.name == "arith.negf", convert.compute_type(elem)
    if is_half(elem):
        bits = lb.op("xor" if negate else "and", [args[0], uniform(elem, 0x8000 if negate else 0x7FFF)], elem, width)
        return Lanes(elem, bits.value, None, bits.vector)
    wide = [convert.as_compute(lb, a, width) for a in args]  # fp8: 0x80 need not be a zero
    result = lb.op("fneg", wide, kind, width) if negate else lb.intrinsic("fabs", wide, kind, width)
    return convert.from_compute(lb, result, elem, width)


@handles("arith.remf")
def _remainder(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    wide = [convert.as_compute(lb, a, width) for a in args]
    return convert.from_compute(lb, remainder.fmod(lb, wide[0], wide[1], convert.compute_type(elem), width), elem, width)


@handles(*(f"math.{name}" for name in _FUNCTIONS))
def _function(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    name = op.name.removeprefix("math.").replace("powf", "pow")
    wide = [convert.as_compute(lb, a, width) for a in args]
    return convert.from_compute(lb, table.call(lb, name, wide, width), elem, width)


@handles("tt.extern_elementwise")
def _extern(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    symbol = op.attrs.get("symbol", "").strip('"')
    wide = [convert.as_compute(lb, a, width) for a in args]
    result = libdevice.call(lb, symbol, wide, convert.compute_type(elem), width)
    return convert.from_compute(lb, result, elem, width)


# ---- casts


@handles("arith.extf", "arith.truncf", "tt.fp_to_fp")
def _float_cast(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    rounding = op.attrs.get("rounding", "rtne")
    if "rtz" in rounding:
        return convert.truncate(lb, args[0], elem, width)
    if "rtne" not in rounding:
        raise UnsupportedError(f"rounding mode {rounding}")
    return convert.float_to_float(lb, args[0], elem, width)


@handles("arith.sitofp", "arith.uitofp")
def _int_to_float(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return convert.int_to_float(lb, args[0], elem, width, op.name == "arith.sitofp")


@handles("arith.fptosi", "arith.fptoui")
def _float_to_int(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return convert.float_to_int(lb, args[0], elem, width, op.name == "arith.fptosi")


# Lanes of i32 further apart than this are taken for a product, which may wrap around.
_INDEX_DISTANCE = 1 << 16


@handles("arith.extsi")
def _sign_extend(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    """Lanes of an index stay affine: an index that wraps around is outside of all memory anyway."""
    offsets = args[0].offsets
    if offsets is None or lb.keeps_order(args[0]):
        return lb.sext(args[0], elem, width)
    if max(offsets) - min(offsets) <= _INDEX_DISTANCE and (lb.in_order or is_index(op.result)):
        return lb.sext(args[0], elem, width)
    return lb.cast("sext", args[0], elem, width)


_CASTS = {"arith.extui": "zext", "arith.trunci": "trunc", "tt.ptr_to_int": "ptrtoint", "tt.int_to_ptr": "inttoptr"}


@handles(*_CASTS)
def _cast(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return lb.cast(_CASTS[op.name], args[0], elem, width)


@handles("arith.bitcast", "tt.bitcast")
def _bitcast(lb: LaneBuilder, op: Op, args: list[Lanes], elem: str, width: int) -> Lanes:
    return lb.bitcast(args[0], elem, width)
