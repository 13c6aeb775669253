"""Nested structures of equal build, and the tensors in them that must stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tritonflow.autograd.tree import flatten
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.tensor import Tensor


class StructureError(Exception):
    """Two nested structures are not built alike."""


def leaves(value: Any) -> list[Any]:
    """What lies in nested lists, tuples and dicts."""
    return flatten(value)[0]


def zipped(function: Callable[..., Any], first: Any, *others: Any) -> Any:
    """The structure of what a function gives for the values that lie at the same position of several structures.

    Raises:
        StructureError: the structures differ.
    """
    if not isinstance(first, (dict, list, tuple)):
        if any(isinstance(other, (dict, list, tuple)) for other in others):
            raise StructureError
        return function(first, *others)
    if any(type(other) is not type(first) or len(other) != len(first) for other in others):
        raise StructureError
    if isinstance(first, dict):
        if any(other.keys() != first.keys() for other in others):
            raise StructureError
        return type(first)((key, zipped(function, *(each[key] for each in (first, *others)))) for key in first)
    found = [zipped(function, *items) for items in zip(first, *others, strict=True)]
    return type(first)(*found) if hasattr(first, "_fields") else type(first)(found)


def check_alike(values: Any, others: Any, names: tuple[str, str]) -> None:
    """Refuse two structures whose values differ in more than the numbers in their tensors.

    Args:
        names: what each is, for the error.

    Raises:
        RuntimeError: naming the first difference.
    """
    pairs: list[tuple[Any, Any]] = []
    try:
        zipped(lambda value, other: pairs.append((value, other)), values, others)
    except StructureError:
        raise InvalidArgumentError(
            f"Expected {names[0]} and {names[1]} to have the same structure but got {described(values)} and {described(others)}"
        ) from None
    for position, (value, other) in enumerate(pairs):
        if difference := ", ".join(_differences(value, other)):
            raise InvalidArgumentError(
                f"Expected {names[0]} and {names[1]} to have same metadata but found:\npair[{position}] differ in {difference}"
            )


def _differences(value: Any, other: Any) -> Iterator[str]:
    if not isinstance(value, Tensor) or not isinstance(other, Tensor):
        both_are_ints = isinstance(value, int) and isinstance(other, int)
        if not both_are_ints:
            yield f"type: {type(value).__name__} vs {type(other).__name__}"
        return
    for name in ("shape", "dtype", "device"):
        own, its = getattr(value, name), getattr(other, name)
        if own != its:
            yield f"'{name}: {own} vs {its}'"


def described(value: Any) -> str:
    """A structure in words: of tensors the shape and dtype."""
    if isinstance(value, Tensor):
        return f"tensor({tuple(value.shape)}, {value.dtype})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {described(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(described, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    return repr(value)


class Unwritten:
    """Tensors that a function is given, and must not write.

    Args:
        what: names the function and the tensors, for the error.
        values: structures in which they lie.
    """

    def __init__(self, what: str, values: Sequence[Any]) -> None:
        self._what = what
        self._tensors = [leaf for leaf in leaves(list(values)) if isinstance(leaf, Tensor)]
        self._versions = [tensor._version for tensor in self._tensors]

    def check(self) -> None:
        """To be called behind the function.

        Raises:
            RuntimeError: it has written one.
        """
        if self._versions != [tensor._version for tensor in self._tensors]:
            raise InvalidArgumentError(f"{self._what} must not be written in place; help: clone() before the write")
