"""The version counter of all modules. While it has not moved, a graph need not compare the attributes that it read of modules."""

from __future__ import annotations

import itertools


class ModuleVersion:
    """Advances when an attribute, a child or a hook of any module, a tensor's hook or its `requires_grad` is set or removed.

    Attributes:
        latest: the version; a new number after every change.
    """

    __slots__ = ("_numbers", "latest")

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self.latest = 0

    def advance(self) -> None:
        """To be called after a change."""
        self.latest = next(self._numbers)


module_version = ModuleVersion()
