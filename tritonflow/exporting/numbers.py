"""The numbers of a schedule as formulas of the sizes.

What a number is for each combination of sizes is known. So a formula is written only if it gives just that: the expression that the
schedule has, or a number and a multiple of a size. Where there is neither, all values are written.

    number size 0            a size
    number mul 16 #0         of numbers before: #0 is the first line
    number table 3 3 4       a value for each combination of sizes that the schedule is for
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

_OPERATORS: dict[type, tuple[str, Callable[[int, int], int]]] = {
    ast.Add: ("add", lambda a, b: a + b),
    ast.Sub: ("sub", lambda a, b: a - b),
    ast.Mult: ("mul", lambda a, b: a * b),
    ast.FloorDiv: ("div", lambda a, b: a // b),
    ast.Mod: ("mod", lambda a, b: a % b),
}
_FUNCTIONS: dict[str, Callable[[int, int], int]] = {"min": min, "max": max}
Values = tuple[int, ...]


class Formulas:
    """The numbers of a schedule.

    Args:
        sizes: of each size its values, one for each combination.
        runs: of each combination the numbers of a run, which expressions are of.

    Attributes:
        lines: what they are.
    """

    def __init__(self, sizes: Sequence[Values], runs: Sequence[Sequence[Any]]) -> None:
        self._sizes, self._runs = sizes, runs
        self.lines: list[str] = []
        self._known: dict[Values, str] = {}

    def token(self, values: Sequence[int], source: str | None = None) -> str:
        """What stands for a number: itself, or that of its line.

        Args:
            values: one for each combination.
            source: an expression that may give these.
        """
        values = tuple(map(int, values))
        if len(set(values)) == 1:
            return str(values[0])
        found = self._known.get(values) or self._multiple(values)
        if found is None and source is not None:
            found = self._expression(values, source)
        return found or self._line(values, f"table {' '.join(map(str, values))}")

    def _line(self, values: Values, text: str) -> str:
        if values not in self._known:
            self._known[values] = f"#{len(self.lines)}"
            self.lines.append(text)
        return self._known[values]

    def _size(self, number: int) -> str:
        return self._line(self._sizes[number], f"size {number}")

    def _multiple(self, values: Values) -> str | None:
        """The values as a size, or a multiple of one and a number."""
        for number, size in enumerate(self._sizes):
            other = next((k for k, n in enumerate(size) if n != size[0]), None)
            if other is None:
                continue
            factor, rest = divmod(values[other] - values[0], size[other] - size[0])
            first = values[0] - factor * size[0]
            if rest or any(factor * n + first != value for n, value in zip(size, values)):
                continue
            found = self._size(number)
            if factor != 1:
                found = self._line(tuple([factor * n for n in size]), f"mul {factor} {found}")
            return found if not first else self._line(values, f"add {first} {found}")
        return None

    def _expression(self, values: Values, source: str) -> str | None:
        """The values by an expression; None if it has parts that no formula has, or gives others."""
        try:
            found, token = self._walk(ast.parse(source, mode="eval").body)
        except (KeyError, ValueError, ZeroDivisionError):
            return None
        return token if found == values else None

    def _walk(self, node: Any) -> tuple[Values, str]:
        if isinstance(node, ast.Constant):
            values = tuple([int(ast.literal_eval(node))] * len(self._runs))
            return values, self.token(values)
        if isinstance(node, ast.Subscript):
            values = tuple([int(run[ast.literal_eval(node.slice)]) for run in self._runs])
            return values, self.token(values)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self._apply("sub", lambda a, b: a - b, ast.Constant(0), node.operand)
        if isinstance(node, ast.BinOp):
            return self._apply(*_OPERATORS[type(node.op)], node.left, node.right)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 2:
            return self._apply(node.func.id, _FUNCTIONS[node.func.id], *node.args)
        raise ValueError

    def _apply(self, name: str, function: Callable[[int, int], int], left: Any, right: Any) -> tuple[Values, str]:
        (a, first), (b, second) = self._walk(left), self._walk(right)
        values = tuple(map(function, a, b))
        if len(set(values)) == 1:
            return values, str(values[0])
        return values, self._known.get(values) or self._line(values, f"{name} {first} {second}")
