"""Nested lists, tuples and dicts of tensors taken apart, and put together again.

A structure is hashable: where tensors and run-time numbers stand there is a mark, everything else stands in it itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tritonflow.errors import ArgumentTypeError
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import Module

TENSOR, NUMBER = "<tensor>", "<number>"


def flatten(value: Any, tensors: list[Tensor], numbers: list[Any]) -> Any:
    """The structure of a value; its tensors and its ints and floats are added to the lists.

    Raises:
        TypeError: it holds something that is no tensor, number, bool, text or None.
    """
    if isinstance(value, Tensor):
        tensors.append(value)
        return TENSOR
    if value.__class__ in (int, float, RuntimeScalar):
        numbers.append(value)
        return (NUMBER, value.__class__)
    if isinstance(value, (list, tuple)):
        return (value.__class__, *[flatten(item, tensors, numbers) for item in value])
    if isinstance(value, dict):
        return (value.__class__, *[(key, flatten(item, tensors, numbers)) for key, item in value.items()])
    return ("constant", value.__class__, value)


def unflatten(structure: Any, tensors: Iterator[Any], numbers: Iterator[Any]) -> Any:
    """The value with this structure and these tensors and numbers."""
    if structure is TENSOR:
        return next(tensors)
    kind, *items = structure
    if kind is NUMBER:
        return next(numbers)
    if kind == "constant":
        return items[1]
    if issubclass(kind, dict):
        return kind([(key, unflatten(item, tensors, numbers)) for key, item in items])
    values = [unflatten(item, tensors, numbers) for item in items]
    return kind(*values) if hasattr(kind, "_fields") else kind(values)


def check_result(structure: Any) -> None:
    """Refuse what `build` must not return.

    Raises:
        TypeError: naming the class.
    """
    if structure is TENSOR or structure[0] is NUMBER:
        return
    kind, *items = structure
    if kind != "constant":
        for item in items:
            check_result(item[1] if issubclass(kind, dict) else item)
    elif not issubclass(items[0], (bool, str, type(None), Module)):
        raise ArgumentTypeError(f"build() must return tensors, nested in lists, tuples and dicts, not {items[0].__name__}")
