"""A schedule bound to a graph's memory: a program in which numbers are missing.

Of every program it is not known where its own memory lies: arena, tables of addresses, error words. Of one for many sizes, numbers
of a run are missing, too: grids, sizes, and the offsets of buffers in the arena.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tritonflow import errors
from tritonflow.device.program import Check, Gap, Live, ProgramLaunch
from tritonflow.device.program_family import ProgramFamily
from tritonflow.device.provider import Program, ProgramForm, Provider
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.symbolic_int import SymbolicInt
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.canonical import scalars_of
from tritonflow.graph.ir.numbers import Numbers
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.schedule import Schedule, ScheduledOperand, ScheduledStep, WhoRuns
from tritonflow.ops.plan import who_runs
from tritonflow.vm.failure import describe

ArenaOf = Callable[[Sequence[Any]], tuple[int, Sequence[int]]]
_WORDS, _ARENA = 0, 1  # numbers of bases: of the error words, and of the first buffer


class BoundSchedule:
    """A schedule bound to a graph.

    Args:
        graph: whose inputs, outputs, states and numbers the schedule counts.
        provider: of the device where it runs.
        schedule: what to run.
        buffers: into how many the arena is divided.
        arena: for the numbers of a run the bytes of the arena, and the offsets of its buffers.

    Attributes:
        states, written: of the graph, and those of them that a run writes.
        inputs, outputs, scalars: how many inputs there are; the metas of the outputs; what evaluates each run-time number.
        tables: the rows of each table of addresses.
        steps: the launches of each step, with gaps.
    """

    def __init__(
        self, graph: Graph, provider: Provider, schedule: Schedule, buffers: int = 1, arena: ArenaOf | None = None
    ) -> None:
        self.graph, self.provider, self.schedule, self.arena = graph, provider, schedule, arena or self._whole
        self.is_sized = arena is not None
        self.states = [state.impl for state in graph.states]
        self.written = [self.states[number] for number in schedule.written]
        self.inputs = len(graph.inputs)
        self.outputs = [value.meta for value in graph.outputs]
        self.scalars = [scalar.evaluate for scalar in scalars_of(graph)]
        self.tables: list[list[Any]] = []
        self._checks = [step.check for step in schedule.steps if step.check is not None]
        self._buffers = buffers
        self._count = 0  # of the gaps
        self._numbers: dict[Any, tuple[Any, int]] = {}  # numbers of sizes, and their gaps
        self._addresses: dict[tuple[int, Any], int] = {}  # numbers of bases and offsets, and their gaps
        self._who: dict[int, tuple[int, WhoRuns]] = {}  # by identity, and its gap
        self._word = 0
        self.steps = [self._step(step) for step in schedule.steps]
        self._form: ProgramForm | None = None

    def _whole(self, numbers: Sequence[Any]) -> tuple[int, Sequence[int]]:
        return self.schedule.arena, (0,)

    # ---- for the numbers of a run

    def checks(self, at: Numbers) -> list[Check]:
        """What the error words mean."""
        found = []
        for check in self._checks:
            source_line = self.graph.nodes[check.node].source_line
            assert source_line is not None
            found.append(Check(at.of(check.message), getattr(errors, check.error), partial(describe, source_line)))
        return found

    def values(self, numbers: Sequence[Any], words: int, arena: int, offsets: Sequence[int], tables: Sequence[int]) -> list[Any]:
        """What the gaps are filled with.

        Args:
            numbers: of the run.
            words, arena, tables: addresses of error words, arena and tables.
            offsets: of the buffers.
        """
        values: list[Any] = [0] * self._count
        bases = [words, *[arena + offset for offset in offsets], *tables]
        for value, gap in self._numbers.values():
            values[gap] = value.evaluate(numbers)
        for (base, offset), gap in self._addresses.items():
            values[gap] = bases[base] + (values[offset.number] if isinstance(offset, Gap) else offset)

        def at(number: Any) -> Any:
            return values[number.number] if number.__class__ is Gap else number

        for gap, (asynchronous, elements, works, grids) in self._who.values():
            filled = [(at(work), kernel, [*map(at, grid)]) for work, kernel, grid in grids]
            values[gap] = who_runs(asynchronous, at(elements), [*map(at, works)], filled)[0]
        return values

    def program(self, values: Sequence[Any], family: ProgramFamily) -> Program:
        """The program with these numbers for its gaps.

        Args:
            family: of all programs of the graph.
        """
        if self._form is None:
            self._form = self.provider.program_form([launch for step in self.steps for launch in step], family)
        return self._form.filled(values)

    # ---- with gaps

    def _step(self, step: ScheduledStep) -> list[ProgramLaunch]:
        word: Any = 0
        if step.check is not None:
            word = self._address(_WORDS, 4 * self._word)
            self._word += 1
        table = _ARENA + self._buffers + len(self.tables)

        def number(value: Any) -> Any:
            return self._operand(value, word, table) if isinstance(value, ScheduledOperand) else self._number(value)

        inline = self._inline(step.inline) if isinstance(step.inline, WhoRuns) else step.inline
        if step.table is not None:
            self.tables.append(list(map(number, step.table)))
        return [
            ProgramLaunch(
                each.kernel, tuple(map(self._number, each.grid)), tuple(map(number, each.arguments)),
                tuple(map(self._number, each.sizes)), inline, word,
            )
            for each in step.launches
        ]  # fmt: skip

    def _gap(self) -> int:
        self._count += 1
        return self._count - 1

    def _number(self, value: Any) -> Any:
        is_symbolic = type(value) is SymbolicInt
        if not is_symbolic and not isinstance(value, RuntimeScalar):
            return value
        key = value.expression if is_symbolic else id(value)
        if key not in self._numbers:
            self._numbers[key] = value, self._gap()
        return Gap(self._numbers[key][1])

    def _address(self, base: int, offset: Any) -> Gap:
        key = base, offset
        if key not in self._addresses:
            self._addresses[key] = self._gap()
        return Gap(self._addresses[key])

    def _operand(self, operand: ScheduledOperand, word: Any, table: int) -> Any:
        kind, number, offset = operand
        if kind is MemoryKind.STATE:
            return self._number(self.states[number].block.ptr + offset)
        offset = self._number(offset)
        if kind is MemoryKind.ARENA:
            return self._address(_ARENA + number, offset)
        if kind is MemoryKind.TABLE:
            return self._address(table, offset)
        if kind is MemoryKind.ERROR_WORD:
            return word
        if kind is MemoryKind.SCALAR:
            return Live(self.inputs + len(self.outputs) + number)
        return Live(number + (self.inputs if kind is MemoryKind.OUTPUT else 0), offset)

    def _inline(self, who: WhoRuns) -> Gap:
        found = self._who.get(id(who))
        if found is None:
            number = self._number
            grids = tuple([(number(work), kernel, tuple(map(number, grid))) for work, kernel, grid in who.grids])
            own = WhoRuns(who.asynchronous, number(who.elements), tuple(map(number, who.works)), grids)
            found = self._who[id(who)] = self._gap(), own
        return Gap(found[0])
