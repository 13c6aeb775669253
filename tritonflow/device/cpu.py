"""The CPU as a device: the same Triton kernels, compiled for the host by `triton_cpu`."""

from __future__ import annotations

import ctypes
import functools
import mmap
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tritonflow.device import torch_memory
from tritonflow.device.device import Device
from tritonflow.device.memory import DISCARD, Block, MemoryPool, Storage
from tritonflow.device.program import Check, LaunchForm, LaunchGroup, LaunchLoop, ProgramLaunch
from tritonflow.device.program_family import ProgramFamily
from tritonflow.device.provider import CompiledKernel, ErrorWord, Program, ProgramForm, Signature, register_provider
from tritonflow.device.stream import InlineStream, Stream, WorkerStream
from tritonflow.errors import DeviceError
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.settings import settings

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

_MADV_HUGEPAGE: int | None = getattr(mmap, "MADV_HUGEPAGE", None)


class HostErrorWord(threading.local):
    """The error words in host memory: each thread has one, since it launches a kernel and looks while others do the same.

    Args:
        made: told of each word: the object that its memory lives with, its address, its bytes.
    """

    nbytes = 64
    deferred = False

    def __init__(self, made: Callable[[Any, int, int], None] | None = None) -> None:
        self._word = (ctypes.c_int32 * (self.nbytes // 4))()
        self.ptr = ctypes.addressof(self._word)
        if made is not None:
            made(self._word, self.ptr, self.nbytes)

    def take(self) -> int:
        """The word's value since the last call; sets it back to 0."""
        value = self._word[0]
        if value:
            self._word[0] = 0
        return value

    def note(self, message: str, source_line: Callable[[], str], error: type[Exception]) -> None:
        """Never needed: `take` knows at once."""

    def raise_pending(self) -> None:
        """Nothing is ever pending."""


class HostProgramErrorWords:
    """The error words of a program in host memory: known at once."""

    deferred = False

    def __init__(self, pool: MemoryPool, stream: Any, checks: Sequence[Check]) -> None:
        self._checks = checks
        self._block = pool.own(4 * len(checks), stream)
        self.ptr = self._block.ptr
        self._words = (ctypes.c_int32 * len(checks)).from_address(self.ptr)
        self._clear()

    def look(self) -> None:
        """Raise for the first word that is set."""
        for word, check in zip(self._words, self._checks):
            if word:
                self._clear()
                raise check.failure()

    def _clear(self) -> None:
        ctypes.memset(self._words, 0, ctypes.sizeof(self._words))


def _is_set(word: int) -> bool:
    return bool(ctypes.c_int32.from_address(word).value)


# Of a core. Parts of a batch are cut by it, and with them the order of sums, which is not to depend on the machine.
_CACHE = 1 << 20

# Blocks from this size on have at least one whole huge page. With them add of 16M elements takes 8.5 ms on one thread
# instead of 12.0, of 4M 2.0 instead of 2.8: a 4 KiB page is 64 accesses for each look into the page tables.
_HUGE = 4 << 20


def _storage(nbytes: int, stream: Any) -> Storage:
    storage: Storage = torch_memory.host_storage(nbytes)
    if nbytes >= _HUGE:
        _prefer_huge_pages(storage.data_ptr(), nbytes)
    return storage


def _prefer_huge_pages(start: int, nbytes: int) -> None:
    """Advice that Linux may follow when the memory is first touched, and other systems do not know."""
    if _MADV_HUGEPAGE is None:
        return
    first, end = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE, (start + nbytes) // mmap.PAGESIZE * mmap.PAGESIZE
    _madvise()(first, end - first, _MADV_HUGEPAGE)


@functools.cache
def _madvise() -> Any:
    function = ctypes.CDLL(None).madvise
    function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return function


class _Tracker:
    """Lets checked kernels use the pool's blocks, and the error words."""

    def __init__(self) -> None:
        from tritonflow import triton_cpu

        self._allocations = triton_cpu.allocations
        self.error_word = self._allocations.add

    def made(self, block: Block) -> None:
        if block.free is DISCARD:
            self._allocations.add(block, block.ptr, block.nbytes)
        else:  # a block that dies in a cycle with its tensor comes back to its free list, and no weak reference does
            self._allocations.keep(block.ptr, block.nbytes)

    def gone(self, block: Block) -> None:
        self._allocations.drop(block.ptr)


def _triton_cpu() -> Any:
    """The compiler of kernels for CPUs, imported at its first use: it loads LLVM, which what runs on a GPU does without.

    Raises:
        DeviceError: llvmlite is not installed.
    """
    try:
        from tritonflow import triton_cpu
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "llvmlite":
            raise
        raise DeviceError("kernels for the CPU need llvmlite, which is not installed: help: pip install llvmlite") from None
    return triton_cpu


class CpuProvider:
    """Compiles with `triton_cpu`, allocates with torch, runs in the issuing thread (or, on request, in a worker)."""

    name = ""
    divisibility = False

    def __init__(self, device: Device) -> None:
        if device.index:
            raise RuntimeError(f"there is only one CPU device, 'cpu' or 'cpu:0', not '{device}'")
        self.device = device
        self.compilers = 3 if settings.num_threads > 1 else 1  # one in Python, one in LLVM, and one for whichever is free first
        threaded = settings.vm_mode == "threaded"
        self.stream: Stream = WorkerStream(device, "compute") if threaded else InlineStream(device, "compute")
        tracker = _Tracker() if settings.cpu_check else None
        self.pool = MemoryPool("cpu", _storage, self.synchronize, is_bounded=True, tracker=tracker)
        self.error_word: ErrorWord = HostErrorWord(tracker.error_word if tracker is not None else None)
        self._threads_set = False

    @functools.cached_property
    def facts(self) -> DeviceFacts:
        """The vectors of the CPU that kernels are compiled for, and the cache that configurations assume of any."""
        target = _triton_cpu().target.resolve()
        return DeviceFacts("cpu", target.vector_bits // 32, processors=1, shared_memory=0, cache=_CACHE, tiles=target.amx)

    def new_stream(self, name: str, priority: int = 0) -> Stream:
        """Another compute stream, with a thread of its own; priorities mean nothing here."""
        return WorkerStream(self.device, name)

    def kernel(
        self, fn: Any, signature: Signature, constexprs: dict[Any, Any], attrs: dict[Any, Any], **options: Any
    ) -> CompiledKernel:
        """Compile `fn` for the host; warps and stages mean nothing here."""
        return self._compiler().compile(fn, signature, constexprs, attrs)

    def code_key(self) -> str | None:
        """The host's features, whether addresses are checked, and who runs kernels; none where texts of kernels are wanted."""
        target = self._compiler().target_key()
        return None if settings.cpu_dump else f"{target} checked {settings.cpu_check} {settings.vm_mode}"

    def timing_key(self) -> str:
        """The host's features, the number of threads, and whether addresses are checked."""
        return f"{self._compiler().target_key()} {settings.num_threads} threads checked {settings.cpu_check}"

    def measurement_key(self, *parts: str) -> str:
        """Of the sources of the compiler, and LLVM's version."""
        key: str = _triton_cpu().cache.digest(*parts)
        return key

    def load(self, reference: str) -> CompiledKernel | None:
        """The kernel on disk, or in memory."""
        return self._compiler().load(reference)

    def _compiler(self) -> Any:
        triton_cpu = _triton_cpu()
        if not self._threads_set:
            self._threads_set = True
            triton_cpu.set_num_threads(settings.num_threads)
        return triton_cpu

    def program(self, launches: Sequence[ProgramLaunch]) -> Program:
        """One native call for all launches; checked kernels are launched one by one."""
        return self.program_form([LaunchGroup(launches)]).filled(())

    def program_form(self, groups: Sequence[LaunchGroup], family: ProgramFamily | None = None) -> ProgramForm:
        """What stays the same of the table of that call. Programs of a family have nothing else in common."""
        if settings.cpu_check:
            return LaunchForm(groups, functools.partial(LaunchLoop, is_set=_is_set))
        triton_cpu = _triton_cpu()
        for group in groups:
            if group.prepared is None:
                group.prepared = triton_cpu.NativeRows(group.launches)
        form: ProgramForm = triton_cpu.NativeForm([group.prepared for group in groups])
        return form

    def error_words(self, checks: Sequence[Check]) -> HostProgramErrorWords:
        """Words of a program's own."""
        return HostProgramErrorWords(self.pool, self.stream, checks)

    def seconds(self, run: Callable[[], None]) -> float:
        """Never asked: a CPU has no clock but the host's."""
        raise NotImplementedError

    def wait(self) -> None:
        """Nothing to wait for: kernels run in the issuing thread."""

    def synchronize(self) -> None:
        """Nothing to wait for, and nothing is found wrong later."""

    def read_host(self, ptr: int, target: Any) -> None:
        """Copy memory into a ctypes array."""
        ctypes.memmove(target, ptr, ctypes.sizeof(target))

    def write_host(self, ptr: int, source: Any, stream: Stream | None = None) -> None:
        """Copy a ctypes array into memory."""
        ctypes.memmove(ptr, source, ctypes.sizeof(source))

    def read_now(self, ptr: int, nbytes: int) -> bytes:
        """Bytes of memory."""
        return ctypes.string_at(ptr, nbytes)

    def copy_stream(self, nbytes: int, to_device: bool) -> Stream:
        """The compute stream."""
        return self.stream

    def copy(self, stream: Stream, target: tuple[Block, int], source: tuple[Block, int], nbytes: int) -> None:
        """Copy bytes in the calling thread."""
        ctypes.memmove(target[1], source[1], nbytes)

    def share(self, address: int, nbytes: int, owner: Any) -> TorchTensor:
        """A torch tensor of bytes over host memory, which keeps `owner` alive."""
        return torch_memory.host_bytes(address, nbytes, owner)

    def torch_stream(self) -> Stream:
        """The compute stream: torch's own work on the host is done when its call returns."""
        return self.stream


register_provider("cpu", CpuProvider)
