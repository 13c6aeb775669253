"""Pointwise fusion: ops on the same positions become one kernel.

    %1 = linear(input0, w, b)          %1 = linear(input0, w, b)
    %2 = relu(%1)
    %3 = mul(%2, input1)         ->    %3 = fused[relu, mul](%1, input1)
    return %3                          return %3

An op joins the group of an op whose result it reads if both compute the same shape and nothing outside of the group has to
run between them. Operands may be broadcast and have any strides. A value that is read outside of its group is stored, others never
leave the registers. Half floats are rounded on the way as if they were stored, so that results are eager mode's.
"""

from __future__ import annotations

from dataclasses import replace

from tritonflow.graph.fusion.group import Fused, fusable
from tritonflow.graph.ir import Graph, Node, Value

OPERANDS = 24  # pointers of one kernel, beyond which registers run out


def fuse_pointwise(graph: Graph) -> Graph:
    """The graph with groups of pointwise ops in place of these."""
    return _Fusion(graph).run()


class _Group:
    """Nodes that become one, with their positions. `needs` has a bit for each group that must run before, from anywhere."""

    def __init__(self, number: int) -> None:
        self.nodes: list[tuple[int, Node]] = []
        self.bit = 1 << number
        self.needs = 0

    @property
    def position(self) -> int:
        """Of the last node."""
        return max(position for position, _ in self.nodes)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """What a group of pointwise ops computes; None for other nodes."""
        node = self.nodes[0][1]
        return node.outputs[0].meta.shape if fusable(node) else None


class _Fusion:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.group_of: dict[Value, _Group] = {}
        self.groups: list[_Group] = []
        self.results = set(graph.results())
        self.readers: dict[Value, list[Node]] = {}
        for node in graph.nodes:
            for value in node.operands():
                self.readers.setdefault(value, []).append(node)

    def run(self) -> Graph:
        for position, node in enumerate(self.graph.nodes):
            group = self.home(node)
            if group is None:
                group = _Group(position)
                self.groups.append(group)
            group.nodes.append((position, node))
            self.wait_for(group, self.needs(node))
            for value in node.outputs:
                self.group_of[value] = group
        return replace(self.graph, nodes=[self.fused(group) for group in self.ordered()])

    def before(self, node: Node) -> list[_Group]:
        """The groups whose values a node reads, the latest first."""
        return list(dict.fromkeys(self.group_of[v] for v in reversed(list(node.operands())) if v in self.group_of))

    def needs(self, node: Node) -> int:
        needs = 0
        for group in self.before(node):
            needs |= group.bit | group.needs
        return needs

    def home(self, node: Node) -> _Group | None:
        """A group that a node can join, after those that it reads have become one where they can."""
        if not fusable(node):
            return None
        shape = node.outputs[0].meta.shape
        alike = [group for group in self.before(node) if group.shape == shape]
        for group in alike[1:]:
            if self.can_merge(alike[0], group):
                self.merge(alike[0], group)
        for group in self.before(node):
            between = any(other.needs & group.bit for other in self.before(node))
            if group.shape == shape and not between and operands([*group.nodes, (0, node)]) <= OPERANDS:
                return group
        return None

    def can_merge(self, a: _Group, b: _Group) -> bool:
        """Whether two groups can be one: nothing outside has to run between them."""
        for other in self.groups:
            if (other.needs & a.bit and b.needs & other.bit) or (other.needs & b.bit and a.needs & other.bit):
                return False
        return operands([*a.nodes, *b.nodes]) <= OPERANDS

    def merge(self, a: _Group, b: _Group) -> None:
        a.nodes = sorted([*a.nodes, *b.nodes], key=lambda entry: entry[0])
        for _, node in b.nodes:
            for value in node.outputs:
                self.group_of[value] = a
        self.groups.remove(b)
        for other in self.groups:
            if other.needs & b.bit:
                other.needs = other.needs & ~b.bit | a.bit
        self.wait_for(a, a.needs | b.needs)

    def wait_for(self, group: _Group, needs: int) -> None:
        """Let a group wait for others; what waits for the group does, too."""
        group.needs = (group.needs | needs) & ~group.bit
        for other in self.groups:
            if other.needs & group.bit:
                other.needs |= group.needs

    def ordered(self) -> list[_Group]:
        """The groups in an order in which they can run, as near to the program's as that allows."""
        order: list[_Group] = []
        done = 0
        waiting = sorted(self.groups, key=lambda group: group.position)
        while waiting:
            ready = next(group for group in waiting if not group.needs & ~done)
            waiting.remove(ready)
            order.append(ready)
            done |= ready.bit
        return order

    def fused(self, group: _Group) -> Node:
        nodes = [node for _, node in group.nodes]
        if len(nodes) == 1:
            return nodes[0]
        inside = set(nodes)
        made = [value for node in nodes for value in node.outputs]
        wanted = {v for v in made if v in self.results or not inside.issuperset(self.readers.get(v, ()))}
        return Fused(nodes, wanted)


def operands(nodes: list[tuple[int, Node]]) -> int:
    """How many values a group would read."""
    made = {value for _, node in nodes for value in node.outputs}
    return len({value for _, node in nodes for value in node.operands()} - made)
