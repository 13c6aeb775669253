"""Many launches as one native call, which walks through a table of kernels, grids and arguments.

A form has the launches, but for some numbers. Filled with these it is a program: programs for other sizes are one form, filled in
anew. Forms with launches in common have rows of these in common. Arguments that change from run to run are written into their slots
before the call.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from array import array
from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.errors import NumberRangeError, nothing_changed

from . import launch, threads
from .arguments import pack

_BRIEF = 100  # launches in the caller that are over, all together, in a millisecond: each is estimated at 10 us at most
# In int64s: function, programs, grid x, y, z, whether to run in the caller, arguments,
# scratch bytes, error word.
_RECORD = 9
_INT32 = 1 << 31
_ARGUMENTS = 6  # of these the address of the arguments


class NativeRows:
    """Launches as rows of a program's tables, in which numbers may be missing. Forms are put together of these.

    Args:
        launches: of each, its kernel, grid, arguments, sizes, whether to run in the caller, and the
            address of its error word, or 0. Any of these numbers may be `(k,)`, a gap: the k-th that a
            form is filled with. An argument may be a pair (number, offset), which is
            `live[number] + offset` in each run.

    Attributes:
        slots, records: the tables, with 0 for what is missing.
        inline: of each launch whether to run in the caller.
        narrow: gaps for 32-bit integers.
    """

    def __init__(self, launches: Sequence[Any]) -> None:
        self._kernels = [kernel for kernel, *_ in launches]  # which must stay loaded
        self.inline = [inline for *_, inline, _ in launches]
        self.narrow: set[int] = set()
        self.slots, self.records = array("q"), array("q")
        self._live: list[tuple[int, int, Any, str]] = []  # slot, number, offset, type
        self._slot_gaps: list[tuple[int, int]] = []  # slot, gap
        self._packed: list[tuple[int, int, str]] = []  # slot, gap, type: no address and no integer
        self._record_gaps: list[tuple[int, int]] = []
        self._totals: list[tuple[int, tuple[Any, ...]]] = []  # grids with gaps
        self._starts: list[int] = []  # slots where the arguments of each launch begin
        self._failures: list[int] = []  # slots
        for kernel, grid, arguments, sizes, inline, word in launches:
            self._record(kernel, grid, inline, word)
            self._starts.append(len(self.slots))
            self._arguments(kernel.types, [*arguments, *sizes])
            self._failures.append(len(self.slots))
            self.slots.append(0)

    def fill(self, slots: array[int], records: array[int], values: Sequence[Any], failure: int) -> None:
        """Add these rows, with these numbers for their gaps, to the tables of a program.

        Args:
            failure: the address where a failed assertion leaves its text.
        """
        at, row = len(slots), len(records)
        slots.extend(self.slots)
        records.extend(self.records)
        for slot, gap in self._slot_gaps:
            slots[at + slot] = values[gap]
        for slot, gap, type_ in self._packed:
            slots[at + slot] = _bits(type_, values[gap])
        for slot in self._failures:
            slots[at + slot] = failure
        for position, gap in self._record_gaps:
            records[row + position] = values[gap]
        for position, grid in self._totals:
            records[row + position] = prod([values[n[0]] if n.__class__ is not int else n for n in grid])
        for number, start in enumerate(self._starts):
            records[row + number * _RECORD + _ARGUMENTS] = 8 * (at + start)

    def live(self, at: int, values: Sequence[Any]) -> list[tuple[int, int, int, str]]:
        """The arguments of each run, in rows that begin at the slot `at`: slot, number, offset and type."""
        return [(at + slot, number, _offset(offset, values), type_) for slot, number, offset, type_ in self._live]

    def _record(self, kernel: Any, grid: Sequence[Any], inline: Any, word: Any) -> None:
        """Add what a launch is but for its arguments."""
        begin, total = len(self.records), 0
        if any(isinstance(n, tuple) for n in grid):
            self._totals.append((begin + 1, tuple(grid)))
        else:
            total = prod(grid)
        for value in (kernel.addr, total, *grid, inline, 0, kernel.scratch, word):
            if isinstance(value, tuple):
                self._record_gaps.append((len(self.records), value[0]))
            self.records.append(0 if isinstance(value, tuple) else int(value))

    def _arguments(self, types: Sequence[str], values: list[Any]) -> None:
        """Add the arguments of a launch."""
        at = len(self.slots)
        for position, value in enumerate(values):
            if not isinstance(value, tuple):
                continue
            values[position], type_ = 0, types[position]
            if len(value) == 2:
                self._live.append((at + position, *value, type_))
            elif type_.startswith("*") or type_ in ("i32", "i64"):
                self._slot_gaps.append((at + position, value[0]))
                if type_ == "i32":
                    self.narrow.add(value[0])
            else:
                self._packed.append((at + position, value[0], type_))
        self.slots.frombytes(pack(types, values))


class NativeForm:
    """Rows in order, up to one that sets its error word: a program, but for the numbers that are missing.

    Args:
        rows: of its launches.
    """

    def __init__(self, rows: Sequence[NativeRows]) -> None:
        self._rows = rows
        self._narrow = set[int]().union(*[each.narrow for each in rows])
        self._inline = [inline for each in rows for inline in each.inline]

    def filled(self, values: Sequence[Any]) -> NativeProgram:
        """The program with these numbers for its gaps.

        Raises:
            NumberRangeError: one does not fit into its type.
        """
        for k in self._narrow:
            if not -_INT32 <= values[k] < _INT32:
                raise NumberRangeError(f"a number does not fit into its type: {values[k]} as i32")
        failure, slots, records = array("q", (0, 0)), array("q"), array("q")
        live: list[tuple[int, int, int, str]] = []
        for each in self._rows:
            live += each.live(len(slots), values)
            each.fill(slots, records, values, failure.buffer_info()[0])
        first = slots.buffer_info()[0]
        for row in range(_ARGUMENTS, len(records), _RECORD):
            records[row] += first
        inline = all(values[each[0]] if isinstance(each, tuple) else each for each in self._inline)
        return NativeProgram(self, slots, records, failure, live, len(self._inline) <= _BRIEF and inline)


class NativeProgram:
    """A form that was filled in.

    Args:
        form: it.
        slots, records, failure: the tables.
        live: the arguments of each run: slot, number, offset and type.
        atomic: whether a run holds the interpreter's lock throughout. It takes less than 1 ms then.

    Attributes:
        atomic: this.
        nbytes: of its tables.
    """

    def __init__(
        self,
        form: NativeForm,
        slots: array[int],
        records: array[int],
        failure: array[int],
        live: Sequence[tuple[int, int, int, str]],
        atomic: bool,
    ) -> None:
        self._form, self._slots, self._records, self._failure = form, slots, records, failure
        self._patches = [(slot, number, offset) for slot, number, offset, type_ in live if type_.startswith("*")]
        self._scalars = [(slot, number, type_) for slot, number, _, type_ in live if not type_.startswith("*")]
        self.atomic = atomic
        self.nbytes = 8 * (len(slots) + len(records))
        self._lock = threading.Lock()  # of the slots
        table, count = records.buffer_info()
        how = b"".join(number.to_bytes(8, "little") for number in (table, count // _RECORD, atomic))
        self._run = _entry(threads.start().code.address("tf_program")).builtin(how)

    def run(self, live: Sequence[Any]) -> None:
        """Run all launches. The interpreter's lock is held only if that takes less than 1 ms.

        Raises:
            AssertionError: of a kernel's device_assert.
        """
        slots = self._slots
        with self._lock:
            for slot, number, offset in self._patches:
                slots[slot] = live[number] + offset
            for slot, number, type_ in self._scalars:
                slots[slot] = _bits(type_, live[number])
            self._run()
            if self._failure[0]:
                text = ctypes.string_at(self._failure[0]).decode()
                self._failure[0] = 0
                raise AssertionError(text)


def _bits(type_: str, value: Any) -> int:
    """What a slot holds for a number."""
    try:
        return int.from_bytes(pack((type_,), (value,)), "little", signed=True)
    except NumberRangeError as error:
        raise nothing_changed(error) from None


def _offset(offset: Any, values: Sequence[Any]) -> int:
    number: int = values[offset[0]] if isinstance(offset, tuple) else offset
    return number


@functools.cache
def _entry(address: int) -> launch.NativeEntry:
    """The one builtin definition of all programs: definitions are never freed."""
    return launch.NativeEntry("program", address, "program()")
