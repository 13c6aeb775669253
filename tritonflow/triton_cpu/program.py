"""Many launches as one native call, which walks through a table of kernels, grids and arguments.

Arguments that change from run to run are written into their slots before the call.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Sequence
from typing import Any

from . import launch, threads
from .arguments import pack

_BRIEF = 100  # launches in the caller that are over, all together, in a millisecond: each is estimated at 10 us at most
# In int64s: function, programs, grid x, y, z, whether to run in the caller, arguments,
# scratch bytes, error word.
_RECORD = 9


class NativeProgram:
    """Launches in order, up to one that sets its error word.

    Args:
        launches: of each, its kernel, grid, arguments, sizes, whether to run in the caller, and the
            address of its error word, or 0. An argument may be a pair (number, offset), which is
            `live[number] + offset` in each run.

    Attributes:
        atomic: whether a run holds the interpreter's lock throughout. It takes less than 1 ms then.
    """

    def __init__(self, launches: Sequence[Any]) -> None:
        runtime = threads.start()
        slots = sum(len(kernel.types) + 1 for kernel, *_ in launches)
        self._slots = (ctypes.c_int64 * max(slots, 1))()
        self._records = (ctypes.c_int64 * (_RECORD * len(launches)))()
        self._failure = (ctypes.c_int64 * 2)()
        self._patches: list[tuple[int, int, int]] = []  # slot, number, offset
        self._scalars: list[tuple[int, int, str]] = []  # slot, number, type
        self._kernels = [kernel for kernel, *_ in launches]
        at = 0
        for number, (kernel, grid, arguments, sizes, inline, word) in enumerate(launches):
            self._pack(at, kernel, arguments, sizes)
            self._record(number, at, kernel, grid, inline, word)
            at += len(kernel.types) + 1
        self.atomic = len(launches) <= _BRIEF and all(inline for *_, inline, _ in launches)
        self._lock = threading.Lock()  # of the slots
        table = ctypes.addressof(self._records)
        how = b"".join(number.to_bytes(8, "little") for number in (table, len(launches), self.atomic))
        self._run = _entry(runtime.code.address("tf_program")).builtin(how)

    def _pack(self, at: int, kernel: Any, arguments: Sequence[Any], sizes: Sequence[Any]) -> None:
        values = [*arguments, *sizes]
        for position, value in enumerate(values):
            if isinstance(value, tuple):
                number, offset = value
                values[position] = 0
                if kernel.types[position].startswith("*"):
                    self._patches.append((at + position, number, offset))
                else:
                    self._scalars.append((at + position, number, kernel.types[position]))
        packed = pack(kernel.types, values)
        ctypes.memmove(ctypes.addressof(self._slots) + 8 * at, packed, len(packed))
        self._slots[at + len(kernel.types)] = ctypes.addressof(self._failure)

    def _record(self, number: int, at: int, kernel: Any, grid: tuple[int, int, int], inline: bool, word: int) -> None:
        total = grid[0] * grid[1] * grid[2]
        self._records[_RECORD * number : _RECORD * (number + 1)] = [
            kernel.addr, total, *grid, int(inline), ctypes.addressof(self._slots) + 8 * at, kernel.scratch, word,
        ]  # fmt: skip

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
                slots[slot] = int.from_bytes(pack((type_,), (live[number],)), "little", signed=True)
            self._run()
            if self._failure[0]:
                text = ctypes.string_at(self._failure[0]).decode()
                self._failure[0] = 0
                raise AssertionError(text)


@functools.cache
def _entry(address: int) -> launch.NativeEntry:
    """The one builtin definition of all programs: definitions are never freed."""
    return launch.NativeEntry("program", address, "program()")
