"""Functors of isclose, allclose, equal."""

from __future__ import annotations

from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import function, functor
from tritonflow.dtypes import FLOATING, float64, torch_name
from tritonflow.errors import DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.cast import cast
from tritonflow.functions.generated import eq
from tritonflow.interpreter.dispatch import dispatch

_is_close = op_expr("is_close")
_is_close_or_nan = op_expr("is_close_or_nan")


@functor("IsClose")
def isclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    if input.meta.dtype is not other.meta.dtype:
        names = [torch_name(t.meta.dtype) for t in (input, other)]
        raise DTypeError(f"{names[0]} did not match {names[1]}")
    if rtol < 0 or atol < 0:
        raise ShapeError(
            f"{'rtol' if rtol < 0 else 'atol'} must be greater than or equal to zero, but got {rtol if rtol < 0 else atol}"
        )
    if input.meta.dtype.category < FLOATING:
        if rtol == atol == 0:
            return eq(input, other)  # int64 has numbers that float64 has not
        input, other = cast(input, float64), cast(other, float64)
    return dispatch(_is_close_or_nan if equal_nan else _is_close, (input, other), (), (rtol, atol))


@function(
    "Bool (Tensor input, Tensor other, Float rtol=1e-05, Float atol=1e-08, Bool equal_nan=False)",
    methods="allclose", samples="isclose",
)
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:
    """Whether every element of isclose is true.

    Waits for the elements and returns a Python bool: `abs(input - other) <= atol + rtol * abs(other)`
    everywhere.

    Args:
        input: the input.
        other: a tensor.
        rtol: the tolerance relative to `other`.
        atol: the absolute tolerance.
        equal_nan: whether NaN equals NaN.

    Shape:
        `input` and `other` are broadcast together.

    Method: `Tensor.allclose`.

    Raises:
        RuntimeError: tensors of different dtypes; a negative tolerance; shapes that cannot be broadcast
            together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.allclose.

    Example:
        >>> import tritonflow as flow
        >>> flow.allclose(flow.tensor([1.0, 2.0]), flow.tensor([1.0, 2.0 + 1e-7]))
        True
    """
    return bool(data_exchange.item(reduction.all(isclose(input, other, rtol, atol, equal_nan))))


@function("Bool (Tensor input, Tensor other)", methods="equal", samples="equal")
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and elements.

    Waits for the elements and returns a Python bool. NaN equals nothing. Shapes are not broadcast.

    Args:
        input: the input.
        other: a tensor.

    Shape:
        any shapes; those of different shape are not equal.

    Method: `Tensor.equal`.

    Raises:
        RuntimeError: tensors on different devices.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.equal.

    Example:
        >>> import tritonflow as flow
        >>> flow.equal(flow.tensor([1, 2]), flow.tensor([1, 2]))
        True
    """
    if input.meta.shape != other.meta.shape:
        return False
    return bool(data_exchange.item(reduction.all(eq(input, other))))
