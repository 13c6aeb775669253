"""Padded rows: on a GPU, logits of an odd number of classes are made with rows that begin at whole lines of its cache.

    %1: bfloat16[16384, 50257] = linear(...)            %1: bfloat16[16384, 50257] strides (50304, 1) = linear(...)
    %2 = cross_entropy(%1, ...)                   ->    %2 = cross_entropy(%1, ...)
    %3 = cross_entropy_grad(..., %1, ...)               %3 strides (50304, 1) = cross_entropy_grad(..., %1, ...)
    %4, %5 = matmul(%3, ...), matmul(%3, ...)           %4, %5 = matmul(%3, ...), matmul(%3, ...)

Stores of a row that begins anywhere are of two bytes, and products copy such matrices before they read them (`ops/matmul.py`). It
is done where losses alone read the logits (`fusion: padded_rows`), and products alone their gradient.
"""

from __future__ import annotations

from dataclasses import replace

from tritonflow.device.provider import facts_of
from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.ir import MATMUL, PADDED_ROWS, Compute, Graph, Readers, Value
from tritonflow.graph.passes.choose_layouts import takes
from tritonflow.graph.passes.rewrite import replaced
from tritonflow.ops.scratch import LINE, padded

WIDEST_GAP = 16  # a row is padded by less than this part of it


def pad_rows(graph: Graph) -> Graph:
    """The graph with such values."""
    readers, laid = graph.readers(), dict[Value, Value]()
    for node in graph.computes():
        if node.op.definition.fusion == MATMUL and _is_odd(node.outputs[0].meta):
            laid.update((value, Value(padded(value.meta))) for value in _alike(node.outputs[0], readers))
    if not laid:
        return graph
    makers = {node for value, node in graph.producers().items() if value in laid}
    nodes = [
        node.replace(outputs=tuple([laid.get(value, value) for value in node.outputs])) if node in makers else node
        for node in graph.nodes
    ]
    return replaced(replace(graph, nodes=nodes), laid)


def _is_odd(meta: TensorMeta) -> bool:
    """Whether a GPU can not load the rows of a matrix of halves 16 bytes at a time, and they are long."""
    halves = meta.ndim == 2 and meta.is_contiguous and meta.dtype.is_floating_point and meta.dtype.itemsize == 2
    return halves and meta.shape[1] % 8 > 0 and meta.shape[1] >= WIDEST_GAP * LINE and facts_of(meta.device).kind == "gpu"


def _alike(logits: Value, readers: Readers) -> list[Value]:
    """The logits and the gradients that lie like them; none of them if anybody reads one in another way."""
    values = [logits]
    for reader in readers.of(logits):
        if not isinstance(reader, Compute) or reader.op.definition.fusion != PADDED_ROWS:
            return []
        if [k for k, value in enumerate(reader.inputs) if value is logits] != [reader.op.definition.inputs.index("input")]:
            return []
        gradients = [value for value in reader.outputs if value.meta is logits.meta]
        if not all(_products_alone_read(value, readers) for value in gradients):
            return []
        values += gradients
    return [] if any(map(readers.is_result, values)) else values


def _products_alone_read(value: Value, readers: Readers) -> bool:
    return all(
        isinstance(reader, Compute) and reader.op.definition.fusion == MATMUL and takes(reader, value, padded(value.meta))
        for reader in readers.of(value)
    )
