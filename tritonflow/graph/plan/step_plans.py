"""The plans of a step of a program for many sizes: one for each outcome of what its planner asks of sizes.

A plan has symbolic integers in its grids and sizes, so that it serves all sizes for which its questions have the same answers.
Where they have others, the planner is asked again, for this step alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tritonflow.device.provider import Provider
from tritonflow.framework.size_context import SizeContext
from tritonflow.framework.size_guards import Condition
from tritonflow.graph.ir.by_numbers import ByNumbers, positions_of
from tritonflow.graph.ir.numbers import Outcomes
from tritonflow.graph.plan.progress import Progress
from tritonflow.ops.plan import Plan, PlannedLaunch, compile_all


class StepPlan:
    """A plan for some sizes.

    Args:
        plan: with symbolic integers.
        guards: what it depends on.

    Attributes:
        is_compiled: whether the kernels of its launches are there.
        launches: these, with symbolic integers.
        elements, workspaces: of the plan.
        works: of its launches about how many instructions they take that say so.
        positions: of the symbols that it depends on, among the numbers of a run.
    """

    def __init__(self, plan: Plan, guards: dict[Any, Condition]) -> None:
        self.plan = plan
        self.guards = guards
        self.is_compiled = False
        self.elements, self.workspaces = plan.elements, plan.workspaces
        self.works: list[int] = []
        self.launches: list[PlannedLaunch] = []
        self.positions: frozenset[int] = frozenset()

    def compile(self, sizes: SizeContext, provider: Provider) -> None:
        """Find the kernels of its launches."""
        with sizes.asking(self.guards):
            self.launches = self.plan.program(provider.device)
            self.works = [launch.work for launch in self.plan.launches if 0 not in launch.grid]
        self.positions = positions_of(self.guards)
        self.is_compiled = True


class StepPlans:
    """The plans of a step.

    Args:
        sizes: the symbols.
        make: asks the planner.
    """

    def __init__(self, sizes: SizeContext, make: Callable[[], Plan]) -> None:
        self._sizes = sizes
        self._make = make
        self.known: list[StepPlan] = []

    def at(self, numbers: Sequence[Any], outcomes: Outcomes) -> StepPlan:
        """The plan for the numbers of a run."""
        for position, plan in enumerate(self.known):
            if outcomes.hold(plan.guards):
                if position:
                    self.known.insert(0, self.known.pop(position))
                return plan
        guards: dict[Any, Condition] = {}
        with self._sizes.at(numbers), self._sizes.asking(guards):
            self.known.insert(0, StepPlan(self._make(), guards))
        return self.known[0]


class PlansOfSteps:
    """The plans of all steps of a graph; those of steps that ask of the same symbols are remembered together.

    Args:
        steps: of each its plans.
        sizes: the symbols.
        provider: of the device where they run.
    """

    def __init__(self, steps: Sequence[StepPlans], sizes: SizeContext, provider: Provider) -> None:
        self._steps, self._sizes, self._provider = steps, sizes, provider
        self._groups: list[_StepGroup] = []

    def at(self, numbers: Sequence[Any], outcomes: Outcomes) -> list[StepPlan]:
        """The plan of each for the numbers of a run, its kernels compiled."""
        if not self._groups:
            first = [plans.at(numbers, outcomes) for plans in self._steps]
            self._compile(first, numbers)
            self._groups = _grouped(first)
            return first
        found: dict[int, StepPlan] = {}
        new: list[tuple[_StepGroup, list[StepPlan]]] = []
        for group in self._groups:
            plans = group.plans.get(numbers)
            if plans is None:
                plans = [self._steps[number].at(numbers, outcomes) for number in group.numbers]
                new.append((group, plans))
            found.update(zip(group.numbers, plans))
        self._compile([plan for _, plans in new for plan in plans], numbers)
        for group, plans in new:
            group.plans.put(numbers, frozenset().union(*[plan.positions for plan in plans]), plans)
        return [found[number] for number in range(len(self._steps))]

    def _compile(self, plans: Sequence[StepPlan], numbers: Sequence[Any]) -> None:
        """Find the kernels of plans that have none yet."""
        new = [plan for plan in dict.fromkeys(plans) if not plan.is_compiled]
        if new:
            with self._sizes.at(numbers):
                with self._sizes.asking({}):
                    compile_all([plan.plan for plan in new], self._provider, Progress())
                for plan in new:
                    plan.compile(self._sizes, self._provider)


class _StepGroup(NamedTuple):
    """Steps that ask of the same symbols: their numbers, and their plans by the numbers of a run."""

    numbers: list[int]
    plans: ByNumbers[list[StepPlan]]


def _grouped(plans: Sequence[StepPlan]) -> list[_StepGroup]:
    """The groups of steps, one plan of each of which is known."""
    groups: dict[frozenset[int], _StepGroup] = {}
    for number, plan in enumerate(plans):
        groups.setdefault(plan.positions, _StepGroup([], ByNumbers())).numbers.append(number)
    return [*groups.values()]
