"""Gathering again: a backward gathers whole parameters anew, so that they do not stay in memory from the forward till then.

    %1 = box state0 S(0) -> B   # of unit 'h.0'     %1 = box state0 S(0) -> B
    %2 = matmul(input0, %1)                         %2 = matmul(input0, %1)
    ...                                             ...
    %8 = matmul(%7, %1)                      ->     %3 = late state0 after %7
                                                    %4 = box %3 S(0) -> B
                                                    %8 = matmul(%7, %4)

The program is cut into phases where a backward begins and where it ends. Of a boxing that gathers a parameter of a unit, each phase
that reads it has its own. All those of a unit stand in front of the first reader of one of them. What is only another view of a
whole parameter, or a cast or copy of it, is computed again as well, and so are casts of its shard in front of the boxing. A unit
that no other one comes behind before its next phase stays, as the last one of a forward does. Where a unit is gathered again, the
sums of gradients that are on their way are waited for, so that what is sent and received is that of one unit.

This is ZeRO-3's exchange of memory for messages (Rajbhandari and others, 2020), as a pass. Who reads is seen in this rank's graph;
what it chooses is compared (`decide.py`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from tritonflow.graph.ir import COPIES, Boxing, Graph, Late, Node, Value, View, is_op
from tritonflow.graph.passes.checkpoint import checkpoint
from tritonflow.graph.passes.rewrite import Rewriting

Use = tuple[str, int]  # a unit, and a phase that reads its parameters


def regather(graph: Graph) -> Graph:
    """The graph with such second boxings. What marked modules compute again in the backward is decided before."""
    if not any(_unit(node) for node in graph.nodes):
        return graph
    found = _Regather(checkpoint(graph)).run()
    return replace(found, nodes=found.alive(), phases=())


def _unit(node: Node | None) -> str:
    return node.unit if isinstance(node, Boxing) else ""


class _Regather:
    """Writes a graph anew.

    Attributes:
        boxing_of: by whole parameters, and what is only seen, cast or copied of them, their boxings.
        uses: by units and phases the positions at which parameters are read.
        boxings: which boxings they are.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.alive = graph.alive()
        position = {node: number for number, node in enumerate(graph.nodes)}
        self.position = [position[node] for node in self.alive]
        self.makers = graph.producers()
        self.boxing_of: dict[Value, Boxing] = {}
        self.uses: defaultdict[Use, list[int]] = defaultdict(list)
        self.boxings: defaultdict[Use, dict[Boxing, None]] = defaultdict(dict)
        for node, at in zip(self.alive, self.position):
            self._note(node, at)
        self.new = Rewriting(graph)
        self.second: dict[tuple[int, Value], Value] = {}  # by phases and values
        self.sums: dict[Value, None] = {}  # over ranks, which nobody has read so far

    def phase(self, position: int) -> int:
        """Which phase a position is in."""
        return bisect_right(self.graph.phases, position)

    def _note(self, node: Node, at: int) -> None:
        if isinstance(node, Boxing) and node.unit:
            self.boxing_of[node.outputs[0]] = node
            return
        if _only_moves(node):
            if node.inputs[0] in self.boxing_of:
                self.boxing_of[node.outputs[0]] = self.boxing_of[node.inputs[0]]
            return
        for value in node.operands():
            boxing = self.boxing_of.get(value)
            if boxing is None:
                continue
            use = boxing.unit, self.phase(at)
            self.uses[use].append(at)
            self.boxings[use][boxing] = None

    def _again(self) -> Iterator[Use]:
        """The uses that gather again."""
        begins = sorted((at[0], unit) for (unit, _), at in self.uses.items())
        for unit, phase in self.uses:
            before = [at[-1] for (other, earlier), at in self.uses.items() if other == unit and earlier < phase]
            if before and any(max(before) < at < self.uses[unit, phase][0] and other != unit for at, other in begins):
                yield unit, phase

    def run(self) -> Graph:
        """The new graph."""
        first: defaultdict[int, list[Use]] = defaultdict(list)
        for use in self._again():
            first[self.uses[use][0]].append(use)
        for node, at in zip(self.alive, self.position):
            for use in first.get(at, ()):
                self._gather(*use)
            self.new.add(node, partial(self._input, self.phase(at)))
            for value in node.operands():
                self.sums.pop(value, None)
            if isinstance(node, Boxing) and any(sbp.is_partial for sbp in node.route.source.sbp):
                self.sums[node.outputs[0]] = None
        return self.new.finish()

    def _gather(self, unit: str, phase: int) -> None:
        """Add the boxings of a unit in a phase; what was summed before is waited for, and what was sent is freed."""
        for value in self.sums:
            late = Late(self.new.now(value), self.new.now(value))
            self.new.nodes.append(late)
            self.new.same[value] = late.outputs[0]
        self.sums.clear()
        trigger = self.new.nodes[-1].outputs[0]
        for boxing in self.boxings[unit, phase]:
            (shard,) = boxing.operands()
            made = boxing.again((self._shard(shard, trigger),))
            self.new.nodes.append(made)
            self.second[phase, boxing.outputs[0]] = made.outputs[0]

    def _shard(self, value: Value, trigger: Value) -> Value:
        """A shard once more, late."""
        maker = self.makers.get(value)
        if is_op(maker, "cast"):
            (source,) = maker.operands()
            node: Node = maker.again((self._shard(source, trigger),))
        else:
            node = Late(self.new.now(value), trigger)
        self.new.nodes.append(node)
        return node.outputs[0]

    def _input(self, phase: int, value: Value) -> Value:
        """A value as nodes of a phase read it."""
        boxing = self.boxing_of.get(value)
        if boxing is None or (phase, boxing.outputs[0]) not in self.second:
            return self.new.now(value)
        if (phase, value) not in self.second:
            self.second[phase, value] = self._moved(phase, self.makers[value])
        return self.second[phase, value]

    def _moved(self, phase: int, maker: Node) -> Value:
        """What a node that only moves makes of what a phase has gathered."""
        source = maker.inputs[0]
        assert source is not None
        read = self._input(phase, source)
        if isinstance(maker, Late):  # as the boxing is
            return read
        self.new.nodes.append(maker.again((read,)))
        return self.new.nodes[-1].outputs[0]


def _only_moves(node: Node) -> bool:
    """Whether a node's result is its first operand seen, cast or copied."""
    return isinstance(node, (View, Late)) or is_op(node, "cast", *COPIES)
