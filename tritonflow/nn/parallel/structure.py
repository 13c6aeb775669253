"""Tensors in the arguments and results of forwards, in any structure of dicts, lists and tuples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.framework.tensor import Tensor


def mapped(value: Any, function: Callable[[Tensor], Any], all_tensors: bool = False) -> Any:
    """The same structure with `function` of each tensor that requires grad, or of all."""
    if isinstance(value, Tensor):
        return function(value) if all_tensors or value.requires_grad else value
    if isinstance(value, dict):
        found = {key: mapped(item, function, all_tensors) for key, item in value.items()}
        return found if type(value) is dict else type(value)(found)
    if isinstance(value, (list, tuple)):
        items = [mapped(item, function, all_tensors) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value
