"""The schedules of a program for many sizes: passes and the memory planner run once, and each sizes fill in their numbers.

    graph      passes and memory, with guards              once, and again where a guard of theirs does not hold
    steps      plans, with guards (`step_plans.py`)        a few for each step
    selection  one plan for each step (`selection.py`)     once for each combination
    schedule   numbers                                     for each sizes: grids, sizes, offsets

So a schedule is the one that a program for these sizes alone would have. But what is ordered or computed twice for the sake of
memory, and which buffer lies above which, was decided for the first sizes, which changes no bit.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tritonflow.device.provider import Provider
from tritonflow.framework.expression import Atom
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.size_context import SizeContext
from tritonflow.framework.size_guards import Condition
from tritonflow.gc_pause import gc_paused
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.by_numbers import AllHold
from tritonflow.graph.ir.numbers import Outcomes
from tritonflow.graph.plan.memory import MemoryLayout, Step, plan_memory
from tritonflow.graph.plan.schedule import Schedule
from tritonflow.graph.plan.selection import PlannedSteps, Selection
from tritonflow.graph.plan.step_plans import PlansOfSteps, StepPlan

Planned = Callable[[Callable[[Graph], MemoryLayout]], tuple[MemoryLayout, Sequence[RuntimeScalar]]]

_MOST_SELECTIONS = 64  # of one graph behind the passes; then the one that was not asked for longest goes


class Selected(NamedTuple):
    """What serves the numbers of a run.

    Attributes:
        selection: the plans of all steps.
        pins: the run-time numbers for which it is right.
    """

    selection: Selection
    pins: Sequence[RuntimeScalar]


class SizedSchedules:
    """Makes the schedules of a program.

    Args:
        graph: as it was captured, with symbolic integers.
        sizes: the symbols.
        provider: of the device where it runs.
        planned: runs the passes, and calls what it is given on the graph behind them; tells the run-time numbers that were pinned.
    """

    def __init__(self, graph: Graph, sizes: SizeContext, provider: Provider, planned: Planned) -> None:
        self._graph, self._sizes, self._provider, self._planned = graph, sizes, provider, planned
        self._variants: list[_Variant] = []

    def select(self, numbers: Sequence[Any], outcomes: Outcomes, few: frozenset[Atom] = frozenset()) -> Selected:
        """What serves the numbers of a run.

        Args:
            outcomes: which guards hold for these.
            few: as of `SizeContext`.
        """
        variant = next((each for each in self._variants if each.serves(numbers, outcomes, few)), None)
        if variant is None:
            with self._sizes.at(numbers), self._sizes.knowing(few), gc_paused():
                variant = _Variant(self._graph, self._sizes, self._provider, self._planned)
            self._variants.append(variant)
        return Selected(variant.selection(numbers, outcomes), variant.pins)

    def at(self, numbers: Sequence[Any], outcomes: Outcomes) -> tuple[Schedule, Sequence[RuntimeScalar]]:
        """The schedule for the numbers of a run, and the run-time numbers for which it is right."""
        selected = self.select(numbers, outcomes)
        return selected.selection.at(numbers), selected.pins

    @property
    def counts(self) -> tuple[int, int]:
        """How many graphs there are behind the passes, and how many plans of all their steps."""
        plans = {id(plan) for variant in self._variants for step in variant.layout.steps for plan in step.plans.known}  # type: ignore[union-attr]
        return len(self._variants), len(plans)

    def served(self) -> list[list[tuple[Step, list[int]]]]:
        """Of each graph behind the passes each step, and of its plans for how many sizes they have served."""
        return [each.served() for each in self._variants]


class _Variant:
    """What passes and the memory planner make of a program for some sizes."""

    def __init__(self, graph: Graph, sizes: SizeContext, provider: Provider, planned: Planned) -> None:
        guards: dict[Any, Condition] = {}
        self._sizes, self.few = sizes, sizes.few
        self.selections: OrderedDict[tuple[StepPlan, ...], Selection] = OrderedDict()
        with sizes.asking(guards):
            self.layout, self.pins = planned(lambda graph: plan_memory(graph, sizes))
        self.guards = AllHold(guards)
        self._steps = PlannedSteps(graph, provider, self.layout)
        self._plans = PlansOfSteps([step.plans for step in self.layout.steps], sizes, provider)  # type: ignore[misc]

    def serves(self, numbers: Sequence[Any], outcomes: Outcomes, few: frozenset[Atom]) -> bool:
        """Whether it is right for the numbers of a run."""
        try:
            if any(scalar.evaluate(numbers) != scalar.value for scalar in self.pins):
                return False
        except ArithmeticError:  # a number that is not defined for these
            return False
        return few <= self.few and self.guards.at(numbers, outcomes)

    def served(self) -> list[tuple[Step, list[int]]]:
        """Each step, and of its plans for how many sizes they have served."""
        counts = [Counter[StepPlan]() for _ in self.layout.steps]
        for plans, selection in self.selections.items():
            for count, plan in zip(counts, plans):
                count[plan] += selection.served
        return [(step, sorted(count.values(), reverse=True)) for step, count in zip(self.layout.steps, counts)]

    def selection(self, numbers: Sequence[Any], outcomes: Outcomes) -> Selection:
        """The plans of all steps for the numbers of a run."""
        with self._sizes.knowing(self.few):
            plans = self._plans.at(numbers, outcomes)
        key = tuple(plans)
        found = self.selections.get(key)
        if found is None:
            with self._sizes.at(numbers), self._sizes.asking({}), gc_paused():
                found = self.selections[key] = Selection(self._steps, plans)
            if len(self.selections) > _MOST_SELECTIONS:
                self.selections.popitem(last=False)
        self.selections.move_to_end(key)
        return found
