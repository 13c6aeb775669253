"""Where arguments must begin in their storages, for a captured program that counts from there.

A program gets of an argument the memory from its first element to its last. Its strides are part of the kind of call. So what
`as_strided` reads from the first element on is right. What it counts from the beginning of the storage is so only where the
argument begins there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tritonflow.framework.tensor import Tensor


class LayoutGuard(NamedTuple):
    """An argument whose storage offset was used.

    Attributes:
        position: of the argument.
    """

    position: int

    def holds(self, given: Sequence[Tensor]) -> bool:
        """Whether the argument is at the beginning of its storage."""
        x = given[self.position]
        return not (x.meta.is_local and x.storage_offset())
