"""A part of a captured graph as a program, which all paths through it have in common."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple, Protocol

from tritonflow import _C
from tritonflow.framework.expression import Atom, position_of
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.guards import Guards
from tritonflow.graph.explain import Explanation
from tritonflow.graph.ir import Graph, Value
from tritonflow.graph.ir.canonical import scalars_of
from tritonflow.graph.path.parts import Part
from tritonflow.graph.plan.executable import Executable

MOST_SIZES = 512


class Compiled(Protocol):
    """A graph on its way to an executable."""

    @property
    def before(self) -> Graph:
        """As it was captured."""

    @property
    def executable(self) -> Executable:
        """What runs."""

    def explain(
        self, name: str, inputs: Sequence[Tensor], numbers: Sequence[Any], names: Mapping[Any, str]
    ) -> Explanation:
        """What it runs, measured."""


class PartMaker(Protocol):
    """Makes the programs of a graph: one, or one for each sizes."""

    def at(self, numbers: Sequence[Any], guards: Guards) -> Compiled:
        """The program for the numbers of a run; `guards` get those that passes pin."""

    def symbols(self) -> set[Atom]:
        """The sizes that differ."""


class SizedPart(NamedTuple):
    """A part for some sizes.

    Attributes:
        compiled: its program.
        pinned: by their numbers, run-time scalars for whose values alone that is right.
    """

    compiled: Compiled
    pinned: dict[int, Any]

    def is_for(self, scalars: Sequence[Any]) -> bool:
        """Whether it is right for these values of the run-time scalars."""
        return all(scalars[number] == value for number, value in self.pinned.items())


class PartProgram:
    """What runs for a part.

    It hands over what the first path wanted of it. A path that wants more has it compiled anew, and what was handed over before has
    the number that it had.

    Args:
        part: of the path that was captured first.
        key: what parts of other paths are compared by.
        programs: makes what makes its programs.

    Attributes:
        key: as above.
    """

    def __init__(self, part: Part, key: Any, programs: Callable[[Graph], PartMaker]) -> None:
        self.key = key
        self._make = programs
        self._graph = part.graph()
        self._values = _values(part)
        self._handed = {self._values[value]: number for number, value in enumerate(part.handed) if value in self._values}
        self._build()

    def hand_over(self, part: Part) -> list[int]:
        """The numbers of the outputs that are what an equal part hands over."""
        values = _values(part)
        wanted = [values[value] for value in part.handed]
        new = [each for each in dict.fromkeys(wanted) if each not in self._handed]
        if new:
            own = {number: value for value, number in self._values.items()}
            self._handed.update(zip(new, count(len(self._graph.outputs))))
            self._graph = replace(self._graph, outputs=[*self._graph.outputs, *[own[each] for each in new]])
            self._build()
        return [self._handed[each] for each in wanted]

    @property
    def nbytes(self) -> int:
        """The memory that its programs take."""
        return sum(part.compiled.executable.nbytes for part in self._sized.values())

    def symbols(self) -> set[Atom]:
        """The sizes for each of which it has a program."""
        return self._programs.symbols()

    def at(self, numbers: Sequence[Any]) -> SizedPart:
        """The part for the sizes among the numbers of a run.

        Raises:
            OtherProgramError: an op makes of these sizes what it did not make of those that were captured.
        """
        sizes = tuple([numbers[position] for position in self._positions])
        sized = self._sized  # of these programs: another thread may have them built anew meanwhile
        found = sized.get(sizes)
        if found is None:
            guards = Guards()
            compiled = self._programs.at(numbers, guards)
            scalars = {id(scalar): number for number, scalar in enumerate(scalars_of(self._graph))}
            pinned = {scalars[id(scalar)]: scalar.value for scalar in guards.scalars if id(scalar) in scalars}
            compiled.executable  # noqa: B018
            found = sized[sizes] = SizedPart(compiled, pinned)
            if len(sized) > MOST_SIZES:
                sized.popitem(last=False)
        return found

    def explain(self, name: str, numbers: Sequence[Any], names: Mapping[Any, str]) -> Explanation:
        """What it runs, measured with zeros."""
        compiled = self.at(numbers).compiled
        zeros = [_C.zeros(v.meta.shape, dtype=v.meta.dtype, device=v.meta.device) for v in compiled.before.inputs]
        return compiled.explain(name, zeros, numbers, names)

    def _build(self) -> None:
        self._programs = self._make(self._graph)
        self._positions = sorted(map(position_of, self._programs.symbols()))
        self._sized: OrderedDict[tuple[Any, ...], SizedPart] = OrderedDict()


def _values(part: Part) -> dict[Value, int]:
    """The values of a part, by which equal parts have equal numbers."""
    found = dict.fromkeys([*part.given, *[state.value for state in part.states], *part.made])
    return {value: number for number, value in enumerate(found)}
