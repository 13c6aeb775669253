"""The states of Python's and NumPy's random generators, which a capture puts back."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy


class GeneratorStates:
    """What the generators were before a program drew from them.

    Attributes:
        library_draws: whether the default ones were drawn from, and user code did not: the code of libraries is not watched.
    """

    def __init__(self) -> None:
        self._states: dict[int, tuple[Callable[[Any], None], Any]] = {}
        self._known: Any = None
        self.library_draws = False

    def begin(self) -> None:
        """From now on nobody draws unseen."""
        self.keep()
        self._known = _default_states()

    def settle(self) -> None:
        """What user code has drawn just now is known."""
        self._known = _default_states()

    def look(self) -> None:
        """Find out whether a library has drawn since nobody did."""
        self.library_draws = self.library_draws or self._known != _default_states()

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
        for put, state in reversed(self._states.values()):  # a generator that is met under two names: its first state last
            put(state)


def _default_states() -> tuple[Any, ...]:
    """The states of the default generators of Python and NumPy, to be compared."""
    name, words, *rest = numpy.random.get_state(legacy=True)
    return random.getstate(), name, numpy.asarray(words).tobytes(), tuple(rest)
