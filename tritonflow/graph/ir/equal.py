"""Nodes that compute the same from the same values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.ir.nodes import Compute, Node, Value, View


def computed_by(node: Node, inputs: tuple[Value | None, ...]) -> Any:
    """Equal for nodes that compute the same; None for one that does what no other does for it: it writes, or draws random numbers.

    Args:
        inputs: of the node, or values that are equal to these.
    """
    if isinstance(node, View):
        return (View, inputs, node.meta, node.offset)
    if not isinstance(node, Compute) or node.written:
        return None
    # 1 equals 1.0, so classes belong to the key; run-time scalars are told apart by identity.
    numbers = tuple([id(value) if isinstance(value, RuntimeScalar) else (type(value), value) for value in node.dynamic])
    return (node.op.name, inputs, node.attrs, numbers, node.over, tuple([value.meta for value in node.outputs]))


class EqualValues:
    """Which values of a graph that is being recorded are computed alike.

    Args:
        nodes: of the graph; there may be more at each call.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes, self._seen = nodes, 0
        self._first: dict[Any, Node] = {}
        self._same: dict[Value, Value] = {}

    def first(self, value: Value) -> Value:
        """The first value that is computed as this one is."""
        for node in self._nodes[self._seen :]:
            key = computed_by(node, tuple([given and self._same.get(given, given) for given in node.inputs]))
            known = node if key is None else self._first.setdefault(key, node)
            if known is not node:
                self._same.update(zip(node.outputs, known.outputs))
        self._seen = len(self._nodes)
        return self._same.get(value, value)
