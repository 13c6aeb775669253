"""Functors of powers by numbers."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import FLOATING
from tritonflow.errors import DTypeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.ops.cast import check_scalars

Number = int | float | bool

_square = op_expr("square")
_POWERS = {0.5: op_expr("sqrt"), -0.5: op_expr("rsqrt"), -1: op_expr("reciprocal")}
_scalar_pow = op_expr("scalar_pow")


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
