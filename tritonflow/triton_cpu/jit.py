"""LLVM IR to an object file, and an object file to addresses in this process."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import threading

import llvmlite.binding as llvm

from .errors import CompileError
from .target import Target

# 1 gives code as fast as 3 here: the lowering emits vectors and micro-kernels itself.
_OPTIMISATION = 1
_lock = threading.Lock()


def _machine(target: Target) -> llvm.TargetMachine:
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=2, reloc="static", codemodel="jitdefault", jit=True
    )


def _optimised(text: str, target: Target, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    try:
        module = llvm.parse_assembly(text)
        module.triple = target.triple
        module.data_layout = str(machine.target_data)
        module.verify()
    except RuntimeError as error:
        raise CompileError(f"LLVM refuses the generated code: {error}") from None
    options = llvm.create_pipeline_tuning_options(_OPTIMISATION)
    options.loop_vectorization = False
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module


def compile_object(text: str, target: Target) -> bytes:
    with _lock:
        machine = _machine(target)
        return bytes(machine.emit_object(_optimised(text, target, machine)))


def assembly(text: str, target: Target) -> str:
    with _lock:
        machine = _machine(target)
        return str(machine.emit_assembly(_optimised(text, target, machine)))


class LoadedObject:
    """Machine code in this process, for as long as this object lives."""

    def __init__(self, data: bytes, target: Target) -> None:
        with _lock:
            _register_libm()
            self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(target))
            try:
                self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
                self._engine.finalize_object()
            except RuntimeError as error:
                raise CompileError(f"the object file cannot be loaded: {error}") from None

    def address(self, name: str) -> int:
        return int(self._engine.get_function_address(name))


def add_symbol(name: str, address: int) -> None:
    llvm.add_symbol(name, address)


@functools.cache
def _register_libm() -> None:
    """The C library's mathematical functions, whether or not the process exports them."""
    from .lower.libm import FUNCTIONS, symbol

    library = ctypes.CDLL(ctypes.util.find_library("m") or None)
    for name in sorted(FUNCTIONS):
        for elem in ("f32", "f64"):
            function = getattr(library, symbol(name, elem), None)
            if function is not None:
                llvm.add_symbol(symbol(name, elem), ctypes.cast(function, ctypes.c_void_p).value)
