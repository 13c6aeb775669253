"""LLVM IR to an object file, and an object file to addresses in this process."""

from __future__ import annotations

import ctypes.util
import functools

import llvmlite.binding as llvm

from tritonflow.errors import CompileError

from .lock import alone, building
from .target import Target

# The lowering emits vectors and micro-kernels itself. With these passes and level 1 of code
# generation, code is as fast as LLVM's -O3 (within 2 %), in a third of the time of its -O1. Level 0
# (settings.cpu_codegen) takes a third of level 1's time.
_PASSES = (
    "sroa instruction_combine simplify_cfg loop_simplify lcssa loop_rotate new_gvn instruction_combine simplify_cfg "
    "dead_code_elimination"
).split()


@functools.cache
def _one_instruction_selector() -> None:
    """Let level 0 select instructions as the other levels do.

    LLVM's fast selector gives up on vectors, which costs a tenth more time.
    """
    llvm.set_option("tritonflow", "-fast-isel=0")


def _machine(target: Target, level: int | None = None) -> llvm.TargetMachine:
    _one_instruction_selector()
    level = target.codegen if level is None else level
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=level, reloc="static", codemodel="jitdefault", jit=True
    )


def _parsed(text: str, target: Target, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    try:
        module = llvm.parse_assembly(text)
        module.triple = target.triple
        module.data_layout = str(machine.target_data)
        module.verify()
    except RuntimeError as error:
        raise CompileError(f"LLVM refuses the generated code: {error}") from None
    return module


def _optimised(text: str, target: Target, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    module = _parsed(text, target, machine)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(1))
    manager = llvm.create_new_module_pass_manager()
    for name in _PASSES:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module, builder)
    return module


@alone
def compile_object(text: str, target: Target) -> bytes:
    machine = _machine(target)
    return bytes(machine.emit_object(_optimised(text, target, machine)))


@alone
def compile_runtime(text: str, target: Target) -> bytes:
    """The object of hand-written code that all kernels share,
    compiled once with LLVM's full passes.
    """
    machine = _machine(target, 2)
    module = _parsed(text, target, machine)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(2))
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


@alone
def assembly(text: str, target: Target) -> str:
    machine = _machine(target)
    return str(machine.emit_assembly(_optimised(text, target, machine)))


class LoadedObject:
    """Machine code in this process, for as long as this object lives."""

    def __init__(self, data: bytes, target: Target) -> None:
        with building:
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
    try:
        llvm.load_library_permanently("libm.so.6")
    except RuntimeError:  # not glibc; the search runs other programs, which takes longer than loading a kernel
        llvm.load_library_permanently(ctypes.util.find_library("m") or "libm.so")
