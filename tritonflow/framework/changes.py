"""How a graph notices that what it was captured from is not what it was."""

from __future__ import annotations

import itertools


class Changes:
    """Moves whenever an attribute, a child or a hook of any module, a tensor's hook or its `requires_grad` is set or removed.

    Attributes:
        latest: another number after every change.
    """

    __slots__ = ("_numbers", "latest")

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self.latest = 0

    def note(self) -> None:
        """There was a change; told after it."""
        self.latest = next(self._numbers)


changes = Changes()
