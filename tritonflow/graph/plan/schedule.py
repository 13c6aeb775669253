"""What a run of a graph does, as plain data: kernels in order, and where the operands of each lie.

Passes and planners make it, or it is read from disk (`schedule_cache.py`); `executable.py` binds it to memory. Inputs, outputs,
states, run-time scalars and source lines have their numbers in the captured graph, which another process captures again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tritonflow import errors
from tritonflow.device.provider import CompiledKernel, Provider
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.ir import CollectiveDone, CollectiveStart, Graph, Value
from tritonflow.graph.ir.canonical import scalars_of
from tritonflow.graph.ir.numbers import Numbers
from tritonflow.graph.plan.memory import Location, MemoryLayout, Step
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.progress import Progress
from tritonflow.ops.multi_tensor import ADDRESSES, address_plan
from tritonflow.ops.operands import NOT_GIVEN, Argument
from tritonflow.ops.plan import Plan, PlannedLaunch, compile_all, who_runs

if TYPE_CHECKING:
    from tritonflow.wire.verbs import Verb


class ScheduledOperand(NamedTuple):
    """An argument that is not the same number in every process.

    Attributes:
        kind: where it lies.
        number: of the input, output, state or scalar, counted as in the captured graph; for many sizes, of the buffer of the arena.
        offset: of an address, in bytes from the beginning of that memory.
    """

    kind: MemoryKind
    number: int = 0
    offset: int = 0


Number = ScheduledOperand | int | float


class ScheduledLaunch(NamedTuple):
    """One launch: its name for people, the kernel, and its run-time arguments, of which the sizes stand behind the others.

    One that is `folded` writes what later runs find there.
    """

    name: str
    kernel: Any
    grid: tuple[int, int, int]
    arguments: tuple[Number, ...]
    sizes: tuple[int | float, ...]
    folded: bool = False


class ScheduledCheck(NamedTuple):
    """What it means that a step has set its error word: text and class of the error, and the node whose line it names."""

    message: Any
    error: str
    node: int


class WhoRuns(NamedTuple):
    """For many sizes, what says whether launches run in the calling thread: the arguments of `who_runs`."""

    asynchronous: bool
    elements: Any
    works: tuple[Any, ...]
    grids: tuple[Any, ...]


class ScheduledFlight(NamedTuple):
    """The start of a collective, or its done.

    Attributes:
        number: which one of the program's, in the order in which they start.
        sent, received: the buffers of a start.
        verb, what: of a start: what this rank does in it, and for people; None: it is the done.
    """

    number: int
    sent: Number = 0
    received: Number = 0
    verb: Verb | None = None
    what: str = ""

    @property
    def name(self) -> str:
        """For people."""
        return "wait" if self.verb is None else f"{self.verb.name}, {self.what}"


class ScheduledStep(NamedTuple):
    """The launches of one plan; or a step of the wire, without launches.

    Attributes:
        inline: whether they run in the calling thread.
        check: of the error word that a kernel of them may set.
        table: the rows of the table of addresses that its kernels read.
        flight: what it does on the wire.
    """

    launches: tuple[ScheduledLaunch, ...]
    inline: bool | WhoRuns
    check: ScheduledCheck | None = None
    table: tuple[Number, ...] | None = None
    flight: ScheduledFlight | None = None


class Schedule(NamedTuple):
    """What a run does. That of a program for many sizes has symbolic integers, and addresses in buffers of the arena.

    Attributes:
        arena: its bytes.
        written: the numbers of the states that are written.
        steps: in order.
        written_early: the numbers of the states that may be written before the last check.
        folded: the bytes of folded values.
    """

    arena: int
    written: tuple[int, ...]
    steps: tuple[ScheduledStep, ...]
    written_early: tuple[int, ...] = ()
    folded: int = 0

    def at(self, numbers: Sequence[Any], arena: int, offsets: Mapping[int, int]) -> Schedule:
        """The schedule for the numbers of a run, with so many bytes between its steps, and with these offsets of its buffers."""
        of = Numbers(numbers).of

        def number(value: Any) -> Number:
            if not isinstance(value, ScheduledOperand):
                return of(value)  # type: ignore[no-any-return]
            kind, buffer, offset = value
            in_arena = kind is MemoryKind.ARENA
            return ScheduledOperand(kind, 0 if in_arena else buffer, of(offset) + (offsets[buffer] if in_arena else 0))

        def step(each: ScheduledStep) -> ScheduledStep:
            launches = [
                ScheduledLaunch(one.name, one.kernel, of(one.grid), tuple(map(number, one.arguments)), of(one.sizes), one.folded)
                for one in each.launches
            ]
            inline = who_runs(*of(tuple(each.inline)))[0] if isinstance(each.inline, WhoRuns) else each.inline
            check = None if each.check is None else each.check._replace(message=str(of(each.check.message)))
            flight = each.flight and each.flight._replace(sent=number(each.flight.sent), received=number(each.flight.received))
            table = None if each.table is None else tuple(map(number, each.table))
            return ScheduledStep(tuple(launches), inline, check, table, flight)

        return Schedule(arena, self.written, tuple(map(step, self.steps)), self.written_early, self.folded)


def schedule_of(layout: MemoryLayout, captured: Graph, provider: Provider) -> Schedule:
    """The schedule of a layout, its kernels compiled.

    Args:
        captured: the graph whose inputs, states, numbers and lines are counted; the layout is of what passes made of it.
    """
    compile_all(_plans_of(layout, provider), provider, Progress())
    scheduling = Scheduling(captured, provider)
    steps = []
    for step in layout.steps:
        launches = step.plan.program(provider.device)
        steps.append(scheduling.step(step, launches, step.plan.inline))
    return scheduling.whole(layout, steps, layout.arena)


class Scheduling:
    """Makes schedules of one captured graph.

    Args:
        captured: the graph whose inputs, states, numbers and lines are counted.
        provider: of the device where it runs.
    """

    def __init__(self, captured: Graph, provider: Provider) -> None:
        self._provider = provider
        self._scalars = {id(scalar): number for number, scalar in enumerate(scalars_of(captured))}
        self._flights: dict[Value, int] = {}  # by their tokens
        self._lines = {id(node.source_line): number for number, node in reversed(list(enumerate(captured.nodes)))}

    def whole(self, layout: MemoryLayout, steps: Sequence[ScheduledStep], arena: int) -> Schedule:
        """The schedule of a layout's steps, with so many bytes between them."""
        last = max((number for number, step in enumerate(steps) if step.check is not None), default=-1)
        early = [number for number, first in layout.written_from.items() if first <= last]
        return Schedule(arena, tuple(sorted(layout.written)), tuple(steps), tuple(sorted(early)), layout.folded)

    def step(self, step: Step, planned: Sequence[PlannedLaunch], inline: bool | WhoRuns) -> ScheduledStep:
        """A step whose plan has these launches, which the calling thread runs if they are `inline`."""
        plan = step.plan
        operands: list[Number] = [_operand(location) for location in step.locations]
        tensors = len(plan.inputs) + len(plan.outputs)
        table = _table_of(step)
        launches: list[ScheduledLaunch] = []
        if table is not None:
            operands[tensors:] = _tables(plan)
            launches += _address_launches(table, self._provider)
            table = [0 if _moves(number) else number for number in table]
        operands += [_number(value, self._scalars) for value in step.dynamic]
        launches += _launches(planned, operands, step)
        check = None
        if plan.index_check is not None:
            assert step.node is not None and getattr(errors, plan.check_error.__name__) is plan.check_error
            check = ScheduledCheck(plan.index_check, plan.check_error.__name__, self._lines[id(step.node.source_line)])
        flight = self._flight(step.node, operands) if isinstance(step.node, (CollectiveStart, CollectiveDone)) else None
        return ScheduledStep(tuple(launches), inline, check, None if table is None else tuple(table), flight)

    def _flight(self, node: CollectiveStart | CollectiveDone, operands: Sequence[Number]) -> ScheduledFlight:
        if isinstance(node, CollectiveDone):
            return ScheduledFlight(self._flights[node.inputs[2]])  # type: ignore[index]
        number = self._flights.setdefault(node.token, len(self._flights))
        return ScheduledFlight(number, operands[0], operands[1], node.verb, node.what)


def _plans_of(layout: MemoryLayout, provider: Provider) -> Iterator[Plan]:
    """The plans of all launches: those of the steps, and those that write addresses into their tables."""
    for step in layout.steps:
        yield step.plan
        for plan, _ in _address_plans(_table_of(step) or [], provider):
            yield plan


def _table_of(step: Step) -> list[Number] | None:
    """The rows of the table of addresses that a step's kernels read, None if they read none."""
    inputs: list[Number] = [_operand(location) for location in step.locations[: len(step.plan.inputs)]]
    return step.plan.table(inputs)


def _launches(planned: Sequence[PlannedLaunch], operands: Sequence[Number], step: Step | None = None) -> list[ScheduledLaunch]:
    """The launches of a plan, run with these operands."""
    return [
        ScheduledLaunch(
            each.name, each.kernel, each.grid, tuple([_number_of(a, operands) for a in each.arguments]), each.sizes,
            step is not None and is_folded(each.lays_out, step),
        )
        for each in planned
    ]  # fmt: skip


def is_folded(lays_out: int | None, step: Step) -> bool:
    """Whether a launch, which lays out an operand in that workspace or in none, writes folded values: all of some steps do."""
    if step.folded or lays_out is None or step.plans is not None:
        return step.folded
    location = step.locations[len(step.plan.inputs) + len(step.plan.outputs) + lays_out]
    return location is not None and location.buffer.kind is MemoryKind.FOLDED


def _moves(number: Number) -> bool:
    """Whether an address is another one in every run."""
    return isinstance(number, ScheduledOperand) and number.kind in (MemoryKind.INPUT, MemoryKind.OUTPUT)


def _address_plans(table: Sequence[Number], provider: Provider) -> Iterator[tuple[Plan, list[int]]]:
    """The plans that write the addresses that move into a step's table, and the rows that each writes.

    It writes so many at a time, the last one again where fewer are left.
    """
    rows = [row for row, number in enumerate(table) if _moves(number)]
    for k in range(0, len(rows), ADDRESSES):
        some = rows[k : k + ADDRESSES]
        some += some[-1:] * (ADDRESSES - len(some))
        yield address_plan(len(table), provider.device, some), some


def _address_launches(table: Sequence[Number], provider: Provider) -> list[ScheduledLaunch]:
    """The launches of these plans."""
    found: list[ScheduledLaunch] = []
    for plan, rows in _address_plans(table, provider):
        operands = [*[table[row] for row in rows], ScheduledOperand(MemoryKind.TABLE)]
        found += _launches(plan.program(provider.device), operands)
    return found


def _operand(location: Location | None) -> Number:
    if location is None:
        return 0
    buffer = location.buffer
    return ScheduledOperand(buffer.kind, buffer.number, buffer.offset + location.offset)


def _tables(plan: Plan) -> list[Number]:
    """The workspaces of a plan that keeps them, one behind the other."""
    found: list[Number] = []
    offset = 0
    for count, dtype in plan.workspaces:
        found.append(ScheduledOperand(MemoryKind.TABLE, offset=offset))
        offset += count * dtype.itemsize
    return found


def _number(value: Any, scalars: dict[int, int]) -> Number:
    if isinstance(value, RuntimeScalar) and not value.of_sizes:
        return ScheduledOperand(MemoryKind.SCALAR, scalars[id(value)])
    return value  # type: ignore[no-any-return]


def _number_of(argument: Argument, operands: Sequence[Number]) -> Number:
    """What an argument of a launch is, where a run of the plan is given these operands."""
    if argument.position == NOT_GIVEN:
        return ScheduledOperand(MemoryKind.ERROR_WORD)
    operand, offset = operands[argument.position], argument.offset
    if type(offset) is int and not offset:
        return operand
    return (
        operand._replace(offset=operand.offset + offset) if isinstance(operand, ScheduledOperand) else operand + offset
    )


# ------------------------------------------------------------------------------------------------------------ as a text


def to_text(schedule: Schedule) -> str | None:
    """The schedule for `from_text`; None if a kernel of it is not to be found again.

    Raises:
        TypeError: a fixed number is no number.
    """
    kernels: dict[str, int] = {}

    def launch(each: ScheduledLaunch) -> Any:
        return each._replace(kernel=kernels.setdefault(each.kernel.reference, len(kernels)))

    steps = [step._replace(launches=[launch(each) for each in step.launches]) for step in schedule.steps]  # type: ignore[arg-type]
    if None in kernels:
        return None
    return json.dumps([list(kernels), schedule._replace(steps=steps)], default=_spelling, separators=(",", ":"))  # type: ignore[arg-type]


def _spelling(value: Any) -> str:
    """A kind of memory in a text; nothing else that is no number has one."""
    if isinstance(value, MemoryKind):
        return str(value.value)
    raise TypeError(f"a schedule on disk has no {value.__class__.__name__}")


def _from_text(kind: str, number: int, offset: int) -> ScheduledOperand:
    return ScheduledOperand(MemoryKind(kind), number, offset)


def from_text(text: str, load: Callable[[str], CompiledKernel | None]) -> Schedule | None:
    """The schedule of a text; None if `load` finds a kernel no more."""
    references, (arena, written, steps, early, folded) = json.loads(text)
    kernels = []
    for reference in references:
        kernel = load(reference)
        if kernel is None:
            return None
        kernels.append(kernel)

    def numbers(values: Any) -> tuple[Number, ...]:
        return tuple([_from_text(*value) if value.__class__ is list else value for value in values])

    def step(launches: Any, inline: bool, check: Any, table: Any, flight: Any) -> ScheduledStep:
        made = [
            ScheduledLaunch(name, kernels[kernel], tuple(grid), numbers(arguments), tuple(sizes), is_folded)
            for name, kernel, grid, arguments, sizes, is_folded in launches
        ]
        check = None if check is None else ScheduledCheck(*check)
        return ScheduledStep(tuple(made), inline, check, None if table is None else numbers(table), _flight_of(flight, numbers))

    return Schedule(arena, tuple(written), tuple([step(*each) for each in steps]), tuple(early), folded)


def _flight_of(text: Any, numbers: Callable[[Any], tuple[Number, ...]]) -> ScheduledFlight | None:
    """A step of the wire of a text."""
    if text is None:
        return None
    from tritonflow.wire.verbs import BufferPart, Verb  # programs on one rank need no wire

    number, sent, received, verb, what = text
    sent, received = numbers((sent, received))
    if verb is not None:
        name, ranks, sends, receives, together = verb
        sends, receives = (tuple([BufferPart(*part) for part in parts]) for parts in (sends, receives))
        verb = Verb(name, tuple(ranks), sends, receives, together)
    return ScheduledFlight(number, sent, received, verb, what)
