"""Functors of pointwise ops of several operands: limits, products added up, divisions by numbers."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import FLOATING, bool_, result_type
from tritonflow.errors import DTypeError, IntegerDivisionByZeroError, InvalidArgumentError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.ops.cast import check_scalars
from tritonflow.ops.dtype_rules import require

Number = int | float | bool

_clamp_both = op_expr("clamp_both")
_clamp_low = op_expr("clamp_low")
_clamp_high = op_expr("clamp_high")
_clone = op_expr("clone")
_clamp_tensors = op_expr("clamp_tensors")
_maximum = op_expr("maximum")
_minimum = op_expr("minimum")
_clamp_low_tensor = op_expr("clamp_low_tensor")
_clamp_high_tensor = op_expr("clamp_high_tensor")
_addcmul = op_expr("addcmul")
_lerp = op_expr("lerp")


@functor("Clamp")
def clamp(input: Tensor, min: Number | None = None, max: Number | None = None, inplace: bool = False) -> Any:
    out = input if inplace else None
    if min is None and max is None:
        raise InvalidArgumentError("torch.clamp: At least one of 'min' or 'max' must not be None")
    check_scalars(input.meta.dtype, min, max)
    if max is None:
        return dispatch(_clamp_low, (input,), (), (min,), out=out)
    if min is None:
        return dispatch(_clamp_high, (input,), (), (max,), out=out)
    return dispatch(_clamp_both, (input,), (), (min, max), out=out)


@functor("Lerp")
def lerp(start: Tensor, end: Tensor, weight: Tensor, inplace: bool = False) -> Any:
    weight_meta, dtype = weight.meta, start.meta.dtype
    if weight_meta.ndim == 0 and weight_meta.dtype is not dtype and end.meta.dtype is dtype:  # a number: it promotes with them
        common = result_type([(x.meta.dtype, x.meta.ndim) for x in (start, end, weight)])
        start, end, weight = start if inplace else cast(start, common), cast(end, common), cast(weight, common)
    return dispatch(_lerp, (start, end, weight), out=start if inplace else None)


@functor("ClampTensor")
def clamp_tensor(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, inplace: bool = False) -> Any:
    out = input if inplace else None
    if min is None and max is None:
        raise InvalidArgumentError("torch.clamp: At least one of 'min' or 'max' must not be None")
    min, max = _read_before(min, out), _read_before(max, out)
    if max is None and min is not None:
        op = _maximum if input.meta.dtype is min.meta.dtype is bool_ else _clamp_low_tensor
        return dispatch(op, (input, min), out=out)
    if min is None and max is not None:
        op = _minimum if input.meta.dtype is max.meta.dtype is bool_ else _clamp_high_tensor
        return dispatch(op, (input, max), out=out)
    return dispatch(_clamp_tensors, (input, min, max), out=out)


@function(
    "Tensor (Tensor input, Tensor min, *, Bool inplace=False) => ClampMinTensor",
    "Tensor (Tensor input, Scalar min, *, Bool inplace=False)",
    methods=("clamp_min", "clamp_min_"), samples="real",
)
def clamp_min(input: Tensor, min: Number, inplace: bool = False) -> Any:
    """The input, at least min.

    `flow.clamp` with a lower limit only: `out = max(input, min)`.

    Args:
        input: the input.
        min: the lower limit, a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and a tensor `min` are broadcast together; the result has their common shape.

    Methods: `Tensor.clamp_min` and `Tensor.clamp_min_`.

    Raises:
        RuntimeError: shapes that cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.clamp_min.

    Example:
        >>> import tritonflow as flow
        >>> flow.clamp_min(flow.tensor([-2.0, 0.5, 2.0]), 0.0)
        tensor([0.0000, 0.5000, 2.0000])
    """
    return clamp(input, min, None, inplace)


@function(
    "Tensor (Tensor input, Tensor max, *, Bool inplace=False) => ClampMaxTensor",
    "Tensor (Tensor input, Scalar max, *, Bool inplace=False)",
    methods=("clamp_max", "clamp_max_"), samples="real",
)
def clamp_max(input: Tensor, max: Number, inplace: bool = False) -> Any:
    """The input, at most max.

    `flow.clamp` with an upper limit only: `out = min(input, max)`.

    Args:
        input: the input.
        max: the upper limit, a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and a tensor `max` are broadcast together; the result has their common shape.

    Methods: `Tensor.clamp_max` and `Tensor.clamp_max_`.

    Raises:
        RuntimeError: shapes that cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.clamp_max.

    Example:
        >>> import tritonflow as flow
        >>> flow.clamp_max(flow.tensor([-2.0, 0.5, 2.0]), 0.0)
        tensor([-2.,  0.,  0.])
    """
    return clamp(input, None, max, inplace)


def _read_before(bound: Tensor | None, out: Tensor | None) -> Tensor | None:
    """A bound; one without dimensions that lies in what is written is a number, which is read before."""
    lies_inside = bound is not None and out is not None and not bound.meta.ndim and bound.impl is out.impl
    return dispatch(_clone, (bound,)) if lies_inside else bound


@functor("ClampMinTensor")
def clamp_min_tensor(input: Tensor, min: Tensor, inplace: bool = False) -> Any:
    return clamp_tensor(input, min, None, inplace)


@functor("ClampMaxTensor")
def clamp_max_tensor(input: Tensor, max: Tensor, inplace: bool = False) -> Any:
    return clamp_tensor(input, None, max, inplace)


@functor("AddCMul")
def addcmul(
    input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Number = 1, inplace: bool = False
) -> Any:
    """Of integers by whole numbers only: torch cuts the fraction off without a word."""
    if input.meta.dtype.category != FLOATING:
        operand = result_type([(t.meta.dtype, t.meta.ndim) for t in (input, tensor1, tensor2)])
        if not operand.is_complex:
            require("addcmul", "numeric", operand, "input", "tensor1", "tensor2")
        if isinstance(value, float) and operand.category < FLOATING:
            raise DTypeError("For integral input tensors, argument value must not be a floating point number.")
        check_scalars(operand, value)
    return dispatch(_addcmul, (input, tensor1, tensor2), (), (value,), out=input if inplace else None)


def _division(name: str) -> Any:
    op = op_expr(f"scalar_{name}")

    def divide(input: Tensor, other: Number, inplace: bool = False) -> Any:
        """By a number: of integers not by zero."""
        whole = not isinstance(other, float) and input.meta.dtype.category != FLOATING
        if other == 0 and whole and input.meta.numel and not (input.meta.dtype is bool_ and other is False):
            raise IntegerDivisionByZeroError(f"ZeroDivisionError: {name}(): argument 'other' is 0, and the input has integers")
        return dispatch(op, (input,), (), (other,), out=input if inplace else None)

    return divide


_floor_divide = _division("floor_divide")
_remainder = _division("remainder")
_fmod = _division("fmod")
_trunc_divide = _division("trunc_divide")


@functor("ScalarFloorDivide")
def scalar_floor_divide(input: Tensor, other: Number, inplace: bool = False) -> Any:
    return _floor_divide(input, other, inplace)


@functor("ScalarTruncDivide")
def scalar_trunc_divide(input: Tensor, other: Number) -> Any:
    return _trunc_divide(input, other)


@functor("ScalarRemainder")
def scalar_remainder(input: Tensor, other: Number, inplace: bool = False) -> Any:
    return _remainder(input, other, inplace)


@functor("ScalarFmod")
def scalar_fmod(input: Tensor, other: Number, inplace: bool = False) -> Any:
    return _fmod(input, other, inplace)
