"""The launchers of all kernels: C functions with Python's calling convention, compiled once.

A kernel's object describes the kernel to them, in the constant DESCRIPTION (`module_text`).

- `tf_launch(gx, gy, gz, *args)` converts its arguments onto the native stack. Small grids run at
  once, larger ones over threads without the GIL.
- `tf_bound(*leading)` has grid, trailing arguments and how to run packed ahead, in the bytes object
  that is the builtin's `self`. It may also run over threads and hold the GIL.
- `tf_bound_pointers` is `tf_bound` for leading arguments that are all pointers.
"""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow.errors import CompileError

from .arguments import kinds
from .launch import AT_ONCE, BLOCK, DESCRIPTION, ENTRY, HELD, RELEASED, inline_limit
from .lower.kernel import LoweredKernel
from .reader import reading_text

_BYTES_DATA = bytes.__basicsize__ - 1  # where the data of a bytes object start
# The kernel, bytes of scratch memory, program instances that run in the caller, arguments. A byte
# for each argument follows: its kind.
_FIELDS = "{ ptr, i64, i64, i64 }"


def module_text(kernel: LoweredKernel, types: Sequence[str]) -> str:
    """The kernel and its description as an LLVM module."""
    if len(types) != len(kernel.arguments):
        raise CompileError(f"{kernel.name} takes {len(kernel.arguments)} arguments, its signature has {len(types)}")
    description = (
        f"@{DESCRIPTION} = constant {{ {_FIELDS}, [{len(types)} x i8] }} {{ {_FIELDS} {{ ptr @{ENTRY}, i64 {kernel.scratch},"
        f" i64 {inline_limit(kernel.cost)}, i64 {len(types)} }}, [{len(types)} x i8] {_constant(kinds(types))} }}"
    )
    attributes = 'attributes #0 = { nounwind noinline "prefer-vector-width"="512" "min-legal-vector-width"="512" }'
    return "\n".join([*sorted(kernel.declarations), "", description, "", kernel.text, "", attributes, ""])


def _constant(data: bytes) -> str:
    return 'c"' + "".join(f"\\{byte:02x}" for byte in data) + '"'


def _bound_text(name: str, reading: str) -> str:
    """A launcher whose grid and trailing arguments are packed ahead.

    `reading` is the code that converts the leading ones, and defines %bad.
    """
    return f"""
; Constants are few: copied one by one they take less time than a call of memcpy.
define ptr @{name}(ptr %self, ptr %args, i64 %nargs) "no-builtin-memcpy" {{
  %block = getelementptr i8, ptr %self, i64 {_BYTES_DATA}
  %leading_at = getelementptr i8, ptr %block, i64 24
  %leading = load i64, ptr %leading_at, align 4
  %right = icmp eq i64 %nargs, %leading
  br i1 %right, label %read, label %wrong
wrong:
  %r0 = call ptr @tf_wrong_count(i64 %nargs, i64 %leading)
  ret ptr null
read:
  %count_at = getelementptr i8, ptr %block, i64 16
  %count = load i64, ptr %count_at, align 4
  %size = add i64 %count, 1
  %slots = alloca i64, i64 %size, align 64
  %constants = sub i64 %count, %leading
  %packed = getelementptr i8, ptr %block, i64 {BLOCK.size}
  %behind = getelementptr i64, ptr %slots, i64 %leading
  br label %head
head:
  %k = phi i64 [ 0, %read ], [ %next, %copy ]
  %more = icmp slt i64 %k, %constants
  br i1 %more, label %copy, label %copied
copy:
  %from = getelementptr i64, ptr %packed, i64 %k
  %constant = load i64, ptr %from, align 4
  %to = getelementptr i64, ptr %behind, i64 %k
  store i64 %constant, ptr %to
  %next = add i64 %k, 1
  br label %head
copied:
{reading}  br i1 %bad, label %failed, label %go
failed:
  ret ptr null
go:
  %kernel_at = getelementptr i8, ptr %block, i64 0
  %kernel = load ptr, ptr %kernel_at, align 4
  %scratch_at = getelementptr i8, ptr %block, i64 8
  %scratch = load i64, ptr %scratch_at, align 4
  %total_at = getelementptr i8, ptr %block, i64 32
  %total = load i64, ptr %total_at, align 4
  %gx_at = getelementptr i8, ptr %block, i64 40
  %gx = load i32, ptr %gx_at, align 4
  %gy_at = getelementptr i8, ptr %block, i64 44
  %gy = load i32, ptr %gy_at, align 4
  %gz_at = getelementptr i8, ptr %block, i64 48
  %gz = load i32, ptr %gz_at, align 4
  %how_at = getelementptr i8, ptr %block, i64 52
  %how = load i32, ptr %how_at, align 4
  %result = call ptr @run(ptr %kernel, i64 %scratch, ptr %slots, i64 %count, i64 %total, i32 %gx, i32 %gy, i32 %gz, i32 %how)
  ret ptr %result
}}
"""


def launchers_text(native_f16: bool) -> str:
    """LLVM IR of the launchers, to follow `runtime_ir.TEXT`."""
    bound = _bound_text("tf_bound", _READ_ANY) + _bound_text("tf_bound_pointers", _READ_POINTERS)
    return f"{_TEXT}\n{bound}\n{reading_text(native_f16)}"


_TEXT = f"""
%description = type {_FIELDS}
%failure = type {{ ptr, i64 }} ; the first failed assertion: message, program
@three_integers = internal constant [3 x i8] {_constant(kinds(["i64"] * 3))}

define ptr @tf_launch(ptr %self, ptr %args, i64 %nargs) {{
  %kernel_at = getelementptr i8, ptr %self, i64 {_BYTES_DATA}
  %kernel = load ptr, ptr %kernel_at, align 4
  %count_at = getelementptr %description, ptr %kernel, i32 0, i32 3
  %count = load i64, ptr %count_at
  %wanted = add i64 %count, 3
  %right = icmp eq i64 %nargs, %wanted
  br i1 %right, label %read, label %wrong
wrong:
  %r0 = call ptr @tf_wrong_count(i64 %nargs, i64 %wanted)
  ret ptr null
read:
  %grid = alloca [3 x i64]
  %y_at = getelementptr i64, ptr %grid, i64 1
  %z_at = getelementptr i64, ptr %grid, i64 2
  %size = add i64 %count, 1
  %slots = alloca i64, i64 %size, align 64
  %bad_grid = call i1 @read(ptr %args, i64 0, i64 3, ptr @three_integers, ptr %grid)
  br i1 %bad_grid, label %failed, label %read_arguments
read_arguments:
  %rest = getelementptr ptr, ptr %args, i64 3
  %kinds = getelementptr %description, ptr %kernel, i64 1
  %bad = call i1 @read(ptr %rest, i64 3, i64 %count, ptr %kinds, ptr %slots)
  br i1 %bad, label %failed, label %converted
failed:
  ret ptr null
converted:
  %x = load i64, ptr %grid
  %y = load i64, ptr %y_at
  %z = load i64, ptr %z_at
  %xy = or i64 %x, %y
  %xyz = or i64 %xy, %z
  %fits = icmp ule i64 %xyz, 2147483647
  br i1 %fits, label %go, label %large
large:
  %r1 = call ptr @tf_bad_grid()
  ret ptr null
go:
  %gx = trunc i64 %x to i32
  %gy = trunc i64 %y to i32
  %gz = trunc i64 %z to i32
  %plane = mul i64 %x, %y
  %total = mul i64 %plane, %z
  %limit_at = getelementptr %description, ptr %kernel, i32 0, i32 2
  %limit = load i64, ptr %limit_at
  %small = icmp ule i64 %total, %limit
  %how = select i1 %small, i32 {AT_ONCE}, i32 {RELEASED}
  %fn = load ptr, ptr %kernel
  %scratch_at = getelementptr %description, ptr %kernel, i32 0, i32 1
  %scratch = load i64, ptr %scratch_at
  %result = call ptr @run(ptr %fn, i64 %scratch, ptr %slots, i64 %count, i64 %total, i32 %gx, i32 %gy, i32 %gz, i32 %how)
  ret ptr %result
}}

; The slots are followed by one for the address of the record of a failed assertion.
define internal ptr @run(
  ptr %fn, i64 %size, ptr %slots, i64 %count, i64 %total, i32 %gx, i32 %gy, i32 %gz, i32 %how
) alwaysinline {{
  %record = alloca %failure
  store %failure zeroinitializer, ptr %record
  %record_at = getelementptr i64, ptr %slots, i64 %count
  store ptr %record, ptr %record_at
  %at_once = icmp eq i32 %how, {AT_ONCE}
  br i1 %at_once, label %here, label %spread
here:
  %scratch = call ptr @scratch_if_any(i64 %size)
  call void %fn(i64 0, i64 %total, i32 %gx, i32 %gy, i32 %gz, ptr %slots, ptr %scratch)
  br label %over
spread:
  %hold = icmp eq i32 %how, {HELD}
  br i1 %hold, label %held, label %released
held:
  call void @tf_run(ptr %fn, i64 %total, i32 %gx, i32 %gy, i32 %gz, ptr %slots, i64 %size)
  br label %over
released:
  %state = call ptr @PyEval_SaveThread()
  call void @tf_run(ptr %fn, i64 %total, i32 %gx, i32 %gy, i32 %gz, ptr %slots, i64 %size)
  call void @PyEval_RestoreThread(ptr %state)
  br label %over
over:
  %text = load ptr, ptr %record
  %fine = icmp eq ptr %text, null
  br i1 %fine, label %done, label %failed
failed:
  %program_at = getelementptr %failure, ptr %record, i32 0, i32 1
  %program = load i64, ptr %program_at
  %r0 = call ptr @tf_assertion_failed(ptr %text, i64 %program, i32 %gx, i32 %gy)
  ret ptr null
done:
  %none = call ptr @tf_none()
  ret ptr %none
}}
"""

_READ_ANY = """  %kinds = getelementptr i64, ptr %packed, i64 %constants
  %bad = call i1 @read(ptr %args, i64 0, i64 %leading, ptr %kinds, ptr %slots)
"""

# The loop of `read` for pointers alone, which leading arguments of ops nearly always are.
# PyLong_AsSize_t takes 2 ns for an address, PyLong_AsUnsignedLongLong takes 11.
_READ_POINTERS = """  br label %pointers
pointers:
  %i = phi i64 [ 0, %copied ], [ %following, %convert ]
  %suspect = phi i1 [ false, %copied ], [ %doubt, %convert ]
  %left = icmp slt i64 %i, %leading
  br i1 %left, label %convert, label %all
convert:
  %object_at = getelementptr ptr, ptr %args, i64 %i
  %object = load ptr, ptr %object_at
  %address = call i64 @PyLong_AsSize_t(ptr %object)
  %slot = getelementptr i64, ptr %slots, i64 %i
  store i64 %address, ptr %slot
  %minus = icmp eq i64 %address, -1
  %doubt = or i1 %suspect, %minus
  %following = add i64 %i, 1
  br label %pointers
all:
  br i1 %suspect, label %ask, label %go
ask:
  %error = call ptr @PyErr_Occurred()
  %bad = icmp ne ptr %error, null
"""
