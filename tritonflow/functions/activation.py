"""Functors of activations that check their limits, or choose among several ops."""

from __future__ import annotations

from math import isfinite, trunc
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import INTEGER, finfo, torch_name, uint8
from tritonflow.errors import ArgumentValueError, DTypeError, InvalidArgumentError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.ops.cast import scalar_of

Number = int | float | bool

_gelu_exact = op_expr("gelu_exact")
_gelu_by_tanh = op_expr("gelu_by_tanh")
_hardtanh = op_expr("hardtanh")
_celu = op_expr("celu")
_softshrink = op_expr("softshrink")
_threshold = op_expr("threshold")


@functor("Gelu")
def gelu(x: Tensor, approximate: str = "none") -> Any:
    if approximate == "none":
        return dispatch1(_gelu_exact, x)
    if approximate == "tanh":
        return dispatch1(_gelu_by_tanh, x)
    raise InvalidArgumentError("approximate argument must be either none or tanh.")


@functor("Hardtanh")
def hardtanh(x: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    if min_val > max_val:
        raise ArgumentValueError("min_val cannot be greater than max_val")
    if x.meta.dtype is uint8 and (min_val <= -1 or max_val <= -1):
        raise DTypeError("cannot do hardtanh on an unsigned type with negative limits")
    limits: tuple[float, ...] = (min_val, max_val)
    if x.meta.dtype.category == INTEGER:
        limits = _elements_of(x, *[trunc(v) if isfinite(v) else v for v in limits])
    return dispatch(_hardtanh, (x,), (), limits, out=x if inplace else None)


@functor("Threshold")
def threshold(x: Tensor, threshold: Number, value: Number, inplace: bool = False) -> Any:
    return dispatch(_threshold, (x,), (), _elements_of(x, threshold, value), out=x if inplace else None)


def _elements_of(x: Tensor, *values: float) -> tuple[float, ...]:
    """Numbers as elements of x's dtype: of integers without a fraction, so that they are not computed as floats."""
    dtype = x.meta.dtype
    return tuple([scalar_of(value, dtype) for value in values]) if dtype.category == INTEGER else values


@functor("Celu")
def celu(x: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    if alpha == 0:
        raise InvalidArgumentError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return dispatch(_celu, (x,), (), (alpha,), out=x if inplace else None)


@functor("Softshrink")
def softshrink(x: Tensor, lambd: float = 0.5, inplace: bool = False) -> Any:
    dtype = x.meta.dtype
    if dtype.is_floating_point and not 0 <= lambd <= finfo(dtype).max:
        raise InvalidArgumentError(
            f"lambda must be in range [0, {finfo(dtype).max:g}] for input dtype {torch_name(dtype)}, but found {lambd:g}:"
            f" alpha must be greater or equal to 0, but found to be {lambd:g}."
        )
    return dispatch(_softshrink, (x,), (), (lambd,), out=x if inplace else None)
