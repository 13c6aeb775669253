"""Ops on each element: arithmetic, comparisons, activations and casts."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import tritonflow as flow
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.onnx.reading.dtypes import NARROW, name_of
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.values import Known, as_number

_UNARY: dict[str, Callable[[Any], Any]] = {
    "Abs": flow.abs, "Acos": flow.acos, "Acosh": flow.acosh, "Asin": flow.asin, "Asinh": flow.asinh, "Atan": flow.atan,
    "Atanh": flow.atanh, "Ceil": flow.ceil, "Cos": flow.cos, "Cosh": flow.cosh, "Erf": flow.erf, "Exp": flow.exp,
    "Floor": flow.floor, "Log": flow.log, "Neg": flow.neg, "Reciprocal": flow.reciprocal, "Round": flow.round,
    "Sigmoid": flow.sigmoid, "Sign": flow.sign, "Sin": flow.sin, "Sinh": flow.sinh, "Sqrt": flow.sqrt, "Tan": flow.tan,
    "Tanh": flow.tanh, "IsNaN": flow.isnan, "Not": flow.logical_not, "BitwiseNot": flow.bitwise_not, "Identity": lambda x: x,
    "Relu": flow.relu, "Softplus": F.softplus, "Softsign": F.softsign, "Mish": F.mish, "HardSwish": F.hardswish,
}  # fmt: skip


def _unary(function: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda node, x: function(x)


for _name, _function in _UNARY.items():
    op(_name)(_unary(_function))


def operands(a: Any, b: Any) -> tuple[Any, Any]:
    """Two operands: known numbers that fit the other one's shape stay numbers, which need no kernel."""
    if isinstance(a, Known) and not isinstance(b, Known):
        return _operand(a, b), b
    if isinstance(b, Known) and not isinstance(a, Known):
        return a, _operand(b, a)
    return _tensor(a), _tensor(b)


def _tensor(x: Any) -> Any:
    return x.tensor(None) if isinstance(x, Known) else x


def _operand(x: Known, other: Any) -> Any:
    if len(x.numbers) == 1 and x.rank <= other.ndim and x.dtype is other.dtype:
        return x.numbers[0]
    return x.tensor(other.device)


def _binary(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda node, a, b: function(*operands(a, b))


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add, "Sub": operator.sub, "Mul": operator.mul, "Equal": operator.eq, "Greater": operator.gt,
    "Less": operator.lt, "GreaterOrEqual": operator.ge, "LessOrEqual": operator.le,
}  # fmt: skip
for _name, _function2 in _BINARY.items():
    op(_name, numbers=True)(_binary(_function2))

_OF_TENSORS: dict[str, Callable[[Any, Any], Any]] = {
    "And": flow.logical_and, "Or": flow.logical_or, "Xor": flow.logical_xor, "BitwiseAnd": flow.bitwise_and,
    "BitwiseOr": flow.bitwise_or, "BitwiseXor": flow.bitwise_xor,
}  # fmt: skip
for _name, _function3 in _OF_TENSORS.items():
    op(_name)(_binary(_function3))


@op("Div", numbers=True)
def _div(node: Any, a: Any, b: Any) -> Any:
    floating = (b if isinstance(a, Known) else a).dtype.is_floating_point
    a, b = operands(a, b)
    if floating:
        return flow.div(a, b)
    dtype = (a if isinstance(a, Tensor) else b).dtype
    if dtype in (flow.uint16, flow.uint32):
        a, b = (each.to(flow.int64) if isinstance(each, Tensor) else each for each in (a, b))
    return flow.div(a, b, rounding_mode="trunc").to(dtype)


@op("Mod")
def _mod(node: Any, a: Any, b: Any) -> Any:
    return flow.fmod(a, b) if node.get("fmod", 0) else flow.remainder(a, b)


@op("Pow", numbers=(1,))
def _pow(node: Any, x: Any, exponent: Any) -> Any:
    if isinstance(exponent, Known):
        whole = x.dtype.is_floating_point or not exponent.dtype.is_floating_point
        if len(exponent.numbers) == 1 and exponent.rank <= x.ndim and whole:
            return flow.pow(x, exponent.numbers[0])
        exponent = exponent.tensor(x.device)
    if x.dtype.is_floating_point:
        return flow.pow(x, exponent.to(x.dtype))
    if exponent.dtype.is_floating_point:
        return flow.pow(x.to(flow.float64), exponent.to(flow.float64)).to(x.dtype)
    return flow.pow(x, exponent).to(x.dtype)


@op("BitShift")
def _bit_shift(node: Any, x: Any, by: Any) -> Any:
    return flow.bitwise_left_shift(x, by) if node.get("direction") == "LEFT" else flow.bitwise_right_shift(x, by)


_UNSIGNED = (flow.uint16, flow.uint32, flow.uint64)


def _larger(a: Any, b: Any) -> Any:
    return flow.where(a > b, a, b) if a.dtype in _UNSIGNED else flow.maximum(a, b)


def _smaller(a: Any, b: Any) -> Any:
    return flow.where(a < b, a, b) if a.dtype in _UNSIGNED else flow.minimum(a, b)


@op("Max")
def _max(node: Any, *values: Any) -> Any:
    return reduce(_larger, values)


@op("Min")
def _min(node: Any, *values: Any) -> Any:
    return reduce(_smaller, values)


@op("Sum")
def _sum(node: Any, *values: Any) -> Any:
    return reduce(operator.add, values)


@op("Mean")
def _mean(node: Any, *values: Any) -> Any:
    return reduce(operator.add, values) / len(values)


@op("Where")
def _where(node: Any, condition: Any, a: Any, b: Any) -> Any:
    return flow.where(condition, a, b)


# ------------------------------------------------------------------------------------------------------- activations


@op("Clip", numbers=(1, 2))
def _clip(node: Any, x: Any, low: Any = None, high: Any = None) -> Any:
    low, high = as_number(low, node.get("min")), as_number(high, node.get("max"))
    if low is None and high is None:
        return x
    if low is not None and high is not None and low > high:
        return flow.full_like(x, high)
    return flow.clamp(x, low, high)


@op("LeakyRelu")
def _leaky_relu(node: Any, x: Any) -> Any:
    return F.leaky_relu(x, node.get("alpha", 0.01))


@op("PRelu")
def _prelu(node: Any, x: Any, slope: Any) -> Any:
    return flow.where(x < 0, x * slope, x)


@op("Elu")
def _elu(node: Any, x: Any) -> Any:
    return F.elu(x, node.get("alpha", 1.0))


@op("Celu")
def _celu(node: Any, x: Any) -> Any:
    return F.celu(x, node.get("alpha", 1.0))


@op("Selu")
def _selu(node: Any, x: Any) -> Any:
    alpha, gamma = node.get("alpha", 1.67326319217681884765625), node.get("gamma", 1.05070102214813232421875)
    return gamma * flow.where(x > 0, x, alpha * flow.expm1(flow.clamp(x, max=0)))


@op("Gelu")
def _gelu(node: Any, x: Any) -> Any:
    return F.gelu(x, approximate=node.get("approximate", "none"))


@op("Swish")
def _swish(node: Any, x: Any) -> Any:
    alpha = node.get("alpha", 1.0)
    return F.silu(x) if alpha == 1 else x * flow.sigmoid(alpha * x)


@op("HardSigmoid")
def _hard_sigmoid(node: Any, x: Any) -> Any:
    return flow.clamp(x * node.get("alpha", 0.2) + node.get("beta", 0.5), 0, 1)


@op("ThresholdedRelu")
def _thresholded_relu(node: Any, x: Any) -> Any:
    return flow.where(x > node.get("alpha", 1.0), x, 0)


@op("Shrink")
def _shrink(node: Any, x: Any) -> Any:
    bias, limit = node.get("bias", 0.0), node.get("lambd", 0.5)
    return flow.where(x < -limit, x + bias, flow.where(x > limit, x - bias, 0)).to(x.dtype)


@op("Dropout", numbers=(1, 2))
def _dropout(node: Any, x: Any, ratio: Any = None, training: Any = None) -> Any:
    """As in evaluation, unless the model itself says that it trains."""
    share = as_number(ratio, node.get("ratio", 0.5))
    if not as_number(training, False) or share == 0:
        return x, flow.ones_like(x, dtype=flow.bool)
    mask = flow.rand(x.shape, device=x.device) >= share
    return x * mask.to(x.dtype) / (1 - share), mask


@op("IsInf")
def _is_inf(node: Any, x: Any) -> Any:
    found = flow.isinf(x)
    if not node.get("detect_negative", 1):
        found = found & (x > 0)
    if not node.get("detect_positive", 1):
        found = found & (x < 0)
    return found


# ------------------------------------------------------------------------------------------------------------- casts


@op("Cast")
def _cast(node: Any, x: Any) -> Any:
    if name_of(node.get("to")) in NARROW:
        raise NotImplementedError("a Cast to integers of 4 bits is not supported; QuantizeLinear is")
    return cast(x, node.dtype("to"), bool(node.get("saturate", 1)))


@op("CastLike")
def _cast_like(node: Any, x: Any, like: Any) -> Any:
    return cast(x, like.dtype, bool(node.get("saturate", 1)))


def cast(x: Any, dtype: Any, saturate: bool) -> Any:
    """A tensor of another dtype. What is too large for 8 bits becomes their largest number, if it is to saturate."""
    if saturate and dtype in (flow.float8_e4m3fn, flow.float8_e5m2) and x.dtype is not dtype:
        most = flow.finfo(dtype).max
        x = flow.clamp(x.to(flow.float32), -most, most)
    elif dtype is flow.float8_e4m3fn and x.dtype is not dtype:
        x = x.to(flow.float32)
        x = flow.where(flow.abs(x) > 464, float("nan"), x)  # half a step above 448, the largest; it has no infinity
    return x.to(dtype)
