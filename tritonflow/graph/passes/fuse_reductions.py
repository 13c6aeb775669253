"""Reductions of any dimensions take the pointwise work in front of them that nobody else reads.

    %1 = fused[sub, square](input0, input1)
    %2 = mean(%1)                              ->    %2 = fused[sub, square, mean](input0, input1)
    return %2                                        return %2

Rows that fit in a tile are the matter of `fuse_pointwise`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.fusion.group import Fused, is_pointwise
from tritonflow.graph.fusion.price import Work, compare, device_model_of, work_of
from tritonflow.graph.fusion.reduction import FusedReduction, space_before, takes_source, template_of
from tritonflow.graph.ir import Compute, Graph, Node, Value, source
from tritonflow.graph.passes.rewrite import views_where_read


def fuse_reductions(graph: Graph, decisions: list[Decision] | None = None) -> Graph:
    """The graph with such groups as part of the reductions behind them; what is decided is noted in `decisions`."""
    readers, producers = graph.readers(), graph.producers()
    merged: dict[Node, Node] = {}
    gone: set[Node] = set()
    for node in graph.nodes:
        if not takes_source(node):
            continue
        elements = _elements(node, producers)
        if elements is None or readers.is_result(elements) or readers.through_views(elements) != [node]:
            continue
        group = producers[elements]
        if len(group.outputs) == 1 and space_before(group.ops(), node) and _pays(group, elements, node, decisions):
            merged[node] = FusedReduction(group.ops(), elements, node)
            gone.add(group)
    return views_where_read(replace(graph, nodes=[merged.get(node, node) for node in graph.nodes if node not in gone]))


def _pays(group: Node, elements: Value, reduction: Compute, decisions: list[Decision] | None) -> bool:
    """Whether a reduction that computes its elements is faster than one that reads them."""
    model, nbytes, template = device_model_of(elements), elements.meta.nbytes, template_of(reduction)
    apart = [
        work_of(group.ops(), "elements", {elements}, model),
        Work(template, elements.meta.numel, read=nbytes, arrays=1),
    ]
    prices = compare(apart, work_of(group.ops(), template, (), model), model)
    if decisions is not None:
        decisions.append(Decision(group.ops(), [reduction], "in front of", prices=prices))
    return prices.pays


def _elements(reduction: Compute, producers: Mapping[Value, Node]) -> Value | None:
    """What a reduction reduces, as pointwise ops leave it; None where it is anything else."""
    (x,) = reduction.operands()
    elements = source(x)
    whole = x.meta.is_contiguous and x.meta.numel == elements.meta.numel
    group = producers.get(elements)
    pointwise = group.space.cols == 0 if isinstance(group, Fused) else group is not None and is_pointwise(group)
    return elements if whole and pointwise else None
