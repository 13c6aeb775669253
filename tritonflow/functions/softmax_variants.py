"""Functors of softmax of negated numbers, and of numbers with noise."""

from __future__ import annotations

import warnings
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import sub
from tritonflow.functions.creation import empty_like, zeros_like
from tritonflow.functions.index import scatter_scalar
from tritonflow.functions.random import exponential_
from tritonflow.functions.reduction import argmax
from tritonflow.functions.softmax import softmax
from tritonflow.functions.unary import negative
from tritonflow.interpreter.grad_mode import no_grad


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
