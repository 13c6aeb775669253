"""What a program depends on of its sizes: outcomes of comparisons, and what rules made of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from tritonflow.framework.expression import Atom, SizeExpression

COMPARED: dict[str, Callable[[int, int], bool]] = {"==": operator.eq, "<": operator.lt, "<=": operator.le}


class Condition(Protocol):
    """Something that is so for some sizes.

    Attributes:
        outcome: what it is that is so.
    """

    @property
    def outcome(self) -> Any: ...

    def asked(self, numbers: Sequence[Any]) -> Any:
        """What it is for the numbers of another run."""

    def holds(self, numbers: Sequence[Any]) -> bool:
        """Whether it is so for these, too."""

    def symbols(self) -> frozenset[Atom]:
        """The symbols that it depends on."""


class SizeGuard(NamedTuple):
    """A comparison with 0 whose outcome the program depends on.

    Attributes:
        left: what is compared.
        comparison: "==", "<" or "<=".
        outcome: what it gave.
        is_pin: whether the number itself was asked for.
        line: where that was, for people.
    """

    left: SizeExpression
    comparison: str
    outcome: bool
    is_pin: bool
    line: str

    def asked(self, numbers: Sequence[Any]) -> bool:
        """What it gives for the numbers of another run."""
        return COMPARED[self.comparison](self.left.evaluate(numbers), 0)

    def holds(self, numbers: Sequence[Any]) -> bool:
        """Whether that is the same."""
        return self.asked(numbers) is self.outcome

    def symbols(self) -> frozenset[Atom]:
        """Those of what is compared."""
        return self.left.symbols()

    def __str__(self) -> str:
        relation = self.comparison if self.outcome else {"==": "!=", "<": ">=", "<=": ">"}[self.comparison]
        left = SizeExpression({product: factor for product, factor in self.left.terms.items() if factor > 0})
        right = SizeExpression({product: -factor for product, factor in self.left.terms.items() if factor < 0})
        if left.constant is not None:
            left, right, relation = right, left, _SWAPPED.get(relation, relation)
        return f"{left} {relation} {right}"


_SWAPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


class RuleGuard(NamedTuple):
    """What a function of sizes gave, which the program depends on.

    Attributes:
        rule: the function.
        arguments: what it was called with, symbolic integers among them.
        of: the sizes that make a difference to it.
        outcome: what it gave.
        line: where that was, for people.
    """

    rule: Callable[..., Any]
    arguments: Callable[[Sequence[Any]], tuple[tuple[Any, ...], dict[str, Any]]]
    of: Sequence[SizeExpression]
    outcome: Any
    line: str

    def asked(self, numbers: Sequence[Any]) -> Any:
        """What it gives for the numbers of another run."""
        args, kwargs = self.arguments(numbers)
        return self.rule(*args, **kwargs)

    def holds(self, numbers: Sequence[Any]) -> bool:
        """Whether that is the same."""
        return bool(self.asked(numbers) == self.outcome)

    def symbols(self) -> frozenset[Atom]:
        """Those of the sizes."""
        return frozenset().union(*[size.symbols() for size in self.of])

    def __str__(self) -> str:
        return f"{getattr(self.rule, '__name__', self.rule)}() is {self.outcome}"


class Narrowed(NamedTuple):
    """What comparisons with plain numbers leave of the range of a symbol.

    Attributes:
        low, high: the range.
        lines: where the comparisons are that made it smaller.
    """

    low: int
    high: int
    lines: list[str]


def narrowed(symbol: Atom, guards: Iterable[Condition]) -> Narrowed:
    """The numbers of a symbol for which guards hold that compare it with plain numbers.

    Example:
        >>> from tritonflow.framework.size_guards import narrowed
        >>> from tritonflow.framework.size_context import SizeContext
        >>> sizes = SizeContext([5], lambda: "a line")
        >>> n = sizes.symbol("n", 0)
        >>> n < 5, 2 * n > 11, narrowed(next(iter(n.expression.symbols())), sizes.close())
        (False, False, Narrowed(low=5, high=5, lines=['a line', 'a line']))
    """
    low, high, lines = symbol.low, symbol.high, []
    for guard in guards:
        if isinstance(guard, SizeGuard):
            least, most = _range(symbol, guard)
            if least > low or most < high:
                low, high = max(low, least), min(high, most)
                lines.append(guard.line)
    return Narrowed(low, high, lines)


def _range(symbol: Atom, guard: SizeGuard) -> tuple[int, int]:
    """The numbers of a symbol for which a guard holds; all, if it is no comparison of the symbol with a number."""
    terms = dict(guard.left.terms)
    constant, factor = terms.pop((), 0), terms.pop((symbol,), 0)
    if terms or not factor or (guard.comparison == "==" and not guard.outcome):
        return symbol.low, symbol.high
    if guard.comparison == "==":
        return -constant // factor, -constant // factor
    if guard.comparison == "<=":
        constant -= 1
    if not guard.outcome:  # a >= 0 is -a - 1 < 0
        constant, factor = -constant - 1, -factor
    if factor > 0:
        return symbol.low, (-constant - 1) // factor
    return constant // -factor + 1, symbol.high
