"""What a program depends on of its sizes: outcomes of comparisons, and what rules made of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from tritonflow.framework.expression import SizeExpression

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

    def __str__(self) -> str:
        relation = self.comparison if self.outcome else {"==": "!=", "<": ">=", "<=": ">"}[self.comparison]
        return f"{self.left} {relation} 0"


class RuleGuard(NamedTuple):
    """What a function of sizes gave, which the program depends on.

    Attributes:
        rule: the function.
        arguments: what it was called with, symbolic integers among them.
        outcome: what it gave.
        line: where that was, for people.
    """

    rule: Callable[..., Any]
    arguments: Callable[[Sequence[Any]], tuple[tuple[Any, ...], dict[str, Any]]]
    outcome: Any
    line: str

    def asked(self, numbers: Sequence[Any]) -> Any:
        """What it gives for the numbers of another run."""
        args, kwargs = self.arguments(numbers)
        return self.rule(*args, **kwargs)

    def holds(self, numbers: Sequence[Any]) -> bool:
        """Whether that is the same."""
        return bool(self.asked(numbers) == self.outcome)

    def __str__(self) -> str:
        return f"{getattr(self.rule, '__name__', self.rule)}() is {self.outcome}"
