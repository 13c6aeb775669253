"""Operators of a tensor and an array, or a sequence of Python's: `x + numpy.ones(2)`, `[1] * x`.

torch leaves `tensor + array` to NumPy, whose rules of promotion give the dtype of the result: an array of no dimensions counts
as any other, so that float32 and `numpy.array(2.0)` are float64. Here the operands are cast as NumPy would, and a kernel
computes. `array + tensor` is refused, as with torch, but for quotients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from tritonflow import dtypes
from tritonflow.binding import new_tensors
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentTypeError, foreign_hint
from tritonflow.framework.function_overrides import adopted, overriding
from tritonflow.framework.tensor import Tensor

_COMPARISONS = {
    "__eq__": numpy.equal, "__ne__": numpy.not_equal, "__lt__": numpy.less, "__le__": numpy.less_equal, "__gt__": numpy.greater,
    "__ge__": numpy.greater_equal,
}  # fmt: skip
_FUNCTIONS: dict[str, numpy.ufunc] = {
    "__add__": numpy.add, "__sub__": numpy.subtract, "__mul__": numpy.multiply, "__truediv__": numpy.true_divide,
    "__floordiv__": numpy.floor_divide, "__mod__": numpy.remainder, "__pow__": numpy.power, "__and__": numpy.bitwise_and,
    "__or__": numpy.bitwise_or, "__xor__": numpy.bitwise_xor, "__lshift__": numpy.left_shift, "__rshift__": numpy.right_shift,
    "__matmul__": numpy.matmul, **_COMPARISONS,
}  # fmt: skip
_REFLECTED_QUOTIENTS = ("__rtruediv__", "__rdiv__")
_REFLECTED = {f"__r{name[2:]}" for name in _FUNCTIONS} | {"__rdiv__", "__rdivmod__"}


def operate(method: str, function: Callable[..., Any], x: Tensor, other: Any) -> Any:
    """The operator of a tensor and what is an array or a sequence; NotImplemented where Python is to ask the other operand.

    Args:
        method: the operator's name, such as "__add__".
        function: what computes it of two operands in order.
        x: the tensor.
        other: the array or sequence; the left operand where the method is a reflected one.

    Raises:
        TypeError: an array is on the left, NumPy has no dtype for the tensor's elements or no function for the dtypes.
    """
    reflected = method in _REFLECTED
    if adopted.any and overriding((x, other)):
        return function(other, x) if reflected else function(x, other)
    if not isinstance(other, numpy.ndarray):
        return NotImplemented
    if method in _REFLECTED_QUOTIENTS:  # torch's is the product with the reciprocal
        return x.reciprocal() * other  # type: ignore[attr-defined]
    if reflected:
        what = f"{method.replace('__r', '__')}: 'numpy.ndarray' and 'Tensor'"
        raise ArgumentTypeError(f"unsupported operand type(s) for {what}{foreign_hint(other)}")
    if method not in _FUNCTIONS:
        return NotImplemented
    left, right, result = _dtypes(_FUNCTIONS[method], x.meta.dtype.numpy, other.dtype)
    number = other.astype(right.numpy).item() if other.ndim == 0 and method != "__matmul__" else None
    if number is None:
        number = new_tensors.tensor(numpy.asarray(other), dtype=right, device=x.device)
    found = function(x.to(left), number)
    return found.to(dtypes.uint8) if result is dtypes.bool_ and method not in _COMPARISONS else found


def _dtypes(function: numpy.ufunc, left: numpy.dtype[Any], right: numpy.dtype[Any]) -> tuple[DType, DType, DType]:
    """The dtypes that NumPy casts the operands to, and of the result; the quotient of integers is one of floats."""
    first, second, result = (dtypes.from_numpy(d) for d in function.resolve_dtypes((left, right, None)))
    if result.category > first.category and result is not dtypes.bool_:
        return result, result, result
    return first, second, result
