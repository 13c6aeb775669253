"""The launches of a step, bound to the memory of a graph: what differs from run to run, or from program to program, is a gap.

Gaps have one numbering for all steps of a graph. So steps with other plans, for other sizes, are put together to programs as they
are.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from tritonflow.device.program import Gap, LaunchGroup, Live, ProgramLaunch
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.symbolic_int import SymbolicInt
from tritonflow.graph.ir import Graph
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.schedule import ScheduledOperand, ScheduledStep, WhoRuns

Base = Hashable
"""Memory of a program's own: the number of a buffer of the arena, or a step's error word or table of addresses."""


FOLDED: Base = "folded"
"""The memory of folded values."""


def word_of(number: int) -> Base:
    """The error word of a step."""
    return "word", number


def table_of(number: int) -> Base:
    """The table of addresses of a step."""
    return "table", number


class BoundStep:
    """A step, bound.

    Args:
        number: of the step in its graph.
        step: what it runs.
        memory: of the graph, and the gaps that it has had so far.

    Attributes:
        number, step: as above.
        group: its launches, with gaps.
        rest: those of them that are not folded; the same group where none is.
        table: the rows of its table of addresses.
        flight: what it does on the wire, with gaps.
        numbers, addresses, who: what fills each gap: a number of sizes; an address, as a base and an offset; who runs launches.
    """

    def __init__(self, number: int, step: ScheduledStep, memory: GraphMemory) -> None:
        self.number, self.step = number, step
        self.numbers: dict[int, Any] = {}
        self.addresses: dict[int, tuple[Base, Any]] = {}
        self.who: dict[int, WhoRuns] = {}
        self._memory = memory
        word: Any = 0 if step.check is None else self._address(word_of(number), 0)

        def argument(value: Any) -> Any:
            return self._operand(value, word) if isinstance(value, ScheduledOperand) else self._number(value)

        inline = self._inline(step.inline) if isinstance(step.inline, WhoRuns) else step.inline
        self.table = None if step.table is None else list(map(argument, step.table))
        self.flight = step.flight and step.flight._replace(
            sent=argument(step.flight.sent), received=argument(step.flight.received)
        )
        self.group = LaunchGroup([
            ProgramLaunch(
                each.kernel, tuple(map(self._number, each.grid)), tuple(map(argument, each.arguments)),
                tuple(map(self._number, each.sizes)), inline, word,
            )
            for each in step.launches
        ])  # fmt: skip
        rest = [launch for launch, each in zip(self.group.launches, step.launches) if not each.folded]
        self.rest = self.group if len(rest) == len(step.launches) else LaunchGroup(rest)

    def _number(self, value: Any) -> Any:
        is_symbolic = type(value) is SymbolicInt
        if not is_symbolic and not isinstance(value, RuntimeScalar):
            return value
        return self._memory.gap(value.expression if is_symbolic else id(value), value, self.numbers)

    def _address(self, base: Base, offset: Any) -> Gap:
        return self._memory.gap((base, offset), (base, offset), self.addresses)

    def _operand(self, operand: ScheduledOperand, word: Any) -> Any:
        kind, number, offset = operand
        memory = self._memory
        if kind is MemoryKind.STATE:
            return self._number(memory.states[number].block.ptr + offset)
        offset = self._number(offset)
        if kind is MemoryKind.ARENA:
            return self._address(number, offset)
        if kind is MemoryKind.FOLDED:
            return self._address(FOLDED, offset)
        if kind is MemoryKind.TABLE:
            return self._address(table_of(self.number), offset)
        if kind is MemoryKind.ERROR_WORD:
            return word
        if kind is MemoryKind.SCALAR:
            return Live(memory.inputs + memory.outputs + number)
        return Live(number + (memory.inputs if kind is MemoryKind.OUTPUT else 0), offset)

    def _inline(self, who: WhoRuns) -> Gap:
        number = self._number
        grids = tuple([(number(work), kernel, tuple(map(number, grid))) for work, kernel, grid in who.grids])
        own = WhoRuns(who.asynchronous, number(who.elements), tuple(map(number, who.works)), grids)
        return self._memory.gap(own, own, self.who)


class GraphMemory:
    """What the steps of a graph are bound to.

    Attributes:
        states: of the graph.
        inputs, outputs: how many there are.
        count: how many gaps there are so far.
    """

    def __init__(self, graph: Graph) -> None:
        self.states = [state.impl for state in graph.states]
        self.inputs, self.outputs = len(graph.inputs), len(graph.outputs)
        self._gaps: dict[Any, int] = {}

    @property
    def count(self) -> int:
        return len(self._gaps)

    def gap(self, key: Any, value: Any, table: dict[int, Any]) -> Gap:
        """The gap for what has this key; what fills it is noted in a table."""
        number = self._gaps.setdefault(key, len(self._gaps))
        table[number] = value
        return Gap(number)
