"""A pytest plugin: every result is on disk at once, breadth comes first, and a test that hangs or crashes costs itself.

    python -m pytest -p gpu.pytest_plugin --gpu-results FILE [--gpu-before FILE] [--gpu-workers N] [--gpu-limit S] [--gpu-lost] ...

A row of the results is {"id", "outcome", "s", "worker", "error"}. Outcomes are pytest's; `lost` (the context), `hung` and `crashed`
have cost their process. Others than tests/conftest.py ends (a lost context), this ends a test that is over its limit:
by a thread in C, which needs neither Python's lock nor a signal.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gpu.order import DONE, breadth_first, left, outcomes
from gpu.records import append, rows_of

PR_SET_PDEATHSIG = 1


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gpu")
    group.addoption("--gpu-results", type=Path, help="a line of JSON for each test")
    group.addoption("--gpu-before", type=Path, help="such a file: what passed there is left out, what failed comes first")
    group.addoption("--gpu-workers", type=int, default=1, help="how many processes share the tests")
    group.addoption("--gpu-limit", type=float, default=60, help="seconds of a test")
    group.addoption("--gpu-lost", action="store_true", help="only those that cost their process before")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    results = config.getoption("--gpu-results")
    if results is None:
        return
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    stacks = results.parent / "stacks"
    stacks.mkdir(exist_ok=True)
    if worker is None:
        config.pluginmanager.register(Reports(results, stacks, counted=config.getoption("--gpu-lost")))
    else:
        config.pluginmanager.register(Watchdog(stacks / f"{worker}.txt", config.getoption("--gpu-limit")))


@pytest.hookimpl(trylast=True)  # behind what `-m` selects
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    before_path = config.getoption("--gpu-before")
    before = outcomes(rows_of(before_path)) if before_path else {}
    wanted = left([item.nodeid for item in items], before, config.getoption("--gpu-lost"))
    config.hook.pytest_deselected(items=[item for item, keep in zip(items, wanted) if not keep])
    items[:] = [item for item, keep in zip(items, wanted) if keep]
    failed = {name for name, outcome in before.items() if outcome not in DONE}
    order = breadth_first([item.nodeid for item in items], failed, config.getoption("--gpu-workers"))
    items[:] = [items[position] for position in order]


class Watchdog:
    """In a process that runs tests: ends it where one has no end, and leaves the stacks in a file."""

    def __init__(self, path: Path, seconds: float) -> None:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # it does not outlive pytest
        self._file, self._seconds = open(path, "w"), seconds
        faulthandler.enable(self._file)  # of a crash, too

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[Any]:
        faulthandler.dump_traceback_later(self._seconds, exit=True, file=self._file)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()


class Reports:
    """Where all reports arrive: writes the rows."""

    def __init__(self, results: Path, stacks: Path, counted: bool) -> None:
        self._results, self._stacks, self._counted = results, stacks, counted
        self._seconds: dict[str, float] = defaultdict(float)
        self._lost: set[str] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        if not self._counted:
            append(self._results, {"to_run": len(ids), "at": round(time.time(), 1)})
            self._counted = True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid
        self._seconds[name] += getattr(report, "duration", 0.0)
        ended = str(report.when) == "???"  # xdist's report of a process that ended
        if (report.passed and report.when != "call") or (ended and name in self._lost):
            return
        row: dict[str, Any] = {"id": name, "outcome": self._outcome(report, ended)}
        row |= {"s": round(self._seconds.pop(name, 0.0), 2), "at": round(time.time(), 1)}
        worker = getattr(getattr(report, "node", None), "gateway", None)
        if worker is not None:
            row["worker"] = worker.id
        if report.failed:
            row["error"] = _shortened(str(report.longrepr))
        if ended:
            row |= self._last_words(row.get("worker", ""), row["error"])
        append(self._results, row)

    def _outcome(self, report: pytest.TestReport, ended: bool) -> str:
        if ended:
            return "crashed"
        if ("lost_context", True) in report.user_properties:
            self._lost.add(report.nodeid)
            return "lost"
        return "error" if report.failed and report.when != "call" else report.outcome

    def _last_words(self, worker: str, error: str) -> dict[str, str]:
        """Why a process ended."""
        path = self._stacks / f"{worker}.txt"
        said = path.read_text(errors="replace") if path.exists() else ""
        outcome = "hung" if said.startswith("Timeout (") else "crashed"
        return {"outcome": outcome, "error": _shortened(f"{error}\n{said}".strip(), 4000)}


def _shortened(text: str, size: int = 1500) -> str:
    return text if len(text) <= size else text[: size // 3] + " ... " + text[-2 * size // 3 :]


