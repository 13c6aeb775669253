"""Stock `@triton.jit` kernels on the CPU, compiled to the host's machine code in this process."""

from __future__ import annotations

from tritonflow.errors import CompileError

from .backend import install
from .check import allocations
from .compile import Kernel, compile, compile_count, empty_launcher, load, written_arguments, written_in
from .errors import OutOfBoundsError, ParseError, UnsupportedError
from .program import NativeForm, NativeRows
from .target import target_key
from .threads import get_num_threads, set_num_threads

__all__ = [
    "CompileError",
    "Kernel",
    "OutOfBoundsError",
    "ParseError",
    "NativeForm",
    "NativeRows",
    "UnsupportedError",
    "allocations",
    "compile",
    "compile_count",
    "empty_launcher",
    "get_num_threads",
    "install",
    "load",
    "set_num_threads",
    "target_key",
    "written_arguments",
    "written_in",
]
