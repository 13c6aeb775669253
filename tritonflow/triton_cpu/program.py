"""Many launches as one native call, which walks through a table of kernels, grids and arguments.

A form has the launches, but for some numbers. Filled with these it is a program: programs for other sizes are one form, filled in
anew. Arguments that change from run to run are written into their slots before the call.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod
from operator import itemgetter
from typing import Any

from tritonflow.errors import NumberRangeError, nothing_changed

from . import launch, threads
from .arguments import pack

_BRIEF = 100  # launches in the caller that are over, all together, in a millisecond: each is estimated at 10 us at most
# In int64s: function, programs, grid x, y, z, whether to run in the caller, arguments,
# scratch bytes, error word.
_RECORD = 9
_INT32 = 1 << 31
# What a table is made of: numbers that it is filled with, others computed of them, those that stay, and addresses.
_GIVEN, _PACKED, _TOTAL, _FIXED, _FAILURE, _START = range(6)
_Source = tuple[int, int]  # one of these, and which of them


class NativeForm:
    """Launches in order, up to one that sets its error word, in which numbers may be missing.

    Args:
        launches: of each, its kernel, grid, arguments, sizes, whether to run in the caller, and the
            address of its error word, or 0. Any of these numbers may be `(k,)`, a gap: the k-th that the
            form is filled with. An argument may be a pair (number, offset), which is
            `live[number] + offset` in each run.
    """

    def __init__(self, launches: Sequence[Any]) -> None:
        self._runtime = threads.start()
        self._kernels = [kernel for kernel, *_ in launches]  # which must stay loaded
        self._inline = [inline for *_, inline, _ in launches]
        self._given = 0  # how many numbers it is filled with
        self._fixed: dict[int, int] = {}
        self._totals: dict[tuple[Any, ...], int] = {}  # grids with gaps
        self._packed: dict[tuple[int, str], int] = {}  # gaps for what is no address and no integer, by type
        self._narrow: dict[int, None] = {}  # gaps for 32-bit integers
        self._live: list[tuple[int, int, Any, str]] = []  # slot, number, offset, type
        slots: list[_Source] = []
        records: list[_Source] = []
        self._starts: list[int] = []  # where the arguments of each launch begin
        for number, (kernel, grid, arguments, sizes, inline, word) in enumerate(launches):
            self._starts.append(8 * len(slots))
            where = [self._plain(kernel.addr), self._total(grid), *map(self._plain, grid), self._plain(inline)]
            records += [*where, (_START, number), self._plain(kernel.scratch), self._plain(word)]
            slots += self._arguments(len(slots), kernel.types, [*arguments, *sizes])
            slots.append((_FAILURE, 0))
        lengths = (self._given, len(self._packed), len(self._totals), len(self._fixed), 1)
        starts = [0, *accumulate(lengths)]
        self._slots = _gather([starts[section] + k for section, k in slots])
        self._records = _gather([starts[section] + k for section, k in records])

    def filled(self, values: Sequence[Any]) -> NativeProgram:
        """The program with these numbers for its gaps.

        Raises:
            NumberRangeError: one does not fit into its type.
        """
        for k in self._narrow:
            if not -_INT32 <= values[k] < _INT32:
                raise NumberRangeError(f"a number does not fit into its type: {values[k]} as i32")
        failure = array("q", (0, 0))
        numbers = [
            *values[: self._given],
            *[_bits(type_, values[k]) for k, type_ in self._packed],
            *[prod([values[n[0]] if n.__class__ is not int else n for n in grid]) for grid in self._totals],
            *self._fixed,
            failure.buffer_info()[0],
        ]
        slots = array("q", self._slots(numbers))
        first = slots.buffer_info()[0]
        records = array("q", self._records([*numbers, *[first + start for start in self._starts]]))
        inline = all(values[each[0]] if isinstance(each, tuple) else each for each in self._inline)
        live = [(slot, number, _offset(offset, values), type_) for slot, number, offset, type_ in self._live]
        return NativeProgram(self, slots, records, failure, live, len(self._inline) <= _BRIEF and inline)

    def _gap(self, gap: tuple[int]) -> int:
        self._given = max(self._given, gap[0] + 1)
        return gap[0]

    def _plain(self, value: Any) -> _Source:
        """A number that is an int."""
        if isinstance(value, tuple):
            return _GIVEN, self._gap(value)
        return _FIXED, self._fixed.setdefault(int(value), len(self._fixed))

    def _total(self, grid: tuple[Any, ...]) -> _Source:
        """How many programs a grid has."""
        if any(isinstance(n, tuple) for n in grid):
            return _TOTAL, self._totals.setdefault(tuple(grid), len(self._totals))
        return self._plain(prod(grid))

    def _arguments(self, at: int, types: Sequence[str], values: list[Any]) -> list[_Source]:
        """The arguments of a launch, whose slots begin at one."""
        moving = [(position, value) for position, value in enumerate(values) if isinstance(value, tuple)]
        for position, _ in moving:
            values[position] = 0
        found = [self._plain(bits) for bits in array("q", pack(types, values))]
        for position, value in moving:
            if len(value) == 2:
                self._live.append((at + position, *value, types[position]))
                self._note(value[1])
            else:
                found[position] = self._argument(self._gap(value), types[position])
        return found

    def _note(self, offset: Any) -> None:
        if isinstance(offset, tuple):
            self._gap(offset)

    def _argument(self, gap: int, type_: str) -> _Source:
        if type_.startswith("*") or type_ == "i64":
            return _GIVEN, gap
        if type_ == "i32":
            self._narrow[gap] = None
            return _GIVEN, gap
        return _PACKED, self._packed.setdefault((gap, type_), len(self._packed))


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


def _gather(positions: Sequence[int]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """What takes the items at some positions."""
    if len(positions) > 1:
        return itemgetter(*positions)
    return lambda items: [items[position] for position in positions]


@functools.cache
def _entry(address: int) -> launch.NativeEntry:
    """The one builtin definition of all programs: definitions are never freed."""
    return launch.NativeEntry("program", address, "program()")
