"""Groups of pointwise ops that are computed by one kernel: the elementwise template with a function written for the group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.dtypes import INTEGER, DType, int64
from tritonflow.graph.fusion.codegen import Operation, write_function
from tritonflow.graph.ir import COPIES, Compute, Node, Value
from tritonflow.interpreter.lazy import classes
from tritonflow.ops.elementwise import launch, operand_dtypes
from tritonflow.ops.plan import Plan

MOVES = ("cast", *COPIES)  # computed by the identity


class Fused(Node):
    """Several ops as one: `body` in order; the outputs are those of its values that are `wanted` outside."""

    __slots__ = ("body", "dynamic")

    def __init__(self, body: Sequence[Any], wanted: set[Value]) -> None:
        self.body: list[Compute] = list(body)
        made = [value for node in self.body for value in node.outputs]
        inputs = dict.fromkeys(value for node in self.body for value in node.operands())
        self.inputs = tuple(value for value in inputs if value not in made)
        self.outputs = tuple(value for value in made if value in wanted)
        self.dynamic = tuple(number for node in self.body for number in node.dynamic)
        self.place = self.body[-1].place
        for value in self.outputs:
            value.producer = self

    def name(self) -> str:
        """For people: the ops inside."""
        return f"fused[{', '.join(node.op.name for node in self.body)}]"

    def ops(self) -> Sequence[Compute]:
        return self.body

    def plan(self) -> Plan:
        """The kernel."""
        operations: list[Operation] = []
        scalars: list[str] = []
        names = {value: f"x{k}" for k, value in enumerate(self.operands())}
        for node in self.body:
            compute, result = dtypes_of(node)
            arguments = [(names[v], v.meta.dtype.compute) for v in node.operands()]
            for _ in node.dynamic:
                kind = compute if compute.is_floating_point else int64
                arguments.append((f"s{len(scalars)}", kind))
                scalars.append(f"d{len(scalars)}:{kind.triton}")
            names[node.outputs[0]] = name = f"v{len(operations)}"
            target = "arithmetic.identity" if node.op.name in MOVES else node.op.definition.target
            operations.append(Operation(target, name, arguments, compute, result))
        title = "_".join(["fused", *[node.op.name for node in self.body[:4]]])
        parameters = [*[names[v] for v in self.operands()], *[f"s{k}" for k in range(len(scalars))]]
        function = write_function(title, parameters, operations, [names[value] for value in self.outputs])
        inputs, outputs = [v.meta for v in self.operands()], [v.meta for v in self.outputs]
        pointers = ([f"i{k}" for k in range(len(inputs))], [f"o{k}" for k in range(len(outputs))])
        return Plan(inputs, outputs, [launch(function, None, outputs[0].shape, inputs, outputs, pointers, scalars)])


def fusable(node: Node) -> bool:
    """Whether a node computes each element of its result from the elements at that position."""
    if not isinstance(node, Compute) or node.written or None in node.inputs or not node.inputs:
        return False
    definition = node.op.definition
    if definition.kind != "pointwise" and node.op.name not in MOVES:
        return False
    if definition.divisor and dtypes_of(node)[0].category == INTEGER:
        return False  # looks for zeros first
    return all(value.meta.is_contiguous and value.meta.numel for value in node.outputs)


def dtypes_of(node: Compute) -> tuple[DType, DType]:
    """What a node computes in, and its result's dtype."""
    result = node.outputs[0].meta.dtype
    if node.op.name in MOVES:
        value = node.inputs[0]
        assert value is not None
        return value.meta.dtype.compute, result
    metas = [value.meta for value in node.operands()]
    operand, _ = operand_dtypes(node.op.definition, metas, classes(node.dynamic))
    return operand.compute, result

