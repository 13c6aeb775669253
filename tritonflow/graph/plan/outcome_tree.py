"""What was found for some sizes, found again for others: a tree of the questions that led to it.

    is 64 < s0?  -- yes --  config(s0, 64)?  -- {"BLOCK_M": 32} --  what was put in
                 |                           -- {"BLOCK_M": 64} --  something else
                 -- no  --  config(s0, 64)?  -- ...

Planners ask one question after the other, and which one comes next depends on the answers. So what was found for two sizes begins
with the same questions, and each is asked once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from tritonflow.framework.size_guards import Condition

T = TypeVar("T")


_MOST = 256  # things in a tree; then it begins anew


class _Fork:
    """A question by its number, what answers it for the numbers of a run, and where each answer leads."""

    __slots__ = ("number", "asked", "answers")

    def __init__(self, number: int, asked: Callable[[Sequence[Any]], Any]) -> None:
        self.number, self.asked = number, asked
        self.answers: list[tuple[Any, Any]] = []

    def below(self, answer: Any) -> Any:
        """Where an answer leads; None if nowhere yet."""
        return next((below for known, below in self.answers if known == answer), None)

    def lead(self, answer: Any, below: Any) -> None:
        """Let an answer lead somewhere."""
        self.answers = [(answer, below), *[each for each in self.answers if each[0] != answer]]


class OutcomeTree(Generic[T]):
    """Things by the outcomes of guards.

    Example:
        >>> from tritonflow.framework.symbolic_int import SizeContext
        >>> from tritonflow.graph.plan.outcome_tree import OutcomeTree
        >>> sizes = SizeContext([12])
        >>> n, tree = sizes.symbol("n", 0), OutcomeTree()
        >>> if n > 10:
        ...     tree.put([sizes.guards], "many")
        >>> tree.find([11]), tree.find([9])
        ('many', None)
    """

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._clear()

    def _clear(self) -> None:
        self._top, self._count = _Fork(-1, lambda numbers: None), 0

    def find(self, numbers: Sequence[Any]) -> T | None:
        """What was put in under guards that hold for the numbers of a run."""
        at: Any = self._top
        while at.__class__ is _Fork:
            outcome = at.asked(numbers)
            for answer, below in at.answers:
                if answer == outcome:
                    at = below
                    break
            else:
                return None
        found: T = at
        return found

    def put(self, guards: Iterable[dict[Any, Condition]], found: T) -> None:
        """Put in what was found under guards, by their questions, in the order in which these were asked."""
        if self._count == _MOST:
            self._clear()
        self._count += 1
        asked: dict[Any, Condition] = {}
        for each in guards:
            for question, guard in each.items():
                asked.setdefault(question, guard)
        at, answer = self._top, None
        for question, guard in asked.items():
            number = self._numbers.setdefault(question, len(self._numbers))
            below = at.below(answer)
            if below.__class__ is not _Fork or below.number != number:  # or the order was another one
                below = _Fork(number, guard.asked)
                at.lead(answer, below)
            at, answer = below, guard.outcome
        at.lead(answer, found)
