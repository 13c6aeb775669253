"""The numbers of tensors that a program looks at while it is captured: `if loss > 3`, `n = count.item()`.

A capture has no numbers, so what such a tensor needs is computed there and then. Python gets a run-time scalar. Its number is
known, and a run reads it again: the program behind the read is right for what the function did with it (`graph/path`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tritonflow.framework.capture_errors import looking
from tritonflow.framework.runtime_scalar import RuntimeScalar, for_user
from tritonflow.framework.size_context import SizeContext
from tritonflow.graph.ir import Value

MOST_NUMBERS = 64
"""So many elements of a tensor are read one by one."""


class Read(NamedTuple):
    """Numbers that a program looks at.

    Attributes:
        value: the tensor's.
        first, stop: where they are among the numbers of a run.
        line: what looks at them, for people.
    """

    value: Value
    first: int
    stop: int
    line: str


class IntegerReadError(BaseException):
    """The program looks at a whole number, which may become a size: it is captured anew, with symbols for such numbers."""


class Reads:
    """The reads of one capture.

    Args:
        numbers: of the call; those that are read are put behind them, in this list.
        evaluate: gives the elements of a value.
        known: what a run of this call has read before it came to what was not known.
        sizes: the symbols, to which whole numbers belong; None: the capture ends when there is one.
        is_static: whether whole numbers are no sizes.
        pins: whether all numbers are what they are.

    Attributes:
        all: in the order in which the program made them.
    """

    def __init__(
        self,
        numbers: list[Any],
        evaluate: Callable[[Value], list[Any]],
        known: Sequence[Any],
        sizes: SizeContext | None,
        is_static: bool,
        pins: bool,
    ) -> None:
        self._end = len(numbers)
        numbers += known
        self.numbers = numbers
        self.all: list[Read] = []
        self._evaluate = evaluate
        self._sizes, self._is_static, self._pins = sizes, is_static, pins
        self._nested: dict[Value, Any] = {}

    def of(self, value: Value, most: int | None = None) -> Any:
        """The elements of a value, nested as `tolist` gives them: run-time scalars, and what no scalar stands for, pinned.

        Args:
            most: of elements that count something.
        """
        if value not in self._nested:
            read = Read(value, self._end, self._end + value.meta.numel, looking())
            if read.stop > len(self.numbers):
                del self.numbers[read.first :]
                self.numbers += self._evaluate(value)
            self.all.append(read)
            self._end = read.stop
            self._nested[value] = _nested(
                iter([self._scalar(position, most) for position in range(read.first, read.stop)]), value.meta.shape
            )
        return self._nested[value]

    def _scalar(self, position: int, most: int | None) -> Any:
        number = self.numbers[position]
        if type(number) is int and not (self._is_static or self._pins):
            if self._sizes is None:
                raise IntegerReadError
            bounds = () if most is None else (0, most)
            return for_user(self._sizes.number(f"r{position}", position, *bounds))
        scalar = RuntimeScalar(number, lambda numbers: numbers[position])
        return scalar.pin() if self._pins or type(number) not in (int, float) else scalar


def _nested(scalars: Iterator[Any], shape: Sequence[int]) -> Any:
    """The next elements in lists, as deep as the shape."""
    if not shape:
        return next(scalars)
    return [_nested(scalars, shape[1:]) for _ in range(shape[0])]
