"""The schedules of a program for many sizes: passes and the memory planner run once, and each sizes fill in their numbers.

    graph     passes and memory, with guards            once, and again where a guard of theirs does not hold
    steps     plans, with guards (`step_plans.py`)      a few for each step
    schedule  numbers                                   for each sizes: grids, sizes, offsets

So a schedule is the one that a program for these sizes alone would have. But what is ordered or computed twice for the sake of
memory was decided for the first sizes, which changes no bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tritonflow.device.provider import Provider
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.size_guards import Condition
from tritonflow.framework.symbolic_int import SizeContext
from tritonflow.gc_pause import gc_paused
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.numbers import Numbers, Outcomes
from tritonflow.graph.plan.memory import Buffer, Location, MemoryLayout, Step, assign_offsets, plan_memory
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.progress import Progress
from tritonflow.graph.plan.schedule import Schedule, ScheduledStep, Scheduling
from tritonflow.graph.plan.step_plans import StepPlan
from tritonflow.ops.plan import compile_all, who_runs

Planned = Callable[[Callable[[Graph], MemoryLayout]], tuple[MemoryLayout, Sequence[RuntimeScalar]]]


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

    def at(self, numbers: Sequence[Any], outcomes: Outcomes) -> tuple[Schedule, Sequence[RuntimeScalar]]:
        """The schedule for the numbers of a run, and the run-time numbers for which it is right.

        Args:
            outcomes: which guards hold for these.
        """
        variant = next((each for each in self._variants if outcomes.hold(each.guards)), None)
        if variant is None:
            with self._sizes.at(numbers), gc_paused():
                variant = _Variant(self._graph, self._sizes, self._provider, self._planned)
            self._variants.append(variant)
        return variant.at(numbers, outcomes), variant.pins

    @property
    def counts(self) -> tuple[int, int]:
        """How many graphs there are behind the passes, and how many plans of all their steps."""
        plans = {id(plan) for variant in self._variants for step in variant.layout.steps for plan in step.plans.known}  # type: ignore[union-attr]
        return len(self._variants), len(plans)


class _Variant:
    """What passes and the memory planner make of a program for some sizes."""

    def __init__(self, graph: Graph, sizes: SizeContext, provider: Provider, planned: Planned) -> None:
        self.guards: dict[Any, Condition] = {}
        self.sizes, self.provider = sizes, provider
        with sizes.asking(self.guards):
            self.layout, self.pins = planned(lambda graph: plan_memory(graph, sizes))
        self.scheduling = Scheduling(graph, provider)

    def at(self, numbers: Sequence[Any], outcomes: Outcomes) -> Schedule:
        """The schedule for the numbers of a run."""
        plans = self._plans(numbers, outcomes)
        at = Numbers(numbers)
        buffers, workspaces, arena = self._placed(plans, at)
        steps = [
            self._scheduled(step, plan, buffers, spaces, at) for step, plan, spaces in zip(self.layout.steps, plans, workspaces)
        ]
        return self.scheduling.whole(self.layout, steps, arena)

    def _plans(self, numbers: Sequence[Any], outcomes: Outcomes) -> list[StepPlan]:
        """The plan of each step, its kernels compiled."""
        plans = [step.plans.at(numbers, outcomes) for step in self.layout.steps]  # type: ignore[union-attr]
        new = [plan for plan in dict.fromkeys(plans) if not plan.is_compiled]
        if new:
            with self.sizes.at(numbers):
                with self.sizes.asking({}):
                    compile_all([plan.plan for plan in new], self.provider, Progress())
                for plan in new:
                    plan.compile(self.sizes, self.provider)
        return plans

    def _placed(self, plans: list[StepPlan], at: Numbers) -> tuple[dict[Buffer, Buffer], list[list[Location]], int]:
        """The buffers with their bytes and offsets, the workspaces of each step, and how many bytes they need together."""
        found: dict[Buffer, Buffer] = {}
        workspaces: list[list[Location]] = [[] for _ in plans]
        arena: list[Buffer] = []
        for each in self.layout.buffers:
            if isinstance(each, Buffer):
                found[each] = replace(each, nbytes=at.of(each.nbytes))
                arena.append(found[each])
            else:
                for count, dtype in plans[each].workspaces:
                    arena.append(Buffer(MemoryKind.ARENA, at.of(count) * dtype.itemsize, first=each, last=each))
                    workspaces[each].append(Location(arena[-1]))
        return found, workspaces, assign_offsets(arena)

    def _scheduled(
        self, step: Step, plan: StepPlan, buffers: dict[Buffer, Buffer], workspaces: list[Location], at: Numbers
    ) -> ScheduledStep:
        def placed(location: Location | None) -> Location | None:
            return None if location is None else Location(buffers.get(location.buffer, location.buffer), at.of(location.offset))

        own = Step(plan.plan, (*map(placed, step.locations), *workspaces), at.of(step.dynamic), step.node)
        made = plan.launches(at)
        grids = [(work, each.kernel, each.grid) for work, each in zip(at.of(plan.works), made)]
        asynchronous = self.provider.stream.asynchronous
        inline, _ = who_runs(asynchronous, at.of(plan.elements), at.of(plan.plan.works), grids)
        message = "" if plan.plan.index_check is None else str(at.of(plan.plan.index_check))
        return self.scheduling.step(own, made, inline, message)
