"""A schedule bound to a graph's memory: a program in which numbers are missing.

Of every program it is not known where its own memory lies: arena, tables of addresses, error words. Of one for many sizes, numbers
of a run are missing, too: grids, sizes, and the offsets of buffers in the arena.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from tritonflow import errors
from tritonflow.device.program import Check, Gap
from tritonflow.device.program_family import ProgramFamily
from tritonflow.device.provider import Program, Provider
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.canonical import scalars_of
from tritonflow.graph.ir.numbers import Numbers
from tritonflow.graph.plan.bound_step import FOLDED, Base, BoundStep, GraphMemory, table_of, word_of
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.schedule import Schedule, ScheduledOperand, WhoRuns
from tritonflow.ops.plan import who_runs
from tritonflow.vm.failure import describe

ArenaOf = Callable[[Sequence[Any]], tuple[int, Mapping[int, int]]]


class BoundSchedule:
    """A schedule bound to a graph.

    Args:
        graph: whose inputs, outputs, states and numbers the schedule counts.
        provider: of the device where it runs.
        schedule: what to run.
        steps: its steps, bound, and the memory that they are bound to; bound here unless given.
        arena: for the numbers of a run the bytes of the arena, and the offsets of its buffers, by their numbers.

    Attributes:
        states, written: of the graph, and those of them that a run writes.
        inputs, outputs, scalars: how many inputs there are; the metas of the outputs; what evaluates each run-time number.
        tables: the rows of each table of addresses.
        steps: the launches of each step, with gaps.
        communicates: whether some are steps of the wire.
        folds: the states that launches of folded values read.
    """

    def __init__(
        self,
        graph: Graph,
        provider: Provider,
        schedule: Schedule,
        steps: tuple[GraphMemory, Sequence[BoundStep]] | None = None,
        arena: ArenaOf | None = None,
    ) -> None:
        self.graph, self.provider, self.schedule, self.arena = graph, provider, schedule, arena or self._whole
        self.is_sized = arena is not None
        self._memory, self._steps = steps or _bound(graph, schedule)
        self.states = self._memory.states
        self.written = [self.states[number] for number in schedule.written]
        self.inputs = len(graph.inputs)
        self.outputs = [value.meta for value in graph.outputs]
        self.scalars = [scalar.evaluate for scalar in scalars_of(graph)]
        self.steps = [step.group.launches for step in self._steps]
        self.tables = [step.table for step in self._steps if step.table is not None]
        self._checks = [step.check for step in schedule.steps if step.check is not None]
        self._words = [word_of(step.number) for step in self._steps if step.step.check is not None]
        self._table_bases = [table_of(step.number) for step in self._steps if step.table is not None]
        self._numbers, self._addresses, self._who = dict[int, Any](), dict[int, Any](), dict[int, WhoRuns]()
        for step in self._steps:
            self._numbers.update(step.numbers)
            self._addresses.update(step.addresses)
            self._who.update(step.who)
        self.communicates = any(step.flight is not None for step in self._steps)
        self.folds = [self.states[number] for number in _read_by_folded(schedule)]
        self._forms: list[Any] = []
        self._short: Any = None  # the form without folded launches

    def _whole(self, numbers: Sequence[Any]) -> tuple[int, Mapping[int, int]]:
        return self.schedule.arena, {0: 0}

    def checks(self, at: Numbers) -> list[Check]:
        """What the error words mean in a run with these numbers."""
        found = []
        for check in self._checks:
            source_line = self.graph.nodes[check.node].source_line
            assert source_line is not None
            found.append(Check(at.of(check.message), getattr(errors, check.error), partial(describe, source_line)))
        return found

    def values(
        self, numbers: Sequence[Any], words: int, arena: int, offsets: Mapping[int, int], tables: Sequence[int], folded: int = 0
    ) -> list[Any]:
        """What the gaps are filled with.

        Args:
            numbers: of the run.
            words, arena, tables, folded: addresses of error words, arena, tables and folded values.
            offsets: of the buffers, by their numbers.
        """
        values: list[Any] = [0] * self._memory.count
        bases: dict[Base, int] = {number: arena + offset for number, offset in offsets.items()}
        bases[FOLDED] = folded
        bases.update({word: words + 4 * position for position, word in enumerate(self._words)})
        bases.update(zip(self._table_bases, tables))
        for gap, number in self._numbers.items():
            values[gap] = number.evaluate(numbers)
        for gap, (base, offset) in self._addresses.items():
            values[gap] = bases[base] + (values[offset.number] if offset.__class__ is Gap else offset)

        def at(number: Any) -> Any:
            return values[number.number] if number.__class__ is Gap else number

        for gap, (asynchronous, elements, works, grids) in self._who.items():
            filled = [(at(work), kernel, [*map(at, grid)]) for work, kernel, grid in grids]
            values[gap] = who_runs(asynchronous, at(elements), [*map(at, works)], filled)[0]
        return values

    def program(self, values: Sequence[Any], family: ProgramFamily, check: Callable[[], None]) -> Program:
        """The program with these numbers for its gaps.

        Args:
            family: of all programs of the graph.
            check: raises what kernels have found wrong so far.
        """
        if self.communicates:
            return self._stretches(values, check)
        if not self._forms:
            self._forms = [self.provider.program_form([step.group for step in self._steps], family)]
        return self._forms[0].filled(values)  # type: ignore[no-any-return]

    def short_program(self, values: Sequence[Any], family: ProgramFamily) -> Program:
        """The program without the launches that write folded values."""
        if self._short is None:
            self._short = self.provider.program_form([step.rest for step in self._steps], family)
        return self._short.filled(values)  # type: ignore[no-any-return]

    def _stretches(self, values: Sequence[Any], check: Callable[[], None]) -> Program:
        from tritonflow.graph.plan.stretches import FlightForm, Stretches, parted  # programs on one rank need no wire

        if not self._forms:
            for part in parted(self._steps):
                groups, flight = [step.group for step in part], part[0].flight
                form = FlightForm(flight) if flight else self.provider.program_form(groups, ProgramFamily())
                self._forms.append(form)
        return Stretches([form.filled(values) for form in self._forms], self.provider, check)


def _read_by_folded(schedule: Schedule) -> list[int]:
    """The numbers of the states that folded launches read."""
    launches = [launch for step in schedule.steps for launch in step.launches if launch.folded]
    operands = [each for launch in launches for each in launch.arguments if isinstance(each, ScheduledOperand)]
    return sorted({each.number for each in operands if each.kind is MemoryKind.STATE})


def _bound(graph: Graph, schedule: Schedule) -> tuple[GraphMemory, list[BoundStep]]:
    memory = GraphMemory(graph)
    return memory, [BoundStep(number, step, memory) for number, step in enumerate(schedule.steps)]
