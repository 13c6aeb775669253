"""A captured graph that looks at numbers, on its way to a program."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tritonflow.framework.expression import Atom, position_of
from tritonflow.framework.size_guards import Condition
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api.backward import Backward
from tritonflow.graph.api.compiled_graph import CompiledGraph
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.capture.guards import Guards
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.concrete import OtherProgramError
from tritonflow.graph.path.part_program import MOST_SIZES, PartMaker
from tritonflow.graph.path.program import PathProgram, last_of


class ReadingGraph:
    """Makes the program of a graph with reads: the interface of `OneGraph`. There is one for all sizes: its parts have several.

    What was asked of numbers that are read is asked in a run behind the read, so it is taken from the guards of the capture.

    Args:
        capture: of the graph.
        conditions: what was asked of sizes.
        owners: whose gradients are the last inputs.
        programs: makes what makes the programs of a part.
        paths: other ways that calls of this kind have gone.
        lifted: the slots whose values are arguments of the program, by their keys.

    Attributes:
        path: the program.
        early: what was asked of sizes that are known when a call begins.
    """

    def __init__(
        self,
        capture: Capture,
        conditions: Sequence[Condition],
        owners: Sequence[Any],
        programs: Callable[[Graph], PartMaker],
        paths: Sequence[PathProgram],
        lifted: Sequence[Any],
    ) -> None:
        assert capture.reads is not None
        reads, numbers = capture.reads.all, capture.reads.numbers
        scalars = [(last_of(scalar.evaluate, numbers), scalar) for scalar in capture.guards.scalars]
        asked = [(last_of(condition.asked, numbers), condition) for condition in conditions]
        guards = [(last, scalar.evaluate, scalar.value) for last, scalar in scalars]
        guards += [(last, condition.asked, condition.outcome) for last, condition in asked]
        capture.guards.scalars = [scalar for last, scalar in scalars if last < reads[0].first]
        self.early = [condition for last, condition in asked if last < reads[0].first]
        self.path = PathProgram(capture.graph, reads, guards, paths, programs, owners, numbers, lifted)

    def at(self, numbers: Sequence[Any], guards: Guards) -> PathProgram:
        """The program."""
        return self.path

    def symbols(self) -> set[Atom]:
        """The symbols that the graph has numbers of."""
        return set().union(*[step.program.symbols() for step in self.path.steps if step.program is not None])


class LaterBackward:
    """The backward of a program that looks at numbers: sizes may be among them, so that it is made when a run has come to its end.

    Args:
        make: makes it for the numbers of a run.
        symbols: the sizes for each of which there is one.
        visible: as of `Backward`.
    """

    def __init__(
        self, make: Callable[[Sequence[Any], Guards], Backward], symbols: Iterable[Atom], visible: int
    ) -> None:
        self._make, self.visible = make, visible
        self._positions = sorted(map(position_of, symbols))
        self._made: OrderedDict[tuple[Any, ...], Backward] = OrderedDict()

    @property
    def compiled(self) -> CompiledGraph | None:
        """The backward program that was made last."""
        return next((made.compiled for made in reversed(self._made.values())), None)

    def record(
        self, outputs: list[Tensor], tensors: Sequence[Tensor], numbers: Sequence[Any], given: Sequence[Tensor]
    ) -> None:
        """Record a run, as `Backward` does."""
        self.at(numbers).record(outputs, tensors, numbers, given)

    def at(self, numbers: Sequence[Any]) -> Backward:
        """The backward for the numbers of a run.

        Raises:
            OtherProgramError: it is right for other numbers only.
        """
        sizes = tuple([numbers[position] for position in self._positions])
        found = self._made.get(sizes)
        if found is None:
            guards = Guards()
            found = self._make(numbers, guards)
            if any(scalar.evaluate(numbers) != scalar.value for scalar in guards.scalars):
                raise OtherProgramError("a pass has pinned a number")
            self._made[sizes] = found
            if len(self._made) > MOST_SIZES:
                self._made.popitem(last=False)
        return found
