"""What is compiled, while it is: kernels and graphs report here, for the log, a terminal and the profiler.

    with compilations.running("compile", "relu", "*fp32, *fp32") as found:
        ...
        found.origin = "from the disk cache"

Whoever wants to know appends a function to `listeners`. `TRITONFLOW_LOG=compile` writes a line for each to standard error.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import perf_counter_ns

from tritonflow import status_line
from tritonflow.settings import settings

log = logging.getLogger("tritonflow.compile")

KINDS = {"compile": "compiled", "load": "from the disk cache", "capture": "captured", "plan": "planned"}


class Compilation:
    """One compilation.

    Attributes:
        kind: "compile": a kernel became machine code; "load": a kernel came from disk; "capture": a function became a graph,
            and its passes ran; "plan": memory was planned, and the graph's kernels were compiled or loaded inside.
        name: of the kernel or graph.
        types: of a kernel's arguments, as Triton writes them.
        origin: where it came from.
        start, end: nanoseconds of `time.perf_counter_ns`.
        thread: the name of the thread.
    """

    __slots__ = ("end", "kind", "name", "origin", "start", "thread", "types")

    def __init__(self, kind: str, name: str, types: str = "") -> None:
        self.kind, self.name, self.types = kind, name, types
        self.origin = KINDS[kind]
        self.start = self.end = perf_counter_ns()
        self.thread = threading.current_thread().name

    def finish(self, name: str, types: str = "") -> None:
        """End it now, and report it: it is known only now what it was."""
        self.name, self.types, self.end = name, types, perf_counter_ns()
        tell(self)

    @property
    def seconds(self) -> float:
        """How long it took."""
        return (self.end - self.start) / 1e9

    def __str__(self) -> str:
        types = f"({self.types})" if self.types else ""
        return f"{self.kind} {self.name}{types}: {self.origin}, {self.seconds:.3f} s"


listeners: list[Callable[[Compilation], None]] = []
"""Called with each compilation that ends well, in the thread that did it."""


class _ThreadsWork(threading.local):
    def __init__(self) -> None:
        self.stack: list[Compilation] = []


_open = _ThreadsWork()


@contextmanager
def running(kind: str, name: str, types: str = "") -> Iterator[Compilation]:
    """A block that compiles or loads something; one that raises is not reported.

    Args:
        kind: one of `KINDS`; the block may change it, as it may change `origin`.
        name: of the kernel or graph.
        types: of a kernel's arguments.

    Example:
        >>> from tritonflow import compilations
        >>> with compilations.running("compile", "relu", "*fp32, *fp32, i32") as found:
        ...     pass
        >>> str(found).partition(",")[0], found.seconds < 1
        ('compile relu(*fp32', True)
    """
    found = Compilation(kind, name, types)
    _open.stack.append(found)
    status_line.begin(name)
    try:
        yield found
    finally:
        status_line.end(name)
        _open.stack.pop()
    found.end = perf_counter_ns()
    tell(found)


def innermost() -> Compilation | None:
    """What this thread is compiling."""
    return _open.stack[-1] if _open.stack else None


def tell(found: Compilation) -> None:
    """Report a compilation that is over."""
    if "compile" in settings.log and sys.stderr is not None:
        with suppress(OSError, ValueError):  # the pipe is broken, or the stream is closed
            print(f"tritonflow {found}", file=sys.stderr, flush=True)
    log.debug("%s", found)
    for listener in tuple(listeners):
        listener(found)
