"""Kernels as builtins of Python.

Their code is in `launcher.py`, which kernels found on disk do not import.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from typing import Any

from .arguments import pack

ENTRY, DESCRIPTION = "kernel", "description"  # what a kernel's module has
# Below so many estimated instructions, a grid runs in the caller and holds the GIL: about 10 us of
# a streaming kernel. Loops are counted with and without their masks.
_SMALL = 100_000
# Below this a grid takes about a millisecond of one thread.
# Python's threads wait longer for each other.
_BRIEF = 4_000_000
_METH_FASTCALL = 0x80
BLOCK = struct.Struct("<qqqqqiiii")  # kernel, bytes of scratch, all arguments, leading ones, programs, grid, how to run
RELEASED, AT_ONCE, HELD = range(3)  # over threads without the GIL; in the caller; over threads with the GIL


def inline_limit(cost: float) -> int:
    """Grids of up to so many programs run in the caller, holding the GIL."""
    return int(_SMALL / max(1.0, cost))


def brief_limit(cost: float) -> int:
    """Grids of up to so many programs may hold the GIL."""
    return int(_BRIEF / max(1.0, cost))


class _MethodDef(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


_new_builtin = ctypes.pythonapi.PyCFunction_NewEx
_new_builtin.restype = ctypes.py_object
_new_builtin.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]


class NativeEntry:
    """A C function that becomes builtins.

    Definitions are never freed, since builtins point to them.
    """

    _kept: list[_MethodDef] = []

    def __init__(self, name: str, address: int, doc: str) -> None:
        self.definition = _MethodDef(name.encode(), address, _METH_FASTCALL, doc.encode())
        self.pointer = ctypes.addressof(self.definition)
        NativeEntry._kept.append(self.definition)

    def builtin(self, self_: object = None) -> Callable[..., None]:
        function: Callable[..., None] = _new_builtin(self.pointer, self_, None)
        return function


def described(description: int) -> bytes:
    """The `self` of a launcher: the address of its kernel's description."""
    return description.to_bytes(8, "little")


def block(
    address: int,
    scratch: int,
    types: Sequence[str],
    leading_kinds: bytes,
    how: int,
    grid: tuple[int, int, int],
    constants: Sequence[Any],
) -> bytes:
    """The `self` of a bound launcher: kernel, grid, trailing arguments, kinds of leading ones."""
    leading = len(types) - len(constants)
    if leading < 0:
        raise TypeError(f"{len(constants)} constants for a kernel of {len(types)} arguments")
    if min(grid) < 0 or max(grid) > 0x7FFFFFFF:
        raise OverflowError("the sizes of a grid must be between 0 and 2147483647")
    total = grid[0] * grid[1] * grid[2]
    head = BLOCK.pack(address, scratch, len(types), leading, total, *grid, how)
    return head + pack(types[leading:], constants) + leading_kinds
