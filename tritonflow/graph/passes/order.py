"""Order for the least peak of memory: of the nodes that can run, the next is the one that frees most, or takes least.

    %1 = matmul(input0, input1)          %1 = matmul(input0, input1)
    %2 = matmul(input0, input2)          %3 = sum(%1)
    %3 = sum(%1)                   ->    %2 = matmul(input0, input2)
    %4 = sum(%2)                         %4 = sum(%2)

A node that touches memory which another one writes in place stays before it, or behind it, so that the write can stay in place.
Random numbers are drawn in the program's order. A collective is not waited for before what stands in front of that, but for other
waits and the sums behind them. What is only sent is made when the message can begin. What writes a state stays behind what checks
indices: where a check fails, parameters are as they were. Among equal nodes the program's order decides. The new order is taken if
it needs less planned memory.

Of a program for many sizes it looks at the bytes now: another order has the same bits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from heapq import heapify, heappop, heappush

from tritonflow.framework.size_questions import unguarded
from tritonflow.framework.symbolic_int import hint
from tritonflow.graph.ir import CollectiveDone, CollectiveStart, Compute, Graph, Late, Node, Update, Value, View, root
from tritonflow.graph.passes.rewrite import views_where_read
from tritonflow.graph.plan.memory import plan_memory

ENOUGH = 0.99  # memory is planned if the new order's peak is at most this part of the program's


def order(graph: Graph) -> Graph:
    """The graph with its nodes in such an order."""
    ordering = Ordering(graph)
    found = ordering.greedy()
    if ordering.peak(found) <= ENOUGH * ordering.peak(range(len(ordering.nodes))):
        ordered = ordering.ordered(found)
        with unguarded([value.meta.shape for value in graph.values() if value.meta.is_local]):
            return ordered if plan_memory(ordered).arena < plan_memory(graph).arena else graph
    return graph


class Ordering:
    """The nodes of a graph by numbers in its order, and in which other orders they may run.

    Attributes:
        nodes: those that are no views.
        owners: for each value the one whose memory it takes.
        nbytes: of the owners that take memory of the graph's own.
        touches: for each node the owners of what it reads and makes.
        before: for each node those that have to run before it.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = [node for node in graph.nodes if not isinstance(node, View)]
        self.owners = owners(graph)
        given = {*graph.inputs, *[state.value for state in graph.states], *[self.owners[v] for v in graph.results()]}
        self.nbytes = {owner: hint(owner.meta.nbytes) for owner in dict.fromkeys(self.owners.values()) if owner not in given}
        self.touches = [self._touched(node) for node in self.nodes]
        self.before = list(self._dependences({state.value for state in graph.states}))
        self._make_when_sent()

    def ordered(self, order: Iterable[int]) -> Graph:
        """The graph in another order."""
        return views_where_read(replace(self.graph, nodes=[self.nodes[number] for number in order]))

    def greedy(self) -> list[int]:
        """The order."""
        left = self._touchers()
        after: list[list[int]] = [[] for _ in self.nodes]
        for k, before in enumerate(self.before):
            for other in before:
                after[other].append(k)
        waits = [len(before) for before in self.before]
        grows = [self._made(k) for k in range(len(self.nodes))]
        for owner, touchers in left.items():
            if len(touchers) == 1:
                grows[min(touchers)] -= self.nbytes.get(owner, 0)
        ready = [(grows[k], k) for k, count in enumerate(waits) if not count]
        heapify(ready)
        found: dict[int, None] = {}
        while ready:
            _, k = heappop(ready)
            if k in found:  # it was pushed a second time, when its growth was less
                continue
            found[k] = None
            for other in after[k]:
                waits[other] -= 1
                if not waits[other]:
                    heappush(ready, (grows[other], other))
            for owner in self.touches[k]:
                left[owner].discard(k)
                if len(left[owner]) == 1 and owner in self.nbytes:
                    (last,) = left[owner]
                    grows[last] -= self.nbytes[owner]
                    if not waits[last]:
                        heappush(ready, (grows[last], last))
        return list(found)

    def peak(self, order: Iterable[int]) -> int:
        """How many bytes are held at most."""
        left = self._touchers()
        held = most = 0
        for k in order:
            gone = [owner for owner in self.touches[k] if left[owner] == {k}]
            held += self._made(k)
            most = max(most, held - self._overwritten(k, gone))
            held -= sum(self.nbytes.get(owner, 0) for owner in gone)
            for owner in self.touches[k]:
                left[owner].discard(k)
        return most

    def _overwritten(self, k: int, gone: list[Value]) -> int:
        """How many bytes a node writes over what it is the last to read."""
        free = {self.owners[value] for value in self.nodes[k].overwritable()}.intersection(gone)
        made = [self.nbytes[value] for value in self.nodes[k].outputs if free and value in self.nbytes]
        return sum(min(made.count(n), sum(self.nbytes.get(owner) == n for owner in free)) * n for n in set(made))

    def _touched(self, node: Node) -> set[Value]:
        values = () if isinstance(node, Late) else (*node.operands(), *node.outputs)
        return {self.owners[value] for value in values}

    def _dependences(self, states: set[Value]) -> Iterator[set[int]]:
        number, producers = {node: number for number, node in enumerate(self.nodes)}, self.graph.producers()
        touched: defaultdict[Value, set[int]] = defaultdict(set)  # by memory: the nodes that have touched it since it was written
        checks: set[int] = set()
        in_front: list[int] = []  # of each node the last one in front of it that is no wait, nor a sum of what was waited for
        for k, (node, touches) in enumerate(zip(self.nodes, self.touches)):
            made = [producers.get(root(value)) for value in node.operands()]
            before = {number[producer] for producer in made if producer is not None}
            for owner in self._written(node):
                before |= touched.pop(owner, set())
                before |= checks if owner in states else set()
            for owner in touches:
                touched[owner].add(k)
            if isinstance(node, Compute) and node.checks:
                checks.add(k)
            last = in_front[-1] if in_front else -1
            is_sum = bool(made) and all(isinstance(maker, CollectiveDone) for maker in made)
            in_front.append(last if is_sum or isinstance(node, (CollectiveDone, Late)) else k)
            if isinstance(node, CollectiveDone) and last >= 0:
                before.add(last)
            yield before - {k}

    def _make_when_sent(self) -> None:
        """Let what takes memory for a tensor that is only sent wait for all that the start of the message waits for."""
        number: dict[Node | None, int] = {node: number for number, node in enumerate(self.nodes)}
        producers, touchers = self.graph.producers(), self._touchers()
        after: defaultdict[int, set[int]] = defaultdict(set)
        for k, before in enumerate(self.before):
            for other in before:
                after[other].add(k)
        for k, node in enumerate(self.nodes):
            sent = node.inputs[0] if isinstance(node, CollectiveStart) else None
            maker = None if sent is None else number.get(producers.get(root(sent)))
            if sent is None or maker is None:
                continue
            readers = touchers[self.owners[sent]] - {maker}
            freed = sum(self.nbytes.get(owner, 0) for owner in self.touches[maker] if max(touchers[owner]) == maker)
            if len(readers) == 2 and after[maker] == readers and self._made(maker) > freed:  # they are the start and its done
                self.before[maker] |= self.before[k] - {maker}

    def _written(self, node: Node) -> set[Value]:
        """The owners of others that a node writes."""
        values = () if isinstance(node, Late) else node.outputs
        return {self.owners[value] for value in values if self.owners[value] is not value}

    def _made(self, k: int) -> int:
        """How many bytes a node takes."""
        return sum(self.nbytes.get(value, 0) for value in self.nodes[k].outputs)

    def _touchers(self) -> dict[Value, set[int]]:
        """The nodes that touch each owner."""
        found: defaultdict[Value, set[int]] = defaultdict(set)
        for k, touches in enumerate(self.touches):
            for owner in touches:
                found[owner].add(k)
        return found


def owners(graph: Graph) -> dict[Value | None, Value]:
    """For each value the one whose memory it takes where everything is written in place."""
    stored = {node.inputs[1]: node.inputs[0] for node in graph.nodes if isinstance(node, Update)}
    found: dict[Value | None, Value] = {value: value for value in graph.inputs}
    found.update((state.value, state.value) for state in graph.states)
    for node in graph.nodes:
        for value in node.outputs:
            found[value] = found.get(stored.get(value), value)
        for position, value in node.aliases():
            found[value] = found[node.inputs[position]]
    return found
