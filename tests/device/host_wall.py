"""What the host does not reach: its kernels and its copies refuse memory of the stand-in, where a process with a GPU would die."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.device.cpu import CpuProvider, _is_set
from tritonflow.device.program import LaunchForm, LaunchGroup, LaunchLoop
from tritonflow.device.provider import ProgramForm
from tritonflow.errors import DeviceError

DeviceOf = Callable[[int], int | None]


def build(device_of: DeviceOf, patch: Callable[[Any, str, Any], None]) -> None:
    """Let the host refuse memory of which `device_of` knows whose it is. `patch` sets attributes."""

    def refuse(what: str, at: int) -> None:
        index = device_of(at) if at else None
        if index is not None:
            raise DeviceError(f"{what}: the host does not reach {at:#x}, an address of cuda:{index}")

    kernel, load, read_host, write_host = CpuProvider.kernel, CpuProvider.load, CpuProvider.read_host, CpuProvider.write_host
    read_now, copy, host_buffer = CpuProvider.read_now, CpuProvider.copy, data_exchange._host_buffer

    def reads(provider: Any, ptr: int, target: Any) -> None:
        refuse("read_host", ptr)
        read_host(provider, ptr, target)

    def writes(provider: Any, ptr: int, source: Any, stream: Any = None) -> None:
        refuse("write_host", ptr)
        write_host(provider, ptr, source, stream)

    def reads_now(provider: Any, ptr: int, nbytes: int) -> bytes:
        refuse("read_now", ptr)
        return read_now(provider, ptr, nbytes)

    def copies(provider: Any, stream: Any, target: tuple[Any, int], source: tuple[Any, int], nbytes: int) -> None:
        for _, ptr in (target, source):
            refuse("copy", ptr)
        copy(provider, stream, target, source, nbytes)

    def buffer(x: Any, shared: bool = True) -> Any:
        refuse("a buffer of a tensor", x.ptr)
        return host_buffer(x, shared)

    def loaded(provider: Any, reference: str) -> Any:
        found = load(provider, reference)
        return None if found is None else WalledKernel(found, refuse)

    patch(CpuProvider, "kernel", lambda *arguments, **options: WalledKernel(kernel(*arguments, **options), refuse))
    patch(CpuProvider, "load", loaded)
    patch(CpuProvider, "program_form", _program_form)
    patch(CpuProvider, "read_host", reads)
    patch(CpuProvider, "write_host", writes)
    patch(CpuProvider, "read_now", reads_now)
    patch(CpuProvider, "copy", copies)
    patch(data_exchange, "_host_buffer", buffer)


def _program_form(provider: Any, groups: Sequence[LaunchGroup], family: Any = None) -> ProgramForm:
    """The launches one by one, each of which looks at its addresses."""
    return LaunchForm(groups, partial(LaunchLoop, is_set=_is_set))


class WalledKernel:
    """A kernel of the host's that refuses memory of the stand-in."""

    def __init__(self, kernel: Any, refuse: Callable[[str, int], None]) -> None:
        self._kernel, self._refuse = kernel, refuse

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WalledKernel) and other._kernel is self._kernel

    def __hash__(self) -> int:
        return hash(self._kernel)

    def bind(self, *grid_and_options: Any, **options: Any) -> Callable[..., None]:
        launch, name, types, refuse = self._kernel.bind(*grid_and_options, **options), self._kernel.name, self._kernel.types, self._refuse

        def run(*arguments: Any) -> None:
            for type_, at in zip(types, arguments):
                if type_[0] == "*":
                    refuse(name, at)
            launch(*arguments)

        return run
