"""Epilogues: the pointwise ops behind a product become part of its kernel.

    %1 = linear(input0, w, b)          %2, %1 = fused[linear, relu, mul](input0, w, b, input1)
    %2 = fused[relu, mul](%1, input1)
    return %2, sum(%1)           ->    return %2, sum(%1)

A product takes a whole group that computes on its elements, also if these are read in another shape. It runs then where the group's
other operands are there, if nobody wants its result before. What others read of it is stored as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tritonflow.graph.fusion.group import Fused, fusable, reads_of
from tritonflow.graph.fusion.product import FusedProduct, space_behind, takes_epilogue
from tritonflow.graph.ir import Compute, Graph, Node, Value, View, root
from tritonflow.graph.passes.rewrite import views_where_read

OPERANDS = 8  # pointers that an epilogue reads

Position = tuple[int, int]


def fuse_products(graph: Graph) -> Graph:
    """The graph with products that have taken what follows them."""
    return _Products(graph).run()


class _Products:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.results = set(graph.results())
        self.position: dict[Node, Position] = {node: (k, 0) for k, node in enumerate(graph.nodes)}
        self.readers: dict[Value, list[Node]] = {}
        for node in graph.nodes:
            for value in node.operands():
                self.readers.setdefault(value, []).append(node)

    def run(self) -> Graph:
        for node in self.graph.nodes:
            if isinstance(node, Compute) and takes_epilogue(node):
                self.extend(node)
        order = sorted(self.position, key=lambda node: self.position[node])
        return views_where_read(replace(self.graph, nodes=order))

    def extend(self, product: Compute) -> None:
        """Let a product take the first group behind it that fits."""
        same = self.in_other_shapes(product.outputs[0])
        for group in sorted({r for v in same for r in self.readers.get(v, ())}, key=self.position.__getitem__):
            body = (
                group.body
                if isinstance(group, Fused)
                else [group]
                if isinstance(group, Compute) and fusable(group)
                else []
            )
            if body and self.fits(product, same, body):
                position = self.common_position(product, same, group, body)
                if position is not None:
                    self.merge(product, same, group, body, position)
                    return

    def in_other_shapes(self, value: Value) -> dict[Value, None]:
        """A contiguous value, and its views that are all of it, contiguous."""
        found = {value: None}
        for reader in self.readers.get(value, ()):
            if isinstance(reader, View) and reader.meta.is_contiguous and reader.meta.numel == value.meta.numel:
                found |= self.in_other_shapes(reader.outputs[0])
        return found

    def fits(self, product: Compute, same: dict[Value, None], body: list[Compute]) -> bool:
        """Whether a body computes on the elements of a product, one by one."""
        space = space_behind(product, body)
        return space is not None and len(reads_of(body, space, same)) <= OPERANDS

    def common_position(
        self, product: Compute, same: dict[Value, None], group: Node, body: list[Compute]
    ) -> Position | None:
        """Where both can run: behind what the body needs, and before anybody else reads the product's result."""
        made = {*same, *[value for node in body for value in node.outputs]}
        producers = [root(value).producer for node in body for value in node.operands() if root(value) not in made]
        ready = max([self.position[node] for node in (product, *producers) if node is not None])
        place = (ready[0], len(self.graph.nodes) - len(self.position) + 1)  # behind what came there before
        others = (reader for reader in self.through_views(product.outputs[0]) if reader is not group)
        return None if any(self.position[reader] < place for reader in others) else place

    def through_views(self, value: Value) -> Iterator[Node]:
        """The nodes that read a value or views of it."""
        for reader in self.readers.get(value, ()):
            if isinstance(reader, View):
                yield from self.through_views(reader.outputs[0])
            else:
                yield reader

    def merge(
        self, product: Compute, same: dict[Value, None], group: Node, body: list[Compute], place: Position
    ) -> None:
        inside = {group, *[value.producer for value in same]}
        outside = [v for v in same if v in self.results or not inside.issuperset(self.readers.get(v, ()))]
        wanted = {*group.outputs, *(outside if len(outside) == 1 else outside and product.outputs)}
        merged = FusedProduct(product, same, body, wanted)
        for node in (product, group):
            del self.position[node]
            for value in node.operands():
                self.readers[value] = [reader for reader in self.readers[value] if reader is not node]
        self.position[merged] = place
        for value in merged.operands():
            self.readers[value].append(merged)
