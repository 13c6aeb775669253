"""Functions of numbers that are written in C, such as `float` and `math.isfinite`, as calls in user code know them.

They ask for a plain number, and give one. In a captured function that would be the number of one run. So where user code calls one
of them, another function is called: of what stands for a number of each run it gives what stands for the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tritonflow.framework.runtime_scalar import RuntimeScalar, checked
from tritonflow.framework.tensor import Tensor


def _stands_for_one(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one number that takes what stands for one, too; a program is right for what a question gives."""

    def of_a_number(*args: Any, **kwargs: Any) -> Any:
        if len(args) != 1 or kwargs:
            return function(*args, **kwargs)
        number = _number_of(args[0]) if function in _CONVERSIONS else args[0]
        if type(number) is not RuntimeScalar:
            return function(*args)
        if function is type(number.value):
            return number
        result = checked(function, number)
        return bool(result.pin()) if function in _QUESTIONS else result

    of_a_number.__name__ = function.__name__
    return of_a_number


def _number_of(value: Any) -> Any:
    """What stands for the number of a tensor with one element; of anything else itself."""
    if type(value) is Tensor and value.is_lazy and value.meta.numel == 1 and not value.meta.dtype.is_complex:
        return value.item()  # type: ignore[attr-defined]
    return value


_CONVERSIONS: tuple[Any, ...] = (float, int)
_QUESTIONS: tuple[Any, ...] = (math.isfinite, math.isinf, math.isnan)
_OTHERS: tuple[Any, ...] = (math.sqrt, math.log, math.log2, math.log10, math.exp)
_KNOWN = {function: _stands_for_one(function) for function in (*_CONVERSIONS, *_QUESTIONS, *_OTHERS)}


class NumberFunctions:
    """What is called where user code calls some function: that function itself, unless it is one of these.

    Attributes:
        names: by which user code may call them.
    """

    names = frozenset(function.__name__ for function in _KNOWN)
    _known = {id(function): call for function, call in _KNOWN.items()}

    def __getitem__(self, function: Any) -> Any:
        return self._known.get(id(function), function)
