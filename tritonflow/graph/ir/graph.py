"""A captured program: inputs, states, nodes in an order in which they may run, and outputs.

A graph never changes, nor does anything in it: a pass returns another one, made with `dataclasses.replace`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tritonflow.graph.ir.nodes import Compute, Late, Node, Value, View
from tritonflow.ops.tuning import Choice
from tritonflow.vm.failure import describe


@dataclass(frozen=True, eq=False)
class State:
    """A block of memory outside of the graph, which it reads and may write: `value` before, `result` after the graph has run.

    The value's meta is the block's bytes; tensors on it are views.
    """

    impl: Any
    value: Value
    result: Value


@dataclass(frozen=True, eq=False)
class Segment:
    """What a call of a module captured that is to be computed again in the backward: the nodes from `start` to `stop`.

    `backward` is the position where the first backward behind it starts, None as long as there is none.
    """

    start: int
    stop: int
    backward: int | None = None

    def before(self, position: int) -> Segment:
        """The segment if a backward starts at a position: its first one, if there was none."""
        return replace(self, backward=position) if self.backward is None else self

    def moved(self, to: Sequence[int]) -> Segment:
        """The segment where each position is another one."""
        return Segment(to[self.start], to[self.stop], None if self.backward is None else to[self.backward])


@dataclass(frozen=True, eq=False)
class Graph:
    """A captured program.

    Attributes:
        segments: of a graph as it was captured, what is computed again in a backward.
        phases: of such a graph, the positions at which a backward begins or ends.
        choices: which configurations tuning has found for nodes that have a choice.
        folds: whether what is computed of unwritten states alone is computed once, and again when one was written.
    """

    inputs: Sequence[Value] = ()
    states: Sequence[State] = ()
    nodes: Sequence[Node] = ()
    outputs: Sequence[Value] = ()
    segments: Sequence[Segment] = ()
    phases: Sequence[int] = ()
    choices: Mapping[Node, Choice] = field(default_factory=dict)
    folds: bool = False

    def __post_init__(self) -> None:
        for name in ("inputs", "states", "nodes", "outputs", "segments", "phases"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def results(self) -> list[Value]:
        """What must be there in the end: outputs, and the states' new values."""
        return [*self.outputs, *[state.result for state in self.states]]

    def alive(self) -> list[Node]:
        """The nodes that contribute to a result, in their order, and those that move something between ranks.

        A node that writes a state is one, as the state's new value is a result.
        """
        wanted = set(self.results())
        found: list[Node] = []
        for node in reversed(self.nodes):
            if node.moves or not wanted.isdisjoint(node.outputs):
                found.append(node)
                wanted.update(node.operands())
        return found[::-1]

    def computes(self) -> list[Compute]:
        """The nodes that run kernels."""
        return [node for node in self.nodes if isinstance(node, Compute)]

    def values(self) -> Iterator[Value]:
        """Everything that is there at some time."""
        yield from self.inputs
        yield from (state.value for state in self.states)
        yield from (value for node in self.nodes for value in node.outputs)

    def readers(self) -> Readers:
        """Who reads its values."""
        return Readers(self)

    def producers(self) -> dict[Value, Node]:
        """The node that makes each value, but for inputs and states."""
        return {value: node for node in self.nodes for value in node.outputs}

    def verify(self) -> None:
        """Check that every value is made before it is used, and once.

        Raises:
            ValueError: naming the node.
        """
        known = {*self.inputs, *[state.value for state in self.states]}
        for position, node in enumerate(self.nodes):
            for value in node.operands():
                if value not in known:
                    raise ValueError(f"node {position} ({node.name()}) uses a value that is not made before it")
            for value in node.outputs:
                if value in known or value.definition not in (None, node):
                    raise ValueError(f"node {position} ({node.name()}) makes a value that is made elsewhere")
                known.add(value)
        for value in self.results():
            if value not in known:
                raise ValueError("a result of the graph is not made by its nodes")

    def __str__(self) -> str:
        return "\n".join(GraphText(self).lines())


class Readers:
    """The nodes that read each value of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._results = set(graph.results())
        self._of: dict[Value, list[Node]] = {}
        for node in graph.nodes:
            self._add(node)

    def of(self, value: Value) -> Sequence[Node]:
        """The nodes that read a value itself."""
        return self._of.get(value, ())

    def through_views(self, value: Value, late: bool = False) -> list[Node]:
        """The nodes that read a value or views of it; with `late` through `Late`, too, which reads nothing."""
        through = (View, Late) if late else (View,)
        readers = (node for alias in self._aliases(value, through) for node in self.of(alias))
        return list(dict.fromkeys(node for node in readers if not isinstance(node, through)))

    def is_result(self, value: Value, late: bool = False) -> bool:
        """Whether a value is a result of the graph, or a view of it is; with `late` through `Late`, too."""
        return any(alias in self._results for alias in self._aliases(value, (View, Late) if late else (View,)))

    def merge(self, nodes: Iterable[Node], merged: Node) -> None:
        """Let one node read in place of several."""
        for node in nodes:
            for value in dict.fromkeys(node.operands()):
                self._of[value].remove(node)
        self._add(merged)

    def _add(self, node: Node) -> None:
        for value in dict.fromkeys(node.operands()):
            self._of.setdefault(value, []).append(node)

    def _aliases(self, value: Value, kinds: tuple[type[Node], ...]) -> Iterator[Value]:
        """A value, and what nodes of these kinds make of its memory."""
        yield value
        for node in self.of(value):
            if isinstance(node, kinds) and node.inputs[0] is value:
                yield from self._aliases(node.outputs[0], kinds)


class GraphText:
    """A graph as lines of text.

    Args:
        graph: it.
        names: what some values are called; others get numbers.
    """

    def __init__(self, graph: Graph, names: Mapping[Value, str] | None = None) -> None:
        self.graph = graph
        self.names: dict[Value, str] = dict(names or {})

    def name(self, value: Value | None) -> str:
        """What a value is called. Numbers are in the order in which `lines` meets values."""
        if value is None:
            return "None"
        if value not in self.names:
            self.names[value] = value.name or f"%{len(self.names)}"
        return self.names[value]

    def _typed(self, value: Value) -> str:
        return f"{self.name(value)}: {value.meta.dtype.name}{list(value.meta.shape)}"

    def lines(self) -> Iterator[str]:
        """Inputs, states, nodes, what is written back, and outputs."""
        graph = self.graph
        yield f"graph({', '.join(self._typed(v) for v in graph.inputs)}):"
        for state in graph.states:
            yield f"  state {self._typed(state.value)}"
        for node in graph.nodes:
            line = f"  {', '.join(self._typed(v) for v in node.outputs)} = {node.text(', '.join(map(self.name, node.inputs)))}"
            yield f"{line:<80}  # {describe(node.source_line)}" if node.source_line else line
        for state in graph.states:
            if state.result is not state.value:
                yield f"  {self.name(state.value)} <- {self.name(state.result)}"
        yield f"  return {', '.join(self.name(v) for v in graph.outputs)}"
