"""How arguments must lie in memory for a captured program that reads some of it by strides of its own.

A program gets its arguments without gaps, at the beginning of a storage. What `as_strided` reads of them, or of what was
computed in their layout, is right only where the arguments themselves lie so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tritonflow.framework.tensor import Tensor


class LayoutGuard(NamedTuple):
    """What a use of `as_strided` needs.

    Attributes:
        position: of the argument that it reads, None if it reads what was computed.
        absolute: whether it counts from the beginning of the storage, not of the argument.
    """

    position: int | None
    absolute: bool

    def holds(self, given: Sequence[Tensor]) -> bool:
        """Whether the arguments lie as the program takes them to."""
        if self.position is None:
            return not any(x.meta.is_channels_last or x.meta.is_channels_last_3d for x in given)  # which results keep
        x = given[self.position]
        return x.meta.is_contiguous and not (self.absolute and x.meta.is_local and x.storage_offset())
