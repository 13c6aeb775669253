"""Functors of powers of two and of any base, of neighbouring numbers and of steps."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
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


@function(
    "Tensor (Tensor input, Tensor other, *, Bool inplace=False)",
    methods=("ldexp", "ldexp_"), samples="pairs", tolerance="transcendental",
)
def ldexp(input: Tensor, other: Tensor, inplace: bool = False) -> Any:
    """input * 2 ** other.

    `out = input * 2 ** other`, exact unless it overflows or underflows. With whole exponents the result
    has the dtype of a floating or complex input.

    Args:
        input: the input.
        other: the exponents.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Methods: `Tensor.ldexp` and `Tensor.ldexp_`.

    Raises:
        RuntimeError: shapes that cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ldexp.

    Example:
        >>> import tritonflow as flow
        >>> flow.ldexp(flow.tensor([1.0, 3.0]), flow.tensor([1, 4]))
        tensor([ 2., 48.])
    """
    # Whole exponents leave the input's dtype as it is. A power beyond the normal numbers is three factors: it would
    # overflow.
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


@function(
    "Tensor (Tensor input, Tensor exponent, *, Bool inplace=False)",
    "Tensor (Tensor input, Scalar exponent, *, Bool inplace=False) => ScalarFloatPower",
    "Tensor (Scalar input, Tensor exponent) => ScalarFloatPowerReversed",
    methods=("float_power", "float_power_"), samples="power", tolerance="transcendental",
)
def float_power(input: Tensor, exponent: Tensor, inplace: bool = False) -> Any:
    """input ** exponent in float64.

    `flow.pow` of operands that are cast to float64 first, to complex128 where they are complex.

    Args:
        input: the base, a tensor or a number.
        exponent: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the operands are broadcast together; the result has their common shape and is float64 or complex128.

    Methods: `Tensor.float_power` and `Tensor.float_power_`.

    Raises:
        RuntimeError: shapes that cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.float_power.

    Example:
        >>> import tritonflow as flow
        >>> flow.float_power(flow.tensor([2, 3]), -1)
        tensor([0.5000, 0.3333], dtype=tritonflow.float64)
    """
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


@function(
    "Tensor (Tensor input, Tensor other, Float p=2.0)",
    methods="dist", samples="pairs", tolerance="reduction", autocast="float32",
)
def dist(input: Tensor, other: Tensor, p: float = 2.0) -> Any:
    """The p-norm of input - other.

    `out = sum(abs(input - other) ** p) ** (1 / p)`, over all elements.

    Args:
        input: the input.
        other: a tensor.
        p: the order; 0 counts elements that differ, an infinity takes the largest difference.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has no dimension.

    Under `flow.autocast` it computes in float32. Method: `Tensor.dist`.

    Raises:
        RuntimeError: shapes that cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.dist.

    Example:
        >>> import tritonflow as flow
        >>> flow.dist(flow.tensor([1.0, 2.0]), flow.tensor([4.0, 6.0]))
        tensor(5.)
    """
    return norm(sub(input, other), p)
