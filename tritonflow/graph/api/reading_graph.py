"""A captured graph that looks at numbers, on its way to a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.device.provider import Provider
from tritonflow.errors import CaptureError
from tritonflow.framework.expression import Atom
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.api.compiled_graph import CompiledGraph
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.debug import DebugReport
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.capture.guards import Guards
from tritonflow.graph.ir import Graph
from tritonflow.graph.path.program import PathProgram, last_of


class ReadingGraph:
    """Makes the program of a graph with reads: the interface of `OneGraph`.

    What was asked of numbers that are read is asked in a run behind the read, so it is taken from the guards of the capture.

    Args:
        name: for the log.
        capture: of the graph.
        owners: whose gradients are the last inputs.
        provider: the device.
        config, report: the function's.
        paths: other ways that calls of this kind have gone.
    """

    def __init__(
        self,
        name: str,
        capture: Capture,
        owners: Sequence[Any],
        provider: Provider,
        config: GraphConfig,
        report: DebugReport,
        paths: Sequence[PathProgram],
    ) -> None:
        assert capture.reads is not None
        if capture.sizes is not None:
            raise CaptureError("a program that looks at numbers is captured for each size")
        self._name, self._provider, self._config, self._report = name, provider, config, report
        self._graph, self._reads, self._numbers = capture.graph, capture.reads.all, capture.reads.numbers
        self._owners, self._paths = owners, paths
        first, scalars = self._reads[0].first, capture.guards.scalars
        self._guards = [(last_of(scalar.evaluate, self._numbers), scalar) for scalar in scalars]
        capture.guards.scalars = [scalar for last, scalar in self._guards if last < first]

    def at(self, numbers: Sequence[Any], guards: Guards) -> PathProgram:
        """The program.

        Args:
            guards: where numbers that passes pin before the first read are noted.
        """
        path = PathProgram(
            self._graph, self._reads, self._guards, self._paths, self._compiled, self._owners, self._numbers
        )
        for scalar in path.pinned:
            guards.add_scalar(scalar)
        return path

    def symbols(self) -> set[Atom]:
        """None."""
        return set()

    def _compiled(self, graph: Graph) -> tuple[CompiledGraph, Sequence[RuntimeScalar]]:
        guards = Guards()
        return CompiledGraph(self._name, guards, graph, self._provider, self._config, self._report), guards.scalars
