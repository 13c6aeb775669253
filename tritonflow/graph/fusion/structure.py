"""The structure of a group: all that says whether its ops fit, what they cost and which kernel computes them.

    %3 = add(%1, %2); %4 = tanh(%3)      has the structure of      %7 = add(%5, %6); %8 = tanh(%7)

if the values have equal metas. So what is worked out from it is worked out once for all steps of a recurrence, layers of a net, and
updates of parameters: a program that is twice as long has twice the groups, and hardly another structure.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple, TypeVar

from tritonflow.execution.lazy import classes
from tritonflow.graph.ir import Compute, Node, Value, constant, root, source, words

T = TypeVar("T")


class Structures:
    """What is worked out for groups of a graph, once for each structure."""

    def __init__(self) -> None:
        self._found: dict[Hashable, object] = {}
        self._facts: dict[Node, _Facts] = {}
        self._kinds: dict[Hashable, int] = {}

    def once(self, nodes: Iterable[Compute], further: Hashable, work: Callable[[], T]) -> T:
        """What `work` gives, or has given for nodes of this structure.

        Args:
            nodes: in an order, which is part of the structure.
            further: what the work is, and what it depends on besides.
        """
        key = (further, self._structure(nodes))
        if key not in self._found:
            self._found[key] = work()
        return self._found[key]  # type: ignore[return-value]

    def _structure(self, nodes: Iterable[Compute]) -> Hashable:
        """Equal for ops that differ in nothing but which values these are, and in numbers."""
        numbers: dict[Value, int] = {}
        key: list[int] = []
        for node in nodes:
            kind, operands, outputs = self._facts.get(node) or self._facts_of(node)
            key.append(kind)
            for value, base, seen in operands:
                key += (seen, numbers.setdefault(value, len(numbers)), numbers.setdefault(base, len(numbers)))
            for value in outputs:
                key.append(numbers.setdefault(value, len(numbers)))
        return tuple(key)

    def _facts_of(self, node: Compute) -> _Facts:
        absent = tuple([value is None for value in node.inputs])
        metas = tuple([value.meta for value in node.outputs])
        kind = self._number((node.op, node.attrs, classes(node.dynamic), node.written, absent, metas))
        operands = [(value, root(value), self._number(_seen(value))) for value in node.operands()]
        facts = self._facts[node] = _Facts(kind, operands, node.outputs)
        return facts

    def _number(self, kind: Hashable) -> int:
        """Small, and the same for what is equal."""
        return self._kinds.setdefault(kind, len(self._kinds))


class _Facts(NamedTuple):
    """Of a node: what it is but for its values; those that it reads, with what they are views of and as what they are seen."""

    kind: int
    operands: list[tuple[Value, Value, int]]
    outputs: tuple[Value, ...]


def _seen(value: Value) -> Hashable:
    """A value's meta, whether it begins where its base does, whether it is a number, and what it is drawn from."""
    drawn = words(value)
    state = None if drawn is None else next(drawn.operands()).meta
    return (value.meta, source(value) is root(value), constant(value) is not None, state)
