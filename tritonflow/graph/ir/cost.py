"""What an op costs: floating-point operations and bytes, by formulas over its metas. A table to read, and to decide by.

Operations: a product of m x k by k x n takes 2mnk; a pointwise op one for each element of its result, whatever the function; the
others so many for each element that they read (`PER_ELEMENT`). Copies, casts, indexing and random integers take none.

Bytes: what is read and what is written once, if caches held everything in between: each operand's elements, each result's. A fused
node reads its inputs and writes its outputs; what stays inside costs nothing.

    >>> from tritonflow.graph.capture.capture import Capture
    >>> import tritonflow as flow
    >>> with Capture() as capture:
    ...     x, y = (capture.input(flow.ones(4, 4).meta) for _ in range(2))
    ...     graph = capture.finish([x @ y])
    >>> cost_of(graph.computes()[-1])
    Cost(flops=128, read=128, written=64)
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.ir import Compute, Node, Value


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
    written = sum(nbytes_of(value.meta) for value in node.outputs) - sum(_only_read(op) for op in ops)
    return Cost(sum(flops_of(op) for op in ops), read, written)


def flops_of(op: Compute) -> int:
    """The operations of one op."""
    formula = FORMULAS.get(op.op.name)
    if formula is not None:
        return formula(op)
    if op.op.name in PER_ELEMENT:
        return PER_ELEMENT[op.op.name] * max((value.meta.numel for value in op.operands()), default=0)
    if op.op.name.startswith("multi_tensor"):
        return MULTI_TENSOR.get(op.op.name, 1) * _parameters(op)
    return op.outputs[0].meta.numel if op.op.definition.kind == "pointwise" else 0


# ---- the table

PER_ELEMENT = {
    # reductions and scans
    "sum": 1, "nansum": 1, "mean": 1, "prod": 1, "amax": 1, "amin": 1, "max_dim": 1, "min_dim": 1, "argmax": 1, "argmin": 1,
    "var": 4, "std": 4, "var_mean": 4, "norm": 2, "cumsum": 1, "cumprod": 1,
    # rows: maximum, difference, exponential, sum, quotient
    "softmax": 5, "softmax_grad": 4, "log_softmax": 5, "log_softmax_grad": 4, "cross_entropy": 4, "cross_entropy_grad": 4,
    # mean, variance, normalised, scaled, shifted
    "layer_norm": 8, "layer_norm_grad": 11, "layer_norm_param_grad": 5,
    "batch_norm": 8, "batch_norm_eval": 4, "batch_norm_grad": 11, "batch_norm_statistics": 4, "batch_norm_sums": 4,
    # windows
    "max_pool2d": 1, "avg_pool2d": 1, "avg_pool_grad": 1, "adaptive_avg_pool2d": 1, "adaptive_avg_pool_grad": 1,
}  # fmt: skip

MULTI_TENSOR = {
    "multi_tensor_sgd_update": 4,
    "multi_tensor_adam_update": 14,
    "multi_tensor_norm": 2,
}  # for each parameter


def _meta(op: Compute, position: int) -> TensorMeta:
    value = op.inputs[position]
    assert value is not None
    return value.meta


def _matmul(op: Compute) -> int:
    left = _meta(op, 0).shape
    inner = left[-2] if op.attrs[0] and len(left) > 1 else left[-1]
    return 2 * op.outputs[0].meta.numel * inner


def _linear(op: Compute) -> int:
    return 2 * op.outputs[0].meta.numel * _meta(op, 1).shape[-1]


def _convolution(op: Compute) -> int:
    """Each output is a sum over input channels (of its group) and taps."""
    return 2 * op.outputs[0].meta.numel * prod(_meta(op, 1).shape[1:])


def _data_gradient(op: Compute) -> int:
    return 2 * _meta(op, 0).numel * prod(_meta(op, 1).shape[1:])


def _filter_gradient(op: Compute) -> int:
    return 2 * _meta(op, 0).numel * prod(op.outputs[0].meta.shape[1:])


def _attention(op: Compute) -> int:
    """Two products of every query with every key; behind a causal mask with half of them."""
    query, key, value = (_meta(op, k).shape for k in range(3))
    pairs = prod(query[:-1]) * key[-2]
    return 2 * pairs * (query[-1] + value[-1]) // (2 if op.attrs[0] else 1)


def _attention_gradient(op: Compute) -> int:
    """Five products: the scores again, and the gradients of scores, queries, keys and values."""
    query, key, value = (_meta(op, k).shape for k in range(1, 4))
    pairs = prod(query[:-1]) * key[-2]
    return 2 * pairs * (3 * query[-1] + 2 * value[-1]) // (2 if op.attrs[0] else 1)


FORMULAS: dict[str, Callable[[Compute], int]] = {
    "matmul": _matmul,
    "linear": _linear,
    "conv2d": _convolution,
    "conv_data_grad": _data_gradient,
    "conv_filter_grad": _filter_gradient,
    "scaled_dot_product_attention": _attention,
    "attention_grad": _attention_gradient,
}

# Ops that read as many elements of their first input as their result has.
SELECTING = ("index_get", "gather", "max_pool_grad_grad")


# ---- bytes


def _parameters(op: Compute) -> int:
    """The elements of the first column of an op over many tensors."""
    single = op.op.definition.inputs.index("tensors")
    count = op.attrs[0] if op.op.definition.attrs[:1] == ("count",) else len(op.inputs) - single
    return sum(_meta(op, single + k).numel for k in range(count))


def _bytes_read(node: Node, value: Value) -> int:
    whole = nbytes_of(value.meta)
    for op in node.ops():
        if op.op.name in SELECTING and op.inputs[0] is value:
            return min(whole, op.outputs[0].meta.numel * value.meta.dtype.itemsize)
    return whole


def _only_read(op: Compute) -> int:
    """The bytes of gradients, which optimizers leave as they are although they stand among what is written."""
    if op.op.name not in ("multi_tensor_sgd_update", "multi_tensor_adam_update"):
        return 0
    count = op.attrs[0]
    return sum(_meta(op, 1 + count + k).nbytes for k in range(count))


def nbytes_of(meta: Any) -> int:
    """The bytes that a tensor's elements take; those of a broadcast one are counted once."""
    elements = prod(size for size, step in zip(meta.shape, meta.stride) if step or size < 2)
    return elements * meta.dtype.itemsize
