"""One plan for each step of a program for many sizes: kernels are bound once, and each sizes fill in their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.device.provider import Provider
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.numbers import Numbers
from tritonflow.graph.plan.arena_rules import ArenaRules
from tritonflow.graph.plan.binding import BoundSchedule
from tritonflow.graph.plan.memory import Buffer, Location, MemoryLayout, Step, assign_offsets
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.schedule import Schedule, ScheduledStep, Scheduling, WhoRuns
from tritonflow.graph.plan.step_plans import StepPlan


class Selection:
    """The plans that the steps of a program have for some sizes.

    Args:
        graph: as it was captured.
        provider: of the device where it runs.
        layout: of the graph behind the passes.
        plans: of its steps, compiled.
        numbers: of the first run.

    Attributes:
        binding: what is filled in for the sizes.
        buffers: of the arena, with symbolic bytes.
        served: for how many sizes programs were made of it.
    """

    def __init__(
        self, graph: Graph, provider: Provider, layout: MemoryLayout, plans: Sequence[StepPlan], numbers: Sequence[Any]
    ) -> None:
        self.served = 0
        self._asynchronous = provider.stream.asynchronous
        self.buffers, workspaces = _buffers(layout, plans)
        scheduling, who = Scheduling(graph, provider), {id(plan): self._who(plan) for plan in plans}
        steps: list[ScheduledStep] = []
        for step, plan, spaces in zip(layout.steps, plans, workspaces):
            own = Step(plan.plan, (*step.locations, *spaces), step.dynamic, step.node)
            steps.append(scheduling.step(own, plan.launches, who[id(plan)]))
        sizes = [buffer.nbytes for buffer in self.buffers]
        at = Numbers(numbers)
        placed = [Buffer(MemoryKind.ARENA, at.of(each.nbytes), 0, each.first, each.last) for each in self.buffers]
        assign_offsets(placed)
        schedule = scheduling.whole(layout, steps, 0)
        self.binding = BoundSchedule(graph, provider, schedule, len(sizes), ArenaRules(placed, sizes).at)

    def at(self, numbers: Sequence[Any]) -> Schedule:
        """The schedule for the numbers of a run."""
        return self.binding.schedule.at(numbers, *self.binding.arena(numbers))

    def _who(self, plan: StepPlan) -> WhoRuns:
        grids = [(work, each.kernel, each.grid) for work, each in zip(plan.works, plan.launches)]
        return WhoRuns(self._asynchronous, plan.elements, tuple(plan.plan.works), tuple(grids))


def _buffers(layout: MemoryLayout, plans: Sequence[StepPlan]) -> tuple[list[Buffer], list[list[Location]]]:
    """The buffers of the arena, by their numbers, and where the workspaces of each step lie."""
    found: list[Buffer] = []
    workspaces: list[list[Location]] = [[] for _ in plans]
    for each in layout.buffers:
        if isinstance(each, Buffer):
            each.number = len(found)
            found.append(each)
        else:
            for count, dtype in plans[each].workspaces:
                workspaces[each].append(Location(Buffer(MemoryKind.ARENA, count * dtype.itemsize, len(found), each, each)))
                found.append(workspaces[each][-1].buffer)
    return found, workspaces
