"""Functors of powers of two and of any base, of neighbouring numbers and of steps."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import DType, bfloat16, complex128, float16, float64, result_type, torch_name
from tritonflow.errors import DTypeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import scalar_pow_reversed, sub
from tritonflow.functions.arithmetic_powers import scalar_pow
from tritonflow.functions.cast import cast, copy_, kept, widened
from tritonflow.functions.elementwise import clamp
from tritonflow.functions.generated import floor, mul, scalar_mul
from tritonflow.functions.generated import pow as tensor_pow
from tritonflow.functions.reduction import norm
from tritonflow.interpreter.dispatch import dispatch

Number = int | float | bool

_heaviside = op_expr("heaviside")
_next_after = op_expr("next_after")
_next_after_half = {float16: op_expr("next_after_float16"), bfloat16: op_expr("next_after_bfloat16")}


@functor("Heaviside")
def heaviside(input: Tensor, values: Tensor, inplace: bool = False) -> Any:
    if input.meta.dtype is not values.meta.dtype:
        raise DTypeError("heaviside is not yet implemented for tensors with different dtypes.")
    return dispatch(_heaviside, (input, values), out=input if inplace else None)


@functor("NextAfter")
def nextafter(input: Tensor, other: Tensor, inplace: bool = False) -> Any:
    """Half types are computed with as float32, whose neighbours are others."""
    dtype = result_type([(t.meta.dtype, t.meta.ndim) for t in (input, other)])
    return dispatch(_next_after_half.get(dtype, _next_after), (input, other), out=input if inplace else None)


@functor("Ldexp")
def ldexp(input: Tensor, other: Tensor, inplace: bool = False) -> Any:
    """Whole exponents leave the input's dtype as it is. A power beyond the normal numbers is three factors: it would overflow."""
    own = input.meta.dtype
    if not own.has_gradient or other.meta.dtype.has_gradient:
        return mul(input, scalar_pow_reversed(2.0, other), inplace)
    real = own.to_real().compute
    most = 1022 if real is float64 else 126
    exponent = clamp(cast(other, real), -3 * most, 3 * most)  # farther on all results overflow, or are zero
    last = clamp(exponent, -most, most)
    first = floor(scalar_mul(sub(exponent, last), 0.5))
    result = widened(kept(input, inplace))
    for part in (first, sub(sub(exponent, last), first), last):
        result = mul(result, scalar_pow_reversed(2.0, part))
    return copy_(input, cast(result, own)) if inplace else cast(result, own)


@functor("FloatPower")
def float_power(input: Tensor, exponent: Tensor, inplace: bool = False) -> Any:
    wide = _wide(input, exponent)
    return _written(input, tensor_pow(cast(kept(input, inplace), wide), cast(exponent, wide)), inplace)


@functor("ScalarFloatPower")
def scalar_float_power(input: Tensor, exponent: Number, inplace: bool = False) -> Any:
    wide = _wide(input, exponent)
    return _written(input, scalar_pow(cast(kept(input, inplace), wide), _widened(exponent)), inplace)


@functor("ScalarFloatPowerReversed")
def scalar_float_power_reversed(input: Number, exponent: Tensor) -> Any:
    return scalar_pow_reversed(_widened(input), cast(exponent, _wide(exponent, input)))


def _wide(*operands: Tensor | Number) -> DType:
    """float64, or complex128 where an operand is complex."""
    kinds = [v.meta.dtype.is_complex if isinstance(v, Tensor) else isinstance(v, complex) for v in operands]
    return complex128 if True in kinds else float64


def _widened(number: Any) -> Any:
    return number if isinstance(number, complex) else float(number)


def _written(base: Tensor, result: Any, inplace: bool) -> Any:
    """The result, or the base that it has been written to, which must be float64 itself."""
    if not inplace:
        return result
    if base.meta.dtype is not result.meta.dtype:
        raise DTypeError(
            f"the base given to float_power_ has dtype {torch_name(base.meta.dtype)} but the operation's result requires dtype"
            f" {torch_name(result.meta.dtype)}"
        )
    return copy_(base, result)


@functor("Dist")
def dist(input: Tensor, other: Tensor, p: float = 2.0) -> Any:
    return norm(sub(input, other), p)
