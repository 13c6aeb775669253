"""Fusion of ops on the same positions, and of reductions of whole rows, into one kernel.

    %1 = linear(input0, w, b)                %1 = linear(input0, w, b)
    %2 = relu(%1)
    %3 = add(%2, input1)               ->    %4 = fused[relu, add, softmax](%1, input1)
    %4 = softmax(%3, dim=-1)
    return %4                                return %4

An op joins the group of an op whose result it reads on three conditions. The shapes go together (`fusion/space.py`), also by a
reshape or broadcast between the two; nothing outside of the group has to run between them; and one kernel is estimated to be faster
than two (`fusion/price.py`). Groups that make parts of a join, of one size, become one likewise. Operands may be broadcast and have
any strides. Random numbers are drawn where they are used (`assign_counters`). A value that is read outside of its group is stored,
others never leave the registers. Half floats are rounded as if they were stored, so that results are eager mode's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Any

from tritonflow.graph.fusion.decisions import BETWEEN, Decision
from tritonflow.graph.fusion.group import POINTERS, STEPS, Fused, fit, fusable, is_row_op
from tritonflow.graph.fusion.price import Prices, arithmetic_of, compare, device_model_of, work_of
from tritonflow.graph.fusion.product import takes_epilogue
from tritonflow.graph.fusion.space import Space
from tritonflow.graph.fusion.structure import Structures
from tritonflow.graph.ir import Compute, Graph, Join, Node, Value, View, constant, is_loaded, root
from tritonflow.graph.passes.assign_counters import assign_counters
from tritonflow.graph.passes.rewrite import views_where_read

Part = list[tuple[int, Any]]  # nodes with their positions


def fuse_pointwise(graph: Graph, decisions: list[Decision] | None = None) -> Graph:
    """The graph with groups of pointwise ops in place of these; what is decided is noted in `decisions`."""
    return _Fusion(assign_counters(graph), decisions).run()


class _Group:
    """Nodes that become one, with their positions.

    Attributes:
        space: what they walk over; None for a node that is not fusable.
        bits: its own one, and those of the groups that it has taken.
        needs: the bits of each group that must run before, from anywhere.
        sources, readers: the groups whose values it reads, and those that read its.
    """

    def __init__(self, number: int) -> None:
        self.nodes: list[tuple[int, Any]] = []
        self.bits = 1 << number
        self.needs = 0
        self.sources: set[_Group] = set()
        self.readers: set[_Group] = set()
        self.space: Space | None = None

    @property
    def position(self) -> int:
        """Of the last node."""
        return max(position for position, _ in self.nodes)


class _Fusion:
    def __init__(self, graph: Graph, decisions: list[Decision] | None) -> None:
        self.graph = graph
        self.decisions = decisions
        self.group_of: dict[Value, _Group] = {}
        self.groups: dict[_Group, None] = {}
        self.numbers = count()
        self.readers = graph.readers()
        self.structures = Structures()
        self.fusable = cache(fusable)
        self.stored: dict[Value, bool] = {}

    def run(self) -> Graph:
        for position, node in enumerate(self.graph.nodes):
            if isinstance(node, View):
                continue
            group = self.group_for(node)
            if group is None:
                group = _Group(next(self.numbers))
                self.groups[group] = None
                group.space = self.joined([(position, node)])
            group.nodes.append((position, node))
            self.read(group, self.before(node))
            for value in node.outputs:
                self.group_of[value] = group
        nodes = [self.fused(group) for group in self.ordered()]
        for group in self.groups:
            group.readers.clear()  # groups refer to each other, and their nodes to what the program has met
        return views_where_read(replace(self.graph, nodes=nodes))

    def before(self, node: Node) -> list[_Group]:
        """The groups whose values a node reads, through views too, the latest first."""
        sources = [root(value) for value in reversed(list(node.operands()))]
        return list(dict.fromkeys(self.group_of[v] for v in sources if v in self.group_of))

    def group_for(self, node: Any) -> _Group | None:
        """A group that a node can join, after those that it reads have become one where they can."""
        if isinstance(node, Join):
            self.merge_parts(node)
        if not self.fusable(node):
            return None
        if len(groups := self.before(node)) > 1:
            alike = [group for group in groups if self.joined(group.nodes, [(0, node)])]
            for group in alike[1:]:
                self.merge(alike[0], group)
        for group in self.before(node):
            space = self.joined(group.nodes, [(0, node)]) if group.space else None
            if space is None:
                self.refuse(group.nodes, [(0, node)])
            elif any(other.needs & group.bits for other in self.before(node)):
                self.note(group.nodes, [(0, node)], BETWEEN)
            elif self.pays(group.nodes, [(0, node)]):
                group.space = space
                return group
        return None

    def merge_parts(self, node: Join) -> None:
        """Make groups one that give parts of the same size."""
        first: dict[int, _Group] = {}
        for group in reversed(self.before(node)):
            if group.space is not None and group is not first.setdefault(group.space.full, group):
                self.merge(first[group.space.full], group)

    def joined(self, *parts: Part) -> Space | None:
        """The space of all these nodes as one group; None if they can not be one."""
        nodes = [node for part in parts for _, node in part]
        if not all(map(self.fusable, nodes)):
            return None
        return self.structures.once(nodes, "space", lambda: None if too_large(nodes) else fit(nodes))

    def pays(self, group: Part, part: Part) -> bool:
        """Whether one kernel is faster than two."""
        bodies = [[node for _, node in each] for each in (group, part)]
        nodes = [node for body in bodies for node in body]
        stored = tuple([self.is_stored(value) for node in nodes for value in node.outputs])
        prices = self.structures.once(nodes, (len(group), stored), lambda: self.compared(bodies))
        self.note(group, part, prices=prices)
        return prices.pays

    def compared(self, bodies: list[list[Any]]) -> Prices:
        """What two kernels cost, and one."""
        nodes = [node for body in bodies for node in body]
        model = device_model_of(nodes[0].outputs[0])
        across = {root(value) for node in bodies[1] for value in node.operands()}
        apart = [work_of(body, template_of(body), self.stored_by(body) | across, model) for body in bodies]
        return compare(apart, work_of(nodes, template_of(nodes), self.stored_by(nodes), model), model)

    def stored_by(self, body: list[Any]) -> set[Value]:
        """What a kernel of these nodes stores: what it does not read itself, and what is needed in memory anyway."""
        read = {root(value) for node in body for value in node.operands()}
        return {value for node in body for value in node.outputs if value not in read or self.is_stored(value)}

    def is_stored(self, value: Value) -> bool:
        """Whether a value is needed in memory whatever joins: the readers that might are taken to do so."""
        if value not in self.stored:
            through = self.readers.through_views(value)
            self.stored[value] = self.readers.is_result(value) or not all(map(self.fusable, through))
        return self.stored[value]

    def note(self, group: Part, part: Part, reason: str = "", prices: Prices | None = None) -> None:
        """Keep a decision for those who ask."""
        if self.decisions is not None:
            others, ops = ([node for _, node in each if isinstance(node, Compute)] for each in (group, part))
            self.decisions.append(Decision(ops, others, "with", reason, prices))

    def refuse(self, group: Part, part: Part) -> None:
        """Note why nodes can not be one group; what products take is decided later."""
        nodes = [node for _, node in (*group, *part)]
        if self.decisions is None or takes_epilogue(nodes[0]):
            return
        alone = next((node for node in nodes if not fusable(node)), None)
        if alone is not None:
            self.note(group, part, f"{alone.name()} has a kernel of its own")
        else:
            self.note(group, part, too_large(nodes) or "their shapes do not lie over each other")

    def merge(self, a: _Group, b: _Group) -> None:
        """Make two groups one, if nothing outside has to run between them."""
        if any(b.needs & reader.bits for reader in a.readers) or any(a.needs & reader.bits for reader in b.readers):
            return self.note(a.nodes, b.nodes, BETWEEN)
        space = self.joined(a.nodes, b.nodes)
        if space is None:
            return self.refuse(a.nodes, b.nodes)
        if not self.pays(a.nodes, b.nodes):
            return None
        a.space = space
        a.nodes = sorted([*a.nodes, *b.nodes], key=lambda entry: entry[0])
        for _, node in b.nodes:
            for value in node.outputs:
                self.group_of[value] = a
        del self.groups[b]
        for group in b.sources:
            group.readers.discard(b)
        for group in b.readers:
            group.sources.discard(b)
            group.sources.add(a)
        a.bits, a.needs, a.readers = a.bits | b.bits, a.needs | b.needs, (a.readers | b.readers) - {a, b}
        a.sources -= {a, b}
        self.read(a, b.sources)
        return None

    def read(self, group: _Group, sources: Iterable[_Group]) -> None:
        """Let a group read others, and so wait for them; what waits for the group does, too."""
        for source in sources:
            if source is not group:
                source.readers.add(group)
                group.sources.add(source)
                group.needs |= source.bits | source.needs
        group.needs &= ~group.bits
        changed = [group]
        while changed:
            group = changed.pop()
            before = group.bits | group.needs
            for reader in group.readers:
                if before & ~reader.needs:
                    reader.needs |= before
                    changed.append(reader)

    def ordered(self) -> list[_Group]:
        """The groups in an order in which they can run, as near to the program's as that allows."""
        order: list[_Group] = []
        waits = {group: len(group.sources) for group in self.groups}
        ready = [(group.position, group) for group, count in waits.items() if not count]
        heapify(ready)
        while ready:
            _, group = heappop(ready)
            order.append(group)
            for reader in group.readers:
                waits[reader] -= 1
                if not waits[reader]:
                    heappush(ready, (reader.position, reader))
        return order

    def fused(self, group: _Group) -> Node:
        nodes = [node for _, node in group.nodes]
        if group.space is None or (len(nodes) == 1 and all(map(is_loaded, nodes[0].operands()))):
            return nodes[0]
        inside = set(nodes)
        made = [value for node in nodes for value in node.outputs]
        return Fused(nodes, {value for value in made if self.is_wanted(value, inside)}, group.space)

    def is_wanted(self, value: Value, inside: set[Any]) -> bool:
        """Whether a value is read outside of its group, by way of views too."""
        return self.readers.is_result(value) or not inside.issuperset(self.readers.through_views(value))


def template_of(nodes: list[Any]) -> str:
    """The template of a kernel."""
    return "rows" if any(map(is_row_op, nodes)) else "elements"


def too_large(nodes: list[Any]) -> str:
    """What compilers do not take of a group; nothing if they take it all."""
    if operands(nodes) > POINTERS:
        return f"a kernel reads at most {POINTERS} tensors"
    return f"a kernel has at most {STEPS} steps one after the other" if arithmetic_of(nodes).steps > STEPS else ""


def operands(nodes: list[Any]) -> int:
    """How many values a group would read."""
    made = {value for node in nodes for value in node.outputs}
    values = {value for node in nodes for value in node.operands() if constant(value) is None}
    return len({value for value in values if root(value) not in made})
