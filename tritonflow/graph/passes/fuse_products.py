"""Epilogues: the pointwise ops behind a product become part of its kernel.

    %1 = linear(input0, w, b)          %2, %1 = fused[linear, relu, mul](input0, w, b, input1)
    %2 = fused[relu, mul](%1, input1)
    return %2, sum(%1)           ->    return %2, sum(%1)

A product takes whole groups that compute on its elements, also if these are read in another shape, and that are estimated to cost
less in its tiles than by themselves (`fusion/price.py`). It then runs behind the nodes that make the groups' other operands, if
nobody reads its result before. What other nodes read of it is stored as well. If the results of several products meet in a group,
the last product takes the group, and the others run where they did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tritonflow.graph.fusion.decisions import BETWEEN, Decision
from tritonflow.graph.fusion.group import POINTERS, Fused, is_pointwise, reads_of
from tritonflow.graph.fusion.price import Prices, compare, device_model_of, work_of
from tritonflow.graph.fusion.product import FusedProduct, space_behind, takes_epilogue
from tritonflow.graph.fusion.structure import Structures
from tritonflow.graph.ir import Compute, Graph, Node, Value, View, root
from tritonflow.graph.passes.rewrite import replaced, views_where_read

Position = tuple[int, int]
APART = "it does not compute on the product's elements, one by one"


def fuse_products(graph: Graph, decisions: list[Decision] | None = None) -> Graph:
    """The graph with products that have taken what follows them; what is decided is noted in `decisions`."""
    return _Products(graph, decisions).run()


class _Products:
    def __init__(self, graph: Graph, decisions: list[Decision] | None) -> None:
        self.graph = graph
        self.decisions = decisions
        self.results = set(graph.results())
        self.position: dict[Node, Position] = {node: (k, 0) for k, node in enumerate(graph.nodes)}
        self.readers = graph.readers()
        self.producers = graph.producers()
        self.reshaped: dict[Value, Value] = {}  # for views that products store themselves, what they store
        self.structures = Structures()

    def run(self) -> Graph:
        for node in reversed(self.graph.nodes):
            if takes_epilogue(node):
                self.extend(node)
        order = sorted(self.position, key=lambda node: self.position[node])
        graph = views_where_read(replace(self.graph, nodes=order))
        return views_where_read(replaced(graph, self.reshaped)) if self.reshaped else graph

    def extend(self, product: Compute) -> None:
        """Let a product take the groups behind it that fit."""
        same = self.in_other_shapes(product.outputs[0])
        taken: list[Node] = []
        position: Position | None = None
        for group in sorted({r for v in same for r in self.readers.of(v)}, key=self.position.__getitem__):
            groups = [*taken, group]
            if not body_of(group):
                continue
            fits = self.fits(product, same, groups)
            found = self.common_position(product, same, groups) if fits else None
            if found is None:
                self.note(product, group, BETWEEN if fits else APART)
            elif self.pays(product, same, taken, group):
                taken, position = groups, found
        if position is not None:
            self.merge(product, same, taken, position)

    def in_other_shapes(self, value: Value) -> dict[Value, None]:
        """A contiguous value, and its views that are all of it, contiguous."""
        found = {value: None}
        for reader in self.readers.of(value):
            if isinstance(reader, View) and reader.meta.is_contiguous and reader.meta.numel == value.meta.numel:
                found |= self.in_other_shapes(reader.outputs[0])
        return found

    def fits(self, product: Compute, same: dict[Value, None], groups: list[Node]) -> bool:
        """Whether groups compute on the elements of a product, one by one."""
        body = bodies(groups)

        def fits() -> bool:
            space = space_behind(product, body)
            return space is not None and len(reads_of(body, space, same)) <= POINTERS

        return self.structures.once((product, *body), "fits", fits)

    def pays(self, product: Compute, same: dict[Value, None], taken: list[Node], group: Node) -> bool:
        """Whether a group costs less in the product's tiles, behind those that it has taken, than by itself."""
        made = {value for each in (*taken, group) for value in each.outputs}
        stored = made | ({product.outputs[0]} if self.outside(same, [*taken, group]) else set())
        body = bodies(taken)
        nodes = (product, *body, *body_of(group))
        which = tuple([value in stored for node in nodes for value in node.outputs])
        prices = self.structures.once(nodes, (len(body), which), lambda: compared(product, body, body_of(group), stored))
        self.note(product, group, prices=prices)
        return prices.pays

    def note(self, product: Compute, group: Node, reason: str = "", prices: Prices | None = None) -> None:
        """Keep a decision for those who ask."""
        if self.decisions is not None:
            self.decisions.append(Decision(body_of(group), [product], "behind", reason, prices))

    def outside(self, same: dict[Value, None], groups: list[Node]) -> list[Value]:
        """The shapes of a product's result in which others than the groups read it."""
        inside = {*groups, *[value.definition for value in same]}
        return [v for v in same if v in self.results or not inside.issuperset(self.readers.of(v))]

    def common_position(self, product: Compute, same: dict[Value, None], groups: list[Node]) -> Position | None:
        """Where all can run: behind what the groups need, and before anybody else reads their results or the product's."""
        body = bodies(groups)
        made = {*same, *[value for node in body for value in node.outputs]}
        producers = [self.producers.get(root(value)) for node in body for value in node.operands() if root(value) not in made]
        ready = max([self.position[node] for node in (product, *producers) if node is not None])
        position = (ready[0], len(self.graph.nodes) - len(self.position) + 1)  # behind what was moved there before
        values = [*product.outputs, *[value for group in groups for value in group.outputs]]
        others = (reader for value in values for reader in self.readers.through_views(value) if reader not in groups)
        return None if any(self.position[reader] < position for reader in others) else position

    def merge(self, product: Compute, same: dict[Value, None], groups: list[Node], position: Position) -> None:
        outside = self.outside(same, groups)
        wanted = {value for group in groups for value in group.outputs}
        wanted.update(outside if len(outside) == 1 else outside and product.outputs)
        merged = FusedProduct(product, same, bodies(groups), wanted)
        self.producers.update(dict.fromkeys([*product.outputs, *merged.outputs], merged))
        self.reshaped.update((value, own) for value, own in zip(merged.stored, merged.outputs) if value is not own)
        for node in (product, *groups):
            del self.position[node]
        self.position[merged] = position
        self.readers.merge((product, *groups), merged)


def compared(product: Compute, taken: Sequence[Compute], body: Sequence[Compute], stored: set[Value]) -> Prices:
    """What ops cost by themselves beside a product with those that it has taken, and what all cost together."""
    model, result = device_model_of(product.outputs[0]), product.outputs[0]
    apart = [
        work_of(taken, "product", stored | {result}, model, [result]),
        work_of(body, "elements", stored - {result}, model),
    ]
    return compare(apart, work_of([*taken, *body], "product", stored, model, [result]), model)


def body_of(group: Node) -> Sequence[Compute]:
    """The pointwise ops of a group, or of one alone; nothing for other nodes."""
    return group.ops() if isinstance(group, Fused) or is_pointwise(group) else ()


def bodies(groups: list[Node]) -> list[Compute]:
    """The ops of all groups."""
    return [node for group in groups for node in body_of(group)]
