"""Functors of pointwise ops that choose among several ops: clamp, gelu, isclose, bitwise ops, equal, divisions."""

from __future__ import annotations

from math import isfinite, trunc
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import FLOATING, INTEGER, bool_, finfo, result_type, torch_name, uint8
from tritonflow.errors import (
    ArgumentValueError,
    DTypeError,
    IntegerDivisionByZeroError,
    InvalidArgumentError,
)
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.creation import full
from tritonflow.functions.generated import div, floor_divide, scalar_div, trunc_divide
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.ops.cast import check_scalars, scalar_of
from tritonflow.ops.dtype_rules import require

Number = int | float | bool

_clamp_both = op_expr("clamp_both")
_clamp_low = op_expr("clamp_low")
_clamp_high = op_expr("clamp_high")
_clamp_tensors = op_expr("clamp_tensors")
_maximum = op_expr("maximum")
_minimum = op_expr("minimum")
_clamp_low_tensor = op_expr("clamp_low_tensor")
_clamp_high_tensor = op_expr("clamp_high_tensor")
_gelu_exact = op_expr("gelu_exact")
_gelu_by_tanh = op_expr("gelu_by_tanh")
_is_close = op_expr("is_close")
_is_close_or_nan = op_expr("is_close_or_nan")
_round_to_parts = op_expr("round_to_parts")
_round_to_multiples = op_expr("round_to_multiples")
_logical_not = op_expr("logical_not")
_bitwise_not = op_expr("bitwise_not")
_negative = op_expr("negative")
_addcmul = op_expr("addcmul")
_hardtanh = op_expr("hardtanh")
_celu = op_expr("celu")
_softshrink = op_expr("softshrink")
_square = op_expr("square")
_threshold = op_expr("threshold")
_POWERS = {0.5: op_expr("sqrt"), -0.5: op_expr("rsqrt"), -1: op_expr("reciprocal")}
_scalar_pow = op_expr("scalar_pow")


@functor("Clamp")
def clamp(input: Tensor, min: Number | None = None, max: Number | None = None, inplace: bool = False) -> Any:
    out = input if inplace else None
    if min is None and max is None:
        raise InvalidArgumentError("torch.clamp: At least one of 'min' or 'max' must not be None")
    check_scalars(input.meta.dtype, min, max)
    if max is None:
        return dispatch(_clamp_low, (input,), (), (min,), out=out)
    if min is None:
        return dispatch(_clamp_high, (input,), (), (max,), out=out)
    return dispatch(_clamp_both, (input,), (), (min, max), out=out)


@functor("ClampTensor")
def clamp_tensor(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, inplace: bool = False) -> Any:
    out = input if inplace else None
    if min is None and max is None:
        raise InvalidArgumentError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if max is None and min is not None:
        op = _maximum if input.meta.dtype is min.meta.dtype is bool_ else _clamp_low_tensor
        return dispatch(op, (input, min), out=out)
    if min is None and max is not None:
        op = _minimum if input.meta.dtype is max.meta.dtype is bool_ else _clamp_high_tensor
        return dispatch(op, (input, max), out=out)
    return dispatch(_clamp_tensors, (input, min, max), out=out)


@functor("ClampMin")
def clamp_min(input: Tensor, min: Number, inplace: bool = False) -> Any:
    return clamp(input, min, None, inplace)


@functor("ClampMax")
def clamp_max(input: Tensor, max: Number, inplace: bool = False) -> Any:
    return clamp(input, None, max, inplace)


@functor("ClampMinTensor")
def clamp_min_tensor(input: Tensor, min: Tensor, inplace: bool = False) -> Any:
    return clamp_tensor(input, min, None, inplace)


@functor("ClampMaxTensor")
def clamp_max_tensor(input: Tensor, max: Tensor, inplace: bool = False) -> Any:
    return clamp_tensor(input, None, max, inplace)


@functor("RoundDecimals")
def round_decimals(x: Tensor, decimals: int, inplace: bool = False) -> Any:
    """To multiples of 10 ** -decimals."""
    op = _round_to_parts if decimals >= 0 else _round_to_multiples
    power = 10.0 ** min(abs(decimals), _MOST_DECIMALS)
    return dispatch(op, (x,), (), (power,), out=x if inplace else None)


_MOST_DECIMALS = 308  # 10 ** 309 is no float


@functor("Gelu")
def gelu(x: Tensor, approximate: str = "none") -> Any:
    if approximate == "none":
        return dispatch1(_gelu_exact, x)
    if approximate == "tanh":
        return dispatch1(_gelu_by_tanh, x)
    raise InvalidArgumentError("approximate argument must be either none or tanh.")


@functor("BitwiseNot")
def bitwise_not(x: Tensor) -> Any:
    """~x; of truth values the negation."""
    return dispatch1(_logical_not if x.meta.dtype.category == 0 else _bitwise_not, x)


@functor("AddCMul")
def addcmul(
    input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Number = 1, inplace: bool = False
) -> Any:
    """Of integers by whole numbers only: torch cuts the fraction off without a word."""
    if input.meta.dtype.category != FLOATING:
        operand = result_type([(t.meta.dtype, t.meta.ndim) for t in (input, tensor1, tensor2)])
        if not operand.is_complex:
            require("addcmul", "numeric", operand, "input", "tensor1", "tensor2")
        if isinstance(value, float) and operand.category < FLOATING:
            raise DTypeError("For integral input tensors, argument value must not be a floating point number.")
        check_scalars(operand, value)
    return dispatch(_addcmul, (input, tensor1, tensor2), (), (value,), out=input if inplace else None)


@functor("Hardtanh")
def hardtanh(x: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    if min_val > max_val:
        raise ArgumentValueError("min_val cannot be greater than max_val")
    if x.meta.dtype is uint8 and (min_val <= -1 or max_val <= -1):
        raise DTypeError("cannot do hardtanh on an unsigned type with negative limits")
    limits: tuple[float, ...] = (min_val, max_val)
    if x.meta.dtype.category == INTEGER:
        limits = _elements_of(x, *[trunc(v) if isfinite(v) else v for v in limits])
    return dispatch(_hardtanh, (x,), (), limits, out=x if inplace else None)


@functor("Threshold")
def threshold(x: Tensor, threshold: Number, value: Number, inplace: bool = False) -> Any:
    return dispatch(_threshold, (x,), (), _elements_of(x, threshold, value), out=x if inplace else None)


def _elements_of(x: Tensor, *values: float) -> tuple[float, ...]:
    """Numbers as elements of x's dtype: of integers without a fraction, so that they are not computed as floats."""
    dtype = x.meta.dtype
    return tuple([scalar_of(value, dtype) for value in values]) if dtype.category == INTEGER else values


@functor("Celu")
def celu(x: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    if alpha == 0:
        raise InvalidArgumentError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return dispatch(_celu, (x,), (), (alpha,), out=x if inplace else None)


@functor("Softshrink")
def softshrink(x: Tensor, lambd: float = 0.5) -> Any:
    dtype = x.meta.dtype
    if dtype.is_floating_point and not 0 <= lambd <= finfo(dtype).max:
        raise InvalidArgumentError(
            f"lambda must be in range [0, {finfo(dtype).max:g}] for input dtype {torch_name(dtype)}, but found {lambd:g}"
        )
    return dispatch(_softshrink, (x,), (), (lambd,))


@functor("ScalarPow")
def scalar_pow(input: Tensor, exponent: Number) -> Any:
    """input ** exponent: squares, roots and reciprocals by their own kernels, as torch's, whose zeros and infinities they have."""
    dtype = input.meta.dtype
    if dtype.is_complex or exponent.__class__ is complex:
        return dispatch(_scalar_pow, (input,), (), (exponent,))
    if dtype.category == FLOATING:
        if exponent == 2:
            return dispatch1(_square, input)
        special = _POWERS.get(exponent)
        if special is not None:
            return dispatch1(special, input)
    elif not isinstance(exponent, float):
        if exponent < 0:
            raise DTypeError("Integers to negative integer powers are not allowed.")
        check_scalars(dtype, exponent)
    return dispatch(_scalar_pow, (input,), (), (exponent,))


@functor("Square")
def square(x: Tensor, inplace: bool = False) -> Any:
    if x.meta.dtype is bool_:  # a power, whose whole exponent makes it int64
        return dispatch(_scalar_pow, (x,), (), (2,), out=x if inplace else None)
    return dispatch(_square, (x,), out=x) if inplace else dispatch1(_square, x)


@functor("Negative")
def negative(x: Tensor, inplace: bool = False) -> Any:
    if x.meta.dtype is bool_:
        raise DTypeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or"
            " `logical_not()` operator instead."
        )
    return dispatch(_negative, (x,), out=x) if inplace else dispatch1(_negative, x)


def _division(name: str) -> Any:
    op = op_expr(f"scalar_{name}")

    def divide(input: Tensor, other: Number, inplace: bool = False) -> Any:
        """By a number: of integers not by zero."""
        whole = not isinstance(other, float) and input.meta.dtype.category != FLOATING
        if other == 0 and whole and input.meta.numel and not (input.meta.dtype is bool_ and other is False):
            raise IntegerDivisionByZeroError(f"ZeroDivisionError: {name}(): argument 'other' is 0, and the input has integers")
        return dispatch(op, (input,), (), (other,), out=input if inplace else None)

    return divide


_floor_divide = _division("floor_divide")
_remainder = _division("remainder")
_fmod = _division("fmod")
_trunc_divide = _division("trunc_divide")


@functor("ScalarFloorDivide")
def scalar_floor_divide(input: Tensor, other: Number, inplace: bool = False) -> Any:
    return _floor_divide(input, other, inplace)


@functor("ScalarTruncDivide")
def scalar_trunc_divide(input: Tensor, other: Number) -> Any:
    return _trunc_divide(input, other)


@functor("ScalarRemainder")
def scalar_remainder(input: Tensor, other: Number, inplace: bool = False) -> Any:
    return _remainder(input, other, inplace)


@functor("ScalarFmod")
def scalar_fmod(input: Tensor, other: Number, inplace: bool = False) -> Any:
    return _fmod(input, other, inplace)


@functor("DivRounded")
def div_rounded(input: Tensor, other: Tensor, rounding_mode: str | None = None) -> Any:
    if rounding_mode is None:
        return div(input, other)
    return _rounding(rounding_mode, floor_divide, trunc_divide)(input, other)


@functor("ScalarDivRounded")
def scalar_div_rounded(input: Tensor, other: Number, rounding_mode: str | None = None) -> Any:
    if rounding_mode is None:
        return scalar_div(input, other)
    return _rounding(rounding_mode, scalar_floor_divide, scalar_trunc_divide)(input, other)


@functor("ScalarDivRoundedReversed")
def scalar_div_rounded_reversed(input: Number, other: Tensor, rounding_mode: str | None = None) -> Any:
    return div_rounded(full((), input, **beside(other)), other, rounding_mode)


def _rounding(mode: str, floor: Any, trunc: Any) -> Any:
    """The division that rounds as asked."""
    if mode not in ("floor", "trunc"):
        raise InvalidArgumentError(f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{mode}'")
    return floor if mode == "floor" else trunc
