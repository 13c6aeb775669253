"""The plans of a step of a program for many sizes: one for each outcome of what its planner asks of sizes.

A plan has symbolic integers in its grids and sizes, so that it serves all sizes for which its questions have the same answers.
Where they have others, the planner is asked again, for this step alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tritonflow.device.provider import Provider
from tritonflow.framework.size_guards import Condition
from tritonflow.framework.symbolic_int import SizeContext, is_symbolic
from tritonflow.graph.ir.numbers import Numbers, Outcomes
from tritonflow.ops.operands import Argument
from tritonflow.ops.plan import Plan, PlannedLaunch


class StepPlan:
    """A plan for some sizes.

    Args:
        plan: with symbolic integers.
        guards: what it depends on.

    Attributes:
        is_compiled: whether the kernels of its launches are there.
        elements, workspaces: of the plan.
        works: of its launches about how many instructions they take that say so.
    """

    def __init__(self, plan: Plan, guards: dict[Any, Condition]) -> None:
        self.plan = plan
        self.guards = guards
        self.is_compiled = False
        self.elements, self.workspaces = plan.elements, plan.workspaces
        self.works: list[int] = []
        self._launches: list[tuple[PlannedLaunch, _Gaps | None]] = []

    def compile(self, sizes: SizeContext, provider: Provider) -> None:
        """Find the kernels of its launches."""
        with sizes.asking(self.guards):
            launches = self.plan.program(provider.device)
            self.works = [launch.work for launch in self.plan.launches if 0 not in launch.grid]
        self._launches = [(each, _gaps(each)) for each in launches]
        self.is_compiled = True

    def launches(self, at: Numbers) -> list[PlannedLaunch]:
        """The launches with the numbers of a run."""
        return [each if gaps is None else _filled(each, gaps, at) for each, gaps in self._launches]


class _Gaps(NamedTuple):
    """Where a launch has numbers that differ from run to run: positions of its grid, sizes and arguments."""

    grid: list[int]
    sizes: list[int]
    arguments: list[int]


def _gaps(launch: PlannedLaunch) -> _Gaps | None:
    offsets = [argument.offset for argument in launch.arguments]
    found = [[k for k, n in enumerate(numbers) if is_symbolic(n)] for numbers in (launch.grid, launch.sizes, offsets)]
    return _Gaps(*found) if any(found) else None


def _filled(launch: PlannedLaunch, gaps: _Gaps, at: Numbers) -> PlannedLaunch:
    grid, sizes, arguments = list(launch.grid), list(launch.sizes), launch.arguments.copy()
    for k in gaps.grid:
        grid[k] = at.integer(grid[k])
    for k in gaps.sizes:
        sizes[k] = at.integer(sizes[k])
    for k in gaps.arguments:
        position, offset = arguments[k]
        arguments[k] = Argument(position, at.integer(offset))
    return PlannedLaunch(launch.name, launch.kernel, tuple(grid), arguments, tuple(sizes))  # type: ignore[arg-type]


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
