"""Kernels for NVIDIA GPUs: compiled, found in Triton's cache, loaded and launched."""

from __future__ import annotations

import contextlib
import inspect
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import triton

from tritonflow import compilations
from tritonflow.gc_pause import gc_paused

from .checked_cache import use_checked_cache
from .compile_listener import TRITONS_CACHE, listen
from .cuda_call import calling_layout, with_allocator
from .functions import flat_types, kernel_title
from .internals import ASTSource, CompiledKernel, GPUTarget, check_version, get_cache_manager, knobs, require
from .repeated_work import repeated_work_saved
from .ttir import overflow_checks


def compile_cuda(
    fn: Any,
    signature: Mapping[str, Any],
    constexprs: Mapping[Any, Any],
    attrs: Mapping[Any, Any] | None,
    arch: int,
    **options: Any,
) -> Any:
    """Compile `fn` for sm_<arch>; needs no GPU. Returns Triton's compiled kernel, which is not loaded yet.

    Options whose defaults differ between releases are always given. Numbers below the smallest normal one are kept, as in torch's
    kernels: by default Triton lets sin, log1p and their kin, roots and exp2 take them for 0.
    """
    check_version()
    use_checked_cache()
    checks = overflow_checks(bool(options.get("debug")))
    chosen = {"num_warps": 4, "num_stages": 3, "enable_fp_fusion": True, "enable_reflect_ftz": False, **checks, **options}
    listen()
    title, types = kernel_title(fn, constexprs), ", ".join(flat_types(signature.values()))
    with compilations.running("compile", title, types), gc_paused(), repeated_work_saved():  # several threads compile
        source = ASTSource(fn, dict(signature), dict(constexprs), dict(attrs or {}))
        return triton.compile(source, target=GPUTarget("cuda", arch, 32), options=chosen)


def find_cuda(reference: str) -> Any:
    """The compiled kernel of a `LoadedCudaKernel.reference`, from Triton's cache on disk; None if it is not there any more."""
    check_version()
    use_checked_cache()
    report = compilations.Compilation("load", "")
    hash_, file, types = json.loads(reference)
    try:
        group = get_cache_manager(hash_).get_group(file) or {}
        if file not in group or not any(name.endswith(".cubin") for name in group):
            return None
        kernel = CompiledKernel(_FlatSource(None, dict(enumerate(types))), group, hash_)
    except (OSError, ValueError, KeyError):  # a file is gone or damaged
        return None
    report.origin = TRITONS_CACHE
    report.finish(file.removesuffix(".json"), ", ".join(types))
    return kernel


class LoadedCudaKernel:
    """A kernel of `compile_cuda`, loaded into the current device.

    Attributes:
        types: of the run-time arguments. The launcher is built for them alone: tuples are flattened and constexprs left
            out, so calls carry neither, and kernels that differ in nothing else share one.
        call: the arguments of `c_launch` as text, in the names gx, gy, gz, stream, a0, a1 ... and those of `values`, with `scratch`
            and `scratch_bytes` where it has scratch memory; empty if the kernel must be launched by `launch`: it is instrumented.
        scratch: bytes of scratch memory of each program.
    """

    __slots__ = ("call", "c_launch", "compiled", "name", "scratch", "types", "values", "_launcher")

    def __init__(self, compiled: Any) -> None:
        require(compiled, "src", "packed_metadata", "metadata")
        self.compiled = compiled
        self.name = str(compiled.metadata.name)
        self.types = tuple(flat_types(compiled.src.signature.values()))
        compiled.src = _FlatSource(compiled.src.fn, dict(enumerate(self.types)))
        with _cuda_driver():
            launcher = self._launcher = compiled.run  # builds the launcher and loads the kernel
        require(launcher, "launch", "global_scratch_size", "profile_scratch_size")
        self.c_launch: Callable[..., None] = launcher.launch
        self.call = ""
        self.values = {"function": compiled.function, "packed": compiled.packed_metadata}
        self.scratch = launcher.global_scratch_size * compiled.metadata.num_ctas
        if not launcher.profile_scratch_size and not getattr(launcher, "gsan_enabled", False):
            self.call = calling_layout(launcher, len(self.types), self.values)

    @property
    def reference(self) -> str | None:
        """By which `find_cuda` finds it in another process: where it lies in Triton's cache, and `types`. None for releases of
        Triton whose compiled kernels are made from something else."""
        known = list(inspect.signature(CompiledKernel).parameters) == ["src", "metadata_group", "hash"]
        group = getattr(self.compiled, "metadata_group", {}) if known else {}
        file = next((name for name in group if name.endswith(".json")), None)
        return None if file is None else json.dumps([self.compiled.hash, file, self.types])

    def node(self) -> tuple[int, int, int] | None:
        """(function, threads a block, bytes of shared memory), where that is all there is to say to the driver about a launch,
        besides grid and arguments; None for clusters and the like, and where `call` is empty."""
        metadata = self.compiled.metadata
        special = metadata.num_ctas != 1 or metadata.launch_cooperative_grid or metadata.launch_pdl
        return None if special or not self.call else (self.compiled.function, 32 * metadata.num_warps, metadata.shared)

    def launch(
        self, grid: tuple[int, int, int], stream: int, arguments: tuple[Any, ...], scratch: Callable[[int, int], int]
    ) -> None:
        """Launch as Triton does, with hooks around it; scratch: (stream, bytes) -> address."""
        compiled = self.compiled
        enter, leave = launch_hooks()
        info = _LaunchInfo(name=self.name, function=compiled.function, stream=stream) if enter or leave else None
        values = (*grid, stream, compiled.function, compiled.packed_metadata, info, enter, leave, *arguments)
        if self.scratch:
            with_allocator(lambda size, align, stream: scratch(stream, size), lambda: self._launcher(*values))
        else:
            self._launcher(*values)


class _FlatSource:
    """What Triton's launcher is built from: the run-time arguments only."""

    def __init__(self, fn: Any, signature: dict[int, str]) -> None:
        self.fn = fn
        self.signature = signature
        self.constants: dict[Any, Any] = {}


class _LaunchInfo(dict[str, Any]):
    """What launch hooks are given: they call `get()`, and want name, function and stream."""

    def get(self, *args: Any) -> Any:
        return super().get(*args) if args else self


_driver_lock = threading.Lock()


@contextlib.contextmanager
def _cuda_driver() -> Iterator[None]:
    """Triton's active driver is CUDA's inside this block: the active one loads kernels."""
    config = triton.runtime.driver
    if "cpu" not in triton.backends.backends:  # `register_cpu_backend` alone makes another one active
        yield
        return
    with _driver_lock:
        before = config.active
        if before.get_current_target().backend != "cuda":
            config.set_active(triton.backends.backends["nvidia"].driver())
        try:
            yield
        finally:
            config.set_active(before)


def launch_hooks() -> tuple[Any, Any]:
    """The hooks before and behind launches, a profiler's for one; None where nothing is hooked."""
    enter, leave = knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook
    return enter if getattr(enter, "calls", enter) else None, leave if getattr(leave, "calls", leave) else None
