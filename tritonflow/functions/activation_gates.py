"""Functors of activations made of others: gates, random slopes."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.arithmetic import sub
from tritonflow.functions.creation import empty_like, zeros_like
from tritonflow.functions.generated import leaky_relu, mul, scalar_gt, sigmoid_gate, tanh, where
from tritonflow.functions.random import uniform_
from tritonflow.functions.view import narrow
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.ops.dtype_rules import require


@functor("Glu")
def glu(input: Tensor, dim: int = -1) -> Any:
    require("glu", "floating", input.meta.dtype, "input")
    if not input.meta.ndim:
        raise ShapeError(
            "glu does not support 0-dimensional tensors: glu does not support scalars because halving size must be even"
        )
    dim = wrap_dim(dim, input.meta.ndim)
    size = input.meta.shape[dim]
    if size % 2:
        raise ShapeError(f"Halving dimension must be even, but dimension {dim} is size {size}")
    return sigmoid_gate(narrow(input, dim, 0, size // 2), narrow(input, dim, size // 2, size // 2))


@functor("Rrelu")
def rrelu(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False) -> Any:
    """A slope drawn for each element while training, otherwise the mean one."""
    require("rrelu", "floating", input.meta.dtype, "input")
    if lower > upper:
        raise InvalidArgumentError(f"Lower bound should be less than or equal to the upper bound, but got {lower} and {upper}")
    if not training:
        return leaky_relu(input, (lower + upper) / 2, inplace)
    with no_grad():
        slopes = uniform_(empty_like(input), lower, upper)
        slopes = where(scalar_gt(input, 0), zeros_like(slopes) + 1, slopes)
    return mul(input, slopes, inplace)


@functor("Tanhshrink")
def tanhshrink(input: Tensor) -> Any:
    return sub(input, tanh(input))
