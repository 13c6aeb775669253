"""How a release of Triton calls the C function that launches a kernel for a GPU."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from typing import Any

import triton

from .internals import unsupported


class _Slot:
    """Stands for one value while Triton's launcher shows what it does with it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __mul__(self, other: Any) -> _Slot:
        """The grid's sizes are multiplied for the bytes of scratch memory, which `_SCRATCH` stands for whatever they are."""
        return self


_SCRATCH = "scratch(stream, scratch_bytes)"
_LEADING = ("gx", "gy", "gz", "stream", "function", "packed", "info", "enter", "leave")


def calling_layout(launcher: Any, count: int, values: dict[str, Any]) -> str:
    """How this release's launcher calls its C function: the arguments as text; what is constant is added to `values`.

    Releases differ in the order, and in whether the kernel's arguments come one by one (3.6) or as a tuple behind their
    annotations (since 3.7). The launcher is run once with its C function replaced, and shows it. A kernel's scratch memory is the
    call of `scratch`, which `with_allocator` is given likewise.
    """
    calls: list[tuple[Any, ...]] = []
    original = launcher.launch
    slots = [_Slot(name) for name in (*_LEADING, *(f"a{i}" for i in range(count)))]
    launcher.launch = lambda *arguments: calls.append(arguments)
    try:
        if launcher.global_scratch_size:
            slots.append(_Slot(_SCRATCH))
            with_allocator(lambda size, align, stream: slots[-1], lambda: launcher(*slots[:-1]))
        else:
            launcher(*slots)
    except Exception as error:
        raise unsupported(f"CudaLauncher does not take ({', '.join(_LEADING)}, *arguments)") from error
    finally:
        launcher.launch = original
    used: list[str] = []
    text = ", ".join(_slot_text(value, values, used) for call in calls for value in call)
    if len(calls) != 1 or sorted(used) != sorted(slot.name for slot in slots):
        raise unsupported(f"CudaLauncher calls its C function with ({text})")
    return text


def with_allocator(allocator: Callable[[Any, Any, Any], Any], launch: Callable[[], None]) -> None:
    """Launch with an allocator (bytes, alignment, stream) -> address of scratch memory."""

    def run() -> None:
        triton.set_allocator(allocator)
        launch()

    contextvars.copy_context().run(run)  # the program may have set one of its own


def _slot_text(value: Any, values: dict[str, Any], used: list[str]) -> str:
    if isinstance(value, _Slot):
        used.append(value.name)
        return "None" if value.name in ("info", "enter", "leave") else value.name
    if isinstance(value, tuple) and value:
        return "(" + "".join(_slot_text(item, values, used) + ", " for item in value) + ")"
    name = f"k{len(values)}"
    values[name] = value
    return name
