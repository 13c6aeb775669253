"""What ran when, on which stream, as a trace for chrome://tracing or ui.perfetto.dev.

While a timeline is recorded every instruction goes through the machine's general path; otherwise nothing here costs
anything. On an asynchronous stream the times are those of the launch.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import perf_counter_ns
from typing import Any, NamedTuple

from tritonflow.device.stream import Stream


class Span(NamedTuple):
    """One instruction; times in nanoseconds."""

    device: str
    stream: str
    name: str
    issued: int
    start: int
    end: int


class Timeline:
    """The spans recorded so far."""

    def __init__(self) -> None:
        self.spans: list[Span] = []

    def add(self, stream: Stream | None, name: str, issued: int, start: int) -> None:
        """Enter an instruction that ends now. `stream` is None for an access from the host."""
        where = (str(stream.device), stream.name) if stream is not None else ("host", "access")
        self.spans.append(Span(*where, name or "instruction", issued, start, perf_counter_ns()))

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
            common = {"pid": row[0], "tid": row[1], "cat": "instruction"}
            events.append(
                {
                    "ph": "X",
                    "name": span.name,
                    "ts": span.start / 1000,
                    "dur": (span.end - span.start) / 1000,
                    "args": {"number": number, "waited_us": (span.start - span.issued) / 1000},
                    **common,
                }
            )
        return {"traceEvents": events, "displayTimeUnit": "ns"}

    def export(self, path: str | os.PathLike[str]) -> None:
        """Write the trace to a JSON file."""
        Path(path).write_text(json.dumps(self.to_json()))


def _label(kind: str, row: tuple[int, int], text: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": row[0], "tid": row[1], "args": {"name": text}}
