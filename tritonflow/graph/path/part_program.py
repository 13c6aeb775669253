"""A part of a captured graph as a program, which all paths through it have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from tritonflow import _C
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.explain import Explanation
from tritonflow.graph.ir import Graph, Value
from tritonflow.graph.ir.canonical import scalars_of
from tritonflow.graph.path.parts import Part
from tritonflow.graph.plan.executable import Executable


class Compiled(Protocol):
    """A graph on its way to an executable."""

    @property
    def executable(self) -> Executable:
        """What runs."""

    def explain(
        self, name: str, inputs: Sequence[Tensor], numbers: Sequence[Any], names: Mapping[Any, str]
    ) -> Explanation:
        """What it runs, measured."""


Compile = Callable[[Graph], tuple[Compiled, Sequence[RuntimeScalar]]]
"""Compiles a graph; says which of its run-time numbers passes have pinned."""


class PartProgram:
    """What runs for a part.

    It hands over what the first path wanted of it. A path that wants more has it compiled anew, and what was handed over before has
    the number that it had.

    Args:
        part: of the path that was captured first.
        compile: makes programs.

    Attributes:
        key: what parts of other paths are compared by.
        pinned: the numbers of its run-time scalars for whose values alone the program is right.
    """

    def __init__(self, part: Part, key: Any, compile: Compile) -> None:
        self.key = key
        self._compile = compile
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
            self._graph = replace(self._graph, outputs=[*self._graph.outputs, *[own[each] for each in new]])
            self._handed.update((each, len(self._handed) + k) for k, each in enumerate(new))
            self._build()
        return [self._handed[each] for each in wanted]

    def explain(self, name: str, numbers: Sequence[Any], names: Mapping[Any, str]) -> Explanation:
        """What it runs, measured with zeros."""
        zeros = [_C.zeros(v.meta.shape, dtype=v.meta.dtype, device=v.meta.device) for v in self._graph.inputs]
        return self.compiled.explain(name, zeros, numbers, names)

    def _build(self) -> None:
        self.compiled, pinned = self._compile(self._graph)
        scalars = {id(scalar): number for number, scalar in enumerate(scalars_of(self._graph))}
        self.pinned = [scalars[id(scalar)] for scalar in pinned if id(scalar) in scalars]
        self.executable = self.compiled.executable


def _values(part: Part) -> dict[Value, int]:
    """The values of a part, by which equal parts have equal numbers."""
    found = dict.fromkeys([*part.given, *[state.value for state in part.states], *part.made])
    return {value: number for number, value in enumerate(found)}
