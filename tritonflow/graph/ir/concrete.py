"""A program for many sizes as the program for some: every symbolic integer in it becomes the number that it is there.

What the planner of an op said of its results, it said of symbolic sizes, by rules that may hold for some sizes only. So it is asked
again: it must say the same of the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tritonflow.execution.lazy import classes, infer
from tritonflow.framework.expression import Atom
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.symbolic_int import SymbolicInt
from tritonflow.graph.ir.graph import Graph, State
from tritonflow.graph.ir.nodes import Compute, Join, KernelNode, Late, Node, NodeVisitor, Update, Value, View, Words


class Numbers:
    """What symbolic integers are in a run.

    Args:
        numbers: of the run.

    Attributes:
        used: the symbols that were asked for.

    Example:
        >>> from tritonflow.framework.symbolic_int import SizeContext
        >>> from tritonflow.graph.ir.concrete import Numbers
        >>> n = SizeContext([12]).symbol("n", 0)
        >>> Numbers([20]).of((n, 2 * n + 1, "a", 3))
        (20, 41, 'a', 3)
    """

    def __init__(self, numbers: Sequence[Any]) -> None:
        self.used: set[Atom] = set()
        self._numbers = numbers
        self._integers: dict[SymbolicInt, int] = {}
        self._metas: dict[TensorMeta | None, TensorMeta | None] = {None: None}

    def of(self, value: Any) -> Any:
        """A value with its numbers: an attribute of an op, or something nested in it."""
        kind = type(value)
        if kind is SymbolicInt:
            found = self._integers.get(value)
            if found is None:
                found = self._integers[value] = value.evaluate(self._numbers)
                self.used |= value.expression.symbols()
            return found
        if kind is RuntimeScalar:
            return value.evaluate(self._numbers) if value.of_sizes else value
        if kind is tuple or kind is list:
            return kind([self.of(item) for item in value])
        if kind is slice:
            return slice(self.of(value.start), self.of(value.stop), self.of(value.step))
        if isinstance(value, tuple):
            return kind(*[self.of(item) for item in value]) if hasattr(kind, "_fields") else kind([self.of(item) for item in value])
        return value

    def meta(self, meta: Any) -> Any:
        """A meta with its numbers."""
        found = self._metas.get(meta)
        if found is None and meta is not None:
            found = meta
            if meta.is_local and SymbolicInt in map(type, (*meta.shape, *meta.stride)):
                found = TensorMeta.get(self.of(meta.shape), self.of(meta.stride), meta.dtype, meta.device, meta.aligned)
            self._metas[meta] = found
        return found


def concrete(graph: Graph, numbers: Numbers) -> Graph:
    """The program for the sizes among the numbers of a run.

    Raises:
        OtherProgramError: an op makes of these sizes what it did not make of those that were captured.
    """
    return _Concrete(numbers).graph(graph)


class OtherProgramError(Exception):
    """For some sizes, the function does other things than the program that was captured."""


class _Concrete(NodeVisitor[Node]):
    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.values: dict[Value | None, Any] = {None: None}

    def graph(self, graph: Graph) -> Graph:
        inputs = [self.made(value) for value in graph.inputs]
        states = [self.made(state.value) for state in graph.states]
        nodes = []
        for node in graph.nodes:
            nodes.append(made := self.visit(node))
            self.values.update(zip(node.outputs, made.outputs))
        return replace(
            graph,
            inputs=inputs,
            states=[State(s.impl, value, self.values[s.result]) for s, value in zip(graph.states, states)],
            nodes=nodes,
            outputs=[self.values[value] for value in graph.outputs],
        )

    def made(self, value: Value) -> Value:
        made = self.values[value] = Value(self.numbers.meta(value.meta), None, value.name)
        return made

    def inputs(self, node: Node) -> tuple[Any, ...]:
        return tuple([self.values[value] for value in node.inputs])

    def compute(self, node: Compute) -> Node:
        of, meta, inputs = self.numbers.of, self.numbers.meta, self.inputs(node)
        attrs, dynamic, over = of(node.attrs), of(node.dynamic), meta(node.over)
        metas = tuple([meta(value.meta) for value in node.outputs[: node.results]])
        given = tuple([None if value is None else value.meta for value in inputs])
        try:
            inferred = infer(node.op, given, attrs, classes(dynamic), over)
        except Exception as error:
            raise OtherProgramError(f"{node.name()} refuses these sizes: {error}") from error
        if inferred != metas:
            raise OtherProgramError(f"{node.name()} gives {inferred}, and not {metas}")
        return Compute(node.op, inputs, attrs, dynamic, metas, over, node.source_line)

    def view(self, node: View) -> Node:
        return View(self.values[node.base], self.numbers.meta(node.meta), self.numbers.of(node.offset))

    def update(self, node: Update) -> Node:
        meta, offset = self.numbers.meta(node.meta), self.numbers.of(node.offset)
        base, part = self.inputs(node)
        return Update(base, part, meta, offset, node.source_line)

    def late(self, node: Late) -> Node:
        return Late(*self.inputs(node))

    def fused(self, node: KernelNode) -> Node:
        raise TypeError(f"a {node.name()} is no node of a captured graph")

    def join(self, node: Join) -> Node:
        raise TypeError("a join is no node of a captured graph")

    def words(self, node: Words) -> Node:
        raise TypeError("words are no node of a captured graph")
