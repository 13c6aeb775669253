"""The timeline: what ran when, on which stream, as a trace for chrome://tracing or ui.perfetto.dev.

It has intervals of instructions, of the kernels inside of them, and of ranges that programs name (`profiler.record_function`).
While a timeline is recorded, every op takes the slow path; otherwise nothing here costs anything. On an asynchronous stream the
times are those of the launch.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any, NamedTuple

from tritonflow.device.stream import Stream


class Span(NamedTuple):
    """An "instruction", a "kernel" or a "range"; times in nanoseconds.

    `device` and `stream` are where it ran, "python" and the thread's name for a range; `thread` is who ran it.
    """

    device: str
    stream: str
    name: str
    issued: int
    start: int
    end: int
    kind: str = "instruction"
    thread: str = ""


class Timeline:
    """The intervals recorded so far."""

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self.spans: list[Span] = list(spans)
        self._kernels: dict[int, list[tuple[str, int, int]]] = {}  # of the instruction that a thread is in

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

    def add(self, stream: Stream | None, name: str, issued: int, start: int) -> None:
        """Enter an instruction that ends now. `stream` is None for an access from the host."""
        thread = threading.current_thread().name
        row = "access" if thread == threading.main_thread().name else f"access by {thread}"
        where = (str(stream.device), stream.name) if stream is not None else ("host", row)
        self.spans.append(Span(*where, name or "instruction", issued, start, perf_counter_ns(), thread=thread))
        kernels = self._kernels.get(threading.get_ident(), [])
        inside = [kernel for kernel in kernels if kernel[1] >= start]  # others are of an instruction that this one interrupts
        del kernels[len(kernels) - len(inside) :]
        for kernel, begin, end in inside:
            self.spans.append(Span(*where, kernel, begin, begin, end, "kernel", thread))

    def to_json(self) -> dict[str, Any]:
        """The Chrome trace: a process for each device, a thread for each stream; how long each waited."""
        process = os.getpid()
        rows: dict[tuple[str, str], tuple[int, int]] = {}
        devices: dict[str, int] = {}
        events: list[dict[str, Any]] = []
        for number, span in enumerate(self.spans):
            row = rows.get((span.device, span.stream))
            if row is None:
                pid = process + devices.setdefault(span.device, len(devices))
                row = rows[span.device, span.stream] = (pid, len(rows) + 1)
                events.append(_label("process_name", row, f"tritonflow {span.device}"))
                events.append(_label("thread_name", row, span.stream))
            common = {"pid": row[0], "tid": row[1], "cat": span.kind}
            events.append(
                {
                    "ph": "X",
                    "name": span.name,
                    "ts": span.start / 1000,
                    "dur": (span.end - span.start) / 1000,
                    "args": {"number": number, "thread": span.thread, "waited_us": (span.start - span.issued) / 1000},
                    **common,
                }
            )
        return {"traceEvents": events, "displayTimeUnit": "ns"}

    def export(self, path: str | os.PathLike[str]) -> None:
        """Write the trace to a JSON file."""
        Path(path).write_text(json.dumps(self.to_json()))


def _label(kind: str, row: tuple[int, int], text: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": row[0], "tid": row[1], "args": {"name": text}}
