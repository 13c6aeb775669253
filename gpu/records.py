"""The files of a run: whole at every moment, in the folder that goes on with the next run and in the one that is taken away.

Rows are lines of JSON that are appended, results of the benchmarks are replaced as a whole. Processes write to the state's
folder alone; `sync` copies what is new to the other one, many times a second.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

Row = dict[str, Any]
RUN, ROADS, TESTS, AGAIN = "run.jsonl", "roads.jsonl", "tests.jsonl", "again.jsonl"
BENCH, MODELS = "bench.json", "models.json"
SUMMARY, LOG = "summary.json", "log.txt"
FILES = (RUN, ROADS, TESTS, AGAIN, BENCH, MODELS, SUMMARY, LOG)


def append(path: Path, row: Row) -> None:
    """A row more, by one write: lines of several processes do not mix."""
    line = (json.dumps(row, default=str) + "\n").encode()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(handle, line)
    finally:
        os.close(handle)


def replace(path: Path, content: bytes) -> None:
    """A file as a whole, or as it was."""
    partial = path.with_name(f".{path.name}.part")
    partial.write_bytes(content)
    partial.replace(path)


def rows_of(path: Path) -> list[Row]:
    """The rows of a file; none where there is no file. A line that was cut off is none."""
    found = []
    if path.exists():
        for line in path.read_text(errors="replace").splitlines():
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
    return found


def results_of(path: Path) -> Row:
    """Results of the benchmarks: `about` and `rows`, which are empty where there is no file."""
    try:
        found: Row = json.loads(path.read_text())
    except (OSError, ValueError):
        return {"about": {}, "rows": []}
    return found


class Records:
    """The files in both folders.

    Attributes:
        state: where they are written.
        out: where they are copied to.
    """

    def __init__(self, state: Path, out: Path) -> None:
        self.state, self.out = state, out
        self._seen: dict[str, tuple[int, int]] = {}
        for folder in (state, out):
            folder.mkdir(parents=True, exist_ok=True)
        for name in (RUN, ROADS, TESTS, AGAIN):
            _drop_half_a_line(state / name)
        for name in FILES:  # of another run, of which the state knows nothing
            if state != out:
                (out / name).unlink(missing_ok=True)
        self.sync()

    def append(self, name: str, row: Row) -> None:
        """A row more of one of the files."""
        append(self.state / name, row)
        self.sync()

    def rows(self, name: str) -> list[Row]:
        """The rows of one of the files."""
        return rows_of(self.state / name)

    def sync(self) -> None:
        """Copy what is new."""
        if self.state == self.out:
            return
        for name in FILES:
            source = self.state / name
            with contextlib.suppress(FileNotFoundError):
                now = source.stat()
                stamp = (now.st_size, now.st_mtime_ns)
                if self._seen.get(name) != stamp:
                    _copy(source, self.out / name, whole=name.endswith(".json"))
                    self._seen[name] = stamp

    def set_aside(self, name: str) -> None:
        """Move the files of another machine, or of other versions, into a folder of that name."""
        folder = self.state / name
        folder.mkdir(exist_ok=True)
        for each in FILES:
            if each != LOG and (self.state / each).exists():
                (self.state / each).replace(folder / each)
                (self.out / each).unlink(missing_ok=True)
        self._seen.clear()


def _drop_half_a_line(path: Path) -> None:
    if path.exists() and not (content := path.read_bytes()).endswith(b"\n"):
        replace(path, content[: content.rfind(b"\n") + 1])


def _copy(source: Path, target: Path, whole: bool) -> None:
    """Lines behind those that are there already; else all."""
    begin = target.stat().st_size if target.exists() and not whole else 0
    if source.stat().st_size < begin:
        whole = True
    if whole:
        replace(target, source.read_bytes())
        return
    with open(source, "rb") as file:
        file.seek(begin)
        new = file.read()
    with open(target, "ab") as file:
        file.write(new[: new.rfind(b"\n") + 1])
