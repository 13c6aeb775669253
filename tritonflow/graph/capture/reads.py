"""The numbers of tensors that a program looks at while it is captured: `if loss > 3`, `n = count.item()`.

A capture has no numbers, so what such a tensor needs is computed there and then. Python gets a run-time scalar. Its number is
known, and a run reads it again: the program behind the read is right for what the function did with it (`graph/path`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tritonflow.framework.capture_errors import looking
from tritonflow.framework.runtime_scalar import RuntimeScalar
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


class Reads:
    """The reads of one capture.

    Args:
        numbers: of the call; those that are read are put behind them.
        evaluate: gives the elements of a value.
        known: what a run of this call has read before it came to what was not known.

    Attributes:
        all: in the order in which the program made them.
    """

    def __init__(self, numbers: Sequence[Any], evaluate: Callable[[Value], list[Any]], known: Sequence[Any] = ()) -> None:
        self.numbers = [*numbers, *known]
        self.all: list[Read] = []
        self._evaluate = evaluate
        self._end = len(numbers)
        self._nested: dict[Value, Any] = {}

    def of(self, value: Value) -> Any:
        """The elements of a value, nested as `tolist` gives them: run-time scalars, and what no scalar stands for, pinned."""
        if value not in self._nested:
            read = Read(value, self._end, self._end + value.meta.numel, looking())
            if read.stop > len(self.numbers):
                del self.numbers[read.first :]
                self.numbers += self._evaluate(value)
            self.all.append(read)
            self._end = read.stop
            self._nested[value] = _nested(map(self._scalar, range(read.first, read.stop)), value.meta.shape)
        return self._nested[value]

    def _scalar(self, position: int) -> Any:
        number = self.numbers[position]
        scalar = RuntimeScalar(number, lambda numbers: numbers[position])
        return scalar if type(number) in (int, float) else scalar.pin()


def _nested(scalars: Iterator[Any], shape: Sequence[int]) -> Any:
    """The next elements in lists, as deep as the shape."""
    if not shape:
        return next(scalars)
    return [_nested(scalars, shape[1:]) for _ in range(shape[0])]
