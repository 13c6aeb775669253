"""Fusion of ops on the same positions, and of reductions of whole rows, into one kernel.

    %1 = linear(input0, w, b)                %1 = linear(input0, w, b)
    %2 = relu(%1)
    %3 = add(%2, input1)               ->    %4 = fused[relu, add, softmax](%1, input1)
    %4 = softmax(%3, dim=-1)
    return %4                                return %4

An op joins the group of an op whose result it reads if the shapes go together (`fusion.space`) and nothing outside of the group
has to run between them; reshapes and broadcasts between the two are looked through. Operands may be broadcast and have any strides,
tensors of one number are numbers, random numbers are drawn where they are used (`place_draws`). A value that is read outside of
its group is stored, others never leave the registers. Half floats are rounded on the way as if they were stored, so that results
are eager mode's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tritonflow.graph.fusion.group import Fused, fit, fusable
from tritonflow.graph.fusion.space import Space
from tritonflow.graph.ir import Graph, Node, Value, View, constant, root, words
from tritonflow.graph.passes.place_draws import place_draws
from tritonflow.graph.passes.rewrite import views_where_read

OPERANDS = 24  # pointers of one kernel, beyond which registers run out


def fuse_pointwise(graph: Graph) -> Graph:
    """The graph with groups of pointwise ops in place of these."""
    return _Fusion(place_draws(graph)).run()


class _Group:
    """Nodes that become one, with their positions.

    Attributes:
        space: what they walk over; None for a node that is not fusable.
        needs: a bit for each group that must run before, from anywhere.
    """

    def __init__(self, number: int) -> None:
        self.nodes: list[tuple[int, Any]] = []
        self.bit = 1 << number
        self.needs = 0
        self.space: Space | None = None

    @property
    def position(self) -> int:
        """Of the last node."""
        return max(position for position, _ in self.nodes)


class _Fusion:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.group_of: dict[Value, _Group] = {}
        self.groups: list[_Group] = []
        self.readers = graph.readers()

    def run(self) -> Graph:
        for position, node in enumerate(self.graph.nodes):
            if isinstance(node, View):
                continue
            group = self.home(node)
            if group is None:
                group = _Group(position)
                self.groups.append(group)
                group.space = self.joined([(position, node)])
            group.nodes.append((position, node))
            self.wait_for(group, self.needs(node))
            for value in node.outputs:
                self.group_of[value] = group
        return views_where_read(replace(self.graph, nodes=[self.fused(group) for group in self.ordered()]))

    def before(self, node: Node) -> list[_Group]:
        """The groups whose values a node reads, through views too, the latest first."""
        sources = [root(value) for value in reversed(list(node.operands()))]
        return list(dict.fromkeys(self.group_of[v] for v in sources if v in self.group_of))

    def needs(self, node: Node) -> int:
        needs = 0
        for group in self.before(node):
            needs |= group.bit | group.needs
        return needs

    def home(self, node: Any) -> _Group | None:
        """A group that a node can join, after those that it reads have become one where they can."""
        if not fusable(node):
            return None
        alike = [group for group in self.before(node) if self.joined(group.nodes, [(0, node)])]
        for group in alike[1:]:
            self.merge(alike[0], group)
        for group in self.before(node):
            space = self.joined(group.nodes, [(0, node)]) if group.space else None
            if space and not any(other.needs & group.bit for other in self.before(node)):
                group.space = space
                return group
        return None

    def joined(self, *parts: list[tuple[int, Any]]) -> Space | None:
        """The space of all these nodes as one group; None if they can not be one."""
        nodes = [node for part in parts for _, node in part]
        if not all(map(fusable, nodes)) or operands(nodes) > OPERANDS:
            return None
        return fit(nodes)

    def merge(self, a: _Group, b: _Group) -> None:
        """Make two groups one, if nothing outside has to run between them."""
        for other in self.groups:
            if (other.needs & a.bit and b.needs & other.bit) or (other.needs & b.bit and a.needs & other.bit):
                return
        space = self.joined(a.nodes, b.nodes)
        if space is None:
            return
        a.space = space
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
        if group.space is None or (len(nodes) == 1 and all(map(_lies_in_memory, nodes[0].operands()))):
            return nodes[0]
        inside = set(nodes)
        made = [value for node in nodes for value in node.outputs]
        return Fused(nodes, {value for value in made if self.is_wanted(value, inside)}, group.space)

    def is_wanted(self, value: Value, inside: set[Any]) -> bool:
        """Whether a value is read outside of its group, by way of views too."""
        return self.readers.is_result(value) or not inside.issuperset(self.readers.through_views(value))


def _lies_in_memory(value: Value) -> bool:
    return constant(value) is None and words(value) is None


def operands(nodes: list[Any]) -> int:
    """How many values a group would read."""
    made = {value for node in nodes for value in node.outputs}
    values = {value for node in nodes for value in node.operands() if constant(value) is None}
    return len({value for value in values if root(value) not in made})
