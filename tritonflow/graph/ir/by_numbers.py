"""What was found for some sizes, found again by those numbers of a run that were asked about.

A planner asks questions of a few sizes, and what it finds is right wherever these have the same answers. So for equal numbers no
question is asked: in a mixture of experts the kernels of one expert depend on how many tokens it has, whatever the others have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from tritonflow.framework.expression import Atom, position_of
from tritonflow.framework.size_guards import Condition
from tritonflow.graph.ir.numbers import Outcomes

T = TypeVar("T")

_MOST = 512  # numbers that are remembered; then all are forgotten


class ByNumbers(Generic[T]):
    """A table of what answers of guards have led to.

    Example:
        >>> from tritonflow.framework.size_context import SizeContext
        >>> from tritonflow.graph.ir.by_numbers import ByNumbers, positions_of
        >>> sizes = SizeContext([12, 7])
        >>> n, table = sizes.symbol("n", 0), ByNumbers()
        >>> if n > 10:
        ...     table.put([12, 7], positions_of(sizes.guards), "many")
        >>> table.get([12, 5]), table.get([11, 7])
        ('many', None)
    """

    def __init__(self) -> None:
        self._positions: tuple[int, ...] = ()
        self._known: dict[tuple[Any, ...], T] = {}

    def get(self, numbers: Sequence[Any]) -> T | None:
        """What was found for these numbers of a run; None if nothing was put in for them."""
        return self._known.get(self._key(numbers))

    def put(self, numbers: Sequence[Any], positions: frozenset[int], found: T) -> None:
        """Remember what was found for these numbers of a run; it depends on nothing but the answers of guards.

        Args:
            positions: those of the guards.
        """
        if not positions.issubset(self._positions):
            self._positions = tuple(sorted(positions.union(self._positions)))
            self._known.clear()
        elif len(self._known) == _MOST:
            self._known.clear()
        self._known[self._key(numbers)] = found

    def _key(self, numbers: Sequence[Any]) -> tuple[Any, ...]:
        return tuple([numbers[position] for position in self._positions])


def positions_of(guards: dict[Any, Condition]) -> frozenset[int]:
    """The positions of the symbols that guards ask of, among the numbers of a run."""
    return frozenset([position_of(symbol) for guard in guards.values() for symbol in guard.symbols()])


class AllHold:
    """Whether all of some guards hold; those that ask of the same symbols are remembered together.

    Args:
        guards: by their questions.
    """

    def __init__(self, guards: dict[Any, Condition]) -> None:
        groups: dict[frozenset[Atom], dict[Any, Condition]] = {}
        for question, guard in guards.items():
            groups.setdefault(guard.symbols(), {})[question] = guard
        self._groups = [(group, positions_of(group), ByNumbers[bool]()) for group in groups.values()]

    def at(self, numbers: Sequence[Any], outcomes: Outcomes) -> bool:
        """Whether they do for the numbers of a run."""
        for guards, positions, known in self._groups:
            holds = known.get(numbers)
            if holds is None:
                holds = outcomes.hold(guards)
                known.put(numbers, positions, holds)
            if not holds:
                return False
        return True
