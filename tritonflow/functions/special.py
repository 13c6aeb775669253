"""Functors of special functions with arguments to check, or made of several ops."""

from __future__ import annotations

import math
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, get_default_dtype, torch_name
from tritonflow.errors import DTypeError, InvalidArgumentError, NotYetImplementedError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, scalar_add
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.creation import arange
from tritonflow.functions.generated import digamma, lgamma, trigamma
from tritonflow.functions.view import unsqueeze
from tritonflow.interpreter.dispatch import dispatch

_polygamma = op_expr("poly_gamma")


@functor("PolyGamma")
def polygamma(n: int, input: Tensor) -> Any:
    return polygamma_of(input, n)


@functor("PolyGammaOf")
def polygamma_of(input: Tensor, n: int) -> Any:
    if n < 0:
        raise InvalidArgumentError("polygamma(n, x) does not support negative n.")
    if n == 0:
        return digamma(input)
    if n == 1:
        return trigamma(input)
    return dispatch(_polygamma, (input,), (), (n,))


@functor("MvLGamma")
def mvlgamma(input: Tensor, p: int, inplace: bool = False) -> Any:
    """The sum of lgamma(input - j / 2), j = 0 ... p - 1, and p (p - 1) / 4 log(pi)."""
    if p < 1:
        raise InvalidArgumentError("p has to be greater than or equal to 1")
    if input.meta.dtype is bool_:
        raise DTypeError("The input tensor may not be a boolean tensor.")
    if inplace and not input.meta.dtype.is_floating_point:
        own, result = torch_name(input.meta.dtype), torch_name(get_default_dtype())
        raise DTypeError(f"mvlgamma: result type {own} can't be cast to the desired output type {result}")
    dtype = input.meta.dtype if input.meta.dtype.is_floating_point else get_default_dtype()
    steps = arange((1 - p) / 2, 0.25, 0.5, dtype=dtype, **beside(input))
    x = input if input.meta.dtype is dtype else cast(input, dtype)
    total = reduction.sum(lgamma(add(unsqueeze(x, -1), steps)), (-1,))
    value = scalar_add(total, p * (p - 1) / 4 * math.log(math.pi))
    return copy_(input, value) if inplace else value


@functor("MissingDerivative")
def missing_derivative(dy: Tensor, of: str) -> Any:
    raise NotYetImplementedError(f"the derivative for '{of}' is not implemented.")
