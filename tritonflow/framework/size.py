"""Size: the shape of a tensor as users see it."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, SupportsIndex, overload

from tritonflow.framework.runtime_scalar import RuntimeScalar

_INTS = {int}


def _checked_size(n: Any, position: int) -> Any:
    """An integer of any class as Python's; what counts as one in a capture stays as it is."""
    if isinstance(n, int):
        return n
    try:
        return index(n)
    except TypeError:
        raise TypeError(f"Size() takes an iterable of 'int' (item {position} is '{type(n).__name__}')") from None


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple that prints and counts as torch.Size does.

    Example:
        >>> import tritonflow as flow
        >>> flow.Size([2, 3]).numel()
        6
    """

    __slots__ = ()

    def __new__(cls, sizes: Iterable[int] = ()) -> Size:
        made = tuple.__new__(cls, sizes)
        if _INTS.issuperset(map(type, made)):
            return made
        if RuntimeScalar in map(type, made):
            return tuple.__new__(RuntimeSize, made)
        return tuple.__new__(cls, [_checked_size(n, position) for position, n in enumerate(made)])

    def numel(self) -> int:
        """The number of elements.

        Source: torch.Tensor.numel.

        Example:
            >>> import tritonflow as flow
            >>> flow.ones(2, 3).numel()
            6
        """
        count = 1
        for n in self:
            count *= n
        return count

    def __repr__(self) -> str:
        return f"tritonflow.Size({list(self)})"

    @overload
    def __getitem__(self, index: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Size: ...
    def __getitem__(self, index: Any) -> Any:
        item = tuple.__getitem__(self, index)
        return Size(item) if isinstance(index, slice) else item

    def __add__(self, other: Any) -> Size:
        return Size(tuple.__add__(self, other))


class RuntimeSize(Size):
    """A size with numbers that differ from run to run: the binding takes it for a tuple, whose numbers it looks at."""

    __slots__ = ()
