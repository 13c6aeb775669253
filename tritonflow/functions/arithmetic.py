"""Functors of + and - with their alpha, and of operators whose first operand is a number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import BOOL, COMPLEX, FLOATING, INTEGER, bool_, of_scalar, result_type
from tritonflow.errors import ArgumentTypeError, DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch, dispatch2, dispatch_number
from tritonflow.ops.cast import check_scalars

Number = int | float | bool

ONE = 1  # the default alpha, and nothing else that equals 1: True and 1.0 are checked

_add = op_expr("add")
_add_scaled = op_expr("add_scaled")
_scalar_add_reversed = op_expr("scalar_add_reversed")
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
    if alpha is ONE or (alpha := checked_alpha(alpha, input, other)) == 1:
        return dispatch(_add, (input, other), out=input) if inplace else dispatch2(_add, input, other)
    return dispatch(_add_scaled, (input, other), (), (alpha,), out=input if inplace else None)


@functor("ScalarAdd")
def scalar_add(input: Tensor, other: Number, alpha: Number = 1, inplace: bool = False) -> Any:
    if alpha is not ONE:
        other = _scaled(other, checked_alpha(alpha, input, other))
    return dispatch(_scalar_add, (input,), (), (other,), out=input) if inplace else dispatch_number(_scalar_add, input, other)


@functor("ScalarAddReversed")
def scalar_add_reversed(input: Number, other: Tensor, alpha: Number = 1) -> Any:
    if alpha is not ONE:
        alpha = checked_alpha(alpha, input, other)
    if alpha == 1:
        return dispatch_number(_scalar_add, other, input)
    return dispatch(_scalar_add_reversed, (other,), (), (input, alpha))


@functor("AddN")
def add_n(input: Sequence[Tensor]) -> Any:
    if len(input) < 2:
        raise ArgumentTypeError(f"add(): expected two tensors or more, or a tensor and a number, but got {len(input)} tensor")
    first = input[0].meta
    for tensor in input[1:]:
        if tensor.meta.shape != first.shape:
            sizes = " and ".join(str(list(each.meta.shape)) for each in input)
            raise ShapeError(
                "inconsistent tensor size, expected all tensor to have the same number of elements, but got"
                f" {first.numel} and {tensor.meta.numel}, of tensors of shapes {sizes}"
            )
        if tensor.meta.dtype is not first.dtype:
            raise DTypeError(f"expected all tenser to have same type, but found {first.dtype} and {tensor.meta.dtype}")
    return reduce(add, input)


@functor("Sub")
def sub(input: Tensor, other: Tensor, alpha: Number = 1, inplace: bool = False) -> Any:
    if input.meta.dtype is bool_ or other.meta.dtype is bool_:
        _refuse_bool(input, other)
    if alpha is ONE or (alpha := checked_alpha(alpha, input, other)) == 1:
        return dispatch(_sub, (input, other), out=input) if inplace else dispatch2(_sub, input, other)
    return dispatch(_sub_scaled, (input, other), (), (alpha,), out=input if inplace else None)


@functor("ScalarSub")
def scalar_sub(input: Tensor, other: Number, alpha: Number = 1, inplace: bool = False) -> Any:
    if input.meta.dtype is bool_ or other.__class__ is bool:
        _refuse_bool(input, other)
    if alpha is not ONE:
        other = _scaled(other, checked_alpha(alpha, input, other))
    return dispatch(_scalar_sub, (input,), (), (other,), out=input) if inplace else dispatch_number(_scalar_sub, input, other)


@functor("ScalarSubReversed")
def scalar_sub_reversed(input: Number, other: Tensor, alpha: Number = 1) -> Any:
    if other.meta.dtype is bool_ or input.__class__ is bool:
        _refuse_bool(input, other)
    if alpha is not ONE:
        alpha = checked_alpha(alpha, other, input)
    return dispatch(_scalar_sub_reversed, (other,), (), (input, alpha))


@functor("ScalarMulReversed")
def scalar_mul_reversed(input: Number, other: Tensor) -> Any:
    return dispatch_number(_scalar_mul, other, input)


@functor("ScalarDivReversed")
def scalar_div_reversed(input: Number, other: Tensor) -> Any:
    return dispatch_number(_scalar_div_reversed, other, input)


@functor("ScalarPowReversed")
def scalar_pow_reversed(input: Number, exponent: Tensor) -> Any:
    return dispatch_number(_scalar_pow_reversed, exponent, input)


def _scaled(number: Number, alpha: Number) -> Number:
    if alpha == 1:
        return number
    return number and alpha if alpha.__class__ is bool else number * alpha


def checked_alpha(alpha: Number, *operands: Tensor | Number) -> Number:
    """The alpha of operands; a truth value where they are. A float (or bool) goes with its category only; torch's words."""
    kinds = [v.meta.dtype if isinstance(v, Tensor) else of_scalar(v.__class__) for v in operands]
    category = max([k.category for k in kinds])
    if isinstance(alpha, bool) and category != BOOL:
        raise DTypeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, float) and category < FLOATING:
        raise DTypeError("For integral input tensors, argument alpha must not be a floating point number.")
    if isinstance(alpha, complex) and category != COMPLEX:
        raise DTypeError("For non-complex input tensors, argument alpha must not be a complex number.")
    if category == BOOL:
        return bool(alpha)
    if category == INTEGER:
        tensors = [(v.meta.dtype, v.meta.ndim) for v in operands if isinstance(v, Tensor)]
        scalars = [v.__class__ for v in operands if not isinstance(v, Tensor)]
        check_scalars(result_type(tensors, scalars), alpha)
    return alpha


def _refuse_bool(a: Tensor | Number, b: Tensor | Number) -> None:
    """Truth values cannot be subtracted; torch's words."""
    tensors = [v.meta.dtype is bool_ for v in (a, b) if isinstance(v, Tensor)]
    flags = [isinstance(v, bool) for v in (a, b) if not isinstance(v, Tensor)]
    if all(tensors) and len(tensors) == 2:
        raise DTypeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator"
            " instead."
        )
    if len(tensors) == 2 or any(tensors) or any(flags):
        raise DTypeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the"
            " `~` or `logical_not()` operator instead."
        )


@function(
    "Tensor (Tensor input, Tensor other, *, Scalar alpha=1)",
    "Tensor (Tensor input, Scalar other, *, Scalar alpha=1) => ScalarRSub",
    samples="pairs",
)
def rsub(input: Tensor, other: Tensor, alpha: Number = 1) -> Any:
    """other - alpha * input.

    Subtraction with its operands exchanged: `out = other - alpha * input`.

    Args:
        input: the input.
        other: a tensor or a number.
        alpha: the factor of `input`; a whole number where the operands are integers.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Raises:
        RuntimeError: bool operands; shapes that cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.rsub.

    Example:
        >>> import tritonflow as flow
        >>> flow.rsub(flow.tensor([1.0, 2.0]), 10.0)
        tensor([9., 8.])
    """
    return sub(other, input, alpha)


@functor("ScalarRSub")
def scalar_rsub(input: Tensor, other: Number, alpha: Number = 1) -> Any:
    return scalar_sub_reversed(other, input, alpha)
