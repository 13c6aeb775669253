"""Nested lists, tuples and dicts of values: flattened, and put together again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Rebuild = Callable[[Sequence[Any]], Any]


def flatten(value: Any) -> tuple[list[Any], Rebuild]:
    """(the values in their order, a function that makes the same structure of others)."""
    if isinstance(value, dict):
        keys, parts = list(value), [flatten(part) for part in value.values()]
        return _joined(parts, lambda found: type(value)(zip(keys, found)))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _joined([flatten(part) for part in value], lambda found: type(value)(*found))
    if isinstance(value, (list, tuple)):
        return _joined([flatten(part) for part in value], type(value))
    return [value], lambda values: values[0]


def _joined(parts: Sequence[tuple[list[Any], Rebuild]], make: Callable[[Any], Any]) -> tuple[list[Any], Rebuild]:
    leaves = [leaf for found, _ in parts for leaf in found]

    def rebuild(values: Sequence[Any]) -> Any:
        results, start = [], 0
        for found, inner in parts:
            results.append(inner(values[start : start + len(found)]))
            start += len(found)
        return make(results)

    return leaves, rebuild


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """The same structure with a function of each value."""
    leaves, rebuild = flatten(value)
    return rebuild([function(leaf) for leaf in leaves])
