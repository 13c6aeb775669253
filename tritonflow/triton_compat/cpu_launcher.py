"""Launches of kernels that Triton's own `kernel[grid](...)` has compiled for the CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any


class CpuLauncher:
    """Launches a compiled kernel on torch's tensors, and on those of a runtime that orders what is done with their memory.

    The class of the latter has `_run_kernel(name, tensors, written, launch)`, which calls `launch(addresses)`.
    """

    def __init__(self, source: Any, metadata: Any) -> None:
        self.signature = list(source.signature.values())
        self.name: str = metadata.name
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
        type(tensors[0])._run_kernel(self.name, tensors, [self.written[k] for k in positions], launch)

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
