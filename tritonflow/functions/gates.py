"""Functors of activations made of others: gates, random slopes, soft choices."""

from __future__ import annotations

import warnings
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import DType
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.arithmetic import sub
from tritonflow.functions.creation import empty_like, zeros_like
from tritonflow.functions.generated import leaky_relu, mul, scalar_gt, sigmoid_gate, tanh, where
from tritonflow.functions.index import scatter_scalar
from tritonflow.functions.pointwise import negative
from tritonflow.functions.random import exponential_, uniform_
from tritonflow.functions.reduction import argmax
from tritonflow.functions.softmax import softmax
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


@functor("GumbelSoftmax")
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    """softmax((logits + noise) / tau); hard: the largest as one, with the gradient of the soft one (Jang et al., 2017)."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=3)
    with no_grad():
        noise = exponential_(empty_like(logits)).log()
    soft = softmax(sub(logits, noise) / tau, dim)
    if not hard:
        return soft
    chosen = scatter_scalar(zeros_like(soft.detach()), dim, argmax(soft.detach(), dim, True), 1.0)
    return chosen - soft.detach() + soft


@functor("Softmin")
def softmin(input: Tensor, dim: int | None = None, dtype: DType | None = None) -> Any:
    return softmax(negative(input), dim, dtype)


@functor("Tanhshrink")
def tanhshrink(input: Tensor) -> Any:
    return sub(input, tanh(input))
