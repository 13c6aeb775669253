"""One plan for each step of a program for many sizes: kernels are bound once, and each sizes fill in their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from tritonflow.device.provider import Provider
from tritonflow.framework.symbolic_int import is_symbolic
from tritonflow.graph.ir import Graph
from tritonflow.graph.plan.arena_rules import ArenaRules
from tritonflow.graph.plan.binding import BoundSchedule
from tritonflow.graph.plan.bound_step import BoundStep, GraphMemory
from tritonflow.graph.plan.memory import Buffer, Location, MemoryLayout, Step
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.schedule import Schedule, Scheduling, WhoRuns
from tritonflow.graph.plan.step_plans import StepPlan


class PlannedSteps:
    """The steps of a layout, each bound once for each of its plans.

    Args:
        graph: as it was captured.
        provider: of the device where it runs.
        layout: of the graph behind the passes.
    """

    def __init__(self, graph: Graph, provider: Provider, layout: MemoryLayout) -> None:
        self.graph, self.provider, self.layout = graph, provider, layout
        self.scheduling, self.memory = Scheduling(graph, provider), GraphMemory(graph)
        self._buffers = count()
        self._who: dict[StepPlan, WhoRuns] = {}
        self._known: dict[tuple[int, StepPlan], PlannedStep] = {}
        self._workspaces: dict[tuple[int, int, Any], Buffer] = {}
        self._rules: dict[tuple[int, ...], ArenaRules] = {}
        for each in layout.buffers:
            if isinstance(each, Buffer):
                each.number = next(self._buffers)

    def at(self, number: int, plan: StepPlan) -> PlannedStep:
        """A step with a plan of it, which is compiled."""
        found = self._known.get((number, plan))
        if found is None:
            found = self._known[number, plan] = self._planned(number, plan)
        return found

    def rules(self, buffers: Sequence[Buffer]) -> ArenaRules:
        """Where buffers lie."""
        key = tuple([buffer.number for buffer in buffers])
        if key not in self._rules:
            self._rules[key] = ArenaRules(buffers)
        return self._rules[key]

    def _workspace(self, step: int, position: int, nbytes: Any) -> Buffer:
        """One of a step, which is the same for all plans that have so many bytes there."""
        key = step, position, nbytes.expression if is_symbolic(nbytes) else nbytes
        if key not in self._workspaces:
            self._workspaces[key] = Buffer(MemoryKind.ARENA, nbytes, next(self._buffers), step, step)
        return self._workspaces[key]

    def _planned(self, number: int, plan: StepPlan) -> PlannedStep:
        step = self.layout.steps[number]
        spaces = [n * dtype.itemsize for n, dtype in plan.workspaces]
        buffers = [self._workspace(number, position, nbytes) for position, nbytes in enumerate(spaces)]
        own = Step(plan.plan, (*step.locations, *map(Location, buffers)), step.dynamic, step.node)
        if plan not in self._who:
            grids = [(work, each.kernel, each.grid) for work, each in zip(plan.works, plan.launches)]
            asynchronous = self.provider.stream.asynchronous
            self._who[plan] = WhoRuns(asynchronous, plan.elements, tuple(plan.plan.works), tuple(grids))
        scheduled = self.scheduling.step(own, plan.launches, self._who[plan])
        return PlannedStep(BoundStep(number, scheduled, self.memory), buffers)


class PlannedStep(NamedTuple):
    """A step with a plan: bound, and the buffers of its workspaces."""

    bound: BoundStep
    buffers: list[Buffer]


class Selection:
    """The plans that the steps of a program have for some sizes.

    Args:
        steps: of the program.
        plans: of them, compiled.

    Attributes:
        binding: what is filled in for the sizes.
        buffers: of the arena, with symbolic bytes.
        served: for how many sizes programs were made of it.
    """

    def __init__(self, steps: PlannedSteps, plans: Sequence[StepPlan]) -> None:
        self.served = 0
        chosen = [steps.at(number, plan) for number, plan in enumerate(plans)]
        own = [[each] if isinstance(each, Buffer) else chosen[each].buffers for each in steps.layout.buffers]
        self.buffers = [buffer for buffers in own for buffer in buffers]
        self._rules, self._numbers = steps.rules(self.buffers), [buffer.number for buffer in self.buffers]
        bound = [each.bound for each in chosen]
        schedule = steps.scheduling.whole(steps.layout, [each.step for each in bound], 0)
        self.binding = BoundSchedule(steps.graph, steps.provider, schedule, (steps.memory, bound), self._arena)

    def at(self, numbers: Sequence[Any]) -> Schedule:
        """The schedule for the numbers of a run."""
        return self.binding.schedule.at(numbers, *self.binding.arena(numbers))

    def _arena(self, numbers: Sequence[Any]) -> tuple[int, Mapping[int, int]]:
        nbytes, offsets = self._rules.at(numbers)
        return nbytes, dict(zip(self._numbers, offsets))
