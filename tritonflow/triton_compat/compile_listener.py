"""Triton tells what it compiles, and what it finds in its cache on disk: `knobs.compilation.listener`."""

from __future__ import annotations

from typing import Any

from tritonflow import compilations
from tritonflow.compilations import Compilation

from .functions import flat_types, kernel_title
from .internals import knobs

TRITONS_CACHE = "from Triton's cache"  # an `origin`


def listen() -> None:
    """Have Triton's compilations reported. A listener that a program has set is called, too."""
    listener = knobs.compilation.listener
    if not getattr(listener, "reports_compilations", False):
        knobs.compilation.listener = _Listener(listener)


class _Listener:
    reports_compilations = True

    def __init__(self, other: Any) -> None:
        self._other = other

    def __call__(self, *, src: Any, times: Any, cache_hit: bool, **more: Any) -> None:
        found = compilations.innermost()
        if found is not None and found.kind == "compile":  # of compile_cuda
            if cache_hit:
                found.kind, found.origin = "load", TRITONS_CACHE
        else:  # a program launches its own kernel
            found = Compilation("load" if cache_hit else "compile", "")
            found.origin = TRITONS_CACHE if cache_hit else found.origin
            found.start -= 1000 * times.total
            found.finish(*described(src))
        if self._other is not None:
            self._other(src=src, times=times, cache_hit=cache_hit, **more)


def described(src: Any) -> tuple[str, str]:
    """The title of a kernel, and the types of its arguments."""
    names = getattr(src.fn, "arg_names", [])
    constants = {names[path[0]] if len(path) == 1 else path: value for path, value in src.constants.items()}
    return kernel_title(src.fn, constants), ", ".join(flat_types(src.signature.values()))
