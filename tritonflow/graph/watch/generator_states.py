"""The states of Python's and NumPy's random generators, which a capture puts back."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy


class GeneratorStates:
    """What the generators were before a program drew from them."""

    def __init__(self) -> None:
        self._states: dict[int, tuple[Callable[[Any], None], Any]] = {}

    def keep(self, owner: Any = None) -> None:
        """Remember the states of the default ones, and of `owner`, before the first number is drawn."""
        self._states.setdefault(0, (random.setstate, random.getstate()))
        self._states.setdefault(1, (numpy.random.set_state, numpy.random.get_state()))
        if isinstance(owner, random.Random):
            self._states.setdefault(id(owner), (owner.setstate, owner.getstate()))
        elif isinstance(owner, numpy.random.RandomState):
            self._states.setdefault(id(owner), (owner.set_state, owner.get_state()))
        elif isinstance(owner, numpy.random.Generator):
            bits = owner.bit_generator
            self._states.setdefault(id(owner), (lambda state: setattr(bits, "state", state), bits.state))

    def put_back(self) -> None:
        """Let them be as they were."""
        for put, state in self._states.values():
            put(state)
