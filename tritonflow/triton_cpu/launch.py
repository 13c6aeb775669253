"""A kernel's launcher: a C function with Python's calling convention, in the kernel's own module.

`launch(gx, gy, gz, *args)` converts its arguments onto the native stack, runs small grids at once and larger ones over
threads without the GIL. Called from Python it is a builtin.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from .errors import CompileError
from .lower import convert
from .lower.builder import Builder
from .lower.kernel import ENTRY, LoweredKernel
from .lower.lanes import LaneBuilder, uniform

LAUNCHER = "launch"
# Estimated instructions below which a grid is not worth a thread, nor releasing the GIL: about 10 us.
_SMALL = 40_000
_METH_FASTCALL = 0x80
_BITS = {"i8": 8, "i16": 16, "i32": 32, "u8": 8, "u16": 16, "u32": 32}
_DECLARATIONS = (
    "i64 @PyLong_AsLongLong(ptr)", "i64 @PyLong_AsUnsignedLongLong(ptr)", "double @PyFloat_AsDouble(ptr)",
    "i32 @PyObject_IsTrue(ptr)", "ptr @PyErr_Occurred()", "ptr @PyEval_SaveThread()", "void @PyEval_RestoreThread(ptr)",
    "void @tf_run(ptr, i64, i32, i32, i32, ptr, i64)", "ptr @tf_scratch(i64)", "ptr @tf_none()",
    "ptr @tf_wrong_count(i64, i64)", "ptr @tf_out_of_range(i64)", "ptr @tf_bad_grid()",
)  # fmt: skip


def flatten(signature: Any) -> list[str]:
    """The run-time arguments of a signature, in order: tuples are taken apart, constexprs left out."""
    if isinstance(signature, str):
        return [] if signature == "constexpr" else [signature]
    items = signature.values() if isinstance(signature, dict) else signature
    return [leaf for item in items for leaf in flatten(item)]


class _Launcher:
    def __init__(self, kernel: LoweredKernel, types: list[str], native_f16: bool) -> None:
        self.kernel, self.types = kernel, types
        self.b = Builder()
        self.lb = LaneBuilder(self.b, native_f16)
        self.suspicious: list[str] = []  # results of conversions that may mean an error

    def text(self) -> str:
        b, kernel = self.b, self.kernel
        wanted = len(self.types) + 3
        right = b.inst(f"icmp eq i64 %nargs, {wanted}")
        b.branch(right, "convert", "wrong_count")
        b.place("wrong_count")
        b.line(f"%e0 = call ptr @tf_wrong_count(i64 %nargs, i64 {wanted})")
        b.line("ret ptr null")
        b.place("convert")
        grid = [self.integer(k) for k in range(3)]
        for k, type_ in enumerate(self.types):
            self.argument(k, type_)
        self.check_errors()
        self.check_grid(grid)
        self.run(grid)
        head = f"define ptr @{LAUNCHER}(ptr %self, ptr %args, i64 %nargs) #0 {{\nentry:"
        area = f"  %area = alloca [{max(1, len(kernel.arguments))} x i64], align 64"
        return "\n".join([head, area, *b.allocas, *b.lines, "}"])

    def object_at(self, k: int) -> str:
        at = self.b.inst(f"getelementptr ptr, ptr %args, i64 {k}")
        return self.b.inst(f"load ptr, ptr {at}")

    def integer(self, k: int, signed: bool = True) -> str:
        function = "PyLong_AsLongLong" if signed else "PyLong_AsUnsignedLongLong"
        value = self.b.inst(f"call i64 @{function}(ptr {self.object_at(k)})")
        self.suspicious.append(self.b.inst(f"icmp eq i64 {value}, -1"))
        return value

    def argument(self, k: int, type_: str) -> None:
        b = self.b
        if type_.startswith("*") or type_ in ("u64", "i64"):
            value = self.integer(k + 3, type_ == "i64")
            stored = f"i64 {value}"
        elif type_ in _BITS:
            stored = self.narrow_integer(k, type_)
        elif type_ in ("i1", "u1"):
            truth = b.inst(f"call i32 @PyObject_IsTrue(ptr {self.object_at(k + 3)})")
            self.suspicious.append(b.inst(f"icmp eq i32 {truth}, -1"))
            stored = f"i8 {b.inst(f'trunc i32 {truth} to i8')}"
        elif type_ in ("fp32", "fp64", "fp16", "bf16", "f32", "f64", "f16"):
            stored = self.real(k, type_.replace("fp", "f"))
        else:
            raise CompileError(f"an argument of type {type_!r} is not supported")
        at = b.inst(f"getelementptr i64, ptr %area, i64 {k}")
        b.line(f"store {stored}, ptr {at}")

    def narrow_integer(self, k: int, type_: str) -> str:
        b, bits = self.b, _BITS[type_]
        value = self.integer(k + 3)
        low = -(1 << (bits - 1)) if type_[0] == "i" else 0
        shifted = b.sub("i64", value, str(low))
        fits = b.inst(f"icmp ult i64 {shifted}, {1 << bits}")
        good, bad = b.label("fits"), b.label("range")
        b.branch(fits, good, bad)
        b.place(bad)
        # -1 with an error pending is reported as that error.
        pending = b.inst("call ptr @PyErr_Occurred()")
        raised, fresh = b.label("raised"), b.label("fresh")
        b.branch(b.inst(f"icmp ne ptr {pending}, null"), raised, fresh)
        b.place(raised)
        b.line("ret ptr null")
        b.place(fresh)
        b.inst(f"call ptr @tf_out_of_range(i64 {k + 4})")
        b.line("ret ptr null")
        b.place(good)
        return f"i{bits} {b.inst(f'trunc i64 {value} to i{bits}')}"

    def real(self, k: int, elem: str) -> str:
        b = self.b
        value = b.inst(f"call double @PyFloat_AsDouble(ptr {self.object_at(k + 3)})")
        self.suspicious.append(b.inst(f"fcmp oeq double {value}, -1.0"))
        lane = convert.float_to_float(self.lb, uniform("f64", value), elem, 1)
        type_ = {"f64": "double", "f32": "float"}.get(elem, "i16")
        return f"{type_} {lane.value}"

    def check_errors(self) -> None:
        b = self.b
        any_ = self.suspicious[0]
        for other in self.suspicious[1:]:
            any_ = b.inst(f"or i1 {any_}, {other}")
        b.branch(any_, "ask", "converted")
        b.place("ask")
        pending = b.inst("call ptr @PyErr_Occurred()")
        b.branch(b.inst(f"icmp ne ptr {pending}, null"), "failed", "converted")
        b.place("failed")
        b.line("ret ptr null")
        b.place("converted")

    def check_grid(self, grid: list[str]) -> None:
        b = self.b
        together = b.inst(f"or i64 {grid[0]}, {grid[1]}")
        together = b.inst(f"or i64 {together}, {grid[2]}")
        b.branch(b.inst(f"icmp ugt i64 {together}, 2147483647"), "bad_grid", "good_grid")
        b.place("bad_grid")
        b.line("%e1 = call ptr @tf_bad_grid()")
        b.line("ret ptr null")
        b.place("good_grid")

    def run(self, grid: list[str]) -> None:
        b, kernel = self.b, self.kernel
        sizes = [b.inst(f"trunc i64 {g} to i32") for g in grid]
        dims = ", ".join(f"i32 {s}" for s in sizes)
        plane = b.inst(f"mul i64 {grid[0]}, {grid[1]}")
        total = b.inst(f"mul i64 {plane}, {grid[2]}")
        limit = max(1, int(_SMALL / max(1.0, kernel.cost)))
        b.branch(b.inst(f"icmp ule i64 {total}, {limit if kernel.cost <= _SMALL else 0}"), "small", "large")
        b.place("small")
        scratch = b.inst(f"call ptr @tf_scratch(i64 {kernel.scratch})") if kernel.scratch else "null"
        b.line(f"call void @{ENTRY}(i64 0, i64 {total}, {dims}, ptr %area, ptr {scratch})")
        b.line("%none = call ptr @tf_none()")
        b.line("ret ptr %none")
        b.place("large")
        state = b.inst("call ptr @PyEval_SaveThread()")
        b.line(f"call void @tf_run(ptr @{ENTRY}, i64 {total}, {dims}, ptr %area, i64 {kernel.scratch})")
        b.line(f"call void @PyEval_RestoreThread(ptr {state})")
        b.line("%none_large = call ptr @tf_none()")
        b.line("ret ptr %none_large")


def module_text(kernel: LoweredKernel, types: list[str], native_f16: bool) -> str:
    """The kernel and its launcher as one LLVM module."""
    if len(types) != len(kernel.arguments):
        raise CompileError(f"{kernel.name} takes {len(kernel.arguments)} arguments, its signature has {len(types)}")
    launcher = _Launcher(kernel, types, native_f16)
    text = launcher.text()
    declarations = sorted(kernel.declarations | launcher.b.declarations | {f"declare {d}" for d in _DECLARATIONS})
    attributes = 'attributes #0 = { nounwind "prefer-vector-width"="512" "min-legal-vector-width"="512" }'
    return "\n".join([*declarations, "", kernel.text, "", text, "", attributes, ""])


class _MethodDef(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


_new_builtin = ctypes.pythonapi.PyCFunction_NewEx
_new_builtin.restype = ctypes.py_object
_new_builtin.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
_definitions: list[_MethodDef] = []  # a builtin points to its definition for ever


def builtin(name: str, address: int) -> Callable[..., None]:
    """A Python builtin that calls the C function at `address`."""
    definition = _MethodDef(name.encode(), address, _METH_FASTCALL, b"launch(gx, gy, gz, *args)")
    _definitions.append(definition)
    function: Callable[..., None] = _new_builtin(ctypes.addressof(definition), None, None)
    return function
