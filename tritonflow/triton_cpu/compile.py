"""From a `@triton.jit` function to a kernel that can be launched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tritonflow import compilations
from tritonflow.errors import CompileError
from tritonflow.gc_pause import gc_paused
from tritonflow.settings import settings

from . import cache, check, dump, jit, launch, ready, threads
from .arguments import flatten, kinds
from .lock import building
from .target import Target, resolve

if TYPE_CHECKING:
    from .lower.kernel import LoweredKernel

_kernels: dict[str, Kernel] = {}
_count = 0


class Kernel:
    """A kernel in this process.

    Attributes:
        launch: the builtin `launch(gx, gy, gz, *args)`, which runs the kernel. Run-time arguments
            are flattened in order, and pointers are integers. Checked kernels are launched through
            Python (`check.guarded`).
        addr: the address of the native function, which runs a range of program instances. Its type
            is `void (i64 begin, i64 end, i32 gx, i32 gy, i32 gz, void *args, void *scratch)`.
            `args` has 8 bytes for each argument.
        asm: the texts 'ttir', 'llir' and 's', made on first use.
        reference: what `load` finds the kernel by in another process.
        name: the name of its Python function.
        types: its run-time arguments, flattened, as in signatures.
        scratch: bytes of scratch memory that a thread needs.
        cost: an estimate of the instructions of one program instance.
    """

    __slots__ = (
        "__weakref__",
        "_bound",
        "_bound_pointers",
        "_brief_limit",
        "_checked",
        "_code",
        "_kinds",
        "_limit",
        "addr",
        "asm",
        "cost",
        "launch",
        "name",
        "reference",
        "scratch",
        "types",
    )

    def __init__(self, reference: str, code: jit.LoadedObject, meta: Mapping[str, Any], asm: Asm) -> None:
        self.reference = reference
        self._code = code
        self.name: str = meta["name"]
        self.scratch: int = meta["scratch"]
        self.cost: float = meta["cost"]
        self.asm = asm
        self.addr = code.address(launch.ENTRY)
        self.types = asm.types
        self._kinds = kinds(asm.types)
        self._limit, self._brief_limit = launch.inline_limit(self.cost), launch.brief_limit(self.cost)
        native, description = threads.start(), launch.described(code.address(launch.DESCRIPTION))
        self._bound = launch.NativeEntry(self.name, native.bound, "run(*leading_args)")
        self._bound_pointers = launch.NativeEntry(self.name, native.bound_pointers, "run(*leading_addresses)")
        entry = launch.NativeEntry(self.name, native.launch, "launch(gx, gy, gz, *args)")
        self._checked = asm.checked
        self.launch: Callable[..., None] = self._guarded(entry.builtin(description), first=3)

    def bind(
        self, gx: int, gy: int, gz: int, constants: Sequence[Any] = (), inline: bool | None = None, brief: bool = False
    ) -> Callable[..., None]:
        """A builtin that takes the leading arguments only; the grid and the trailing `constants`
        are fixed.

        Args:
            inline: whether it runs in the caller and holds the GIL. If None, an estimate decides
                (`runs_inline`), which does not know how often loops run.
            brief: whether a launch over threads holds the GIL, too.
        """
        if inline is None:
            inline = self.runs_inline(gx, gy, gz)
        how = launch.AT_ONCE if inline else launch.HELD if brief else launch.RELEASED
        leading = self._kinds[: len(self.types) - len(constants)]
        entry = self._bound if any(leading) else self._bound_pointers  # the number of pointers is 0
        block = launch.block(self.addr, self.scratch, self.types, leading, how, (gx, gy, gz), constants)
        return self._guarded(entry.builtin(block), bound=constants)

    def _guarded(self, entry: Callable[..., None], **where: Any) -> Callable[..., None]:
        return check.guarded(entry, self.name, **where) if self._checked else entry

    def runs_inline(self, gx: int, gy: int, gz: int) -> bool:
        """Whether a launch of this grid runs in the caller and holds the GIL."""
        return gx * gy * gz <= self._limit

    def is_brief(self, gx: int, gy: int, gz: int) -> bool:
        """Whether a launch of this grid may hold the GIL, in whatever threads it runs."""
        return gx * gy * gz <= self._brief_limit

    def __repr__(self) -> str:
        return f"<tritonflow CPU kernel {self.name}>"


class Asm(Mapping[str, str]):
    """The texts of a kernel on its way to machine code.

    `ttir` makes the first; None if it is unknown.
    """

    def __init__(self, types: list[str], target: Target, checked: bool, ttir: Callable[[], str] | None = None) -> None:
        self.ttir, self.types, self._target, self.checked = ttir, types, target, checked
        self._texts: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        if name not in self._texts:
            if self.ttir is None:
                raise KeyError(f"{name}: the kernel was loaded by its reference, and not compiled in this process")
            makers = {"ttir": self.ttir, "llir": self._llir, "s": self._assembly}
            self._texts[name] = makers[name]()
        return self._texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(("ttir", "llir", "s"))

    def __len__(self) -> int:
        return 3

    def _assembly(self) -> str:
        return jit.assembly(self["llir"], self._target)

    def _llir(self) -> str:
        return self.lowered()[0]

    def lowered(self) -> tuple[str, LoweredKernel]:
        """The module's text, and what it was made from."""
        # These import all of the lowering, which takes 0.1 s.
        # Kernels found on disk need none of it.
        from .launcher import module_text
        from .lower.kernel import lower

        kernel = lower(self["ttir"], self._target, self.checked)
        return module_text(kernel, self.types), kernel


def compile(
    fn: Any,
    signature: Mapping[str, Any],
    constexprs: Mapping[Any, Any],
    attrs: Mapping[Any, Any] | None = None,
    *,
    cpu: str | None = None,
) -> Kernel:
    """Compile `fn` for this machine, or find it compiled in memory or on disk.

    Args:
        fn: a function decorated with `triton.jit`.
        signature: argument name -> 'i32', '*fp32', 'constexpr' ..., or a nested tuple of these.
        constexprs: argument name, or path into tuples, -> value.
        attrs: path -> [["tt.divisibility", 16]], as Triton's ASTSource takes them.
        cpu: 'avx512', 'avx2', 'baseline' or a name of LLVM's; default: what the host has.

    Raises:
        UnsupportedError: the kernel uses an operation that has no lowering; it names operation and
            line.
    """
    from tritonflow import triton_compat  # with Triton, which kernels found on disk do not need

    target = resolve(cpu)
    ordered = {name: signature[name] for name in fn.arg_names if name in signature}
    if len(ordered) != len(fn.arg_names):
        missing = [name for name in fn.arg_names if name not in signature]
        raise CompileError(f"{fn.__name__}: the signature lacks {', '.join(missing)}")
    checked = settings.cpu_check
    options = f"{attrs!r} {triton_compat.asserts(fn)} checked {checked}"
    parts = triton_compat.function_key(fn), fn.__name__, repr(ordered), _constants_key(constexprs), options
    key = cache.digest(*parts, target.key)

    def ttir() -> str:
        return triton_compat.lower_to_ttir(fn, ordered, constexprs, attrs)

    kernel = _kernels.get(key)
    if kernel is None or kernel.asm.ttir is None:
        with building:
            kernel = load(key, target)
            if kernel is None:
                asm = Asm(flatten(ordered), target, checked, ttir)
                kernel = _ready(key, parts, asm, target)
                kernel = kernel or _make(key, fn.__name__, triton_compat.kernel_title(fn, constexprs), asm, target)
            kernel.asm.ttir = kernel.asm.ttir or ttir
            dump.write(kernel.name, key, kernel.asm)
    return kernel


def written_arguments(fn: Any, signature: Mapping[str, Any], constexprs: Mapping[Any, Any]) -> tuple[bool, ...]:
    """For each run-time argument of a kernel, flattened, whether the kernel may write the memory
    that it points to. The code is not compiled.
    """
    from tritonflow import triton_compat

    return written_in(triton_compat.lower_to_ttir(fn, {name: signature[name] for name in fn.arg_names}, constexprs))


def written_in(ttir: str) -> tuple[bool, ...]:
    """As `written_arguments`, of the kernel in a text."""
    from .lower.analysis import written_arguments as written
    from .parser import parse

    (function,) = [function for function in parse(ttir).values() if function.public]
    return written(function)


def load(reference: str, target: Target | None = None) -> Kernel | None:
    """A kernel by its reference, from memory or from disk, or None if it is gone.

    Args:
        target: what it was compiled for, if not for what the settings say.
    """
    with building:
        kernel = _kernels.get(reference)
        report = compilations.Compilation("load", "")
        found = cache.read(reference) if kernel is None else None
        if found is None:
            return kernel
        meta, object_ = found
        target = target or resolve()
        try:
            kernel = _loaded(reference, meta, object_, Asm(meta["types"], target, meta["checked"]), target)
        except CompileError:
            return None
        report.finish(meta["title"], ", ".join(meta["types"]))
        return kernel


def empty_launcher(n_args: int) -> Callable[..., None]:
    """A builtin that converts `n_args` integers and does nothing: the floor of a launch."""
    address = threads.start().code.address("tf_empty")
    return launch.NativeEntry("empty", address, "empty(*integers)").builtin(n_args.to_bytes(8, "little"))


def compiled_kernels() -> list[Kernel]:
    """The kernels whose functions this process has seen; others were loaded by their references."""
    return [kernel for kernel in _kernels.values() if kernel.asm.ttir is not None]


def compile_count() -> int:
    """Kernels compiled or loaded from disk so far in this process."""
    return _count


def _ready(key: str, parts: Sequence[str], asm: Asm, target: Target) -> Kernel | None:
    """A kernel that came with the package, which is stored as if it was compiled; None if it did not."""
    report = compilations.Compilation("load", "")
    found = ready.find(target, *parts)
    if found is None:
        return None
    meta, object_ = found
    try:
        kernel = _loaded(key, meta, object_, asm, target)
    except CompileError:
        return None
    cache.write(key, meta, object_)
    report.origin = "ready in the package"
    report.finish(meta["title"], ", ".join(meta["types"]))
    return kernel


def _make(key: str, name: str, title: str, asm: Asm, target: Target) -> Kernel:
    with compilations.running("compile", title, ", ".join(asm.types)):
        with gc_paused():
            text, lowered = asm.lowered()
        object_ = jit.compile_object(text, target)
        meta = {
            "name": name, "title": title, "scratch": lowered.scratch, "cost": lowered.cost, "types": asm.types,
            "checked": asm.checked,
        }  # fmt: skip
        kernel = _loaded(key, meta, object_, asm, target)
    cache.write(key, meta, object_)
    return kernel


def _loaded(key: str, meta: Mapping[str, Any], object_: bytes, asm: Asm, target: Target) -> Kernel:
    global _count
    threads.start()
    if asm.checked:
        check.prepare()
    kernel = _kernels[key] = Kernel(key, jit.LoadedObject(object_, target), meta, asm)
    _count += 1
    return kernel


def _constants_key(value: Any) -> str:
    """Equal for equal constants: functions by their source, everything else by type and text."""
    from tritonflow import triton_compat

    if triton_compat.is_jit_function(value):
        return f"function {triton_compat.function_key(value)}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k!r}: {_constants_key(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}(" + ", ".join(map(_constants_key, value)) + ")"
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return f"{type(value).__name__} {value!r}"
