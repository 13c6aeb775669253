"""The sizes that a program is exported for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.framework.tensor import Tensor, wrap_dim

MOST = 4096
"""Combinations of sizes."""


class Sizes:
    """Which dimensions of the inputs have which sizes.

    Args:
        tensors, names: the inputs, with one size of each.
        dynamic: of an input, by its name or number, what the size of each dimension is called that differs.
        sizes: by these names the sizes.

    Attributes:
        names: of the sizes.
        values: of each its sizes, sorted.
        dimensions: of each input, by dimension, the number of the size that it has.

    Raises:
        ValueError, TypeError: the two do not fit each other, or the inputs.
    """

    def __init__(
        self,
        tensors: Sequence[Tensor],
        names: Sequence[str],
        dynamic: Mapping[Any, Mapping[int, str]] | None,
        sizes: Mapping[str, Iterable[int]] | None,
    ) -> None:
        self._shapes = [tuple(tensor.meta.shape) for tensor in tensors]
        self.names = list(sizes or {})
        self.values = [_checked(name, values) for name, values in (sizes or {}).items()]
        self.dimensions: list[dict[int, int]] = [{} for _ in tensors]
        for key, each in (dynamic or {}).items():
            if key not in names and not (isinstance(key, int) and 0 <= key < len(names)):
                raise ArgumentValueError(f"export(): 'dynamic' names an input {key!r}; there are {', '.join(names)}")
            position = key if isinstance(key, int) else list(names).index(key)
            for dim, size in each.items():
                if size not in self.names:
                    raise ArgumentValueError(f"export(): 'dynamic' names a size {size!r}, which 'sizes' does not have")
                self.dimensions[position][wrap_dim(dim, len(self._shapes[position]))] = self.names.index(size)
        used = {number for each in self.dimensions for number in each.values()}
        unused = [name for number, name in enumerate(self.names) if number not in used]
        if unused:
            raise ArgumentValueError(f"export(): no input has the size {unused[0]!r}: 'dynamic' says which dimensions have it")
        self.count = prod(map(len, self.values))
        if self.count > MOST:
            raise ArgumentValueError(
                f"export(): {self.count} combinations of sizes, and there may be {MOST}: name fewer, such as multiples of 8"
            )
        self._check_first()

    def _check_first(self) -> None:
        """Refuse examples in which one size is two."""
        found: dict[int, int] = {}
        for shape, dimensions in zip(self._shapes, self.dimensions):
            for dim, number in dimensions.items():
                if found.setdefault(number, shape[dim]) != shape[dim]:
                    raise ArgumentValueError(
                        f"export(): dimensions of size {self.names[number]!r} are {found[number]} and {shape[dim]} in the arguments"
                    )
        self.example = [found[number] for number in range(len(self.names))]

    def combinations(self) -> list[tuple[int, ...]]:
        """All of them, in the order in which an exported program numbers them: the last size changes first."""
        return list(product(*self.values))

    def shapes(self, combination: Sequence[int]) -> list[tuple[int, ...]]:
        """The shapes of the inputs."""
        return [
            tuple([combination[own[dim]] if dim in own else n for dim, n in enumerate(shape)])
            for shape, own in zip(self._shapes, self.dimensions)
        ]


def _checked(name: str, values: Iterable[int]) -> list[int]:
    if isinstance(values, (str, int)) or not isinstance(values, Iterable):
        raise ArgumentTypeError(f"export(): the sizes {name!r} are a range or a list of ints, not {type(values).__name__}")
    found = sorted(set(values))
    if not found or not all(type(value) is int and value >= 0 for value in found):
        raise ArgumentValueError(f"export(): the sizes {name!r} must be ints from 0 on, and there must be one")
    return found
