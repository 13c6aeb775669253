"""TRITONFLOW_CPU_CHECK: no kernel reads or writes outside of the memory that its launch was given.

That is the memory of the launch's pointer arguments. Allocators report the memory of tensors
(`allocations.add`). A launch may also be given torch tensors instead of addresses. A kernel that
makes pointers of integers, as from a table of pointers, may access all memory that is known.
Checked launches run one after another.
"""

from __future__ import annotations

import ctypes
import functools
import os
import threading
import weakref
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import cache, jit
from .errors import OutOfBoundsError
from .target import resolve

Range = tuple[int, int]


class Allocations:
    """Memory that is known, as ranges of addresses."""

    def __init__(self) -> None:
        # Keys are identities of references: equal references would compare their tensors' elements.
        self._ranges: dict[int, tuple[weakref.ref[Any], Range]] = {}
        self._held: dict[int, Range] = {}

    def add(self, owner: Any, begin: int, nbytes: int) -> None:
        """Know `nbytes` from address `begin` for as long as `owner` lives."""
        reference = weakref.ref(owner, self._forget)
        self._ranges[id(reference)] = (reference, (begin, begin + nbytes))

    def keep(self, begin: int, nbytes: int) -> None:
        """Know `nbytes` from address `begin` until `drop`, as for the blocks of a memory pool."""
        self._held[begin] = (begin, begin + nbytes)

    def drop(self, begin: int) -> None:
        """Forget memory that `keep` was told of."""
        del self._held[begin]

    def _forget(self, reference: weakref.ref[Any]) -> None:
        self._ranges.pop(id(reference), None)

    def ranges(self) -> list[Range]:
        return [*self._held.values(), *[range_ for _, range_ in self._ranges.values()]]


allocations = Allocations()
_launching = threading.Lock()


def _after_fork() -> None:
    global _launching
    _launching = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def guarded(launch: Callable[..., None], name: str, first: int = 0, bound: Sequence[Any] = ()) -> Callable[..., None]:
    """`launch` with its memory known; raises if the kernel left it.

    Args:
        first: the position of the first kernel argument among those of `launch`.
        bound: kernel arguments that are not among those of `launch`.

    Raises:
        OutOfBoundsError: names the operation, its source line, the program and the address.
    """

    def checked(*args: Any) -> None:
        given = [_range_of(value) for value in args[first:] if hasattr(value, "untyped_storage")]
        plain = [value.data_ptr() if hasattr(value, "data_ptr") else value for value in args]
        known = allocations.ranges()
        near = given + _containing(known, [v for v in (*plain[first:], *bound) if type(v) is int and v])
        with _launching:
            native = _native()
            native.begin(near, known)
            launch(*plain)
            failure = native.take()
        if failure is not None:
            raise OutOfBoundsError(_message(name, failure, near, known))

    return checked


def _range_of(tensor: Any) -> Range:
    storage = tensor.untyped_storage()
    return storage.data_ptr(), storage.data_ptr() + storage.nbytes()


def _containing(ranges: Iterable[Range], addresses: list[int]) -> list[Range]:
    return [(begin, end) for begin, end in ranges if any(begin <= address < end for address in addresses)]


# ---- the native part


class _Failure(ctypes.Structure):
    _fields_ = [
        ("site", ctypes.c_char_p),
        ("address", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("program", ctypes.c_int32 * 3),
    ]


class _Native:
    def __init__(self) -> None:
        target = resolve("host")
        data = cache.stored_bytes("check", TEXT, lambda: jit.compile_object(TEXT, target))
        self._code = jit.LoadedObject(data, target)
        jit.add_symbol("tf_check", self._code.address("tf_check"))
        self._begin = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(
            self._code.address("tf_check_begin")
        )
        self._take = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(self._code.address("tf_check_take"))

    def begin(self, near: list[Range], known: list[Range]) -> None:
        self._table = array("Q", [end for pair in (*near, *known) for end in pair])  # referenced until the next launch
        self._begin(self._table.buffer_info()[0], len(near), len(near) + len(known))

    def take(self) -> _Failure | None:
        failure = _Failure()
        return failure if self._take(ctypes.addressof(failure)) else None


@functools.cache
def _native() -> _Native:
    return _Native()


def prepare() -> None:
    """Before the first checked kernel is loaded: it calls `tf_check`."""
    _native()


def _message(name: str, failure: _Failure, near: list[Range], known: list[Range]) -> str:
    address, size = failure.address, failure.size
    program = ", ".join(map(str, failure.program))
    text = f"{name}: {failure.site.decode()}: program ({program}) reaches {size} bytes at {address:#x}"
    ranges = near or known
    if not ranges:
        return f"{text}; no memory of this launch is known"
    begin, end = min(ranges, key=lambda r: max(r[0] - address, address + size - r[1]))
    distance = f"{begin - address} bytes before" if address < begin else f"{address - end} bytes behind the end of"
    return f"{text}, {distance} a tensor's memory of {end - begin} bytes"


TEXT = """
%failure = type { ptr, i64, i64, [3 x i32] }
@ranges = internal global ptr null
@near = internal global i64 0
@all = internal global i64 0
@failed = internal global i32 0
@failure = internal global %failure zeroinitializer

; The first @near of @all ranges are those of the launch's own arguments.
define void @tf_check_begin(ptr %ranges, i64 %near, i64 %all) {
  store ptr %ranges, ptr @ranges
  store i64 %near, ptr @near
  store i64 %all, ptr @all
  store i32 0, ptr @failed
  ret void
}

define i32 @tf_check_take(ptr %to) {
  %failed = load i32, ptr @failed
  %value = load %failure, ptr @failure
  store %failure %value, ptr %to
  ret i32 %failed
}

define internal i1 @inside(i64 %address, i64 %size, i64 %count) {
  %ranges = load ptr, ptr @ranges
  %last = add i64 %address, %size
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %outside
body:
  %next = add i64 %i, 1
  %at = getelementptr { i64, i64 }, ptr %ranges, i64 %i
  %begin = load i64, ptr %at
  %end_at = getelementptr i64, ptr %at, i64 1
  %end = load i64, ptr %end_at
  %low = icmp uge i64 %address, %begin
  %high = icmp ule i64 %last, %end
  %both = and i1 %low, %high
  br i1 %both, label %yes, label %head
yes:
  ret i1 true
outside:
  ret i1 false
}

; Clears the mask of the lanes whose address is outside, and notes the first of a launch.
define void @tf_check(ptr %addresses, ptr %mask, i32 %width, i64 %size, i1 %anywhere, ptr %site, i32 %x, i32 %y, i32 %z) {
  %near = load i64, ptr @near
  %all = load i64, ptr @all
  %count = select i1 %anywhere, i64 %all, i64 %near
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %skip ]
  %more = icmp slt i32 %i, %width
  br i1 %more, label %lane, label %done
lane:
  %wanted_at = getelementptr i8, ptr %mask, i32 %i
  %wanted = load i8, ptr %wanted_at
  %off = icmp eq i8 %wanted, 0
  br i1 %off, label %skip, label %look
look:
  %address_at = getelementptr i64, ptr %addresses, i32 %i
  %address = load i64, ptr %address_at
  %fine = call i1 @inside(i64 %address, i64 %size, i64 %count)
  br i1 %fine, label %skip, label %bad
bad:
  store i8 0, ptr %wanted_at
  %first = cmpxchg ptr @failed, i32 0, i32 1 seq_cst seq_cst
  %mine = extractvalue { i32, i1 } %first, 1
  br i1 %mine, label %note, label %skip
note:
  store ptr %site, ptr @failure
  %at1 = getelementptr %failure, ptr @failure, i32 0, i32 1
  store i64 %address, ptr %at1
  %at2 = getelementptr %failure, ptr @failure, i32 0, i32 2
  store i64 %size, ptr %at2
  %at3 = getelementptr %failure, ptr @failure, i32 0, i32 3, i32 0
  store i32 %x, ptr %at3
  %at4 = getelementptr %failure, ptr @failure, i32 0, i32 3, i32 1
  store i32 %y, ptr %at4
  %at5 = getelementptr %failure, ptr @failure, i32 0, i32 3, i32 2
  store i32 %z, ptr %at5
  br label %skip
skip:
  %next = add i32 %i, 1
  br label %head
done:
  ret void
}
"""
