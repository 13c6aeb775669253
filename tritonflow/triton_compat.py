"""All knowledge of Triton's internals and versions.

What is used here beyond Triton's public language is tested for before it is used; a release whose layout is not
known is refused with an error that names its version. Sections: versions; TTIR; a backend for the CPU; CUDA kernels;
cache keys; interpreted modules.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import importlib
import importlib.util
import inspect
import json
import logging
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import triton

from tritonflow import ownership, versions
from tritonflow.errors import UnsupportedVersionError

log = logging.getLogger("tritonflow.triton")

# ---------------------------------------------------------------------------------------------------------- versions


def _unsupported(reason: object) -> UnsupportedVersionError:
    return versions.unsupported("triton", triton.__version__, reason)


try:
    import triton.backends
    from triton import knobs
    from triton._C.libtriton import ir, passes
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, CompiledKernel, make_backend
    from triton.runtime.cache import FileCacheManager, get_cache_manager
    from triton.runtime.errors import OutOfResources as OutOfResources
    from triton.runtime.jit import JITCallable
except ImportError as error:
    raise _unsupported(error) from error


def version() -> tuple[int, int, int]:
    return versions.numbers(triton.__version__)


def _require(owner: object, *names: str) -> None:
    for name in names:
        if not hasattr(owner, name):
            raise _unsupported(f"{getattr(owner, '__name__', owner)} has no {name!r}")


@functools.cache
def check_version() -> None:
    """Raise unless the parts of Triton that are used here are where they are expected."""
    versions.check("triton", triton.__version__)
    _require(ir, "context", "pass_manager", "load_dialects")
    _require(passes.common, "add_inliner", "add_canonicalizer", "add_cse", "add_symbol_dce")
    _require(passes.ttir, "add_combine", "add_reorder_broadcast", "add_triton_licm", "add_loop_unroll")
    _require(passes.ttir, "add_rewrite_tensor_descriptor_to_pointer")
    _require(ASTSource, "make_ir")
    _require(JITCallable, "cache_key")
    _require(knobs, "runtime", "cache")
    _require(knobs.cache, "manager_class", "dir")
    _require(FileCacheManager, "get_group", "put_group", "get_file", "put")
    _require(knobs.runtime, "interpret")


# -------------------------------------------------------------------------------------------------------------- TTIR

# The front end needs a GPU target. sm_80 has every type but no path of its own for descriptors.
_FRONT_END_TARGET = GPUTarget("cuda", 80, 32)
_FRONT_END_OPTIONS = {
    "enable_fp_fusion": True,  # TTIR is the same without; Triton 3.9 warns where it is not given
    "supported_fp8_dtypes": ("fp8e4b15", "fp8e4b8", "fp8e4nv", "fp8e5", "fp8e5b16"),
}
_front_end_lock = threading.Lock()


def _overflow_checks(debug: bool) -> dict[str, bool]:
    """Checks of integer overflow are assertions: where these are off the front end would only build and drop them."""
    return {"sanitize_overflow": debug}


@functools.cache
def _front_end() -> Any:
    check_version()
    backend = make_backend(_FRONT_END_TARGET)
    _require(backend, "parse_options", "get_codegen_implementation", "get_module_map", "load_dialects")
    return backend


def asserts(fn: Any) -> bool:
    """Whether Triton keeps the assertions of a function: `triton.jit(debug=True)` or TRITON_DEBUG."""
    return bool(getattr(fn, "debug", False) or knobs.runtime.debug)


def _any_dot_size(*_types: object) -> tuple[int, int, int]:
    return (1, 1, 1)


def _convert_fp8e4b15(value: Any, to: Any, rounding: Any = None, _semantic: Any = None) -> Any:
    """The format that TTIR has no type for: f16 without its highest exponent bit, rounded half up, at most 1.75."""
    tl, s = triton.language, _semantic
    if value.dtype.is_fp8e4b15():
        code = value.to(tl.uint8, bitcast=True, _semantic=s).to(tl.uint16, _semantic=s)
        sign = code.__and__(0x80, _semantic=s).__lshift__(8, _semantic=s)
        half = code.__and__(0x7F, _semantic=s).__lshift__(7, _semantic=s).__or__(sign, _semantic=s)
        return half.to(tl.float16, bitcast=True, _semantic=s).to(to.scalar, _semantic=s)
    if not value.dtype.is_fp16():
        value = value.to(tl.float32, _semantic=s).to(tl.float16, fp_downcast_rounding="rtz", _semantic=s)
    bits = value.to(tl.uint16, bitcast=True, _semantic=s)
    size = tl.minimum(bits.__and__(0x7FFF, _semantic=s), 0x3F00, _semantic=s)
    code = size.__add__(0x40, _semantic=s).__rshift__(7, _semantic=s)
    sign = bits.__rshift__(8, _semantic=s).__and__(0x80, _semantic=s)
    return code.__or__(sign, _semantic=s).to(tl.uint8, _semantic=s).to(tl.float8e4b15, bitcast=True, _semantic=s)


def _code_generation(backend_functions: Mapping[str, Any]) -> dict[str, Any]:
    return {**backend_functions, "min_dot_size": _any_dot_size, "convert_custom_types": _convert_fp8e4b15}


def lower_to_ttir(
    fn: Any,
    signature: Mapping[str, Any],
    constexprs: Mapping[Any, Any],
    attrs: Mapping[Any, Any] | None = None,
) -> str:
    """Run Triton's front end on `fn` and stop at optimised TTIR: the module's text, with locations in the source."""
    backend = _front_end()
    with _front_end_lock:
        source = ASTSource(fn, dict(signature), dict(constexprs), dict(attrs or {}))
        debug = asserts(fn)
        options = backend.parse_options({**_FRONT_END_OPTIONS, **_overflow_checks(debug), "debug": debug})
        functions = _code_generation(backend.get_codegen_implementation(options))
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        module = source.make_ir(_FRONT_END_TARGET, options, functions, backend.get_module_map(), context)
        _optimise(module, context)
        return str(module)


def _optimise(module: Any, context: Any) -> None:
    manager = ir.pass_manager(context)
    passes.common.add_inliner(manager)
    if hasattr(passes.ttir, "add_rewrite_tensor_pointer"):  # block pointers, gone after 3.6
        passes.ttir.add_rewrite_tensor_pointer(manager)
    passes.ttir.add_rewrite_tensor_descriptor_to_pointer(manager)
    passes.common.add_canonicalizer(manager)
    passes.ttir.add_combine(manager)
    passes.ttir.add_reorder_broadcast(manager)
    passes.common.add_cse(manager)
    passes.ttir.add_triton_licm(manager)
    passes.common.add_canonicalizer(manager)
    passes.common.add_symbol_dce(manager)
    passes.ttir.add_loop_unroll(manager)
    passes.common.add_cse(manager)
    manager.run(module, "cpu_ttir")


# ------------------------------------------------------------------------------------------- a backend for the CPU


class CpuCode(Protocol):
    """What `register_cpu_backend` is given: compilation of TTIR, and loading of its result."""

    def lower(self, ttir: str) -> tuple[str, dict[str, Any]]:
        """LLVM IR, and metadata that Triton keeps beside the code."""

    def compile(self, llir: str) -> bytes:
        """Machine code."""

    def load(self, name: str, code: bytes) -> Any:
        """Something with `launch(gx, gy, gz, *args)`, run-time arguments flattened, pointers as integers.

        Where `takes_tensors` is true, tensors are passed as they are.
        """

    def key(self) -> str:
        """What the code depends on besides the kernel."""


def register_cpu_backend(code: CpuCode) -> None:
    """Make `kernel[grid](...)` of the installed Triton run on the CPU in this process."""
    backend, driver = _cpu_classes(code)
    triton.backends.backends["cpu"] = triton.backends.Backend(compiler=backend, driver=driver)
    _use_checked_files()
    triton.runtime.driver.set_active(driver())


def _use_checked_files() -> None:
    """From here on, this process uses Triton's cache on disk as `_checked` does."""
    files = knobs.cache.manager_class or FileCacheManager
    if not getattr(files, "checks_code", False):
        knobs.cache.manager_class = _checked(files)


def _checked(files: type) -> type:
    """Triton's cache on disk, for which damaged code is missing code: it would be run as it lies there.

    A folder that cannot be written, or that other users may write, is left for one of this process.
    """

    class CheckedFiles(files):
        checks_code = True

        def __init__(self, key: str, override: bool = False, dump: bool = False) -> None:
            self._request = key, override, dump
            try:
                if knobs.cache.dir.startswith("~/.triton"):
                    raise OSError("this user has no home directory")
                super().__init__(*self._request)
                weakness = ownership.weakness(getattr(self, "cache_dir", "/"))
                if weakness is not None:
                    raise PermissionError(weakness)
            except OSError as error:
                self._leave(error)

        def _leave(self, error: OSError) -> None:
            if knobs.cache.dir == _own_folder():
                raise error
            log.warning(
                "%s: Triton's cache %s is not used, and kernels are compiled again in every process. "
                "help: set TRITON_CACHE_DIR to a folder that only you may write",
                error, knobs.cache.dir,
            )  # fmt: skip
            knobs.cache.dir = _own_folder()
            super().__init__(*self._request)

        def put(self, data: Any, filename: str, binary: bool = True) -> str:
            try:
                return str(super().put(data, filename, binary))
            except OSError as error:
                self._leave(error)
                return str(super().put(data, filename, binary))

        def put_group(self, filename: str, group: dict[str, str]) -> Any:
            if _has_code(group):
                self.put(_digest(group), f"__digest__{filename}")
            return super().put_group(filename, group)

        def get_group(self, filename: str) -> dict[str, str] | None:
            try:
                group: dict[str, str] | None = super().get_group(filename)
                digest = self.get_file(f"__digest__{filename}")
                if digest is not None:
                    return group if group and Path(digest).read_bytes() == _digest(group) else None
            except (OSError, ValueError):  # a file is gone, or the list of files is no JSON
                return None
            return None if _has_code(group or {}) else group

    return CheckedFiles


@functools.cache
def _own_folder() -> str:
    folder = tempfile.mkdtemp(prefix="tritonflow_triton_")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _has_code(group: Mapping[str, str]) -> bool:
    return any(name.endswith((".obj", ".cubin")) for name in group)


def _digest(group: Mapping[str, str]) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(group):
        content = Path(group[name]).read_bytes()
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest().encode()


def _cpu_classes(code: CpuCode) -> tuple[type, type]:
    check_version()
    base = type(_front_end())
    target = GPUTarget("cpu", 80, 1)

    class CpuBackend(base):  # type: ignore[misc, valid-type]
        binary_ext = "obj"

        @staticmethod
        def supports_target(target: Any) -> bool:
            return bool(target.backend == "cpu")

        def __init__(self, target: Any) -> None:
            self.target, self.binary_ext = target, "obj"

        def hash(self) -> str:
            return f"tritonflow-cpu-{code.key()}"

        def parse_options(self, options: Any) -> Any:
            # Clusters are refused below sm_90; on a CPU they mean as little as warps.
            checks = _overflow_checks(bool(options.get("debug")))
            return super().parse_options({**_FRONT_END_OPTIONS, **checks, **options, "arch": "sm80", "num_ctas": 1})

        def get_codegen_implementation(self, options: Any) -> Any:
            return _code_generation(super().get_codegen_implementation(options))

        def pack_metadata(self, metadata: Any) -> tuple[()]:
            return ()

        def add_stages(self, stages: Any, options: Any, language: Any = None) -> None:
            def ttir(module: Any, metadata: Any) -> Any:
                _optimise(module, module.context)
                return module

            def llir(module: Any, metadata: Any) -> str:
                text, more = code.lower(str(module))
                metadata.update(more, shared=0)
                return text

            stages.update(ttir=ttir, llir=llir, obj=lambda text, metadata: code.compile(text))

    class Loader:
        def load_binary(self, name: str, data: bytes, shared: int, device: int) -> tuple[Any, ...]:
            kernel = code.load(name, data)
            return kernel, kernel, 0, 0, 1 << 30

        def get_device_properties(self, device: int) -> dict[str, int]:
            names = "max_num_regs warpSize sm_clock_rate mem_clock_rate mem_bus_width".split()
            return {**dict.fromkeys(names, 0), "max_shared_mem": 1 << 30, "multiprocessor_count": 1, "warpSize": 1}

        def unload_module(self, module: Any) -> None:
            pass

    return CpuBackend, _cpu_driver(target, Loader)


def _cpu_driver(target: Any, loader: type) -> type:
    from triton.backends.driver import DriverBase

    class CpuDriver(DriverBase):
        def __init__(self) -> None:
            self.utils, self.launcher_cls = loader(), _CpuLauncher

        @classmethod
        def is_active(cls) -> bool:
            return True

        def map_python_to_cpp_type(self, type_: str) -> str:
            return type_

        def get_current_target(self) -> Any:
            return target

        def get_current_device(self) -> str:
            return "cpu"  # as torch.cpu.current_device(): kernels are kept by device

        def get_current_stream(self, device: str) -> int:
            return 0

        def get_active_torch_device(self) -> Any:
            return importlib.import_module("torch").device("cpu")

        def get_device_interface(self) -> Any:
            return _CpuTiming

        def get_benchmarker(self) -> Any:
            return importlib.import_module("triton.testing").do_bench

        def get_empty_cache_for_benchmark(self) -> Any:
            return importlib.import_module("torch").empty(1 << 20)

        def clear_cache(self, cache: Any) -> None:
            cache.zero_()

    return CpuDriver


class _CpuTiming:
    """What `triton.testing.do_bench`, and with it the autotuner, asks of a device: here every launch is over on return."""

    class Event:
        def __init__(self, enable_timing: bool = False) -> None:
            self.time = 0

        def record(self, stream: object = None) -> None:
            self.time = time.perf_counter_ns()

        def elapsed_time(self, end: _CpuTiming.Event) -> float:
            """Milliseconds up to `end`."""
            return max(end.time - self.time, 1) / 1e6

    @staticmethod
    def synchronize(device: object = None) -> None:
        pass


class _CpuLauncher:
    """Launches a compiled kernel on torch's tensors, and on those of a runtime that orders what is done with their memory.

    The class of the latter has `_run_kernel(tensors, written, launch)`, which calls `launch(addresses)`.
    """

    def __init__(self, source: Any, metadata: Any) -> None:
        self.signature = list(source.signature.values())
        self.written: list[bool] = metadata.written
        self.simple = all(isinstance(t, str) and not t.startswith("tensordesc") for t in self.signature)
        self.given = [(k, t.startswith("*")) for k, t in enumerate(self.signature) if self.simple and t != "constexpr"]

    def __call__(
        self,
        gx: int,
        gy: int,
        gz: int,
        stream: int,
        kernel: Any,
        packed: Any,
        meta: Any,
        enter: Any,
        leave: Any,
        *args: Any,
    ) -> None:
        if enter is not None and getattr(enter, "calls", True):  # a chain of no hooks takes a quarter of a microsecond
            enter(meta)
        if self._has_managed(args):
            self._launch_managed(kernel, (gx, gy, gz), args)
        else:
            kernel.launch(gx, gy, gz, *self._arguments(kernel.takes_tensors, args))
        if leave is not None and getattr(leave, "calls", True):
            leave(meta)

    def _has_managed(self, args: tuple[Any, ...]) -> bool:
        """Whether some operand's memory is another runtime's."""
        if not self.simple:
            return any(_is_managed(arg) for arg in _flat_arguments(self.signature, args, _tensor))
        for k, pointer in self.given:
            if pointer and _is_managed(args[k]):
                return True
        return False

    def _launch_managed(self, kernel: Any, grid: tuple[int, int, int], args: tuple[Any, ...]) -> None:
        flat = list(_flat_arguments(self.signature, args, _tensor))
        positions = [k for k, arg in enumerate(flat) if _is_managed(arg)]

        def launch(addresses: list[int]) -> None:
            for k, address in zip(positions, addresses):
                flat[k] = address
            given = (
                flat if kernel.takes_tensors else [arg.data_ptr() if hasattr(arg, "data_ptr") else arg for arg in flat]
            )
            kernel.launch(*grid, *given)

        tensors = [flat[k] for k in positions]
        type(tensors[0])._run_kernel(tensors, [self.written[k] for k in positions], launch)

    def _arguments(self, as_tensors: bool, args: tuple[Any, ...]) -> Iterable[Any]:
        if self.simple and not as_tensors:
            try:
                return [args[k].data_ptr() if pointer else args[k] for k, pointer in self.given]
            except AttributeError:  # an address given as a number
                pass
        return _flat_arguments(self.signature, args, _tensor if as_tensors else _data_ptr)


def _is_managed(arg: Any) -> bool:
    return hasattr(type(arg), "_run_kernel")


def _tensor(tensor: Any) -> Any:
    return tensor


def _data_ptr(tensor: Any) -> Any:
    return tensor.data_ptr()


def _flat_arguments(signature: Any, args: Any, address: Callable[[Any], Any]) -> Iterator[Any]:
    for type_, arg in zip(signature, args):
        if not isinstance(type_, str):
            yield from _flat_arguments(type_, arg, address)
        elif type_.startswith("tensordesc"):
            yield from (address(arg.base), *arg.shape, *arg.strides, *_padding(arg), *arg.shape, *arg.strides)
        elif type_ != "constexpr":
            yield address(arg) if type_.startswith("*") and hasattr(arg, "data_ptr") else (arg or 0)


def _padding(descriptor: Any) -> tuple[bool, ...]:
    """Flags of a host tensor descriptor that releases have added to its arguments."""
    flags = (descriptor.padding == "nan",) if hasattr(descriptor, "padding") else ()
    return (*flags, descriptor.round_f32_to_tf32) if hasattr(descriptor, "round_f32_to_tf32") else flags


# ------------------------------------------------------------------------------------------------------ CUDA kernels


def compile_cuda(
    fn: Any,
    signature: Mapping[str, Any],
    constexprs: Mapping[Any, Any],
    attrs: Mapping[Any, Any] | None,
    arch: int,
    **options: Any,
) -> Any:
    """Compile `fn` for sm_<arch>; needs no GPU. Returns Triton's compiled kernel, which is not loaded yet.

    Options whose defaults differ between releases are always given.
    """
    check_version()
    _use_checked_files()
    checks = _overflow_checks(bool(options.get("debug")))
    chosen = {"num_warps": 4, "num_stages": 3, "enable_fp_fusion": True, **checks, **options}
    source = ASTSource(fn, dict(signature), dict(constexprs), dict(attrs or {}))
    return triton.compile(source, target=GPUTarget("cuda", arch, 32), options=chosen)


def find_cuda(reference: str) -> Any:
    """The compiled kernel of a `LoadedCudaKernel.reference`, from Triton's cache on disk; None if it is not there any more."""
    check_version()
    _use_checked_files()
    hash_, file, types = json.loads(reference)
    try:
        group = get_cache_manager(hash_).get_group(file) or {}
        if file not in group or not any(name.endswith(".cubin") for name in group):
            return None
        return CompiledKernel(_FlatSource(None, dict(enumerate(types))), group, hash_)
    except (OSError, ValueError, KeyError):  # a file is gone or damaged
        return None


class LoadedCudaKernel:
    """A kernel of `compile_cuda`, loaded into the current device.

    Attributes:
        types: of the run-time arguments. The launcher is built for them alone: tuples are flattened and constexprs left
            out, so calls carry neither, and kernels that differ in nothing else share one.
        call: the arguments of `c_launch` as text, in the names gx, gy, gz, stream, a0, a1 ... and those of `values`;
            empty if the kernel must be launched by `launch`: it needs scratch memory or is instrumented.
    """

    __slots__ = ("call", "c_launch", "compiled", "name", "types", "values", "_launcher")

    def __init__(self, compiled: Any) -> None:
        _require(compiled, "src", "packed_metadata", "metadata")
        self.compiled = compiled
        self.name = str(compiled.metadata.name)
        self.types = tuple(_flat_types(compiled.src.signature.values()))
        compiled.src = _FlatSource(compiled.src.fn, dict(enumerate(self.types)))
        with _cuda_driver():
            launcher = self._launcher = compiled.run  # builds the launcher and loads the kernel
        _require(launcher, "launch", "global_scratch_size", "profile_scratch_size")
        self.c_launch: Callable[..., None] = launcher.launch
        self.call = ""
        self.values = {"function": compiled.function, "packed": compiled.packed_metadata}
        scratch = launcher.global_scratch_size or launcher.profile_scratch_size
        if not scratch and not getattr(launcher, "gsan_enabled", False):
            self.call = _calling_layout(launcher, len(self.types), self.values)

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

    def launch(self, grid: tuple[int, int, int], stream: int, arguments: tuple[Any, ...]) -> None:
        """Launch as Triton does: with scratch memory, and with hooks around it."""
        compiled = self.compiled
        enter, leave = launch_hooks()
        info = _LaunchInfo(name=self.name, function=compiled.function, stream=stream) if enter or leave else None
        self._launcher(*grid, stream, compiled.function, compiled.packed_metadata, info, enter, leave, *arguments)


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


def _flat_types(types: Iterable[Any]) -> Iterator[str]:
    for type_ in types:
        if isinstance(type_, (tuple, list)):
            yield from _flat_types(type_)
        elif type_ != "constexpr":
            yield type_


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


class _Slot:
    """Stands for one value while Triton's launcher shows what it does with it."""

    def __init__(self, name: str) -> None:
        self.name = name


_HEAD = ("gx", "gy", "gz", "stream", "function", "packed", "info", "enter", "leave")


def _calling_layout(launcher: Any, count: int, values: dict[str, Any]) -> str:
    """How this release's launcher calls its C function: the arguments as text; what is constant is added to `values`.

    Releases differ in the order, and in whether the kernel's arguments come one by one (3.6) or as a tuple behind their
    annotations (since 3.7). The launcher is run once with its C function replaced, and shows it.
    """
    calls: list[tuple[Any, ...]] = []
    original = launcher.launch
    slots = [_Slot(name) for name in (*_HEAD, *(f"a{i}" for i in range(count)))]
    launcher.launch = lambda *arguments: calls.append(arguments)
    try:
        launcher(*slots)
    except Exception as error:
        raise _unsupported(f"CudaLauncher does not take ({', '.join(_HEAD)}, *arguments)") from error
    finally:
        launcher.launch = original
    used: list[str] = []
    text = ", ".join(_slot_text(value, values, used) for call in calls for value in call)
    if len(calls) != 1 or sorted(used) != sorted(slot.name for slot in slots):
        raise _unsupported(f"CudaLauncher calls its C function with ({text})")
    return text


def _slot_text(value: Any, values: dict[str, Any], used: list[str]) -> str:
    if isinstance(value, _Slot):
        used.append(value.name)
        return "None" if value.name in ("info", "enter", "leave") else value.name
    if isinstance(value, tuple) and value:
        return "(" + "".join(_slot_text(item, values, used) + ", " for item in value) + ")"
    name = f"k{len(values)}"
    values[name] = value
    return name


# -------------------------------------------------------------------------------------------------------- cache keys


def is_jit_function(value: object) -> bool:
    return isinstance(value, JITCallable)


def function_key(fn: Any) -> str:
    """Changes when the source of `fn`, of a function it calls, or a global constexpr it reads changes."""
    return str(fn.cache_key)


# ----------------------------------------------------------------------------------------------- interpreted modules


@contextlib.contextmanager
def interpreting() -> Iterator[None]:
    """Functions decorated with `triton.jit` inside this block run in Triton's interpreter."""
    check_version()
    with knobs.runtime.scope():
        knobs.runtime.interpret = True
        yield


def load_interpreted(module: str | Path, package: str | None = None) -> ModuleType:
    """A second copy of a module of kernels whose functions are interpreted.

    Whether a function is interpreted is decided when it is decorated, and an interpreted kernel cannot call a compiled
    function: so modules of `package` that the copy imports are copied as well. `sys.modules` is as before afterwards.
    """
    with interpreting():
        if isinstance(module, Path):
            return _load_file(module)
        prefix = package or module
        hidden = {n: m for n, m in sys.modules.items() if n == prefix or n.startswith(prefix + ".")}
        for name in hidden:
            del sys.modules[name]
        try:
            return importlib.import_module(module)
        finally:
            for name in [n for n in sys.modules if n == prefix or n.startswith(prefix + ".")]:
                del sys.modules[name]
            sys.modules.update(hidden)


def _load_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"_interpreted_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
