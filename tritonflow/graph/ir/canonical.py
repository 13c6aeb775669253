"""A captured graph as a text that is equal for graphs of which passes and planners make the same, in any process.

    m0 [[4, 8], [8, 1], "float32", "cpu", true]
    m1 [[128], [1], "uint8", "cpu", true]
    input m0
    state m1
    view m0 0 1 -> m0
    mul tuple() () 1 () - 0 2 -> m0
    write 1
    return 3

A value is written as its number, in the order in which values are made. A run-time scalar is written as its number and its class,
because no schedule may depend on its value at capture. One of sizes alone is a constant of the schedule for these sizes, so that
how it is computed is written, too. An attribute that no text describes in full, such as a function, keeps the graph out of the
schedule cache.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.symbolic_int import SymbolicInt
from tritonflow.graph.ir import Boxing, Compute, Graph, Late, Node, NodeVisitor, Update, Value, View
from tritonflow.ops.registry import OPS
from tritonflow.wire.world import this_rank

_PLAIN = (type(None), bool, int, float, str)


class NotCanonicalError(TypeError):
    """A graph holds something that is not the same in another process."""


def text_of(value: Any) -> str:
    """Numbers, texts, dtypes, devices, and tuples and lists of them: other texts for other values, 1, 1.0 and True among them.

    Raises:
        NotCanonicalError: it is something else.
    """
    kind: type = type(value)
    if kind in _PLAIN:
        return repr(value)
    if kind is SymbolicInt:
        return f"<{value.expression.source}>"
    if kind is tuple or kind is list:
        return f"{kind.__name__}({', '.join(map(text_of, value))})"
    if kind is DType or kind is Device:
        return f"{kind.__name__}({value})"
    raise NotCanonicalError(f"{value!r} of type {kind.__name__} has no canonical text")


def name_of(op: OpExpr) -> str:
    """The op's name, which says all if it is the registry's."""
    if OPS.get(op.name) is not op.definition:
        raise NotCanonicalError(f"the registry has no such op {op.name}")
    return op.name


def fields_of(meta: TensorMeta) -> list[Any]:
    """What makes a meta, for `meta_of`."""
    return [meta.shape, meta.stride, meta.dtype.name, str(meta.device), meta.aligned]


def scalars_of(graph: Graph) -> list[RuntimeScalar]:
    """The run-time numbers of a graph's ops, each once, in the order in which they are met."""
    numbers = [number for node in graph.nodes for number in node.dynamic]
    return list({id(number): number for number in numbers if isinstance(number, RuntimeScalar)}.values())


def graph_text(graph: Graph) -> str:
    """The text of a captured graph.

    Raises:
        NotCanonicalError: it has none.
    """
    return _Text(graph).text


class _Text(NodeVisitor[str]):
    def __init__(self, graph: Graph) -> None:
        self.metas: dict[TensorMeta, int] = {}
        self.values: dict[Value | None, str] = {None: "-"}
        self.scalars = {id(scalar): number for number, scalar in enumerate(scalars_of(graph))}
        lines = list(self.lines(graph))
        table = [f"m{number} {json.dumps(fields_of(meta), default=text_of)}" for meta, number in self.metas.items()]
        self.text = "\n".join([*table, *lines])

    def lines(self, graph: Graph) -> Iterator[str]:
        for value in graph.inputs:
            yield f"input {self.made(value)}"
        for state in graph.states:
            yield f"state {self.made(state.value)}"
        for node in graph.nodes:
            call = f"{self.visit(node)} {self.names(node.inputs)}"  # before its results get their numbers
            yield f"{call} -> {' '.join(map(self.made, node.outputs))}"
        for state in graph.states:
            yield f"write {self.values[state.result]}"
        yield f"return {self.names(graph.outputs)}"
        for segment in graph.segments:
            yield f"segment {segment.start} {segment.stop} {segment.backward}"

    def made(self, value: Value) -> str:
        self.values[value] = str(len(self.values) - 1)
        return self.meta(value.meta)

    def meta(self, meta: TensorMeta) -> str:
        return f"m{self.metas.setdefault(meta, len(self.metas))}"

    def names(self, values: Any) -> str:
        return " ".join([self.values[value] for value in values])

    def compute(self, node: Compute) -> str:
        over = "-" if node.over is None else self.meta(node.over)
        numbers = ", ".join(map(self.number, node.dynamic))
        return f"{name_of(node.op)} {text_of(node.attrs)} ({numbers}) {node.results} {node.written} {over}"

    def view(self, node: View | Update) -> str:
        return f"{node.name()} {self.meta(node.meta)} {text_of(node.offset)}"

    update = view

    def late(self, node: Late) -> str:
        return node.name()

    def fused(self, node: Node) -> str:
        raise NotCanonicalError(f"a {node.name()} is no node of a captured graph")

    join = words = start = done = fused

    def boxing(self, node: Boxing) -> str:
        rank, route = this_rank(), node.route
        layouts = [f"{each} {each.shape} {each.cut}" for each in (route.source, *[move.target for move in route.steps])]
        return f"box {rank.index} {rank.world_size} {rank.local_size} {route.dtype.name} {layouts} {node.what!r}"

    def number(self, value: Any) -> str:
        if isinstance(value, RuntimeScalar):
            formula = f" {_formula(value)}" if value.of_sizes else ""
            return f"#{self.scalars[id(value)]} {type(value.value).__name__}{formula}"
        return text_of(value)


def _formula(part: Any) -> str:
    """How a run-time scalar is computed: each function with what it has of the outside."""
    if isinstance(part, RuntimeScalar):
        return _formula(part.evaluate)
    if isinstance(part, MethodType):
        return f"{part.__name__} {text_of(part.__self__)}"
    if isinstance(part, FunctionType):
        inside = [_formula(cell.cell_contents) for cell in part.__closure__ or ()]
        return f"{part.__module__}.{part.__qualname__}:{part.__code__.co_firstlineno}({', '.join(inside)})"
    if isinstance(part, (BuiltinFunctionType, type)):
        return f"{part.__module__}.{part.__qualname__}"
    return text_of(part)
