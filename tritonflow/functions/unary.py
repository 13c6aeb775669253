"""Functors of functions of one operand that choose among several ops: rounding, negation, complements."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import bool_
from tritonflow.errors import DTypeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch, dispatch1

_round_to_parts = op_expr("round_to_parts")
_round_to_multiples = op_expr("round_to_multiples")
_logical_not = op_expr("logical_not")
_bitwise_not = op_expr("bitwise_not")
_negative = op_expr("negative")
_square = op_expr("square")
_scalar_pow = op_expr("scalar_pow")


@functor("RoundDecimals")
def round_decimals(x: Tensor, decimals: int, inplace: bool = False) -> Any:
    """To multiples of 10 ** -decimals."""
    op = _round_to_parts if decimals >= 0 else _round_to_multiples
    power = 10.0 ** min(abs(decimals), _MOST_DECIMALS)
    return dispatch(op, (x,), (), (power,), out=x if inplace else None)


_MOST_DECIMALS = 308  # 10 ** 309 is no float


@functor("BitwiseNot")
def bitwise_not(x: Tensor) -> Any:
    """~x; of truth values the negation."""
    return dispatch1(_logical_not if x.meta.dtype.category == 0 else _bitwise_not, x)


@functor("Negative")
def negative(x: Tensor, inplace: bool = False) -> Any:
    if x.meta.dtype is bool_:
        raise DTypeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or"
            " `logical_not()` operator instead."
        )
    return dispatch(_negative, (x,), out=x) if inplace else dispatch1(_negative, x)


@functor("Square")
def square(x: Tensor, inplace: bool = False) -> Any:
    if x.meta.dtype is bool_:  # a power, whose whole exponent makes it int64
        return dispatch(_scalar_pow, (x,), (), (2,), out=x if inplace else None)
    return dispatch(_square, (x,), out=x) if inplace else dispatch1(_square, x)
