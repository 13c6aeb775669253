"""The symbols of one capture: their numbers, and what was asked of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tritonflow.framework.expression import Atom, SizeExpression, symbol
from tritonflow.framework.size_guards import COMPARED, Condition, RuleGuard, SizeGuard
from tritonflow.framework.symbolic_int import DECIDED, MOST, Evaluated, SymbolicInt, at_numbers, key_of, sizes_in


class SizeContext:
    """The symbols of one capture, and what has been asked of them.

    Args:
        hints: the numbers of the call that is captured.
        line: where the user's program is, for people.

    Attributes:
        guards: what was asked, by the questions; None when nobody may ask any more.
        numbers: the symbols that are numbers among a call's arguments, and no sizes of tensors.
        few: counts that are 0 or 1, and matter as such: `taking_many` does not take them to be more.

    Example:
        >>> from tritonflow.framework.size_context import SizeContext
        >>> sizes = SizeContext([12])
        >>> n = sizes.symbol("n", 0)
        >>> n * 4 > n, n > 10, [*map(str, sizes.close())]
        (True, True, ['n > 10'])
    """

    def __init__(self, hints: Sequence[int], line: Callable[[], str] = str) -> None:
        self.hints = hints
        self.line = line
        self.guards: dict[Any, Condition] | None = {}
        self.numbers: set[Atom] = set()
        self._takes_many = False
        self.few: frozenset[Atom] = frozenset()
        self._made: dict[SizeExpression, SymbolicInt] = {}
        self._calculated: dict[tuple[Any, SizeExpression, SizeExpression], SizeExpression] = {}

    def symbol(self, name: str, position: int, low: int = 1, high: int = MOST) -> SymbolicInt:
        """The number of a run at a position."""
        made = self.integer(symbol(name, position, low, high))
        assert type(made) is SymbolicInt
        return made

    def number(self, name: str, position: int, low: int = -MOST, high: int = MOST) -> SymbolicInt:
        """An int among a call's arguments, or one that is read of a tensor: the number of a run at a position."""
        made = self.symbol(name, position, low, high)
        self.numbers |= made.expression.symbols()
        return made

    def integer(self, expression: SizeExpression) -> Any:
        """The integer that an expression is; a plain one for a constant."""
        constant = expression.constant
        if constant is not None:
            return constant
        made = self._made.get(expression)
        if made is None:
            made = self._made[expression] = SymbolicInt(self, expression)
        return made

    def calculate(self, function: Any, left: SizeExpression, right: SizeExpression) -> SizeExpression:
        """What an operator makes of two expressions. Planners calculate the same again and again."""
        key = function, left, right
        found = self._calculated.get(key)
        if found is None:
            found = self._calculated[key] = function(left, right)
        return found

    def ask(self, left: SizeExpression, comparison: str, exactly: bool = False) -> bool:
        """Whether an expression is equal to 0, less, or at most 0.

        Args:
            exactly: also where counts are taken to be many.
        """
        known = DECIDED[comparison](*left.range)
        if known is None and self._takes_many and not exactly and self.few.isdisjoint(left.symbols()):
            known = DECIDED[comparison](*left.range_of_many)
        if known is not None:
            return known
        if comparison == "==" and next(iter(left.terms.values())) < 0:  # x - y and y - x are one question
            left = -left
        asked = None if self.guards is None else self.guards.get((left, comparison))
        if asked is not None:
            return bool(asked.outcome)
        outcome = COMPARED[comparison](left.evaluate(self.hints), 0)
        self._note((left, comparison), lambda: SizeGuard(left, comparison, outcome, False, self.line()))
        return outcome

    def is_exact(self, left: SizeExpression, right: SizeExpression) -> bool:
        """Whether a division leaves no remainder, where counts are taken to be many: nobody asks whether they are 0."""
        return self._takes_many and self.few.isdisjoint(right.symbols()) and left.divided(right) is not None

    def decide(self, question: Any, values: Any, decision: Callable[[], Any], by_questions: bool = False) -> Any:
        """What a decision gives, which the program depends on, and not on each comparison in it; equal questions are one.

        Args:
            question, values: the same for decisions that are the same; what it depends on has symbols in the values alone.
            by_questions: whether it is the same wherever all that it asks has the same answers: it is not made again there.
        """
        known: list[tuple[dict[Any, Condition], Any]] = []

        def at(numbers: Sequence[Any]) -> Any:
            for guards, outcome in known:
                if all(guard.holds(numbers) for guard in guards.values()):
                    return outcome
            guards = {}
            with self.at(numbers), self.asking(guards):
                outcome = decision()
            if by_questions:
                known.insert(0, (guards, outcome))
            return outcome

        outcome = at(self.hints)
        self._note(
            (question, key_of(values)),
            lambda: RuleGuard(at, lambda numbers: ((numbers,), {}), sizes_in(values), outcome, self.line()),
        )
        return outcome

    def _note(self, question: Any, guard: Callable[[], Condition]) -> None:
        if self.guards is None:
            raise RuntimeError("a size of a captured program is asked for behind its capture")
        if question not in self.guards:
            self.guards[question] = guard()

    def rule(self, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function gives for the hints of its arguments, which the program depends on."""

        outcome = rule(*at_numbers(args, self.hints), **at_numbers(kwargs, self.hints))
        own = at_numbers(outcome, self.hints)  # whoever asks may change what it is given
        question = rule, key_of(args), key_of(tuple(kwargs.items()))
        self._note(question, lambda: RuleGuard(rule, Evaluated((args, kwargs)), sizes_in((args, kwargs)), own, self.line()))
        return outcome

    def pin(self, value: SymbolicInt) -> int:
        """The number of a symbolic integer, which it is in every run from now on."""
        hint = value.hint
        left = value.expression - hint
        self._note((left, "pin"), lambda: SizeGuard(left, "==", True, True, self.line()))
        return hint

    def close(self) -> list[Condition]:
        """What was asked; nobody may ask any more, but in blocks of `asking`."""
        assert self.guards is not None
        guards, self.guards, self.line = [*self.guards.values()], None, str
        self.few = frozenset().union(*[guard.symbols() for guard in guards if _is_of_few(guard)])
        return guards

    @contextmanager
    def asking(self, guards: dict[Any, Condition]) -> Iterator[None]:
        """A block whose questions become guards of its own."""
        before, self.guards, self._takes_many = (self.guards, self._takes_many), guards, False
        try:
            yield
        finally:
            self.guards, self._takes_many = before

    @contextmanager
    def taking_many(self) -> Iterator[None]:
        """A block that takes counts which may be 0 or 1 to be more, for questions whose answer is then right for 0 and 1, too.

        That is so where all ops make of a program what they would make of it for more (`Questions`): none has broadcast a dimension
        because a count was 1. The others are `few`.
        """
        before, self._takes_many = self._takes_many, True
        try:
            yield
        finally:
            self._takes_many = before

    @contextmanager
    def knowing(self, few: frozenset[Atom]) -> Iterator[None]:
        """A block in which these counts are few."""
        before, self.few = self.few, few
        try:
            yield
        finally:
            self.few = before

    @contextmanager
    def at(self, hints: Sequence[int]) -> Iterator[None]:
        """A block in which other numbers stand for the symbols."""
        before, self.hints = self.hints, hints
        try:
            yield
        finally:
            self.hints = before


def _is_of_few(guard: Condition) -> bool:
    """Whether what is so for a program would not be so if all counts were many."""
    return isinstance(guard, SizeGuard) and DECIDED[guard.comparison](*guard.left.range_of_many) not in (None, guard.outcome)
