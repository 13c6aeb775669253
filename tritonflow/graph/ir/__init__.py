"""The graph that is captured: values, and the nodes that make them, in an order in which they may run.

It is functional: nothing is ever written. What a program writes in place is a new value: an op that writes an input makes a
value for it (`Compute.written`), and a write to a part of a tensor is an `Update` of the whole. Views are `View` nodes: a meta and
an offset in bytes over a base. Memory comes back in `plan/memory.py`, where an updated value takes the memory of the one before.

    %2: float32[8, 4] = matmul(%0, %1)            # train.py:12
    %3: float32[4, 8] = view %2 strides (1, 4) offset 0

What moves between ranks is in `collectives.py`. `canonical.py` writes a graph as text that is equal in every process. `cost.py`
counts operations and bytes.
"""

from tritonflow.graph.ir.collectives import Boxing, CollectiveDone, CollectiveStart
from tritonflow.graph.ir.graph import Graph, GraphText, Readers, Segment, State
from tritonflow.graph.ir.nodes import (
    ANY_LAYOUT,
    MATMUL,
    PADDED_ROWS,
    PLACED,
    ROW_GRADIENTS,
    WEIGHT_GRADIENT,
    Compute,
    Join,
    KernelNode,
    Late,
    Node,
    NodeVisitor,
    Update,
    Value,
    View,
    Words,
    constant,
    is_loaded,
    is_op,
    root,
    source,
    words,
)
from tritonflow.ops.function_source import COPIES

__all__ = [
    "ANY_LAYOUT",
    "COPIES",
    "MATMUL",
    "PADDED_ROWS",
    "PLACED",
    "ROW_GRADIENTS",
    "WEIGHT_GRADIENT",
    "Boxing",
    "CollectiveDone",
    "CollectiveStart",
    "Compute",
    "Graph",
    "GraphText",
    "Join",
    "KernelNode",
    "Late",
    "Node",
    "NodeVisitor",
    "Readers",
    "Segment",
    "State",
    "Update",
    "Value",
    "View",
    "Words",
    "constant",
    "is_loaded",
    "is_op",
    "root",
    "source",
    "words",
]
