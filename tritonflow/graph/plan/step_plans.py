"""The plans of a step of a program for many sizes: one for each outcome of what its planner asks of sizes.

A plan has symbolic integers in its grids and sizes, so that it serves all sizes for which its questions have the same answers.
Where they have others, the planner is asked again, for this step alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.device.provider import Provider
from tritonflow.framework.size_guards import Condition
from tritonflow.framework.symbolic_int import SizeContext
from tritonflow.graph.ir.numbers import Outcomes
from tritonflow.ops.plan import Plan, PlannedLaunch


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
    """

    def __init__(self, plan: Plan, guards: dict[Any, Condition]) -> None:
        self.plan = plan
        self.guards = guards
        self.is_compiled = False
        self.elements, self.workspaces = plan.elements, plan.workspaces
        self.works: list[int] = []
        self.launches: list[PlannedLaunch] = []

    def compile(self, sizes: SizeContext, provider: Provider) -> None:
        """Find the kernels of its launches."""
        with sizes.asking(self.guards):
            self.launches = self.plan.program(provider.device)
            self.works = [launch.work for launch in self.plan.launches if 0 not in launch.grid]
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
