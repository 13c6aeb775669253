"""Runs one kernel three ways: in Triton's interpreter, natively on the host, and compiled for a GPU not there.

Arguments are given in the kernel's order: torch tensors for pointers, ints for sizes, `stride(v)` for strides (0 and 1
are constants, as in a plan), `Scalar` or float for run-time scalars, tuples of all of these. torch is the reference.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import pathlib
import sys
from dataclasses import dataclass
from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource
from triton.language import core
from triton.runtime import interpreter
from triton.runtime.interpreter import InterpretedFunction
from triton.runtime.jit import JITFunction

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = "interpreted_kernels"
BACKENDS = ("interpreter", "cpu")
TYPES = {
    torch.bool: "i1",
    torch.uint8: "u8",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.float16: "fp16",
    torch.bfloat16: "bf16",
    torch.float32: "fp32",
    torch.float64: "fp64",
}


@dataclass(frozen=True)
class Constant:
    """An argument that is a constexpr without being declared one."""

    value: int


@dataclass(frozen=True)
class Scalar:
    """A run-time scalar of a given type; a bare float is an fp32, a bare int an i32 or, too large for that, an i64."""

    value: float
    dtype: str


def stride(value: int) -> int | Constant:
    return Constant(value) if value in (0, 1) else value


def strides(tensor: torch.Tensor) -> tuple[int | Constant, ...]:
    return tuple(stride(s) for s in tensor.stride())


def kernels(name: str):
    """The module `kernels/<name>.py`."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    return importlib.import_module(f"kernels.{name}")


def _interpreted_module(name: str):
    """The same module in a second copy of the package, whose functions are decorated for the interpreter."""
    if COPY not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            COPY, ROOT / "kernels" / "__init__.py", submodule_search_locations=[str(ROOT / "kernels")]
        )
        package = importlib.util.module_from_spec(spec)
        sys.modules[COPY] = package
        with _interpret():
            spec.loader.exec_module(package)
    with _interpret():
        return importlib.import_module(f"{COPY}.{name}")


@contextlib.contextmanager
def _interpret():
    before = triton.knobs.runtime.interpret
    triton.knobs.runtime.interpret = True
    try:
        yield
    finally:
        triton.knobs.runtime.interpret = before


def _interpreted(value: Any):
    """The interpreter's twin of a jitted function; anything else as it is."""
    if not isinstance(value, JITFunction):
        return value
    module = value.fn.__module__
    twin = _interpreted_module(module.rpartition("kernels.")[2])
    return getattr(twin, value.fn.__name__)


def _patch_tensor(tensor, scope, patch=interpreter._patch_lang_tensor):
    """NumPy 2.4 refuses int() of an array with one element, which is what the interpreter's scalars are."""
    patch(tensor, scope)
    scope.set_attr(tensor, "__index__", lambda self: int(self.handle.data.item()))


def _dot(self, a, b, acc, precision, imprecise, dot=interpreter.InterpreterBuilder.create_dot):
    """The interpreter multiplies the bits of bfloat16."""
    a, b = (self.cast_impl(x, tl.float32) if x.dtype.scalar == tl.bfloat16 else x for x in (a, b))
    return dot(self, a, b, acc, precision, imprecise)


interpreter._patch_lang_tensor = _patch_tensor
interpreter.InterpreterBuilder.create_dot = _dot


@contextlib.contextmanager
def _interpreted_standard_library():
    """tl.zeros, tl.sum and the like are jitted too: the interpreter needs them in its own form while it runs."""
    standard = tl.standard
    originals = {n: f for n, f in vars(standard).items() if isinstance(f, JITFunction)}
    twins = {n: InterpretedFunction(f.fn) for n, f in originals.items()}
    touched = [
        (owner, n) for owner in (standard, tl, tl.tensor) for n in originals if getattr(owner, n, None) is originals[n]
    ]
    # Nested calls patch triton.language's modules and leave them so: this scope sees both modules and restores them.
    scope = interpreter._patch_lang(_restored)
    for owner, n in touched:
        setattr(owner, n, twins[n])
    try:
        yield
    finally:
        for owner, n in touched:
            setattr(owner, n, originals[n])
        scope.restore()


def _restored():
    return tl, core


def _plain(arg: Any):
    if isinstance(arg, tuple):
        return tuple(_plain(a) for a in arg)
    return arg.value if isinstance(arg, (Constant, Scalar)) else arg


def _describe(arg: Any, path: tuple[int, ...], constants: dict) -> Any:
    """Triton's type of an argument; constants are noted under their path."""
    if isinstance(arg, tuple):
        return tuple(_describe(a, (*path, i), constants) for i, a in enumerate(arg))
    if isinstance(arg, torch.Tensor):
        return "*" + TYPES[arg.dtype]
    if isinstance(arg, Scalar):
        return arg.dtype
    if isinstance(arg, Constant):
        constants[path] = arg.value
        return "constexpr"
    if isinstance(arg, float):
        return "fp32"
    return "i32" if -(2**31) <= arg < 2**31 else "i64"


def _flat(arg: Any):
    if isinstance(arg, tuple):
        return [x for a in arg for x in _flat(a)]
    if isinstance(arg, Constant):
        return []
    if isinstance(arg, Scalar):
        return [arg.value]
    return [arg.data_ptr()] if isinstance(arg, torch.Tensor) else [arg]


def signature(fn: JITFunction, args: tuple, constexprs: dict) -> tuple[dict, dict]:
    """(signature, constexprs) of a specialisation, as `ASTSource` wants them."""
    constants: dict = {}
    types = {name: _describe(arg, (i,), constants) for i, (name, arg) in enumerate(zip(fn.arg_names, args))}
    for name in fn.arg_names[len(args) :]:
        types[name] = "constexpr"
        constants[(fn.arg_names.index(name),)] = constexprs[name]
    return types, constants


def run(backend: str, fn: JITFunction, grid: tuple[int, ...], args: tuple, constexprs: dict | None = None) -> None:
    """Launches `fn` over `grid`; results are in the tensors among `args`."""
    constexprs = constexprs or {}
    if backend == "interpreter":
        values = {name: _interpreted(value) for name, value in constexprs.items()}
        with _interpret(), _interpreted_standard_library():
            _interpreted(fn)[tuple(grid)](*(_plain(a) for a in args), **values)
        return
    triton_cpu = pytest.importorskip("tritonflow.triton_cpu")
    if not hasattr(triton_cpu, "compile"):
        pytest.skip("tritonflow.triton_cpu cannot compile yet")
    types, constants = signature(fn, args, constexprs)
    x, y, z = (*grid, 1, 1)[:3]
    triton_cpu.compile(fn, types, constants).launch(x, y, z, *(value for a in args for value in _flat(a)))


def compile_for(arch: int, fn: JITFunction, args: tuple, constexprs: dict | None = None, **options):
    """The kernel compiled for sm_<arch>; needs no GPU."""
    types, constants = signature(fn, args, constexprs or {})
    source = ASTSource(fn=fn, signature=types, constexprs=constants, attrs={})
    return triton.compile(source, target=GPUTarget("cuda", arch, 32), options=options)
