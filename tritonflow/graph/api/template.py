"""What was captured of a call, and the programs that are made of it: one, or one for each sizes of the call's tensors.

The Python of a function runs once for all sizes. What it leaves has symbolic integers in it. For the sizes of a call these become
numbers (`sized_graph.py`), if what was asked of them has the same answers.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tritonflow.device.provider import Provider
from tritonflow.framework.size_context import SizeContext
from tritonflow.framework.size_guards import Condition, SizeGuard
from tritonflow.graph.api.backward import Backward
from tritonflow.graph.api.call import Call
from tritonflow.graph.api.captured import Captured, Recorded
from tritonflow.graph.api.compiled_graph import CompiledGraph
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.debug import DebugReport
from tritonflow.graph.api.differentiate import CallGradients
from tritonflow.graph.api.reading_graph import LaterBackward, ReadingGraph
from tritonflow.graph.api.sized_graph import Asked, OneGraph, SizedGraph
from tritonflow.graph.api.some_gradients import SomeGradients
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.capture.dimensions import Dimension, Dimensions
from tritonflow.graph.capture.guards import Guards, Pins
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.concrete import OtherProgramError, symbols_of
from tritonflow.graph.ir.numbers import Numbers
from tritonflow.graph.path.program import PathProgram
from tritonflow.graph.ranks.proposals import moves_of, order_of
from tritonflow.ops.precision import fixed
from tritonflow.settings import settings

if TYPE_CHECKING:
    from tritonflow.graph.api.function import CapturedFunction

log = logging.getLogger("tritonflow.graph")


class ProgramTemplate:
    """A program that was captured.

    Args:
        function: whose call it is.
        capture: what captured it.
        recorded: what it returns and leaves.
        gradients: how to differentiate it.
        dimensions: the sizes that are symbols; None if there are none.
        sizes: these symbols, and what was asked of them.
        provider: of the device where it runs.
        paths: of programs of other calls of the kind, for what they have in common.
        lifted: the slots whose values are arguments of the program, by their keys.

    Attributes:
        guards: what was asked of sizes while it was captured.
        made, refused: how many programs for other sizes it made, and how often what was asked of sizes was not so for others.
    """

    _forward: OneGraph | SizedGraph | ReadingGraph
    _second: OneGraph | SizedGraph | None
    _some: SomeGradients | None

    def __init__(
        self,
        function: CapturedFunction[..., Any],
        capture: Capture,
        recorded: Recorded,
        gradients: CallGradients | None,
        dimensions: Dimensions | None,
        sizes: SizeContext,
        provider: Provider,
        paths: Sequence[PathProgram],
        lifted: Sequence[Any],
    ) -> None:
        self._name, self._config, self._report, self._provider = function.name, function.config, function.report, provider
        self._outputs = len(recorded.results) + len(capture.overwritten_inputs)
        self._retained = [k for k, t in enumerate(recorded.results) if t._retains_grad]
        self._gradients = gradients
        backward = None if gradients is None else gradients.graph
        self._as_captured = graphs = capture.graph, backward
        if capture.lies_over_ranks:
            graphs = _decided(capture, backward, self._config.without)  # while sizes can be asked
        self._dimensions, self._sizes, self.guards = dimensions, sizes, sizes.close()
        # A call with a history, or one that leaves gradients, is one of training: parameters are written between its runs.
        self._folds = gradients is None and not recorded.left and provider.device.type == "cpu"
        self._program = partial(
            _program, self._name, provider, self._config, self._report, sizes, self.guards, self._dimensions
        )  # which does not keep the tensors of the gradients alive
        self._make(*graphs)
        if capture.reads is not None and capture.reads.all:
            self._forward = ReadingGraph(capture, self.guards, recorded.left.inputs, self._program, paths, lifted)
            self.guards = self._forward.early
        self.made = self.refused = 0
        self._first: Captured | None = None
        self._fixed: tuple[Any, ...] = ()

    @property
    def graph(self) -> Graph:
        """What was captured, with symbols for sizes."""
        return self._as_captured[0]

    @property
    def dimensions(self) -> Dimensions:
        """The sizes that are symbols."""
        return self._dimensions or Dimensions()

    def _make(self, forward: Graph, backward: Graph | None) -> None:
        """Make what makes the programs of these graphs."""
        self._forward = self._program(replace(forward, folds=self._folds))
        self._second, self._some = None, None
        if backward is not None:
            assert self._gradients is not None
            self._second = self._program(backward)
            self._some = SomeGradients(backward, len(self._gradients.metas), self._program)

    def as_captured(self, captured: Captured, own: Call) -> Captured:
        """A program that was made of this, with its boxings where they were captured; from now on all are such.

        Args:
            captured, own: it, and the call that it was captured with.
        """
        log.info("%s moves boxings where they were captured, as ranks would move them in different orders", self._name)
        self._make(*self._as_captured)
        pins = Pins()
        with pins, fixed(own.kind.precision):
            compiled, backward = self.compiled(own.numbers, pins.guards)
            compiled.executable  # noqa: B018
        made = captured.with_programs(compiled, backward, pins.guards)
        if self._first is not None:
            self._first = made
        return made

    def compiled(
        self, numbers: Sequence[Any], guards: Guards
    ) -> tuple[CompiledGraph | PathProgram, Backward | LaterBackward | None]:
        """The program for the numbers of a call, and its backward.

        Args:
            guards: get the numbers that passes pin.
        """
        forward = self._forward.at(numbers, guards)
        if self._gradients is None:
            return forward, None
        if isinstance(forward, PathProgram) and self._second is not None:
            return forward, LaterBackward(self._backward, self._second.symbols(), self._outputs)
        return forward, self._backward(numbers, guards)

    def _backward(self, numbers: Sequence[Any], guards: Guards) -> Backward:
        """The backward for the numbers of a run."""
        gradients = self._gradients
        assert gradients is not None
        second = None if self._second is None else self._second.at(numbers, guards)
        if self._dimensions is not None:
            gradients = replace(gradients, metas=list(map(Numbers(numbers).meta, gradients.metas)))
        return Backward(gradients, second, self._some, self._outputs, self._retained)

    def keep(self, first: Captured) -> None:
        """Keep the first program, of which those for other sizes are made."""
        assert self._dimensions is not None
        self._first, self._fixed = first, self._dimensions.fixed(first.metas)

    def has(self, dimensions: Dimensions) -> bool:
        """Whether these are the sizes that are symbols."""
        return self._dimensions == dimensions

    def numbers_of(self, call: Call) -> dict[int, Any]:
        """The ints of a call that a program for it is made for, by their positions."""
        if self._dimensions is None or not self._dimensions.numbers:
            return {}
        used = {atom.text for program in (self._forward, self._second) if program is not None for atom in program.symbols()}
        return {k: call.numbers[k] for k in self._dimensions.numbers if f"n{k}" in used}

    def guards_of_numbers(self) -> list[Condition]:
        """What was asked of ints among the arguments, which are others in each call, and maybe of sizes."""
        found = self.guards
        numbers = self._sizes.numbers
        return [g for g in found if numbers and not (isinstance(g, SizeGuard) and numbers.isdisjoint(g.left.symbols()))]

    @property
    def path(self) -> PathProgram | None:
        """The program, if it looks at numbers."""
        return self._forward.path if isinstance(self._forward, ReadingGraph) else None

    @property
    def pins(self) -> list[SizeGuard]:
        """The sizes whose numbers were asked for."""
        return [guard for guard in self.guards if isinstance(guard, SizeGuard) and guard.is_pin]

    def pinned(self) -> tuple[set[Dimension], set[int]]:
        """The dimensions whose sizes are numbers for that, and the positions of ints."""
        atoms = {atom.text for guard in self.pins for atom in guard.left.symbols()}
        symbols = () if self._dimensions is None else self._dimensions.symbols
        numbers = () if self._dimensions is None else self._dimensions.numbers
        dimensions = {each for number, symbol in enumerate(symbols) if f"s{number}" in atoms for each in symbol.dimensions}
        return dimensions, {number for number in numbers if f"n{number}" in atoms}

    def tell_of_memory(self) -> None:
        """Warn that programs were dropped, and made again."""
        mebibytes = settings.program_cache_bytes / (1 << 20)
        warnings.warn(
            f"{self._name} keeps {mebibytes:.3g} MiB of programs and needs more: settings.program_cache_bytes",
            stacklevel=7,  # of the call of the compiled function
        )

    def call_of(self, call: Call) -> Call | None:
        """A call of other sizes as one of this template; None if what was captured is not right for it."""
        first, dimensions = self._first, self._dimensions
        assert first is not None and dimensions is not None
        own = first.with_lifted(call)
        if own is None or not _alike(own.lifted_key, first.lifted_key):
            return None
        metas = [tensor.meta for tensor in own.given]
        sizes = dimensions.sizes(metas)
        if sizes is None or dimensions.fixed(metas) != self._fixed:
            return None
        own = own.with_sizes(sizes)
        if not all(guard.holds(own.numbers) for guard in self.guards):
            self.refused += 1
            return None
        return None if first.difference(own.numbers, own.given, for_other_sizes=True) else own

    def program(self, own: Call) -> Captured | None:
        """The program for a call that `call_of` gave; None if what was captured is not right for it."""
        first, dimensions = self._first, self._dimensions
        assert first is not None and dimensions is not None
        sizes = dimensions.sizes([tensor.meta for tensor in own.given])
        assert sizes is not None
        pins = Pins()
        try:
            with pins, fixed(own.kind.precision):
                compiled, backward = self.compiled(own.numbers, pins.guards)
                compiled.executable  # noqa: B018
        except OtherProgramError as error:
            log.info("%s: what was captured is not right for sizes %s: %s", self._name, sizes, error)
            self.refused += 1
            return None
        self.made += 1
        return first.for_sizes(sizes, self.numbers_of(own), own, compiled, backward, pins.guards)


def _decided(capture: Capture, backward: Graph | None, without: Collection[str]) -> tuple[Graph, Graph | None]:
    """The graphs of a capture over ranks with its boxings moved as this rank proposes; what moves was chosen before a cut."""
    from tritonflow.graph.ranks.decide import choose, decide  # programs on one rank need no boxing

    graphs = [choose(capture.graph, without)] if backward is None else [capture.graph, backward]
    capture.over_ranks.moves = list(map(moves_of, graphs))
    graphs = [decide(graph, without) for graph in graphs]
    capture.over_ranks.orders = list(map(order_of, graphs))
    return graphs[0], None if backward is None else graphs[1]


def _program(
    name: str,
    provider: Provider,
    config: GraphConfig,
    report: DebugReport,
    sizes: SizeContext,
    guards: Sequence[Condition],
    dimensions: Dimensions | None,
    graph: Graph,
) -> SizedGraph | OneGraph:
    """What makes the programs of a graph that was captured."""
    if dimensions is None or not symbols_of(graph):
        return OneGraph(name, graph, provider, config, report)
    graph = replace(graph, folds=False)  # one for many sizes computes them in each run
    named = {f"s{number}": symbol.dimensions for number, symbol in enumerate(dimensions.symbols)}
    return SizedGraph(name, graph, sizes, provider, config, report, Asked(guards, named))


def _alike(key: Any, other: Any) -> bool:
    """Whether lifted slots hold values of one kind, whatever their sizes."""
    return key is other or (key[0], *key[2:]) == (other[0], *other[2:])
