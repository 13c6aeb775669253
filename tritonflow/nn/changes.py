"""How a graph notices that a module is not what it was when it was captured."""

from __future__ import annotations

import itertools


class Changes:
    """Moves whenever an attribute, a child or a hook of any module is set or removed.

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
