"""The library of kernels for this CPU."""

from __future__ import annotations

import _ctypes
import ctypes
import os
import weakref
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tritonflow_program.folder import Folder


class Target(NamedTuple):
    """A kind of CPU: its name, the file of its kernels, and the features that they need."""

    name: str
    file: str
    flags: Sequence[str]


@cache
def cpu_flags() -> frozenset[str]:
    """The features of this CPU, as Linux calls them."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return frozenset()
    line = next((line for line in text.splitlines() if line.startswith("flags")), "")
    return frozenset(line.partition(":")[2].split())


@cache
def _tiles_are_lent() -> bool:
    """Whether Linux lends this process the registers of AMX, for which a process asks once."""
    return bool(ctypes.CDLL(None).syscall(158, 0x1023, 18) == 0)  # arch_prctl(ARCH_REQ_XCOMP_PERM, XTILEDATA)


def _runs(flags: Sequence[str]) -> bool:
    """Whether this process may use these features."""
    return cpu_flags().issuperset(flags) and ("amx_tile" not in flags or _tiles_are_lent())


def chosen(folder: Folder, targets: Sequence[Target], name: str | None) -> int:
    """The number of the last target that this CPU can run, or of the one that was asked for.

    Raises:
        ProgramError: there is none.
    """
    if name is not None and name not in [target.name for target in targets]:
        raise folder.error(f"it has no kernels for {name!r}, but for {', '.join(target.name for target in targets)}")
    for number in reversed(range(len(targets))):
        if name in (None, targets[number].name) and _runs(targets[number].flags):
            return number
    least = next(target for target in targets if name in (None, target.name))
    missing = [flag for flag in least.flags if flag not in cpu_flags()] or ["registers of AMX for this process"]
    raise folder.error(f"this CPU has no {', '.join(missing)}, which its kernels for {least.name} need")


class Library:
    """The kernels, loaded from memory: the file itself may have changed since it was checked.

    Args:
        folder, target: which ones.
        count: how many kernels there are.

    Attributes:
        addresses: of the kernels.
        run: runs a table of launches.
    """

    def __init__(self, folder: Folder, target: Target, count: int) -> None:
        # The descriptor stays open as long as the library is loaded: the loader knows libraries by their names, this number.
        descriptor = os.memfd_create(target.file)
        try:
            with open(descriptor, "wb", closefd=False) as file:
                file.write(folder.files[target.file])
            self._library = ctypes.CDLL(f"/proc/self/fd/{descriptor}")
        except OSError as error:
            os.close(descriptor)
            raise folder.error(f"{target.file} cannot be loaded: {error}") from None
        self.close = weakref.finalize(self, _unload, self._library._handle, descriptor)
        self.close.atexit = False
        self.addresses = [ctypes.cast(self._library[f"k{number}"], ctypes.c_void_p).value or 0 for number in range(count)]
        self.run = self._library.tritonflow_run
        self.run.restype = ctypes.c_int64
        self.run.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64]


def _unload(handle: int, descriptor: int) -> None:
    _ctypes.dlclose(handle)
    os.close(descriptor)
