"""Rematerialisation: backward computes a value again, where it can do so from one that stays in memory anyway.

    %2 = gelu(%1)                               %2 = gelu(%1)
    %3 = matmul(%2, w)                          %3 = matmul(%2, w)
    ...                                         ...
    %8 = matmul(%7, %2)                  ->     %4 = late %1 after %7
    %9 = gelu_backward(%6, %1)                  %5 = gelu(%4)
                                                %8 = matmul(%7, %5)
                                                %9 = gelu_backward(%6, %1)

It costs a kernel that reads and writes once, so it is done in graphs that hold at least `LEAST` bytes at a time, and on a GPU
`SHARE` of its memory: with less, there is room. It is done for results of pointwise ops, of copies and of ops on rows (norms,
softmax) that are at least `PART` of these bytes, and that nobody reads while most memory is held.

Of a program for many sizes it looks at the bytes now: what is computed twice has the same bits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.framework.symbolic_int import hint
from tritonflow.graph.fusion.group import fusable
from tritonflow.graph.ir import Compute, Graph, Late, Node, Value, View, constant, root

LEAST, SHARE, PART = 64 << 20, 0.25, 0.001


def recompute(graph: Graph) -> Graph:
    """The graph with late readers of such values reading second computations."""
    lives = _Lives(graph)
    if lives.held() < _least(graph):
        return graph
    again: dict[Node, list[Compute]] = {}  # by the node in front of which they are computed again
    for node in graph.computes():
        late = lives.late_readers(node)
        if late:
            again.setdefault(graph.nodes[late[0]], []).append(node)
    return _Second(graph, again).run() if again else graph


def _least(graph: Graph) -> float:
    """The bytes held at once from which on memory is worth a kernel."""
    memory = max([facts_of(node.outputs[0].meta.device).memory for node in graph.computes()], default=0)
    return max(LEAST, SHARE * memory)


class _Lives:
    """From where to where values are held, and where that is most.

    Attributes:
        most: bytes held at once.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.position = {node: position for position, node in enumerate(graph.nodes)}
        self.readers = graph.readers()
        self.producers = graph.producers()
        held, self.most, self.fullest = 0, 0, 0
        freed: dict[int, int] = {}
        for position, node in enumerate(graph.nodes):
            for value in node.outputs[: node.results] if isinstance(node, Compute) else ():
                nbytes = hint(value.meta.nbytes)
                held += nbytes
                last = self.last(value, position)
                freed[last] = freed.get(last, 0) + nbytes
            if held > self.most:
                self.most, self.fullest = held, position
            held -= freed.pop(position, 0)

    def held(self) -> int:
        """The bytes that are held at the fullest position."""
        made = [(value, self.position[node]) for node in self.graph.computes() for value in node.outputs[: node.results]]
        alive = [value for value, position in made if position <= self.fullest <= self.last(value, position)]
        return sum(value.meta.nbytes for value in alive)

    def last(self, value: Value, made: int) -> int:
        """The position till which a value is held that is made at one."""
        if self.readers.is_result(value):
            return len(self.position)
        return max((self.position[node] for node in self.readers.through_views(value)), default=made)

    def late_readers(self, node: Compute) -> list[int]:
        """The positions behind the fullest at which a value is read that need not be held till then."""
        value = node.outputs[0]
        if not fusable(node) or hint(value.meta.nbytes) < PART * self.most or self.readers.is_result(value):
            return []
        reads = sorted(self.position[reader] for reader in self.readers.through_views(value))
        late = [position for position in reads if position > self.fullest]
        early = [position for position in reads if position <= self.fullest]
        if not late or not early or self.position[node] > self.fullest:
            return []
        sources = [root(value) for value in node.operands() if constant(value) is None]
        return late if all(self.is_held(value, late[-1]) for value in sources) else []

    def is_held(self, value: Value, position: int) -> bool:
        """Whether a value is there at a position anyway, as it is now."""
        return value not in self.producers or self.last(value, -1) >= position


class _Second:
    def __init__(self, graph: Graph, again: dict[Node, list[Compute]]) -> None:
        self.graph = graph
        self.again = again
        self.nodes: list[Node] = []
        self.second: dict[Value, Value] = {}

    def run(self) -> Graph:
        for node in self.graph.nodes:
            for first in self.again.get(node, ()):
                self.compute(first)
            self.nodes.append(node if isinstance(node, View) else node.reading(self.now))
        return replace(self.graph, nodes=self.nodes)

    def compute(self, first: Compute) -> None:
        """Compute a value again, behind what has just been made."""
        trigger = self.nodes[-1].outputs[0]
        inputs: list[Any] = []
        for value in first.inputs:
            if value is not None and constant(value) is None:
                self.nodes.append(Late(self.now(value), trigger))
                value = self.nodes[-1].outputs[0]
            inputs.append(value)
        node = first.again(tuple(inputs))
        self.nodes.append(node)
        self.second[first.outputs[0]] = node.outputs[0]

    def now(self, value: Value) -> Value:
        """A value as nodes read it from here on."""
        view = value.definition
        if value not in self.second and isinstance(view, View) and root(value) in self.second:
            view = view.again((self.now(view.base),))
            self.nodes.append(view)
            self.second[value] = view.outputs[0]
        return self.second.get(value, value)
