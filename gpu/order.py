"""Which tests run, and in which order: what failed before first, then every function's first case before any second one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from gpu.options import TESTS

DONE = ("passed", "skipped")
LOST = ("lost", "hung", "crashed")  # tests that cost their process: once more behind all others
FOLDERS = tuple(name.partition("/")[2] for name in TESTS)


def outcomes(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The last outcome of each test."""
    return {row["id"]: row["outcome"] for row in rows if "id" in row}


def left(ids: Sequence[str], before: Mapping[str, str], lost: bool) -> list[bool]:
    """Which tests have not passed: those that cost their process, or all others."""
    return [before.get(name) not in DONE and (before.get(name) in LOST) == lost for name in ids]


def breadth_first(ids: Sequence[str], first: Collection[str] = (), workers: int = 1) -> list[int]:
    """The positions of tests in the order to run them, laid out for processes that each begin with a contiguous share.

    >>> breadth_first(["tests/ops/a.py::f[1]", "tests/ops/a.py::f[2]", "tests/ops/a.py::g"])
    [0, 2, 1]
    """
    cases: dict[str, int] = defaultdict(int)
    keys = []
    for position, name in enumerate(ids):
        function = name.partition("[")[0]
        folder = name.split("/")[1] if name.count("/") else ""
        rank = FOLDERS.index(folder) if folder in FOLDERS else len(FOLDERS)
        keys.append((name not in first, cases[function], rank, position))
        cases[function] += 1
    order = [key[-1] for key in sorted(keys)]
    return [position for worker in range(workers) for position in order[worker::workers]]
