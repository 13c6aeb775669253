"""Pointwise ops."""

from __future__ import annotations

import math
from collections.abc import Callable

from tritonflow.dtypes import DType, bool_, float32, int64
from tritonflow.onnx.writing.table import TABLE, OpCall, writes

_SAME = {
    "add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "pow": "Pow", "maximum": "Max", "minimum": "Min", "exp": "Exp",
    "log": "Log", "sin": "Sin", "cos": "Cos", "tan": "Tan", "sinh": "Sinh", "cosh": "Cosh", "sqrt": "Sqrt",
    "reciprocal": "Reciprocal", "erf": "Erf", "negative": "Neg", "abs": "Abs", "sign": "Sign", "floor": "Floor", "ceil": "Ceil",
    "round": "Round", "acos": "Acos", "asin": "Asin", "atan": "Atan", "acosh": "Acosh", "asinh": "Asinh", "atanh": "Atanh",
    "tanh": "Tanh", "sigmoid": "Sigmoid", "logistic": "Sigmoid", "relu": "Relu", "softsign": "Softsign", "mish": "Mish",
    "hardswish": "HardSwish", "gelu_exact": "Gelu", "selu": "Selu",
}  # fmt: skip
_COMPARED = {"eq": "Equal", "lt": "Less", "le": "LessOrEqual", "gt": "Greater", "ge": "GreaterOrEqual"}
_LOGICAL = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor"}
_BITWISE = {"bitwise_and": ("And", "BitwiseAnd"), "bitwise_or": ("Or", "BitwiseOr"), "bitwise_xor": ("Xor", "BitwiseXor")}
_ACTIVATIONS = {"leaky_relu": "LeakyRelu", "elu": "Elu", "celu": "Celu"}


@writes(*_SAME)
def same(call: OpCall) -> str:
    """An op of ONNX of all inputs in the result's dtype."""
    if call.node.op.name in ("floor", "ceil", "round") and not call.result.dtype.is_floating_point:
        return call.w.op("Identity", call[0])
    return call.w.op(_SAME[call.node.op.name], *call.in_result_dtype())


@writes(*[f"scalar_{name}" for name in ("add", "sub", "mul", "div")])
def with_number(call: OpCall) -> str:
    return call.w.op(_SAME[call.node.op.name[7:]], call.cast(0, call.result.dtype), call.number("other"))


@writes("scalar_pow")
def power(call: OpCall) -> str:
    return call.w.op("Pow", call.cast(0, call.result.dtype), call.number("exponent"))


@writes("scalar_pow_reversed", "scalar_div_reversed")
def of_number(call: OpCall) -> str:
    kind = "Pow" if "pow" in call.node.op.name else "Div"
    return call.w.op(kind, call.number("input"), call.cast(0, call.result.dtype))


@writes("add_scaled", "sub_scaled", "scalar_add_reversed", "scalar_sub_reversed")
def scaled(call: OpCall) -> str:
    """The first one plus or minus alpha times the other, or a number so with the tensor."""
    w, is_sum = call.w, "add" in call.node.op.name
    terms = call.in_result_dtype()
    first, last = (call.number("other"), terms[0]) if len(terms) == 1 else terms
    if call.attrs["alpha"] != 1:
        last = w.op("Mul", last, call.number("alpha"))
    return w.op("Add" if is_sum else "Sub", first, last)


# ---- comparisons and logic


def _sides(call: OpCall) -> list[str]:
    """Both sides of a comparison in one dtype."""
    if len(call.names) == 2:
        return [call.cast(k, call.common()) for k in (0, 1)]
    dtype, number = call.meta(0).dtype, call.attrs["other"]
    if isinstance(number, float) and not dtype.is_floating_point:
        dtype = float32
    elif dtype is bool_ and not isinstance(number, bool):
        dtype = int64
    return [call.cast(0, dtype), call.number("other", dtype)]


@writes(*_COMPARED, *[f"scalar_{name}" for name in _COMPARED])
def compared(call: OpCall) -> str:
    return call.w.op(_COMPARED[call.node.op.name.removeprefix("scalar_")], *_sides(call))


@writes("ne", "scalar_ne")
def unequal(call: OpCall) -> str:
    return call.w.op("Not", call.w.op("Equal", *_sides(call)))


@writes(*_LOGICAL)
def logical(call: OpCall) -> str:
    return call.w.op(_LOGICAL[call.node.op.name], call.cast(0, bool_), call.cast(1, bool_))


@writes("logical_not")
def logical_not(call: OpCall) -> str:
    return call.w.op("Not", call.cast(0, bool_))


@writes(*_BITWISE, *[f"scalar_{name}" for name in _BITWISE])
def bitwise(call: OpCall) -> str:
    kinds = _BITWISE[call.node.op.name.removeprefix("scalar_")]
    sides = call.in_result_dtype()
    last = sides[1] if len(sides) == 2 else call.number("other")
    return call.w.op(kinds[call.result.dtype is not bool_], sides[0], last)


@writes("bitwise_not")
def bitwise_not(call: OpCall) -> str:
    return call.w.op("Not" if call.result.dtype is bool_ else "BitwiseNot", call[0])


@writes("isnan")
def isnan(call: OpCall) -> str:
    return call.w.op("IsNaN", call[0])


@writes("isinf")
def isinf(call: OpCall) -> str:
    return call.w.op("IsInf", call[0])


@writes("isposinf", "isneginf")
def one_infinity(call: OpCall) -> str:
    positive = call.node.op.name == "isposinf"
    return call.w.op("IsInf", call[0], detect_positive=int(positive), detect_negative=int(not positive))


@writes("nan_to_num")
def nan_to_num(call: OpCall) -> str:
    w, x = call.w, call[0]
    named = w.op("Where", w.op("IsNaN", x), call.number("nan"), x)
    named = w.op("Where", w.op("IsInf", x, detect_negative=0), call.number("posinf"), named)
    return w.op("Where", w.op("IsInf", x, detect_positive=0), call.number("neginf"), named)


@writes("isfinite")
def isfinite(call: OpCall) -> str:
    w = call.w
    return w.op("Not", w.op("Or", w.op("IsNaN", call[0]), w.op("IsInf", call[0])))


@writes("where", "where_scalar_x", "where_scalar_y")
def where(call: OpCall) -> str:
    dtype = call.result.dtype
    x, y = (call.number(n) if n in call.attrs else call.cast(call.node.op.definition.inputs.index(n), dtype) for n in "xy")
    return call.w.op("Where", call.cast(0, bool_), x, y)


@writes("masked_fill")
def masked_fill(call: OpCall) -> str:
    return call.w.op("Where", call[1], call.number("value"), call.cast(0, call.result.dtype))


# ---- divisions that round


@writes("floor_divide", "scalar_floor_divide", "trunc_divide", "scalar_trunc_divide")
def divided(call: OpCall) -> str:
    w, floors = call.w, "floor" in call.node.op.name
    sides = call.in_result_dtype()
    a, b = sides if len(sides) == 2 else (sides[0], call.number("other"))
    if call.result.dtype.is_floating_point:
        return w.op("Floor", w.op("Div", a, b)) if floors else _truncated(call, w.op("Div", a, b))
    return w.op("Div", w.op("Sub", a, w.op("Mod", a, b)) if floors else a, b)


@writes("remainder", "scalar_remainder", "fmod", "scalar_fmod")
def remainder(call: OpCall) -> str:
    w = call.w
    sides = call.in_result_dtype()
    a, b = sides if len(sides) == 2 else (sides[0], call.number("other"))
    if "fmod" in call.node.op.name:
        return w.op("Mod", a, b, fmod=1)
    if not call.result.dtype.is_floating_point:
        return w.op("Mod", a, b)
    return w.op("Sub", a, w.op("Mul", w.op("Floor", w.op("Div", a, b)), b))


def _truncated(call: OpCall, x: str) -> str:
    zero = call.w.number(0, call.result.dtype)
    return call.w.op("Where", call.w.op("Less", x, zero), call.w.op("Ceil", x), call.w.op("Floor", x))


@writes("trunc", "frac")
def trunc(call: OpCall) -> str:
    whole = _truncated(call, call[0])
    return whole if call.node.op.name == "trunc" else call.w.op("Sub", call[0], whole)


# ---- formulas of one tensor


def _formula(name: str, function: Callable[[OpCall, str, DType], str]) -> None:
    TABLE[name] = lambda call: function(call, call.cast(0, call.result.dtype), call.result.dtype)


def _silu(call: OpCall, x: str, dtype: DType) -> str:
    return call.w.op("Mul", x, call.w.op("Sigmoid", x))


def _plus(call: OpCall, x: str, number: float, dtype: DType) -> str:
    return call.w.op("Add", x, call.w.number(number, dtype))


def _times(call: OpCall, x: str, number: float, dtype: DType) -> str:
    return call.w.op("Mul", x, call.w.number(number, dtype))


_formula("square", lambda c, x, t: c.w.op("Mul", x, x))
_formula("rsqrt", lambda c, x, t: c.w.op("Reciprocal", c.w.op("Sqrt", x)))
_formula("exp2", lambda c, x, t: c.w.op("Pow", c.w.number(2, t), x))
_formula("expm1", lambda c, x, t: _plus(c, c.w.op("Exp", x), -1, t))
_formula("log1p", lambda c, x, t: c.w.op("Log", _plus(c, x, 1, t)))
_formula("log2", lambda c, x, t: _times(c, c.w.op("Log", x), 1 / math.log(2), t))
_formula("log10", lambda c, x, t: _times(c, c.w.op("Log", x), 1 / math.log(10), t))
_formula("erfc", lambda c, x, t: c.w.op("Sub", c.w.number(1, t), c.w.op("Erf", x)))
_formula("deg2rad", lambda c, x, t: _times(c, x, math.pi / 180, t))
_formula("rad2deg", lambda c, x, t: _times(c, x, 180 / math.pi, t))
_formula("silu", _silu)
_formula("logsigmoid", lambda c, x, t: c.w.op("Neg", c.w.op("Softplus", c.w.op("Neg", x))))
_formula("quick_gelu", lambda c, x, t: c.w.op("Mul", x, c.w.op("Sigmoid", _times(c, x, 1.702, t))))
_formula("gelu_by_tanh", lambda c, x, t: c.w.op("Gelu", x, approximate="tanh"))
_formula("hardsigmoid", lambda c, x, t: c.w.op("HardSigmoid", x, alpha=1 / 6, beta=0.5))


@writes(*_ACTIVATIONS)
def activation(call: OpCall) -> str:
    return call.w.op(_ACTIVATIONS[call.node.op.name], call[0], alpha=float(call.attrs["alpha"]))


@writes("softplus")
def softplus(call: OpCall) -> str:
    w, x = call.w, call[0]
    beta = call.number("beta")
    steep = w.op("Mul", x, beta)
    return w.op("Where", w.op("Greater", steep, call.number("threshold")), x, w.op("Div", w.op("Softplus", steep), beta))


@writes("hardtanh", "clamp_both", "clamp_low", "clamp_high")
def clamped(call: OpCall) -> str:
    x = call.cast(0, call.result.dtype)
    bounds = (("min_val", "low"), ("max_val", "high"))
    low, high = (next((call.number(name) for name in names if name in call.attrs), "") for names in bounds)
    return call.w.op("Clip", x, *[low, high][: 2 if high else 1])


@writes("threshold")
def threshold(call: OpCall) -> str:
    return call.w.op("Where", call.w.op("Greater", call[0], call.number("threshold")), call[0], call.number("value"))


@writes("hardshrink", "softshrink")
def shrink(call: OpCall) -> str:
    bound = float(call.attrs["lambd"])
    return call.w.op("Shrink", call[0], lambd=bound, bias=bound if call.node.op.name == "softshrink" else 0.0)


# ---- of several


@writes("sigmoid_gate")
def sigmoid_gate(call: OpCall) -> str:
    return call.w.op("Mul", call[0], call.w.op("Sigmoid", call[1]))


@writes("gated_by_silu", "gated_by_gelu", "gated_by_gelu_tanh")
def gated(call: OpCall) -> str:
    x, y = call.in_result_dtype()
    if call.node.op.name == "gated_by_silu":
        return call.w.op("Mul", _silu(call, x, call.result.dtype), y)
    kind = "tanh" if call.node.op.name.endswith("tanh") else "none"
    return call.w.op("Mul", call.w.op("Gelu", x, approximate=kind), y)


@writes("lerp", "scalar_lerp")
def lerp(call: OpCall) -> str:
    w, sides = call.w, call.in_result_dtype()
    weight = sides[2] if len(sides) == 3 else call.number("weight")
    return w.op("Add", sides[0], w.op("Mul", weight, w.op("Sub", sides[1], sides[0])))


@writes("addcmul", "addcdiv")
def added(call: OpCall) -> str:
    w, (x, a, b) = call.w, call.in_result_dtype()
    term = w.op("Mul" if call.node.op.name == "addcmul" else "Div", a, b)
    return w.op("Add", x, term if call.attrs["value"] == 1 else w.op("Mul", term, call.number("value")))


@writes("cast")
def cast(call: OpCall) -> str:
    return call.w.cast(call[0], call.result.dtype)
