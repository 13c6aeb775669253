"""Functors of `where` with a number on one side, and of its method."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import get_default_dtype
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import full
from tritonflow.functions.generated import where
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.ops.cast import check_scalars

Number = int | float | bool

_where_scalar_x = op_expr("where_scalar_x")
_where_scalar_y = op_expr("where_scalar_y")


def _for_number(x: Tensor, number: Any) -> Tensor:
    """The tensor in the dtype that it has beside a number: a complex one beside a complex number."""
    dtype = x.meta.dtype
    if not isinstance(number, complex) or dtype.is_complex:
        return x
    return cast(x, (dtype if dtype.is_floating_point else get_default_dtype()).to_complex())  # type: ignore[no-any-return]


@functor("WhereScalarX")
def where_scalar_x(condition: Tensor, x: Number, y: Tensor) -> Any:
    y = _for_number(y, x)
    check_scalars(y.meta.dtype, x)
    return dispatch(_where_scalar_x, (condition, y), (), (x,))


@functor("WhereScalarY")
def where_scalar_y(condition: Tensor, x: Tensor, y: Number) -> Any:
    x = _for_number(x, y)
    check_scalars(x.meta.dtype, y)
    return dispatch(_where_scalar_y, (condition, x), (), (y,))


@functor("WhereScalars")
def where_scalars(condition: Tensor, x: Number, y: Number) -> Any:
    return where_scalar_x(condition, x, full((), y, **beside(condition)))


@function(
    "Tensor (Tensor input, Tensor condition, Tensor other)",
    "Tensor (Tensor input, Tensor condition, Scalar other) => WhereMethodScalar",
    methods="where", export=(), samples={"none": "where has them"},
)
def where_method(input: Tensor, condition: Tensor, other: Tensor) -> Any:
    """Where as a method, the tensor first.

    `x.where(condition, other)` has the elements of `x` where the condition holds, and those of `other`
    elsewhere.

    Args:
        input: the input.
        condition: truth values; a number counts as true where it is not 0.
        other: what is taken elsewhere, a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        all operands are broadcast together; the result has their common shape.

    Method: `Tensor.where`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.where.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([-1.0, 2.0, -3.0])
        >>> x.where(x > 0, 0.0)
        tensor([0., 2., 0.])
    """
    if _is_oneflows(input, condition):
        return where(input, condition, other)
    return where(condition, input, other)


@functor("WhereMethodScalar")
def where_method_scalar(input: Tensor, condition: Tensor, other: Number) -> Any:
    if _is_oneflows(input, condition):
        return where_scalar_y(input, condition, other)
    return where_scalar_y(condition, input, other)


def _is_oneflows(input: Tensor, condition: Tensor) -> bool:
    """Whether a call is OneFlow's `condition.where(x, y)` and not torch's `x.where(condition, y)`: floats are no condition."""
    return condition.meta.dtype.has_gradient and not input.meta.dtype.has_gradient
