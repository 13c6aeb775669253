"""Runs one kernel in Triton's interpreter, natively on the host and as a lesser host would, and compiles it for a GPU not there.

Arguments are given in the kernel's order: torch tensors for pointers, ints for sizes, `stride(v)` for strides (0 and 1
are constants, as in a plan), `Scalar` or float for run-time scalars, tuples of all of these. torch in float64 is the
reference (`computed_in_float64`), but for what is exact in any arithmetic.
"""

from __future__ import annotations

import importlib
import importlib.util
import linecache
import pathlib
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy
import pytest
import torch
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource
from triton.runtime.interpreter import InterpretedFunction, TensorHandle
from triton.runtime.jit import JITFunction

from tests.device.fake_cuda import H100
from tests.triton_interpreter import interpreting
from tritonflow import triton_compat
from tritonflow.device.device import Device
from tritonflow.device.provider import facts_of, get_provider
from tritonflow.settings import settings
from tritonflow.testing import in_float64

CPU, GPU = facts_of(Device("cpu")), H100
ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = "interpreted_kernels"
BACKENDS = (
    "interpreter",
    "cpu",
    *([pytest.param("cuda", marks=pytest.mark.cuda)] if torch.cuda.is_available() else []),
    *(pytest.param(f"cpu {target}", marks=pytest.mark.hours) for target in ("avx2", "baseline")),
)
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
        with triton_compat.interpreting():
            spec.loader.exec_module(package)
    with triton_compat.interpreting():
        return importlib.import_module(f"{COPY}.{name}")


def interpreted(value: Any):
    """The interpreter's twin of a jitted function; anything else as it is."""
    if not isinstance(value, JITFunction):
        return value
    module = value.fn.__module__
    if module.startswith("tests."):  # a test's own, which calls no other
        return InterpretedFunction(value.fn)
    if module.startswith("tritonflow_fused"):  # written by a graph
        twin = _interpreted_file(value.fn.__code__.co_filename)
    else:
        twin = _interpreted_module(module.rpartition("kernels.")[2])
    return getattr(twin, value.fn.__name__)


def _interpreted_file(path: str):
    """The same module, which uses functions of that second copy."""
    text = pathlib.Path(path).read_text().replace("from tritonflow.kernels.", f"from {COPY}.")
    name = f"{COPY}.{pathlib.Path(path).stem}"
    if name not in sys.modules:
        _interpreted_module("functions.memory")  # makes the copy
        module = types.ModuleType(name)
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        with triton_compat.interpreting():
            exec(compile(text, name, "exec"), module.__dict__)
        sys.modules[name] = module
    return sys.modules[name]


def _plain(arg: Any):
    if isinstance(arg, tuple):
        return tuple(_plain(a) for a in arg)
    if isinstance(arg, Scalar) and arg.dtype == "fp64":  # the interpreter takes a bare float for an fp32
        return tl.core.tensor(TensorHandle(numpy.array([arg.value]), tl.float64), tl.float64)
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


def flat(arg: Any):
    """What the compiled kernel gets of an argument."""
    if isinstance(arg, tuple):
        return [x for a in arg for x in flat(a)]
    if isinstance(arg, Constant):
        return []
    if isinstance(arg, Scalar):
        return [arg.value]
    if isinstance(arg, torch.Tensor) and not settings.cpu_check:  # which is to know the tensors' memory
        return [arg.data_ptr()]
    return [arg]


def signature(fn: JITFunction, args: tuple, constexprs: dict) -> tuple[dict, dict]:
    """(signature, constexprs) of a specialisation, as `ASTSource` wants them."""
    constants: dict = {}
    types = {name: _describe(arg, (i,), constants) for i, (name, arg) in enumerate(zip(fn.arg_names, args))}
    for name in fn.arg_names[len(args) :]:
        types[name] = "constexpr"
        constants[(fn.arg_names.index(name),)] = constexprs[name]
    return types, constants


def run(backend: str, fn: JITFunction, grid: tuple[int, ...], args: tuple, constexprs: dict | None = None) -> None:
    """Launches `fn` over `grid`; results are in the tensors among `args`. A backend is one of BACKENDS."""
    constexprs = constexprs or {}
    if backend == "interpreter":
        values = {name: interpreted(value) for name, value in constexprs.items()}
        with interpreting():
            interpreted(fn)[tuple(grid)](*(_plain(a) for a in args), **values)
        return
    if backend == "cuda":
        _run_on_gpu(fn, grid, args, constexprs)
        return
    triton_cpu = pytest.importorskip("tritonflow.triton_cpu")
    if not hasattr(triton_cpu, "compile"):
        pytest.skip("tritonflow.triton_cpu cannot compile yet")
    types, constants = signature(fn, args, constexprs)
    x, y, z = (*grid, 1, 1)[:3]
    _, _, target = backend.partition(" ")
    kernel = triton_cpu.compile(fn, types, constants, cpu=target or None)
    kernel.launch(x, y, z, *(value for a in args for value in flat(a)))


def _run_on_gpu(fn: JITFunction, grid: tuple[int, ...], args: tuple, constexprs: dict) -> None:
    """By a launch as plans make it. What shares memory on the host shares it on the GPU; results are copied back."""
    memory: dict[int, tuple[torch.UntypedStorage, torch.UntypedStorage]] = {}

    def moved(arg: Any) -> Any:
        if isinstance(arg, tuple):
            return tuple(moved(a) for a in arg)
        if not isinstance(arg, torch.Tensor):
            return arg
        storage = arg.untyped_storage()
        _, there = memory.setdefault(storage.data_ptr(), (storage, storage.cuda()))
        return torch.empty(0, dtype=arg.dtype, device="cuda").set_(there, arg.storage_offset(), arg.shape, arg.stride())

    theirs = tuple(moved(arg) for arg in args)
    types, constants = signature(fn, theirs, constexprs)
    kernel = get_provider(Device("cuda")).kernel(fn, types, constants, {})
    kernel.bind(*(*grid, 1, 1)[:3])(*(value for arg in theirs for value in flat(arg)))
    torch.cuda.synchronize()
    for host, there in memory.values():
        host.copy_(there)


def computed_in_float64(function: Callable[..., Any], *args: Any) -> Any:
    """What `function`, of torch tensors, gives in float64: references for floating results in the dtype of its first argument."""
    wide = [x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in args]
    result = function(*wide)
    if isinstance(result, tuple):
        return tuple(_reference(each, args[0].dtype) for each in result)
    return _reference(result, args[0].dtype)


def _reference(result: torch.Tensor, dtype: torch.dtype) -> Any:
    return in_float64(result, dtype) if result.is_floating_point() else result


def compile_for(arch: int, fn: JITFunction, args: tuple, constexprs: dict | None = None, **options):
    """The kernel compiled for sm_<arch>; needs no GPU."""
    types, constants = signature(fn, args, constexprs or {})
    source = ASTSource(fn=fn, signature=types, constexprs=constants, attrs={})
    return triton.compile(source, target=GPUTarget("cuda", arch, 32), options=options)
