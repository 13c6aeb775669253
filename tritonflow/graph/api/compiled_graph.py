"""A captured graph on its way to an executable.

Its schedule is found on disk; or passes run at once, and memory is planned when the graph is first run.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tritonflow import _C, compilations
from tritonflow.device.provider import Provider
from tritonflow.framework.tensor import Tensor
from tritonflow.gc_pause import gc_paused
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.debug import DebugReport
from tritonflow.graph.capture.guards import Guards
from tritonflow.graph.explain import Explanation, explain
from tritonflow.graph.ir import Graph, State
from tritonflow.graph.passes import PASSES, optimize
from tritonflow.graph.plan.executable import Executable
from tritonflow.graph.plan.memory import plan_memory
from tritonflow.graph.plan.schedule import Schedule, schedule_of
from tritonflow.graph.plan.schedule_cache import CachedSchedule
from tritonflow.graph.plan.tuning import is_settled, tune
from tritonflow.ops.precision import fixed, policy

log = logging.getLogger("tritonflow.graph")


class CapturingLock:
    """Parameters and optimizers that several graphs share are changed while one is captured: one thread captures at a time."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1

    def __exit__(self, *error: object) -> None:
        self._depth -= 1
        self._lock.release()

    @contextmanager
    def let_others(self) -> Iterator[None]:
        """A block of a thread that has it in which others may capture, for which it waits."""
        depth = self._depth
        for _ in range(depth):
            self.__exit__()
        try:
            yield
        finally:
            for _ in range(depth):
                self.__enter__()


capturing = CapturingLock()


class CompiledGraph:
    """A graph that becomes an executable at its first use.

    Args:
        name: for the log.
        guards: where numbers that passes pin are noted.
        graph: as it was captured.
        provider: the device.
        config, report: the function's.

    Attributes:
        without, tuned: names of passes that do not run, and whether configurations are chosen by measuring.
        policy: the precision of the capture.
    """

    def __init__(
        self, name: str, guards: Guards, graph: Graph, provider: Provider, config: GraphConfig, report: DebugReport
    ) -> None:
        self._prepare(name, provider, config, report)
        self._before = graph
        passes = [run.__name__ for run in PASSES if run.__name__ not in self.without]
        self._disk, pins = CachedSchedule(graph, provider, passes, self.tuned), len(guards.scalars)
        self._schedule: Schedule | None = None if report.shows_passes else self._disk.find()
        self._graph: Graph | None = optimize(graph, report.passed, self.without) if self._schedule is None else None
        self._pins = len(guards.scalars) != pins  # a pass pins a number by running, which a schedule from disk does not

    def _prepare(self, name: str, provider: Provider, config: GraphConfig, report: DebugReport) -> None:
        self._name, self._provider, self._report = name, provider, report
        self.policy = policy()  # of the capture: plans may be made later
        self.without, self.tuned = frozenset(config.without), config.tuning
        self._origin = "from the disk cache"  # if no passes run
        self._executable: Executable | None = None

    @property
    def before(self) -> Graph:
        """The graph as it was captured."""
        return self._before

    @property
    def states(self) -> Sequence[State]:
        """Those of the graph."""
        return self._before.states

    @property
    def graph(self) -> Graph:
        """The program behind the passes, which run now if the schedule came from disk."""
        if self._graph is None:
            with fixed(self.policy):
                graph = optimize(self.before, None, self.without)
                self._graph = tune(graph) if self.tuned else graph
        return self._graph

    @property
    def executable(self) -> Executable:
        """The program bound to memory, its kernels compiled."""
        if self._executable is None:
            with capturing, fixed(self.policy):
                self._executable = self._executable or self._reported()
        return self._executable

    def explain(
        self, name: str, inputs: Sequence[Tensor], numbers: Sequence[Any], names: Mapping[Any, str]
    ) -> Explanation:
        """What it runs, measured with these inputs and numbers; `names` says what impls of states are called."""
        with fixed(self.policy):
            return explain(name, self.before, self._provider.device, inputs, numbers, names, self.without, self.tuned)

    def _reported(self) -> Executable:
        with compilations.running("plan", self._name) as found:
            if self._graph is None:
                found.origin = self._origin
            return self._build()

    def _build(self) -> Executable:
        graph, report = self._graph, self._report
        if self.tuned and graph is not None:
            with report.stage("tuning"):
                graph = self._graph = tune(graph)
            report.tuned(graph)
        with report.stage("building plan"):
            if graph is not None:
                with gc_paused():
                    layout = plan_memory(graph)
                self._schedule = schedule_of(layout, self.before, self._provider)
            executable = Executable(self.before, self._provider.device, self._schedule)
        if graph is None:
            log.info("%s: the plan was found on disk", self._name)
        elif not self._pins and is_settled(graph):
            self._disk.store(executable.schedule)
        report.planned(graph, executable.launches, executable.arena_bytes)
        return executable


def zeros_of(graph: Graph) -> list[Tensor]:
    """Inputs for a graph."""
    return [_C.zeros(v.meta.shape, dtype=v.meta.dtype, device=v.meta.device) for v in graph.inputs]
