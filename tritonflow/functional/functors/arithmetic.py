"""Functors of + and - with their alpha, and of operators whose first operand is a number."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.functional.library import functor
from tritonflow.interpreter.dispatch import dispatch, dispatch2
from tritonflow.interpreter.op_expr import op_expr

Number = int | float | bool

_add = op_expr("add")
_add_scaled = op_expr("add_scaled")
_scalar_add = op_expr("scalar_add")
_sub = op_expr("sub")
_sub_scaled = op_expr("sub_scaled")
_scalar_sub = op_expr("scalar_sub")
_scalar_sub_reversed = op_expr("scalar_sub_reversed")
_scalar_mul = op_expr("scalar_mul")
_scalar_div_reversed = op_expr("scalar_div_reversed")
_scalar_pow_reversed = op_expr("scalar_pow_reversed")


@functor("Add")
def add(input: Tensor, other: Tensor, alpha: Number = 1, inplace: bool = False) -> Any:
    if alpha == 1:
        return dispatch(_add, (input, other), out=input) if inplace else dispatch2(_add, input, other)
    return dispatch(_add_scaled, (input, other), (), (alpha,), out=input if inplace else None)


@functor("ScalarAdd")
def scalar_add(input: Tensor, other: Number, alpha: Number = 1, inplace: bool = False) -> Any:
    return dispatch(_scalar_add, (input,), (), (_scaled(other, alpha),), out=input if inplace else None)


@functor("ScalarAddReversed")
def scalar_add_reversed(input: Number, other: Tensor, alpha: Number = 1) -> Any:
    if alpha == 1:
        return dispatch(_scalar_add, (other,), (), (input,))
    return scalar_add(dispatch(_scalar_mul, (other,), (), (alpha,)), input)


@functor("Sub")
def sub(input: Tensor, other: Tensor, alpha: Number = 1, inplace: bool = False) -> Any:
    if alpha == 1:
        return dispatch(_sub, (input, other), out=input) if inplace else dispatch2(_sub, input, other)
    return dispatch(_sub_scaled, (input, other), (), (alpha,), out=input if inplace else None)


@functor("ScalarSub")
def scalar_sub(input: Tensor, other: Number, alpha: Number = 1, inplace: bool = False) -> Any:
    return dispatch(_scalar_sub, (input,), (), (_scaled(other, alpha),), out=input if inplace else None)


@functor("ScalarSubReversed")
def scalar_sub_reversed(input: Number, other: Tensor, alpha: Number = 1) -> Any:
    return dispatch(_scalar_sub_reversed, (other,), (), (input, alpha))


@functor("ScalarMulReversed")
def scalar_mul_reversed(input: Number, other: Tensor) -> Any:
    return dispatch(_scalar_mul, (other,), (), (input,))


@functor("ScalarDivReversed")
def scalar_div_reversed(input: Number, other: Tensor) -> Any:
    return dispatch(_scalar_div_reversed, (other,), (), (input,))


@functor("ScalarPowReversed")
def scalar_pow_reversed(input: Number, exponent: Tensor) -> Any:
    return dispatch(_scalar_pow_reversed, (exponent,), (), (input,))


def _scaled(number: Number, alpha: Number) -> Number:
    return number if alpha == 1 else number * alpha
