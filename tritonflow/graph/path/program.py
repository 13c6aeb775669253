"""The program of a call that looks at numbers: its parts run, numbers are read between them, and each must decide as it did."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from tritonflow.binding.data_exchange import tolist
from tritonflow.errors import TritonflowError
from tritonflow.framework.runtime_scalar import values_of
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.reads import Read
from tritonflow.graph.explain import Explanation
from tritonflow.graph.ir import Graph, Value
from tritonflow.graph.ir.canonical import NotCanonicalError, graph_text, scalars_of
from tritonflow.graph.ir.concrete import OtherProgramError
from tritonflow.graph.path.part_program import PartMaker, PartProgram, SizedPart
from tritonflow.graph.path.parts import Part, split
from tritonflow.graph.watch.contents import alike

Evaluate = Callable[[Sequence[Any]], Any]
_CALL = -1  # stands for the call's own tensors where the number of a part stands for what that has made


@dataclass
class PathStep:
    """A part of a path.

    Attributes:
        program: what runs, if anything.
        given: where its inputs are: the number of the part that made each, and of the output.
        scalars: the run-time numbers of its ops.
        reads: where the tensors are whose elements are read.
        guards: what these must give, for the path to go on as it was captured, behind the last number that each needs.
        lines: what looks at them, for people.
    """

    program: PartProgram | None
    given: list[tuple[int, int]]
    scalars: list[Evaluate]
    reads: list[tuple[int, int]]
    guards: list[tuple[int, Evaluate, Any]]
    lines: list[str]


class Walk:
    """A run on its way.

    Attributes:
        tables: the tensors of the call, and behind them what each part has made.
        numbers: of the call, and those that were read.
        lifted: the slots whose values are among them.
        steps: that are done.
        used: the run-time numbers of each part.
        results: of the path, once all is done.
    """

    results: list[Tensor]

    def __init__(self, numbers: Sequence[Any], lifted: Sequence[Any] = ()) -> None:
        self.lifted = lifted
        self.tables: list[Sequence[Tensor]] = [()]
        self.numbers = [*numbers]
        self._first = len(numbers)
        self._decided: int | None = None
        self.steps: list[PathStep] = []
        self.used: list[tuple[Any, ...]] = []

    @property
    def called(self) -> list[Any]:
        """The numbers of the call."""
        return self.numbers[: self._first]

    @property
    def read(self) -> list[Any]:
        """The numbers that were read, up to one that has decided otherwise: behind that, the program may read others."""
        return self.numbers[self._first : self._decided]

    def decide_at(self, position: int) -> None:
        """Note that the number there has decided otherwise than in the path so far."""
        self._decided = position + 1

    def do(self, step: PathStep) -> None:
        """Run a part, and read."""
        tables, numbers, self._decided = self.tables, self.numbers, None
        scalars = tuple(values_of(step.scalars, numbers))
        given = [tables[part + 1][number] for part, number in step.given]
        tables.append([] if step.program is None else self._run(step.program, given, scalars))
        self.steps.append(step)
        self.used.append(scalars)
        for part, number in step.reads:
            numbers += _flat(tolist(tables[part + 1][number]))

    def _run(self, program: PartProgram, given: Sequence[Tensor], scalars: Sequence[Any]) -> list[Tensor]:
        """Run what is right for the numbers so far.

        Raises:
            OtherWayError: nothing is.
        """
        try:
            part = program.at(self.numbers)
        except OtherProgramError:
            raise OtherWayError(self) from None
        if part.pinned and not part.is_for(scalars):
            raise OtherWayError(self)
        return part.compiled.executable.run(given, self.numbers, scalars)


class OtherWayError(Exception):
    """A number that was read decides otherwise than it did when the path was captured. Nothing was written.

    Attributes:
        walk: what has been done.
    """

    def __init__(self, walk: Walk) -> None:
        super().__init__("a number that was read is another one")
        self.walk = walk


class PathProgram:
    """A captured graph with reads, as a program.

    Args:
        graph: it itself.
        reads: what the program looks at, in order.
        guards: what must give what it gave, behind the position of the last number that it needs.
        known: programs of other paths, for parts that they have in common.
        programs: makes what makes the programs of a part.
        owners: whose gradients are the graph's last inputs.
        numbers: that the capture had, and has read.
        lifted: the slots whose values are arguments of the program, by their keys.

    Attributes:
        numbers, lifted: as above.
        before: the graph as it was captured.
        steps: the parts.
        results: where the results are: the number of the part that made each, and of the output.
        states: the impls of the eager tensors that it reads or writes.
        runs: how often it has come to its end.
    """

    def __init__(
        self,
        graph: Graph,
        reads: Sequence[Read],
        guards: Sequence[tuple[int, Evaluate, Any]],
        known: Sequence[PathProgram],
        programs: Callable[[Graph], PartMaker],
        owners: Sequence[Any],
        numbers: Sequence[Any],
        lifted: Sequence[Any],
    ) -> None:
        self.numbers, self._first, self.lifted = numbers, reads[0].first, lifted
        self.runs = 0
        self.before = graph
        self.states = [state.impl for state in graph.states]
        self.steps: list[PathStep] = []
        parts = split(graph, reads)
        places = {value: (_CALL, number) for number, value in enumerate(graph.inputs)}
        names: dict[Value, Any] = dict(places)
        names.update(zip(graph.inputs[len(graph.inputs) - len(owners) :], [("gradient", owner) for owner in owners]))
        for position, part in enumerate(parts):
            key, scalars = _key(part, names), scalars_of(part.graph())
            program = None if part is parts[-1] else self._found(known, key, [scalar.value for scalar in scalars])
            if program is None and (part.handed or part.states):
                program = PartProgram(part, key, programs)
            given = [places[value] for value in part.given]
            handed = [] if program is None or part is parts[-1] else program.hand_over(part)
            places.update((value, (position, number)) for value, number in zip(part.handed, handed))
            own = [guard for guard in guards if any(read.first <= guard[0] < read.stop for read in part.reads)]
            self.steps.append(
                PathStep(
                    program,
                    given,
                    [scalar.evaluate for scalar in scalars],
                    [places[read.value] for read in part.reads],
                    own,
                    [read.line for read in part.reads],
                )
            )
            names.update((value, (position, number)) for number, value in enumerate(part.made))
        late, numbered = set(parts[-1].handed), count()
        self.results = [(len(parts) - 1, next(numbered)) if value in late else places[value] for value in graph.outputs]

    @property
    def graph(self) -> Graph:
        """The graph as it was captured: each part has passes of its own."""
        return self.before

    @property
    def executable(self) -> PathProgram:
        """It runs itself."""
        return self

    @property
    def launches(self) -> int:
        """How many kernels its parts launch."""
        return sum(part.compiled.executable.launches for part in self._parts())

    @property
    def arena_bytes(self) -> int:
        """The memory that its parts need besides inputs, results and what they hand over."""
        return sum(part.compiled.executable.arena_bytes for part in self._parts())

    @property
    def nbytes(self) -> int:
        """The memory that the programs of its parts take, for all sizes that they have met."""
        return sum(step.program.nbytes for step in self.steps if step.program is not None)

    def _parts(self) -> list[SizedPart]:
        """The parts for the numbers of the capture."""
        return [step.program.at(self.numbers) for step in self.steps if step.program is not None]

    def explain(
        self, name: str, inputs: Sequence[Tensor], numbers: Sequence[Any], names: Mapping[Any, str]
    ) -> Explanation:
        """What its parts run, each measured with zeros, and with the numbers that the capture has read."""
        programs = [step.program for step in self.steps if step.program is not None]
        first, *rest = [
            program.explain(name if not k else f"{name}, behind {k} looks at numbers", self.numbers, names)
            for k, program in enumerate(programs)
        ]
        first.parts = rest
        return first

    def _found(self, known: Sequence[PathProgram], key: Any, scalars: Sequence[Any]) -> PartProgram | None:
        """The program that another path has for the same part behind the same parts."""
        position = len(self.steps)
        own = [step.program for step in self.steps]
        for path in known if key is not None else ():
            begins_alike = path.has_the_arguments_of(self) and [step.program for step in path.steps[:position]] == own
            if begins_alike and len(path.steps) > position + 1:
                program = path.steps[position].program
                if program is not None and program.key == key and _runs(program, self.numbers, scalars):
                    return program
        return None

    def run(
        self,
        tensors: Sequence[Tensor],
        numbers: Sequence[Any],
        walk: Walk | None = None,
        at_last: Callable[[Sequence[Any]], Any] | None = None,
    ) -> Walk:
        """Run, from the beginning, or from where another path has come to.

        Args:
            at_last: called with all numbers before the last part, which may write states; raises `OtherProgramError` if what
                belongs to the program is not right for these.

        Raises:
            OtherWayError: a number that was read decides otherwise.
        """
        walk = walk or Walk(numbers, self.lifted)
        walk.tables[0] = tensors
        last = len(self.steps) - 1
        for position in range(len(walk.steps), len(self.steps)):
            if position == last and at_last is not None:
                self._look_ahead(walk, at_last)
            try:
                walk.do(self.steps[position])
            except TritonflowError as error:
                error.changed_nothing = error.changed_nothing or position + 1 < len(self.steps)
                raise
            other = self._first_other(position, walk.numbers)
            if other is not None:
                walk.decide_at(other)
                raise OtherWayError(walk)
        walk.results = [walk.tables[part + 1][number] for part, number in self.results]
        self.runs += 1
        return walk

    def _look_ahead(self, walk: Walk, at_last: Callable[[Sequence[Any]], Any]) -> None:
        try:
            at_last(walk.numbers)
        except OtherProgramError:
            raise OtherWayError(walk) from None

    def goes_on(self, position: int, numbers: Sequence[Any]) -> bool:
        """Whether what was read behind a part decides as it did."""
        return self._first_other(position, numbers) is None

    def _first_other(self, position: int, numbers: Sequence[Any]) -> int | None:
        """The position of the last number that the first decision needs which is another one now."""
        for last, evaluate, value in self.steps[position].guards:
            try:
                if ((now := evaluate(numbers)) != value or not now) and not alike(now, value):
                    return last
            except ArithmeticError:  # as where something is divided by a count that is 0 now
                return last
        return None

    def outcome(self, position: int) -> tuple[Any, ...]:
        """What the numbers that are read behind a part have decided."""
        return tuple([value for _, _, value in self.steps[position].guards])

    def has_the_arguments_of(self, other: PathProgram) -> bool:
        """Whether tensors and numbers of a call have the positions that they have for another path."""
        return self.lifted == other.lifted and self._first == other._first

    def begins_as(self, walk: Walk) -> bool:
        """Whether it looks at the same numbers up to where a run has come."""
        own = [(step.program, step.reads) for step in self.steps[: len(walk.steps)]]
        return own == [(step.program, step.reads) for step in walk.steps]

    def follows(self, walk: Walk, numbers: Sequence[Any]) -> bool:
        """Whether a run that has come so far, on another path, is on this one, too.

        Args:
            numbers: of the call, as one of this path.
        """
        done = len(walk.steps)
        if done >= len(self.steps) or self.lifted != walk.lifted or not alike((*walk.called,), (*numbers,)):
            return False
        for position, (step, used) in enumerate(zip(walk.steps, walk.used)):
            own = self.steps[position]
            if own.program is not step.program or own.reads != step.reads or not self.goes_on(position, walk.numbers):
                return False
            if own is not step and not _alike_now(own.scalars, walk.numbers, used):
                return False
        asked = [*self.results, *[where for step in self.steps[done:] for where in (*step.given, *step.reads)]]
        return all(number < len(walk.tables[part + 1]) for part, number in asked if _CALL < part < done)


def _alike_now(scalars: Sequence[Evaluate], numbers: Sequence[Any], used: tuple[Any, ...]) -> bool:
    """Whether run-time scalars are what another path had."""
    try:
        return alike(tuple([evaluate(numbers) for evaluate in scalars]), used)
    except ArithmeticError:
        return False


def _runs(program: PartProgram, numbers: Sequence[Any], scalars: Sequence[Any]) -> bool:
    """Whether the program of a part is right for these numbers and run-time scalars."""
    try:
        return program.at(numbers).is_for(scalars)
    except OtherProgramError:
        return False


def last_of(evaluate: Evaluate, numbers: Sequence[Any]) -> int:
    """The position of the last number of a run that something is computed of; -1 if it needs none."""
    asked = _Asked(numbers)
    evaluate(asked)
    return asked.last


class _Asked(list[Any]):
    """Numbers that note which of them are asked for."""

    last = -1

    def __getitem__(self, position: Any) -> Any:
        self.last = max(self.last, position)
        return super().__getitem__(position)


def _key(part: Part, names: dict[Value, Any]) -> Any:
    """What is equal for parts of which one may run for the other; None if that is not known."""
    try:
        graph = part.graph()
        text = graph_text(Graph(graph.inputs, graph.states, graph.nodes, (), graph.segments))
    except NotCanonicalError:
        return None
    return text, tuple([names[value] for value in part.given]), tuple([state.impl for state in part.states])


def _flat(elements: Any) -> list[Any]:
    """The elements of nested lists, in order."""
    return [x for each in elements for x in _flat(each)] if isinstance(elements, list) else [elements]
