"""Functors of `where` with a number on one side."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.functional.library import functor
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.op_expr import op_expr

Number = int | float | bool

_where_scalar_x = op_expr("where_scalar_x")
_where_scalar_y = op_expr("where_scalar_y")


@functor("WhereScalarX")
def where_scalar_x(condition: Tensor, x: Number, y: Tensor) -> Any:
    return dispatch(_where_scalar_x, (condition, y), (), (x,))


@functor("WhereScalarY")
def where_scalar_y(condition: Tensor, x: Tensor, y: Number) -> Any:
    return dispatch(_where_scalar_y, (condition, x), (), (y,))
