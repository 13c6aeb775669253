"""The timeline: what ran when, on which stream, as a trace for chrome://tracing or ui.perfetto.dev.

It has intervals of instructions, of the kernels inside of them, of ranges that programs name (`profiler.record_function`), and of
compilations. While a timeline is recorded, every op takes the slow path; otherwise nothing here costs anything. On an asynchronous
stream the times are those of the launch.
"""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any, NamedTuple

from tritonflow.compilations import Compilation
from tritonflow.device.provider import get_provider
from tritonflow.device.stream import Stream
from tritonflow.vm.failure import SourceLine, caller, describe


class Details(NamedTuple):
    """What is known of an instruction that is issued.

    Attributes:
        shapes: of the tensors that it is given; None where a profile was not to record them.
        nbytes: of the tensors that it makes.
        flops: the floating-point operations that it takes, by the registry's formulas.
        source_line: which line of the program issued it; None as `shapes`.
    """

    shapes: tuple[tuple[int, ...], ...] | None
    nbytes: int
    flops: int
    source_line: SourceLine | None


class Span(NamedTuple):
    """An interval; times in nanoseconds.

    Attributes:
        device, stream: where it ran; "python" and the thread's name for a range and a compilation.
        name: of the op, the kernel, the range or the graph.
        issued, start, end: when.
        kind: "instruction", "kernel", "range", or that of a compilation: "compile", "load", "capture", "plan".
        thread: who ran it.
        details: of an instruction.
        types: of a compiled kernel's arguments.
    """

    device: str
    stream: str
    name: str
    issued: int
    start: int
    end: int
    kind: str = "instruction"
    thread: str = ""
    details: Details | None = None
    types: str = ""

    @property
    def key(self) -> str:
        """torch's word for `name`."""
        return self.name

    @property
    def cpu_time_total(self) -> float:
        """Microseconds, as torch's events have them."""
        return (self.end - self.start) / 1e3

    @property
    def input_shapes(self) -> list[list[int]]:
        """As torch's events have them: empty where they were not recorded."""
        return [list(shape) for shape in (self.details.shapes if self.details else None) or ()]


class MemorySample(NamedTuple):
    """The bytes in use, and those reserved, of a device's memory pool."""

    device: str
    time: int
    allocated: int
    reserved: int


class Timeline:
    """The intervals recorded so far.

    Attributes:
        spans: in the order in which they ended.
        memory: how much there was behind each instruction, while `samples_memory` is true.
    """

    def __init__(self, spans: Iterable[Span] = (), memory: Iterable[MemorySample] = ()) -> None:
        self.spans: list[Span] = list(spans)
        self.memory: list[MemorySample] = list(memory)
        self.samples_memory = False
        self._kernels: dict[int, list[tuple[str, int, int]]] = {}  # of the instruction that a thread is in
        self._details: dict[int, list[tuple[int, Details]]] = {}  # as `_kernels`: with the time

    def described(self, compute: Callable[[], None], inputs: Iterable[Any], nbytes: int, flops: int) -> Callable[[], None]:
        """What an instruction computes, with details for the interval that it becomes.

        Args:
            inputs: tensors, or None for one that is not given.
            nbytes: of the tensors that it makes.
            flops: the operations that it takes.
        """
        details = Details(tuple([t.meta.shape for t in inputs if t is not None]), nbytes, flops, caller(1))

        def run() -> None:
            self._details.setdefault(threading.get_ident(), []).append((perf_counter_ns(), details))
            compute()

        return run

    def as_kernel(self, name: str, launch: Callable[[], None]) -> Callable[[], None]:
        """A launch that is a kernel inside of its instruction."""

        def run() -> None:
            start = perf_counter_ns()
            launch()
            self._kernels.setdefault(threading.get_ident(), []).append((name, start, perf_counter_ns()))

        return run

    def run(self, steps: Sequence[tuple[Any, Callable[..., None]]], arguments: Sequence[Any]) -> None:
        """Run what is in an instruction one by one; a step that has a launch, which has a name, is a kernel."""
        kernels = self._kernels.setdefault(threading.get_ident(), [])
        for launch, step in steps:
            start = perf_counter_ns()
            step(*arguments)
            if launch is not None:
                kernels.append((launch.name, start, perf_counter_ns()))

    def range(self, name: str, start: int) -> None:
        """Enter what a program of this thread did since `start`."""
        thread = threading.current_thread().name
        self.spans.append(Span("python", thread, name, start, start, perf_counter_ns(), "range", thread))

    def compiled(self, found: Compilation) -> None:
        """Enter a compilation, as a listener of `compilations`."""
        times = found.start, found.start, found.end
        self.spans.append(Span("python", found.thread, found.name, *times, found.kind, found.thread, types=found.types))

    def add(self, stream: Stream | None, name: str, issued: int, start: int) -> None:
        """Enter an instruction that ends now. `stream` is None for an access from the host."""
        thread = threading.current_thread().name
        row = "access" if thread == threading.main_thread().name else f"access by {thread}"
        where = (str(stream.device), stream.name) if stream is not None else ("host", row)
        details = self._latest_details(start)
        self.spans.append(Span(*where, name or "instruction", issued, start, perf_counter_ns(), "instruction", thread, details))
        kernels = self._kernels.get(threading.get_ident(), [])
        inside = [kernel for kernel in kernels if kernel[1] >= start]  # others are of an instruction that this one interrupts
        del kernels[len(kernels) - len(inside) :]
        for kernel, begin, end in inside:
            self.spans.append(Span(*where, kernel, begin, begin, end, "kernel", thread))

        if self.samples_memory and stream is not None:
            stats = get_provider(stream.device).pool.stats()
            sample = MemorySample(where[0], perf_counter_ns(), stats["allocated_bytes"], stats["reserved_bytes"])
            self.memory.append(sample)

    def _latest_details(self, start: int) -> Details | None:
        """Of the instruction that this thread began at `start`."""
        stack = self._details.get(threading.get_ident())
        return stack.pop()[1] if stack and stack[-1][0] >= start else None

    def to_json(self) -> dict[str, Any]:
        """The Chrome trace: a process for each device, a thread for each stream; how long each waited."""
        rows = _TraceRows()
        events = [_event(number, span, rows.of(span.device, span.stream)) for number, span in enumerate(self.spans)]
        for sample in self.memory:
            values = {"allocated": sample.allocated, "reserved": sample.reserved}
            counter = {"ph": "C", "name": "memory", "cat": "memory", "pid": rows.process(sample.device), "tid": 0}
            events.append({**counter, "ts": sample.time / 1000, "args": values})
        return {"traceEvents": [*rows.labels, *events], "displayTimeUnit": "ns"}

    def export(self, path: str | os.PathLike[str], metadata: Mapping[str, Any] | None = None) -> None:
        """Write the trace, and `metadata` at its top, to a JSON file, compressed if its name ends with `.gz`."""
        text = json.dumps({**(metadata or {}), **self.to_json()})
        data = gzip.compress(text.encode(), 6) if os.fspath(path).endswith(".gz") else text.encode()
        Path(path).write_bytes(data)


class _TraceRows:
    """The rows of a trace: a process for each device, a thread for each stream, and labels for both."""

    def __init__(self) -> None:
        self.labels: list[dict[str, Any]] = []
        self._rows: dict[tuple[str, str], tuple[int, int]] = {}
        self._devices: dict[str, int] = {}

    def of(self, device: str, stream: str) -> tuple[int, int]:
        """The process and the thread."""
        row = self._rows.get((device, stream))
        if row is None:
            row = self._rows[device, stream] = (self.process(device), len(self._rows) + 1)
            self.labels.append(_label("thread_name", row, stream))
        return row

    def process(self, device: str) -> int:
        """The process of a device."""
        if device not in self._devices:
            self._devices[device] = os.getpid() + len(self._devices)
            self.labels.append(_label("process_name", (self._devices[device], 0), f"tritonflow {device}"))
        return self._devices[device]


def _event(number: int, span: Span, row: tuple[int, int]) -> dict[str, Any]:
    arguments: dict[str, Any] = {"number": number, "thread": span.thread, "waited_us": (span.start - span.issued) / 1000}
    if span.details is not None:
        shapes, nbytes, flops, source_line = span.details
        arguments.update(bytes=nbytes, flops=flops)
        if shapes is not None:
            arguments["Input Dims"] = shapes
        if source_line is not None:
            arguments["line"] = describe(source_line)
    if span.types:
        arguments["types"] = span.types
    times = {"ts": span.start / 1000, "dur": (span.end - span.start) / 1000}
    return {"ph": "X", "name": span.name, "cat": span.kind, "pid": row[0], "tid": row[1], **times, "args": arguments}


def _label(kind: str, row: tuple[int, int], text: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": row[0], "tid": row[1], "args": {"name": text}}
