"""A program for many sizes on its way to executables: one for each sizes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tritonflow.device.provider import Provider
from tritonflow.framework.expression import Atom
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.size_context import SizeContext
from tritonflow.framework.size_guards import Condition, SizeGuard
from tritonflow.framework.tensor import Tensor
from tritonflow.gc_pause import gc_paused
from tritonflow.graph.api.compiled_graph import CompiledGraph, capturing
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.debug import DebugReport
from tritonflow.graph.capture.guards import Guards, Pins
from tritonflow.graph.explain import Explanation
from tritonflow.graph.explain.sizes import SizeTables, size_rows
from tritonflow.graph.explain.steps import step_row
from tritonflow.graph.ir import Graph, State
from tritonflow.graph.ir.concrete import Questions, concrete, symbols_of
from tritonflow.graph.ir.numbers import Numbers, Outcomes
from tritonflow.graph.passes import PASSES, optimize
from tritonflow.graph.plan.binding import BoundSchedule
from tritonflow.graph.plan.executable import Executable, SharedArena
from tritonflow.graph.plan.memory import MemoryLayout
from tritonflow.graph.plan.schedule_cache import CachedSchedule
from tritonflow.graph.plan.sized_schedule import Selected, SizedSchedules

log = logging.getLogger("tritonflow.graph")

_MOST_STORED = 8  # sizes whose schedules are written to disk


class OneGraph:
    """Makes the one program of a graph without symbols: the same interface."""

    def __init__(self, name: str, graph: Graph, provider: Provider, config: GraphConfig, report: DebugReport) -> None:
        self._name, self._graph, self._provider, self._config, self._report = name, graph, provider, config, report

    def at(self, numbers: Sequence[Any], guards: Guards) -> CompiledGraph:
        """The program."""
        return CompiledGraph(self._name, guards, self._graph, self._provider, self._config, self._report)

    def symbols(self) -> set[Atom]:
        """None."""
        return set()


class Asked(NamedTuple):
    """What is known of the symbols of a capture.

    Attributes:
        guards: what was asked of them.
        dimensions: by their names, positions of tensors among the arguments, and which of their dimensions have such a size.
    """

    guards: Sequence[Condition]
    dimensions: Mapping[str, Sequence[tuple[int, int]]]


class SizedGraph:
    """Makes the programs for some sizes.

    Args:
        name: for the log.
        graph: as it was captured, with symbolic integers.
        sizes: the symbols.
        provider: the device.
        config, report: the function's.
        asked: what the capture has asked of sizes.
    """

    def __init__(
        self,
        name: str,
        graph: Graph,
        sizes: SizeContext,
        provider: Provider,
        config: GraphConfig,
        report: DebugReport,
        asked: Asked,
    ) -> None:
        self._asked = asked
        self._name, self._graph, self._provider, self._config, self._report = name, graph, provider, config, report
        self._questions = Questions(graph, sizes)
        self._schedules = SizedSchedules(graph, sizes, provider, self._planned)
        self._arena = SharedArena()
        self._has_planned, self._count_stored = False, 0

    def symbols(self) -> set[Atom]:
        """The symbols that the graph has numbers of."""
        return symbols_of(self._graph)

    def at(self, numbers: Sequence[Any], guards: Guards) -> CompiledGraph:
        """The program for the sizes among the numbers of a run.

        Args:
            guards: where numbers that passes pin are noted.

        Raises:
            OtherProgramError: an op makes of these sizes what it did not make of those that were captured.
        """
        with capturing, gc_paused():  # a run that looks at numbers may come here while another thread asks for other sizes
            return self._at(numbers, guards)

    def _at(self, numbers: Sequence[Any], guards: Guards) -> CompiledGraph:
        if self._config.tuning or self._report.shows_passes:
            self._questions.ask(numbers, Outcomes(numbers))
            graph = concrete(self._graph, Numbers(numbers))
            return CompiledGraph(self._name, guards, graph, self._provider, self._config, self._report)
        binding = self._stored(numbers)
        if binding is not None:
            return self._with(binding, numbers, "from the disk cache")
        selected = self._select(numbers)
        for scalar in selected.pins:
            guards.add_scalar(scalar)
        selected.selection.served += 1
        return self._with(selected.selection.binding, numbers, "from plans for many sizes")

    def _with(self, binding: BoundSchedule, numbers: Sequence[Any], origin: str) -> CompiledGraph:
        return _ForSizes(
            self, self._name, self._graph, self._provider, self._config, self._report, binding, numbers, self._arena, origin
        )

    def _stored(self, numbers: Sequence[Any]) -> BoundSchedule | None:
        """The schedule that another process has made for these sizes, as long as this one has planned nothing."""
        if self._has_planned or self._report.shows_passes:
            return None
        schedule = self._on_disk(numbers).find()
        if schedule is None:
            return None
        log.info("%s: the plan was found on disk", self._name)
        return BoundSchedule(self._graph, self._provider, schedule)

    def _on_disk(self, numbers: Sequence[Any]) -> CachedSchedule:
        passes = [run.__name__ for run in PASSES if run.__name__ not in frozenset(self._config.without)]
        return CachedSchedule(self._graph, self._provider, passes, False, numbers)

    def tables(self) -> SizeTables:
        """What is known of its sizes, and of the plans of its steps."""
        asked, served = self._asked, self._schedules.served()
        atoms = self.symbols().union(*[guard.left.symbols() for guard in asked.guards if isinstance(guard, SizeGuard)])
        steps = [step_row(step, counts) for each in served for step, counts in each]
        return SizeTables(size_rows(atoms, asked.guards, asked.dimensions), len(served), steps)

    def _select(self, numbers: Sequence[Any]) -> Selected:
        """The plans for the sizes among the numbers of a run."""
        outcomes = Outcomes(numbers)
        selected = self._schedules.select(numbers, outcomes, self._questions.ask(numbers, outcomes))
        self._has_planned = True
        if not selected.selection.served and self._count_stored < _MOST_STORED and not selected.pins:
            self._count_stored += 1
            self._on_disk(numbers).store(selected.selection.at(numbers))
        return selected

    def _planned(self, plan: Callable[[Graph], MemoryLayout]) -> tuple[MemoryLayout, Sequence[RuntimeScalar]]:
        """A plan of the graph behind the passes, and the run-time numbers that these have pinned."""
        pins = Pins()
        with pins:
            layout = plan(optimize(self._graph, None, frozenset(self._config.without)))
        return layout, pins.guards.scalars


class _ForSizes(CompiledGraph):
    """A program whose schedule is made of one for many sizes."""

    def __init__(
        self,
        of: SizedGraph,
        name: str,
        graph: Graph,
        provider: Provider,
        config: GraphConfig,
        report: DebugReport,
        binding: BoundSchedule,
        numbers: Sequence[Any],
        arena: SharedArena,
        origin: str,
    ) -> None:
        self._prepare(name, provider, config, report)
        self._origin, self._graph = origin, None
        self._of, self._sized, self._numbers = of, graph, numbers
        self._binding, self._arena = binding, arena

    @property
    def before(self) -> Graph:
        """The graph as a capture for these sizes would have it."""
        return concrete(self._sized, Numbers(self._numbers))

    @property
    def states(self) -> Sequence[State]:
        """Those of the graph, with symbolic sizes."""
        return self._sized.states

    def explain(
        self, name: str, inputs: Sequence[Tensor], numbers: Sequence[Any], names: Mapping[Any, str]
    ) -> Explanation:
        """What it runs, and what is known of its sizes."""
        explanation = super().explain(name, inputs, numbers, names)
        explanation.sizes = self._of.tables()
        return explanation

    def _build(self) -> Executable:
        executable = Executable.for_numbers(self._binding, self._numbers, self._arena)
        self._report.planned(None, executable.launches, executable.arena_bytes)
        return executable
