"""The code of a kernel's launchers: C functions with Python's calling convention, in the kernel's own module.

`launch(gx, gy, gz, *args)` converts its arguments onto the native stack, runs small grids at once and larger ones over
threads without the GIL. `bound(*leading)` does so for a grid and trailing arguments that were packed ahead: they are in
the bytes object that is the builtin's `self`, with how to run, which may also be over threads with the GIL kept.
"""

from __future__ import annotations

from .errors import CompileError
from .launch import AT_ONCE, BLOCK, BOUND, ENTRY, HELD, LAUNCHER, inline_limit
from .lower.builder import Builder
from .lower.kernel import LoweredKernel
from .reader import ArgumentReader

_BYTES_DATA = bytes.__basicsize__ - 1  # where the data of a bytes object start
_DECLARATIONS = (
    "i64 @PyLong_AsLongLong(ptr)", "i64 @PyLong_AsUnsignedLongLong(ptr)",
    "i64 @PyLong_AsUnsignedLongLongMask(ptr)", "double @PyFloat_AsDouble(ptr)",
    "i32 @PyObject_IsTrue(ptr)", "ptr @PyErr_Occurred()", "ptr @PyEval_SaveThread()", "void @PyEval_RestoreThread(ptr)",
    "void @tf_run(ptr, i64, i32, i32, i32, ptr, i64)", "ptr @tf_scratch(i64)", "ptr @tf_none()",
    "ptr @tf_wrong_count(i64, i64)", "ptr @tf_out_of_range(i64)", "ptr @tf_bad_grid()",
    "ptr @tf_assertion_failed(ptr, i64, i32, i32)",
    "void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
)  # fmt: skip


class _Launcher:
    """What the two launchers share: the argument area, and running a grid."""

    def __init__(self, kernel: LoweredKernel, types: list[str], native_f16: bool) -> None:
        self.kernel, self.types = kernel, types
        self.b = Builder()
        self.reader = ArgumentReader(self.b, native_f16)

    def define(self, name: str) -> str:
        head = f"define ptr @{name}(ptr %self, ptr %args, i64 %nargs) #0 {{\nentry:"
        area = f"  %area = alloca [{len(self.types) + 1} x i64], align 64"
        return "\n".join([head, area, *self.b.allocas, *self.b.lines, "}"])

    def refuse_unless(self, condition: str, call: str) -> None:
        b = self.b

        def refuse() -> None:
            b.inst(f"call ptr {call}")
            b.line("ret ptr null")
            b.place(b.label("unreached"))

        b.if_else(b.inst(f"xor i1 {condition}, true"), refuse)

    def run(self, at_once: str, held: str, total: str, dims: str) -> None:
        b, scratch_size = self.b, self.kernel.scratch

        def small() -> None:
            scratch = b.inst(f"call ptr @tf_scratch(i64 {scratch_size})") if scratch_size else "null"
            b.line(f"call void @{ENTRY}(i64 0, i64 {total}, {dims}, ptr %area, ptr {scratch})")

        def shared() -> None:
            b.line(f"call void @tf_run(ptr @{ENTRY}, i64 {total}, {dims}, ptr %area, i64 {scratch_size})")

        def released() -> None:
            state = b.inst("call ptr @PyEval_SaveThread()")
            shared()
            b.line(f"call void @PyEval_RestoreThread(ptr {state})")

        def large() -> None:
            b.if_else(held, shared, released)

        record = self.prepare_failure() if self.kernel.can_fail else ""
        b.if_else(at_once, small, large)
        if record:
            self.raise_failure(record, dims)
        b.line(f"ret ptr {b.inst('call ptr @tf_none()')}")

    def prepare_failure(self) -> str:
        """A record of the first failed assertion, message and program, whose address follows the arguments."""
        b, record = self.b, self.b.alloca("{ ptr, i64 }")
        b.line(f"store {{ ptr, i64 }} zeroinitializer, ptr {record}")
        b.line(f"store ptr {record}, ptr {b.offset('%area', str(8 * len(self.types)))}")
        return record

    def raise_failure(self, record: str, dims: str) -> None:
        b = self.b
        text = b.inst(f"load ptr, ptr {record}")
        program = b.inst(f"load i64, ptr {b.offset(record, '8')}")
        gx, gy, _ = dims.split(", ")
        self.refuse_unless(
            b.inst(f"icmp eq ptr {text}, null"), f"@tf_assertion_failed(ptr {text}, i64 {program}, {gx}, {gy})"
        )


def _launch_text(kernel: LoweredKernel, types: list[str], native_f16: bool) -> str:
    launcher = _Launcher(kernel, types, native_f16)
    b, reader = launcher.b, launcher.reader
    wanted = len(types) + 3
    launcher.refuse_unless(b.inst(f"icmp eq i64 %nargs, {wanted}"), f"@tf_wrong_count(i64 %nargs, i64 {wanted})")
    grid = [reader.integer(k) for k in range(3)]
    for k, type_ in enumerate(types):
        reader.store(k + 3, k, type_)
    reader.check()
    together = b.inst(f"or i64 {b.inst(f'or i64 {grid[0]}, {grid[1]}')}, {grid[2]}")
    launcher.refuse_unless(b.inst(f"icmp ule i64 {together}, 2147483647"), "@tf_bad_grid()")
    dims = ", ".join(f"i32 {b.inst(f'trunc i64 {size} to i32')}" for size in grid)
    total = b.inst(f"mul i64 {b.inst(f'mul i64 {grid[0]}, {grid[1]}')}, {grid[2]}")
    launcher.run(b.inst(f"icmp ule i64 {total}, {inline_limit(kernel.cost)}"), "0", total, dims)
    return launcher.define(LAUNCHER)


def _bound_text(kernel: LoweredKernel, types: list[str], native_f16: bool) -> str:
    launcher = _Launcher(kernel, types, native_f16)
    b, reader = launcher.b, launcher.reader

    def field(offset: int, type_: str) -> str:
        at = b.inst(f"getelementptr i8, ptr %self, i64 {_BYTES_DATA + offset}")
        return b.inst(f"load {type_}, ptr {at}, align 4")

    leading, total = field(0, "i64"), field(16, "i64")
    launcher.refuse_unless(b.inst(f"icmp eq i64 %nargs, {leading}"), f"@tf_wrong_count(i64 %nargs, i64 {leading})")
    packed = b.inst(f"getelementptr i8, ptr %self, i64 {_BYTES_DATA + BLOCK.size}")
    b.line(f"call void @llvm.memcpy.p0.p0.i64(ptr %area, ptr {packed}, i64 {8 * len(types)}, i1 false)")
    done = b.label("converted")
    for k, type_ in enumerate(types):
        more = b.label("argument")
        b.branch(b.inst(f"icmp sgt i64 {leading}, {k}"), more, done)
        b.place(more)
        reader.store(k, k, type_)
    b.jump(done)
    b.place(done)
    reader.check()
    dims = ", ".join(f"i32 {field(24 + 4 * k, 'i32')}" for k in range(3))
    how = field(36, "i32")
    at_once, held = (b.inst(f"icmp eq i32 {how}, {mode}") for mode in (AT_ONCE, HELD))
    launcher.run(at_once, held, total, dims)
    return launcher.define(BOUND)


def module_text(kernel: LoweredKernel, types: list[str], native_f16: bool) -> str:
    """The kernel and its launchers as one LLVM module."""
    if len(types) != len(kernel.arguments):
        raise CompileError(f"{kernel.name} takes {len(kernel.arguments)} arguments, its signature has {len(types)}")
    texts = [_launch_text(kernel, types, native_f16), _bound_text(kernel, types, native_f16)]
    declarations = sorted(kernel.declarations | {f"declare {d}" for d in _DECLARATIONS})
    attributes = 'attributes #0 = { nounwind noinline "prefer-vector-width"="512" "min-legal-vector-width"="512" }'
    return "\n".join([*declarations, "", kernel.text, "", *texts, "", attributes, ""])
