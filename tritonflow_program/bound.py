"""A variant bound to memory for one combination of sizes: a table that the runner walks through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from tritonflow_program.arrays import memory
from tritonflow_program.variant import Operand, Output, Values, Variant

_RECORD = 9  # words of a launch: function, programs, grid x, y, z, whether alone, arguments, nothing, error word


class Bound:
    """The launches for some sizes.

    Args:
        variant, values: what runs, and its numbers.
        kernels: the addresses of all kernels.
        states: the addresses of the states.
        arena: the address of what lies between launches.

    Attributes:
        outputs: of each what it is, its bytes, shape and strides.
        table: the launches, for the runner.
        words, failure: what a check has found; where an assertion leaves its text.
    """

    def __init__(
        self, variant: Variant, values: Values, kernels: Sequence[int], states: Sequence[int], arena: int
    ) -> None:
        self.variant = variant
        of = values.of
        self.outputs: list[tuple[Output, int, tuple[int, ...], tuple[int, ...]]] = [
            (each, of(each.nbytes), tuple(map(of, each.shape)), tuple(map(of, each.stride))) for each in variant.outputs
        ]
        self.words, self.failure = numpy.zeros(max(1, len(variant.words)), numpy.int32), numpy.zeros(2, numpy.int64)
        self._tables = [numpy.zeros(max(1, len(rows)), numpy.int64) for rows in variant.tables]
        self._bases = {
            "s": states,
            "a": [arena + of(buffer) for buffer in variant.buffers],
            "t": [table.ctypes.data for table in self._tables],
            "w": [self.words.ctypes.data + 4 * number for number in range(len(variant.words))],
        }
        self._live: dict[str, list[tuple[Any, int, int, int]]] = {"i": [], "o": []}
        for table, rows in zip(self._tables, variant.tables):
            self._fill(table, 0, rows, values)
        self._slots = numpy.zeros(sum([len(each.operands) + 1 for each in variant.launches]), numpy.int64)
        self.table = numpy.zeros((len(variant.launches), _RECORD), numpy.int64)
        at = 0
        for row, each in enumerate(variant.launches):
            self._fill(self._slots, at, each.operands, values)
            grid = [of(n) for n in each.grid]
            word = 0 if each.word < 0 else self._bases["w"][each.word]
            arguments = self._slots.ctypes.data + 8 * at
            alone, total = of(each.alone), grid[0] * grid[1] * grid[2]
            self.table[row] = kernels[each.kernel], total, *grid, alone, arguments, 0, word
            at += len(each.operands) + 1
            self._slots[at - 1] = self.failure.ctypes.data

    def _fill(self, slots: Any, at: int, operands: Sequence[Operand], values: Values) -> None:
        for k, (kind, number, offset) in enumerate(operands):
            if kind == "v":
                slots[at + k] = values.of(offset)
            elif kind in self._live:
                self._live[kind].append((slots, at + k, number, values.of(offset)))
            else:
                slots[at + k] = self._bases[kind][number] + values.of(offset)

    def results(self) -> list[Any]:
        """Memory for the outputs."""
        return [memory(nbytes) for _, nbytes, _, _ in self.outputs]

    def give(self, inputs: Sequence[int], outputs: Sequence[int]) -> None:
        """Let the next run have these addresses of inputs and outputs."""
        for kind, addresses in (("i", inputs), ("o", outputs)):
            for slots, at, number, offset in self._live[kind]:
                slots[at] = addresses[number] + offset
