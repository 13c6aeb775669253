"""What stands in front of an operand of a product and is done by the product's kernel, as it loads: a cast, or some cheap ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tritonflow.dtypes import DType, float32
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.fusion.group import dtypes_of, is_pointwise
from tritonflow.graph.ir import Compute, Node, Value
from tritonflow.ops.function_source import Operation, write_function


class Prologue(NamedTuple):
    """The operand is `body`, ops one behind the other, of `value`, which the kernel loads in its place."""

    body: Sequence[Compute]
    value: Value

    @property
    def dtype(self) -> DType:
        """What the product is of."""
        return self.body[-1].outputs[0].meta.dtype

    def function(self) -> Any:
        """The scalar function of a loaded element, whose result is of the product's dtype."""
        loaded, operations = self.value.meta.dtype, self.operations("x")
        operations[-1] = operations[-1]._replace(stored=True)
        if loaded is not loaded.compute:
            widen = Operation("arithmetic.identity", [("x", loaded.compute)], [("x", loaded)], loaded.compute)
            operations.insert(0, widen)
        title = "_".join(["prologue", *[node.op.name for node in self.body[:4]]])
        return write_function(title, ["x"], operations, [self.result("x")])

    def operations(self, name: str) -> list[Operation]:
        """The ops, on what is called `name`."""
        found, argument, have = [], name, self.value.meta.dtype.compute
        for k, node in enumerate(self.body):
            compute, dtypes = dtypes_of(node)
            numbers = [(repr(float(number)), compute) for number in node.dynamic]
            target = "arithmetic.identity" if node.op.name == "cast" else node.op.definition.target
            found.append(Operation(target, [(f"{name}_{k}", dtypes[0])], [(argument, have), *numbers], compute))
            argument, have = f"{name}_{k}", dtypes[0].compute
        return found

    def result(self, name: str) -> str:
        """What the last of `operations` is called."""
        return f"{name}_{len(self.body) - 1}"


def prologue_ops(node: Node) -> Sequence[Compute]:
    """The ops of a node that products can do for themselves; none if it is anything else."""
    chain: list[Compute] = []
    for op in node.ops():
        if not _is_prologue_op(op) or (chain and op.inputs[0] is not chain[-1].outputs[0]):
            return ()
        chain.append(op)
    return chain if chain and node.outputs == chain[-1].outputs else ()


def _is_prologue_op(node: Compute) -> bool:
    """Whether it gives 0 of 0, which is what masks leave, and costs little where tiles repeat it."""
    if not node.op.definition.prologue or not is_pointwise(node) or len(node.inputs) != 1:
        return False
    if any(isinstance(number, RuntimeScalar) or not 1e-30 < abs(number) < 1e30 for number in node.dynamic):
        return False  # 0 times infinity is not 0, nor is 0 divided by 0
    return all(value.meta.dtype.compute is float32 for value in (*node.operands(), *node.outputs))
