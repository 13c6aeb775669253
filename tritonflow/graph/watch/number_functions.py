"""Functions of numbers that are written in C, such as `float`, `min` and `math.isfinite`, as calls in user code know them.

They ask for a plain number, and give one. In a captured function that would be the number of one run. So where user code calls one
of them, another function is called: of what stands for a number of each run it gives what stands for the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial, reduce
from types import FunctionType
from typing import Any

from tritonflow.framework.runtime_scalar import RuntimeScalar, checked, extreme_number
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


def _extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    """`min` or `max`, which gives what stands for a number where it is called with such."""

    def of_numbers(*args: Any, **kwargs: Any) -> Any:
        if len(args) < 2 or kwargs or not any(type(each) is RuntimeScalar for each in args):
            return function(*args, **kwargs)
        return reduce(partial(extreme_number, function), args)

    of_numbers.__name__ = function.__name__
    of_numbers.__code__ = of_numbers.__code__.replace(co_name=function.__name__)  # by which a line that looks at a number is told
    return of_numbers


def _number_of(value: Any) -> Any:
    """What stands for the number of a tensor with one element; of anything else itself."""
    if type(value) is Tensor and value.is_lazy and value.meta.numel == 1 and not value.meta.dtype.is_complex:
        return value.item()  # type: ignore[attr-defined]
    return value


_CONVERSIONS: tuple[Any, ...] = (float, int)
_QUESTIONS: tuple[Any, ...] = (math.isfinite, math.isinf, math.isnan)
_OTHERS: tuple[Any, ...] = (math.sqrt, math.log, math.log2, math.log10, math.exp)
EXTREMES = {function.__name__: _extreme(function) for function in (min, max)}
_KNOWN = {function: _stands_for_one(function) for function in (*_CONVERSIONS, *_QUESTIONS, *_OTHERS)}
_KNOWN |= {min: EXTREMES["min"], max: EXTREMES["max"]}
_CALLED_FOR = {EXTREMES["min"]: min, EXTREMES["max"]: max}


def called_for(function: Any) -> Any:
    """`min` and `max` for what is called in their stead: these read containers, and call functions."""
    return _CALLED_FOR.get(function, function) if type(function) is FunctionType else function


class NumberFunctions:
    """What is called where user code calls some function: that function itself, unless it is one of these.

    Attributes:
        names: by which user code may call them.
    """

    names = frozenset(function.__name__ for function in _KNOWN)
    _known = {id(function): call for function, call in _KNOWN.items()}

    def __getitem__(self, function: Any) -> Any:
        return self._known.get(id(function), function)
