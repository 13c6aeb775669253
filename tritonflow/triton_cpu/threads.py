"""Programs over threads: torch's own libgomp, loaded and set up once per process."""

from __future__ import annotations

import ctypes
import functools
import os
from pathlib import Path

from tritonflow.settings import settings

from . import jit, ready, runtime_ir
from .lock import building
from .target import Target, resolve

_count = 0
_PYTHON = (
    "PyErr_Format PyErr_Occurred PyLong_AsLongLong PyLong_AsSize_t PyFloat_AsDouble PyObject_IsTrue "
    "PyLong_AsUnsignedLongLongMask PyEval_SaveThread PyEval_RestoreThread"
).split()
_OPENMP = ("GOMP_parallel", "omp_get_thread_num")


def _find_libgomp() -> ctypes.CDLL:
    """torch's copy where torch has one: two OpenMP runtimes in a process fight for the cores."""
    import importlib.util

    spec = importlib.util.find_spec("torch")
    if spec is not None and spec.origin:
        root = Path(spec.origin).parent
        for folder in (root / "lib", root.parent / "torch.libs"):
            for found in sorted(folder.glob("libgomp*.so*")):
                return ctypes.CDLL(str(found))
    return ctypes.CDLL("libgomp.so.1")


class _Runtime:
    def __init__(self) -> None:
        gomp = _find_libgomp()
        for name in _OPENMP:
            jit.add_symbol(name, _address(getattr(gomp, name)))
        for name in _PYTHON:
            jit.add_symbol(name, _address(getattr(ctypes.pythonapi, name)))
        target = resolve("host")
        self.code = jit.LoadedObject(_runtime_object(), target)
        self.launch, self.bound = self.code.address("tf_launch"), self.code.address("tf_bound")
        self.bound_pointers = self.code.address("tf_bound_pointers")
        objects = (None, TypeError, OverflowError, AssertionError)
        init = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(objects))(self.code.address("tf_init"))
        init(*map(id, objects))
        self.set_threads = ctypes.CFUNCTYPE(None, ctypes.c_int32)(self.code.address("tf_set_threads"))
        self.after_fork = ctypes.CFUNCTYPE(None)(self.code.address("tf_after_fork"))
        os.register_at_fork(after_in_child=self.after_fork)
        self._keep = gomp


def _runtime_object() -> bytes:
    from . import cache

    return cache.stored_bytes("runtime", runtime_ir.TEXT, _compiled_runtime)


def _compiled_runtime() -> bytes:
    target = resolve("host")
    found = ready.find(target, "runtime", runtime_ir.TEXT)
    return compile_runtime(target) if found is None else found[1]


def compile_runtime(target: Target) -> bytes:
    """The runtime's object for a CPU."""
    from .launcher import launchers_text  # with all of the lowering, for nothing where the runtime is found on disk

    return jit.compile_runtime(runtime_ir.TEXT + launchers_text(target.native_f16), target)


def _address(function: object) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0  # type: ignore[arg-type]


@functools.cache
def _create() -> _Runtime:
    runtime = _Runtime()
    runtime.set_threads(_count or settings.num_threads)
    return runtime


def start() -> _Runtime:
    """Load the runtime, once per process, before the first kernel."""
    with building:
        return _create()


def set_num_threads(count: int) -> None:
    """How many threads share the programs of one launch."""
    global _count
    if count < 1:
        raise ValueError(f"the number of threads must be at least 1, not {count}")
    runtime = start()
    _count = count
    runtime.set_threads(count)


def get_num_threads() -> int:
    return _count or settings.num_threads
