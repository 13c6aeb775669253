"""Functors of functions of one operand that choose among several ops: rounding, negation, complements."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import bool_
from tritonflow.errors import DTypeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.generated import abs as modulus
from tritonflow.functions.generated import trunc
from tritonflow.interpreter.dispatch import dispatch, dispatch1

_round_to_parts = op_expr("round_to_parts")
_round_to_multiples = op_expr("round_to_multiples")
_logical_not = op_expr("logical_not")
_bitwise_not = op_expr("bitwise_not")
_negative = op_expr("negative")
_square = op_expr("square")
_scalar_pow = op_expr("scalar_pow")


@functor("RoundDecimals")
def round_decimals(x: Tensor, decimals: int, inplace: bool = False) -> Any:
    """To multiples of 10 ** -decimals."""
    op = _round_to_parts if decimals >= 0 else _round_to_multiples
    power = 10.0 ** min(abs(decimals), _MOST_DECIMALS)
    return dispatch(op, (x,), (), (power,), out=x if inplace else None)


_MOST_DECIMALS = 308  # 10 ** 309 is no float


@functor("BitwiseNot")
def bitwise_not(x: Tensor) -> Any:
    """~x; of truth values the negation."""
    return dispatch1(_logical_not if x.meta.dtype.category == 0 else _bitwise_not, x)


@functor("Negative")
def negative(x: Tensor, inplace: bool = False) -> Any:
    if x.meta.dtype is bool_:
        raise DTypeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or"
            " `logical_not()` operator instead."
        )
    return dispatch(_negative, (x,), out=x) if inplace else dispatch1(_negative, x)


@functor("Square")
def square(x: Tensor, inplace: bool = False) -> Any:
    if x.meta.dtype is bool_:  # a power, whose whole exponent makes it int64
        return dispatch(_scalar_pow, (x,), (), (2,), out=x if inplace else None)
    return dispatch(_square, (x,), out=x) if inplace else dispatch1(_square, x)


@function(
    "Tensor (Tensor input, *, Bool inplace=False)",
    methods=("fix", "fix_"), samples={"none": "trunc by another name: tests/ops/test_special.py"},
)
def fix(input: Tensor, inplace: bool = False) -> Any:
    """The whole part.

    Another name of `flow.trunc`.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Methods: `Tensor.fix` and `Tensor.fix_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.fix.

    Example:
        >>> import tritonflow as flow
        >>> flow.fix(flow.tensor([-1.5, 1.5]))
        tensor([-1.,  1.])
    """
    return trunc(input, inplace)


@function(
    "Tensor (Tensor input, *, Bool inplace=False)",
    methods=("absolute", "absolute_"), samples={"none": "abs by another name: tests/ops/test_special.py"},
)
def absolute(input: Tensor, inplace: bool = False) -> Any:
    """The absolute value.

    Another name of `flow.abs`.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Methods: `Tensor.absolute` and `Tensor.absolute_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.absolute.

    Example:
        >>> import tritonflow as flow
        >>> flow.absolute(flow.tensor([-1.5, 2.0]))
        tensor([1.5000, 2.0000])
    """
    return modulus(input, inplace)
