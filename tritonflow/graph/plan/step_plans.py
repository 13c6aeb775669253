"""The plans of a step of a program for many sizes: one for each outcome of what its planner asks of sizes.

A plan has symbolic integers in its grids and sizes, so that it serves all sizes for which its questions have the same answers.
Where they have others, the planner is asked again, for this step alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.device.provider import Provider
from tritonflow.framework.size_guards import Condition
from tritonflow.framework.symbolic_int import SizeContext, is_symbolic
from tritonflow.ops.plan import Plan, PlannedLaunch


class Outcomes:
    """Which guards hold for the numbers of a run; each is asked once.

    Args:
        numbers: of the run.
    """

    def __init__(self, numbers: Sequence[Any]) -> None:
        self._numbers = numbers
        self._known: dict[Any, Any] = {}

    def hold(self, guards: dict[Any, Condition]) -> bool:
        """Whether all of them do."""
        known = self._known
        for question, guard in guards.items():
            outcome = known.get(question, known)
            if outcome is known:
                outcome = known[question] = guard.asked(self._numbers)
            if outcome != guard.outcome:
                return False
        return True


class StepPlan:
    """A plan for some sizes.

    Args:
        plan: with symbolic integers.
        guards: what it depends on.

    Attributes:
        launches: each with whether numbers of it differ from run to run; None until its kernels are compiled.
        works: of these about how many instructions they take that say so.
    """

    def __init__(self, plan: Plan, guards: dict[Any, Condition]) -> None:
        self.plan = plan
        self.guards = guards
        self.launches: list[tuple[PlannedLaunch, bool]] | None = None
        self.works: list[int] = []

    def compile(self, sizes: SizeContext, provider: Provider) -> None:
        """Find the kernels of its launches."""
        with sizes.asking(self.guards):
            launches = self.plan.program(provider.device)
            self.works = [launch.work for launch in self.plan.launches if 0 not in launch.grid]
        self.launches = [(each, is_symbolic((each.grid, each.sizes, each.arguments))) for each in launches]


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
