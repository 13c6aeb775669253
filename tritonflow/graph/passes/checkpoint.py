"""Activation checkpointing: backward reads values that are computed again, late, instead of those of the forward.

    %1 = linear(input0, w)   # of a marked module        %1 = linear(input0, w)
    %2 = gelu(%1)            # of it                     %2 = gelu(%1)
    %3 = sum(%2)                                         %3 = sum(%2)
    ...                                                  ...
    %8 = gelu_backward(%7, %1)                     ->    %4 = late input0 after %7
                                                         %5 = late w after %7
                                                         %6 = linear(%4, %5)
                                                         %8 = gelu_backward(%7, %6)

What a segment (one call of a marked module) makes stays in memory where something before the backward reads it, too. Anything
else that is read behind the segment is computed again in front of its first reader there, from what stays. `late` is its input,
in the same memory, but makes readers wait: without it the second computation would be merged with the first, or fused into what
precedes it. What came from other ranks stays: none knows alone what the others compute again.

An op that writes (random numbers, running statistics) reads again what it read; what it writes then is dropped.

Segments are positions in the captured order, so this pass is the first.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tritonflow.graph.ir import Graph, Late, Node, Segment, Value, View
from tritonflow.graph.passes.rewrite import Rewriting


def checkpoint(graph: Graph) -> Graph:
    """The graph with its segments computed again in the backward."""
    return _Checkpoint(graph).run() if graph.segments else graph


class _Checkpoint:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.position = {node: number for number, node in enumerate(graph.nodes)}
        self.alive = graph.alive()
        self.results = set(graph.results())
        self.new = Rewriting(graph)
        self.segment_of: dict[Value, Segment] = {}  # of values that are computed again
        self.again: dict[tuple[Segment, Value], Value] = {}

    def run(self) -> Graph:
        for segment in self.graph.segments:
            self.drop(segment)
        phases: list[int] = []
        for node in self.alive:
            while len(phases) < len(self.graph.phases) and self.graph.phases[len(phases)] <= self.position[node]:
                phases.append(len(self.new.nodes))
            self.new.add(node, partial(self.input, node))
        return replace(self.new.finish(), segments=(), phases=phases)

    def drop(self, segment: Segment) -> None:
        """Note which values of a segment are computed again."""
        inside = self.graph.nodes[segment.start : segment.stop]
        read = {value for node in self.graph.nodes[segment.stop : segment.backward] for value in node.operands()}
        for node in inside:
            free = isinstance(node, View) and self.segment_of.get(node.inputs[0]) is not segment  # type: ignore[arg-type]
            for value in node.outputs:
                if not free and not node.moves and value not in read and value not in self.results:
                    self.segment_of[value] = segment

    def input(self, node: Node, value: Value) -> Value:
        """A value as a node reads it."""
        segment = self.segment_of.get(value)
        if segment is None or self.position[node] < segment.stop:
            return self.new.now(value)
        if (segment, value) not in self.again:
            self.recompute(segment, value)
        return self.again[segment, value]

    def recompute(self, segment: Segment, value: Value) -> None:
        """Compute a value again, and what it needs of its segment."""
        wanted, chosen = {value}, []
        for node in reversed(self.graph.nodes[segment.start : segment.stop]):
            if not wanted.isdisjoint(node.outputs):
                chosen.append(node)
                wanted.update(v for v in node.operands() if self.is_missing(segment, v))
        trigger = self.new.nodes[-1].outputs[0]
        for node in reversed(chosen):
            inputs = [None if v is None else self.available(segment, v, trigger) for v in node.inputs]
            copy = node.again(tuple(inputs))
            self.new.nodes.append(copy)
            for before, after in zip(node.outputs, copy.outputs):
                self.again[segment, before] = after

    def is_missing(self, segment: Segment, value: Value) -> bool:
        return self.segment_of.get(value) is segment and (segment, value) not in self.again

    def available(self, segment: Segment, value: Value, trigger: Value) -> Value:
        """A value as the second computation of a segment reads it."""
        if (segment, value) not in self.again:
            late = Late(self.new.now(value), trigger)
            self.new.nodes.append(late)
            self.again[segment, value] = late.outputs[0]
        return self.again[segment, value]
