"""The gradient of a relu in front of max pooling is masked where it is pooled, not in the whole image.

    %4 = max_pool_grad(%3, indices)            %4 = relu_backward_x(%3, pooled)
    %5 = relu_backward_x(%4, y)         ->     %5 = max_pool_grad(%4, indices)
    return %5                                  return %5

The pooling's gradient is 0 but where a maximum was, and there y is what was pooled: no bit changes. The masked image is
smaller, and the mask can be fused with the kernel that makes %3, such as a convolution's. y itself is not saved for backward.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tritonflow.graph.ir import Compute, Graph, Node, Readers, Value, is_op


def mask_before_pooling(graph: Graph) -> Graph:
    """The graph with such gradients the other way round; those of the poolings are left to `remove_dead_code`."""
    readers, producers, nodes = graph.readers(), graph.producers(), list[Node]()
    for node in graph.nodes:
        swapped = _swapped(node, readers, producers) if is_op(node, "relu_backward_x") else []
        nodes += swapped or [node]
    return replace(graph, nodes=nodes)


def _swapped(mask: Compute, readers: Readers, producers: Mapping[Value, Node]) -> list[Node]:
    """The mask, then the pooling's gradient; nothing where they are not to be swapped."""
    spread, y = mask.inputs
    assert spread is not None
    scatter = producers.get(spread)
    if not is_op(scatter, "max_pool_grad") or scatter.inputs[1] is None:
        return []
    pool = producers.get(scatter.inputs[1])
    if not is_op(pool, "max_pool2d") or pool.inputs[0] is not y or readers.is_result(spread):
        return []
    grad, pooled = scatter.inputs[0], pool.outputs[0]
    if readers.through_views(spread) != [mask] or grad is None or grad.meta.dtype is not pooled.meta.dtype:
        return []
    if spread.meta is not mask.outputs[0].meta:
        return []
    masked = Compute(mask.op, (grad, pooled), mask.attrs, mask.dynamic, [pooled.meta], source_line=mask.source_line)
    inputs = (masked.outputs[0], scatter.inputs[1])
    again = Compute(scatter.op, inputs, scatter.attrs, scatter.dynamic, [spread.meta], source_line=scatter.source_line)
    return [masked, again.replace(outputs=mask.outputs)]
