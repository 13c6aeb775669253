"""What an op costs: floating-point operations and bytes, by formulas over its metas.

Operations are `flops` of the registry. A product of m x k by k x n takes 2mnk. A pointwise op takes one for each element of its
result, whatever its function. Other ops take a fixed number for each element that they read. Copies, casts, indexing and random
integers take none.

Bytes are counted as if caches held everything: each operand is read once, and each result is written once. A fused node reads its
inputs and writes its outputs; what stays inside costs nothing.

    >>> from tritonflow.graph.capture.capture import Capture
    >>> import tritonflow as flow
    >>> with Capture() as capture:
    ...     x, y = (capture.input(flow.ones(4, 4).meta) for _ in range(2))
    ...     graph = capture.finish([x @ y])
    >>> cost_of(graph.computes()[-1])
    Cost(flops=128, read=128, written=64)
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from tritonflow.graph.ir import Compute, Node, Value
from tritonflow.ops.operations import operations


class Cost(NamedTuple):
    """Floating-point operations, and bytes read and written."""

    flops: int = 0
    read: int = 0
    written: int = 0

    @property
    def bytes(self) -> int:
        """Read and written."""
        return self.read + self.written


def cost_of(node: Node) -> Cost:
    """The cost of a node; of one that runs nothing, none."""
    ops = node.ops()
    if not ops:
        return Cost()
    read = sum(_bytes_read(node, value) for value in dict.fromkeys(node.operands()))
    written = sum(nbytes_of(value.meta) for value in node.outputs)
    return Cost(sum(flops_of(op) for op in ops), read, written)


def flops_of(op: Compute) -> int:
    """The operations of one op."""
    inputs = [None if value is None else value.meta for value in op.inputs]
    return operations(op.op.definition, inputs, [value.meta for value in op.outputs], op.attrs)


# ---- bytes


def _bytes_read(node: Node, value: Value) -> int:
    whole = nbytes_of(value.meta)
    for op in node.ops():
        selects = op.op.definition.selects
        if selects and op.inputs[op.op.definition.inputs.index(selects)] is value:
            return min(whole, op.outputs[0].meta.numel * value.meta.dtype.itemsize)
    return whole


def nbytes_of(meta: Any) -> int:
    """The bytes that a tensor's elements take; those of a broadcast one are counted once."""
    elements = prod(size for size, step in zip(meta.shape, meta.stride) if step or size < 2)
    return elements * meta.dtype.itemsize
