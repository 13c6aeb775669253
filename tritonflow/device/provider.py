"""What the runtime asks of a device: its facts, memory, streams, copies, compiled kernels.

There are two providers, `cuda` and `cpu`, behind this one interface. They differ in how a kernel is compiled and
launched and in its launch configuration, never in the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from tritonflow.device.device import ABSENT_TYPES, META, Device
from tritonflow.device.memory import Block, MemoryPool
from tritonflow.device.program import Check, LaunchGroup, ProgramLaunch
from tritonflow.device.program_family import ProgramFamily
from tritonflow.errors import DeviceError, NoDataError
from tritonflow.kernels.facts import DeviceFacts

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

    from tritonflow.device.stream import Stream  # which finds streams by their providers

Signature = dict[str, Any]
Launcher = Callable[..., None]


class CompiledKernel(Protocol):
    """A kernel compiled for one device and one specialisation."""

    @property
    def reference(self) -> str | None:
        """By which `Provider.load` finds it in another process; None if it does not."""

    def bind(
        self, gx: int, gy: int, gz: int, constants: tuple[Any, ...], inline: bool | None = None, brief: bool = False
    ) -> Launcher:
        """A callable that takes the leading arguments (pointers as integers, then per-call scalars) and launches.

        On the CPU `inline` asks for a run in the caller, the interpreter's lock held throughout, or for one spread over
        threads with the lock given up, or kept if it is `brief`. Elsewhere a launch returns at once, and it means nothing.
        """


    def runs_inline(self, gx: int, gy: int, gz: int) -> bool:
        """Whether a grid is estimated to be too little work for other threads. Where a launch returns at once, it always is."""

    def is_brief(self, gx: int, gy: int, gz: int) -> bool:
        """Whether a grid is estimated to be over so soon that it may hold the interpreter's lock."""


class Program(Protocol):
    """Many launches, run as one."""

    atomic: bool  # whether nothing that other threads launch can come between its launches, whoever they are

    def run(self, live: Sequence[Any]) -> None:
        """Run them all with these numbers for their `Live` arguments."""


class ProgramForm(Protocol):
    """Many launches in which some numbers are missing: programs for many sizes are this one, filled in."""

    def filled(self, values: Sequence[Any]) -> Program:
        """The program with these numbers for its gaps."""


class Provider(Protocol):
    """One device.

    Attributes:
        device: which one.
        name: what its maker calls it; "" for a CPU.
        stream: the default compute stream.
        pool: its memory.
        error_word: where kernels report bad indices and divisors.
        divisibility: whether kernels are specialised by divisibility by 16.
        compilers: how many kernels are worth compiling at the same time.
    """

    device: Device
    name: str
    pool: MemoryPool
    error_word: ErrorWord
    divisibility: bool
    compilers: int

    @property
    def stream(self) -> Stream: ...

    @property
    def facts(self) -> DeviceFacts:
        """What launch configurations are chosen by."""

    def new_stream(self, name: str, priority: int = 0) -> Stream:
        """Another compute stream; a lower priority is more urgent, where that means something."""

    # ---------------------------------------------------------------------------------------------------- kernels

    def kernel(
        self, fn: Any, signature: Signature, constexprs: dict[Any, Any], attrs: dict[Any, Any], **options: Any
    ) -> CompiledKernel:
        """Compile `fn` for this device, once per specialisation."""

    def code_key(self) -> str | None:
        """What the code of kernels depends on besides their source and versions, for what refers to kernels by `reference`; None
        where kernels have none, or are to be compiled from their source."""

    def load(self, reference: str) -> CompiledKernel | None:
        """The kernel that has this `reference`; None if it is gone."""

    def timing_key(self) -> str:
        """What the times of kernels depend on besides their code and versions."""

    def measurement_key(self, *parts: str) -> str:
        """A key for the disk cache of what was measured: of these parts, and of the version of what compiles the kernels."""

    def program(self, launches: Sequence[ProgramLaunch]) -> Program:
        """The launches, made ready to be run together, many times."""

    def program_form(self, groups: Sequence[LaunchGroup], family: ProgramFamily | None = None) -> ProgramForm:
        """The same for launches with gaps, each of which is filled for every program: one of the family, if there is one."""

    def error_words(self, checks: Sequence[Check]) -> ProgramErrorWords:
        """Error words for the launches of a program, one for each check."""

    # ---------------------------------------------------------------------------------------------------- waiting

    def wait(self) -> None:
        """Wait until everything queued on the device is done."""

    def synchronize(self) -> None:
        """Wait until everything queued on the device is done; raises what kernels found wrong on the way."""

    # ----------------------------------------------------------------------------------------------------- memory

    def read_host(self, ptr: int, target: Any) -> None:
        """Copy device memory into a ctypes array; waits for it. For a few bytes."""

    def write_host(self, ptr: int, source: Any, stream: Stream | None = None) -> None:
        """Copy a ctypes array into device memory; waits for it. With a stream, in that stream's order, and without waiting for it.
        For a few bytes."""

    def read_now(self, ptr: int, nbytes: int) -> bytes:
        """Bytes of device memory, behind everything launched on the compute stream; raises what kernels found wrong on the way."""

    def copy_stream(self, nbytes: int, to_device: bool) -> Stream:
        """The stream for a copy of so many bytes from the host to the device, or the other way."""

    def copy(self, stream: Stream, target: tuple[Block, int], source: tuple[Block, int], nbytes: int) -> None:
        """Copy bytes, to or from this device, on a stream. Target and source are a block and an address in it."""

    def share(self, address: int, nbytes: int, owner: Any) -> TorchTensor:
        """A torch tensor of bytes over this device's memory, which keeps `owner` alive."""

    def torch_stream(self) -> Stream:
        """The stream that torch's own work of this thread goes to."""

    def seconds(self, run: Callable[[], None]) -> float:
        """The time of a run on the compute stream, by the device's own clock; not of a device that runs in the issuing thread."""


class ErrorWord(Protocol):
    """A word in device memory that kernels set for bad indices, instead of reading out of bounds, and for zero divisors.

    Attributes:
        deferred: whether a word that a launch sets is known at the next synchronisation only, and not as soon as it returns.
    """

    deferred: bool

    @property
    def ptr(self) -> int:
        """The word's address for the next launch."""

    def take(self) -> int:
        """The word's value since the last call, as far as the host can know; sets it back to 0."""

    def note(self, message: str, source_line: Callable[[], str], error: type[Exception]) -> None:
        """What to raise, and where the op was issued, if the launch just made turns out to have set the word."""

    def raise_pending(self) -> None:
        """Wait for the launches noted, and raise for the first that set its word."""


class ProgramErrorWords(Protocol):
    """The error words of a program; they stay where they are.

    Attributes:
        ptr: the first word's address; the others follow, 4 bytes each.
        deferred: whether a run goes on behind a launch that sets one, and the next synchronisation raises.
    """

    deferred: bool
    ptr: int

    def look(self) -> None:
        """Behind a run: raise for the first word that is set, or let the next synchronisation do so. All are 0 afterwards."""


_factories: dict[str, Callable[[Device], Provider]] = {}
_providers: dict[Device, Provider] = {}


def register_provider(device_type: str, factory: Callable[[Device], Provider]) -> None:
    """Say who provides the devices of a type."""
    _factories[device_type] = factory


def get_provider(device: Device) -> Provider:
    """The provider of a device, made at its first use.

    Raises:
        RuntimeError: the machine has no such device.
        NotImplementedError: it is the meta device, which has no memory.
    """
    provider = _providers.get(device)
    if provider is None:
        if device is META:
            raise NoDataError("Cannot copy out of meta tensor; no data!")
        if device.type in ABSENT_TYPES:
            raise DeviceError(f"tritonflow has no devices of type {device.type!r}, so no tensor can lie on '{device}'")
        if device.type not in _factories:
            import_module(f"tritonflow.device.{device.type}")  # registers itself; imports the compiler, which takes time
        provider = _providers.setdefault(device, _factories[device.type](device))
    return provider


def facts_of(device: Device) -> DeviceFacts:
    """What launch configurations may know of a device; on the meta device nothing is launched, and any facts will do."""
    return get_provider(Device("cpu") if device is META else device).facts


def active_providers() -> list[Provider]:
    """The devices used so far."""
    return list(_providers.values())
