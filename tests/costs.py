"""What a run's tests cost: processor time and kernels compiled, summed by file behind the tests' own summary.

A kernel takes 50 ms of processor time and is most of what a test costs; CONTRIBUTING.md says how many a test may compile.
Kernels found on disk are not counted: for the whole cost give the run an empty TRITONFLOW_CACHE_DIR and TRITON_CACHE_DIR.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest

BUDGET = 50  # kernels that one test of the ordinary run may compile
FILES = 10  # that the summary has
Cost = tuple[float, int, int]  # seconds, kernels for CPUs, kernels for GPUs


class Costs:
    """A plugin: measures where tests run, adds up where reports arrive."""

    def __init__(self) -> None:
        self.cpu = self.gpu = 0
        self.begin: Cost = (0.0, 0, 0)
        self.files: dict[str, list[float]] = defaultdict(lambda: [0.0, 0, 0])
        self.over: list[tuple[int, str]] = []
        self.counted: set[str] = set()

    def count_from_now_on(self) -> None:
        """Each compiler is counted once it is imported."""
        for module, name, kind in (("tritonflow.triton_cpu.jit", "compile_object", "cpu"), ("triton", "compile", "gpu")):
            if kind not in self.counted and hasattr(sys.modules.get(module), name):
                self.counted.add(kind)
                self._count(sys.modules[module], name, kind)

    def _count(self, module: Any, name: str, kind: str) -> None:
        function: Callable[..., Any] = getattr(module, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            setattr(self, kind, getattr(self, kind) + 1)
            return function(*args, **kwargs)

        setattr(module, name, counted)

    def now(self) -> Cost:
        times = os.times()
        return sum(times[:4]), self.cpu, self.gpu  # with the time of child processes

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self.begin = self.now()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Iterator[Any]:
        self.count_from_now_on()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Iterator[Any]:
        if call.when == "teardown":
            item.user_properties.append(("cost", [b - a for a, b in zip(self.begin, self.now())]))
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        cost = dict(report.user_properties).get("cost")
        if report.when != "teardown" or cost is None:
            return
        total = self.files[report.nodeid.partition("::")[0]]
        for k, value in enumerate(cost):
            total[k] += value
        if cost[1] + cost[2] > BUDGET and not {"long", "hours"} & set(report.keywords):
            self.over.append((cost[1] + cost[2], report.nodeid))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        seconds, cpu, gpu = (sum(column) for column in zip(*self.files.values())) if self.files else (0, 0, 0)
        if not cpu + gpu:
            return
        line = terminalreporter.write_line
        terminalreporter.section("processor time, kernels compiled")
        line(f"{seconds:6.0f} s, {cpu:5} for CPUs, {gpu:4} for GPUs")
        for name, cost in sorted(self.files.items(), key=lambda file: -file[1][0])[:FILES]:
            line(f"{cost[0]:6.0f} s, {cost[1]:5} for CPUs, {cost[2]:4} for GPUs  {name}")
        for count, name in sorted(self.over, reverse=True):
            line(f"over the budget of {BUDGET} kernels: {count} in {name}; use fewer, or mark it long")
