"""A program for many sizes on its way to executables: one for each sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.device.provider import Provider
from tritonflow.framework.expression import Atom
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.symbolic_int import SizeContext
from tritonflow.graph.api.compiled_graph import CompiledGraph
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.debug import DebugReport
from tritonflow.graph.capture.guards import Guards, Pins
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.concrete import Questions, concrete, symbols_of
from tritonflow.graph.ir.numbers import Numbers, Outcomes
from tritonflow.graph.passes import optimize
from tritonflow.graph.plan.binding import Binding
from tritonflow.graph.plan.executable import Executable, SharedArena
from tritonflow.graph.plan.memory import MemoryLayout
from tritonflow.graph.plan.outcome_tree import OutcomeTree
from tritonflow.graph.plan.sized_schedule import Selected, SizedSchedules


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


class SizedGraph:
    """Makes the programs for some sizes.

    Args:
        name: for the log.
        graph: as it was captured, with symbolic integers.
        sizes: the symbols.
        provider: the device.
        config, report: the function's.
    """

    def __init__(
        self, name: str, graph: Graph, sizes: SizeContext, provider: Provider, config: GraphConfig, report: DebugReport
    ) -> None:
        self._name, self._graph, self._provider, self._config, self._report = name, graph, provider, config, report
        self._questions = Questions(graph, sizes)
        self._schedules = SizedSchedules(graph, sizes, provider, self._planned)
        self._selected: OutcomeTree[Selected] = OutcomeTree()
        self._arena = SharedArena()

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
        if self._config.tuning or self._report.shows_passes:
            self._questions.ask(numbers, Outcomes(numbers))
            graph = concrete(self._graph, Numbers(numbers))
            return CompiledGraph(self._name, guards, graph, self._provider, self._config, self._report)
        selected = self._selected.find(numbers) or self._select(numbers)
        for scalar in selected.pins:
            guards.add_scalar(scalar)
        return _ForSizes(
            self._name, self._graph, self._provider, self._config, self._report, selected.selection.binding, numbers, self._arena
        )

    def _select(self, numbers: Sequence[Any]) -> Selected:
        """The plans for the sizes among the numbers of a run, where none were found for others like these."""
        outcomes = Outcomes(numbers)
        asked = self._questions.ask(numbers, outcomes)
        selected = self._schedules.select(numbers, outcomes)
        self._selected.put([*asked, *selected.guards], selected)
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
        name: str,
        graph: Graph,
        provider: Provider,
        config: GraphConfig,
        report: DebugReport,
        binding: Binding,
        numbers: Sequence[Any],
        arena: SharedArena,
    ) -> None:
        self._prepare(name, provider, config, report)
        self._origin, self._graph = "from plans for many sizes", None
        self._sized, self._numbers = graph, numbers
        self._binding, self._arena = binding, arena

    @property
    def before(self) -> Graph:
        """The graph as a capture for these sizes would have it."""
        return concrete(self._sized, Numbers(self._numbers))

    def _build(self) -> Executable:
        executable = Executable.for_numbers(self._binding, self._numbers, self._arena)
        self._report.planned(None, executable.launches, executable.arena_bytes)
        return executable
