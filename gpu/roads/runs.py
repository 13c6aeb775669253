"""Running roads side by side, each in a process of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gpu.processes import Ended, Processes, Task
from gpu.roads.registry import Road

Row = dict[str, Any]


class FirstClosed(Exception):
    """A road is closed without which no other can be open."""


def run_roads(
    chosen: Sequence[Road], processes: Processes, jobs: int, limit: float, until: float, stand_in: bool,
    seen: Callable[[Row], None], environment: Mapping[str, str] | None = None,
) -> None:  # fmt: skip
    """Run roads, and give each one's row to `seen` as it ends.

    Args:
        limit: seconds of one road.
        until: a time of `time.monotonic`, when all that still run are ended.

    Raises:
        FirstClosed: a first road is closed. No other was tried.
    """
    closed: list[str] = []

    def note(ended: Ended) -> None:
        row = row_of(ended)
        seen(row)
        print(f"{'ok  ' if row['ok'] else 'FAIL'} {row['s']:6.1f} s  {row['road']:32} {str(row['text'])[:150]}", flush=True)
        if not row["ok"]:
            closed.append(row["road"])

    def tasks(found: Sequence[Road]) -> list[Task]:
        return [Task(road.name, command_of(road, limit, stand_in), limit + 5, environment or {}) for road in found]

    first = [road for road in chosen if road.first]
    processes.side_by_side(tasks(first), max(len(first), 1), until, note)  # most of it is imports
    if closed:
        raise FirstClosed(f"{', '.join(closed)}: a first road is closed, nothing else was tried")
    processes.side_by_side(tasks([road for road in chosen if not road.first]), jobs, until, note)


def command_of(road: Road, limit: float, stand_in: bool) -> list[str]:
    """The command that runs one road."""
    options = ["--limit", f"{limit:g}", "--file", str(road.path), *(["--stand-in"] if stand_in else [])]
    return [sys.executable, "-m", "gpu.roads", "--one", *options, road.name]


def row_of(ended: Ended) -> Row:
    """What a road's process has said, or how it ended."""
    row: Row = {"road": ended.name, "ok": False, "text": ended.why}
    lines = [line for line in ended.text.splitlines() if line.startswith('{"road"')]
    if lines:
        said = json.loads(lines[-1])
        row = {**said, "text": f"{said['text']}; then {ended.why}", "ok": False} if said["ok"] and ended.status else said
    if not lines:
        row |= {"trace": ended.text[-3000:], "lost": True}
        if "Timeout (" in ended.text:  # faulthandler's word
            row["text"] = f"no end after {ended.seconds:.0f} s"
    return {**row, "s": round(ended.seconds, 1)}
