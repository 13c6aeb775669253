"""Functors of special functions with arguments to check, or made of several ops."""

from __future__ import annotations

import math
from typing import Any

from tritonflow.binding.library import also, function, functor
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


@function(
    "Tensor (Int32 n, Tensor input)",
    export=("flow", "special"), reference="op_references.polygamma", samples="polygamma", tolerance="transcendental",
)
def polygamma(n: int, input: Tensor) -> Any:
    """The n-th derivative of digamma.

    n = 0 is `flow.digamma`, n = 1 the trigamma function.

    Args:
        n: how many times digamma is differentiated; not negative.
        input: the points.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Raises:
        RuntimeError: `n` is negative.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.polygamma.

    Example:
        >>> import tritonflow as flow
        >>> flow.polygamma(1, flow.tensor([1.0, 2.0]))
        tensor([1.6449, 0.6449])
    """
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


@function(
    "Tensor (Tensor input, Int32 p, *, Bool inplace=False)",
    methods=("mvlgamma", "mvlgamma_"), samples="above_one", tolerance="reduction",
)
@also("special_multigammaln", "Tensor (Tensor input, Int32 p)")
def mvlgamma(input: Tensor, p: int, inplace: bool = False) -> Any:
    """The logarithm of the gamma function of p dimensions.

    `out = p * (p - 1) / 4 * log(pi)` plus the sum of `lgamma(input - i / 2)` over i = 0, ..., p - 1.
    `flow.special.multigammaln` is another name.

    Args:
        input: the input.
        p: the number of dimensions, at least 1.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Methods: `Tensor.mvlgamma` and `Tensor.mvlgamma_`.

    Raises:
        RuntimeError: `p` is less than 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mvlgamma.

    Example:
        >>> import tritonflow as flow
        >>> flow.mvlgamma(flow.tensor([2.0, 3.0]), 2)
        tensor([0.4516, 1.5502])
    """
    # The sum of lgamma(input - j / 2), j = 0 ... p - 1, and p (p - 1) / 4 log(pi).
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


@function("Tensor (Tensor dy, String of)", bind_python=False)
def missing_derivative(dy: Tensor, of: str) -> Any:
    """The gradient by an argument that has none; raises."""
    raise NotYetImplementedError(f"the derivative for '{of}' is not implemented.")
