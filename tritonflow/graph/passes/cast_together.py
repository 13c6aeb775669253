"""Casts of weights in one launch: on a GPU, casts that can run at one place of the order are one op.

    %3 = cast(%0, dtype=bfloat16)                     %3, %5 = cast_together(%0, %1)
    %4 = linear(x, %3)                         ->     %4 = linear(x, %3)
    %5 = cast(%1, dtype=bfloat16)                     %6 = linear(%4, %5)
    %6 = linear(%4, %5)

A step in mixed precision has several for each layer, most of which take as long as their launches. They are behind all their
inputs, and in front of the first that reads one of their results.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.execution.op_expr import op_expr
from tritonflow.graph.fusion.group import POINTERS
from tritonflow.graph.ir import Compute, Graph, Node, constant, is_op, root
from tritonflow.graph.passes.rewrite import views_where_read


class _Cast(NamedTuple):
    """A cast, and between which positions it may run."""

    node: Compute
    position: int
    ready: int
    read: float


def cast_together(graph: Graph) -> Graph:
    """The graph with such casts as one."""
    groups = [group for group in _groups(_casts(graph)) if len(group) > 1]
    if not groups:
        return graph
    gone = {cast.node for group in groups for cast in group}
    behind: dict[int, list[Node]] = {}
    for group in groups:
        behind.setdefault(max(group[0].position, *[cast.ready for cast in group]), []).append(_merged(group))
    nodes: list[Node] = []
    for position, node in enumerate(graph.nodes):
        nodes += [*([] if node in gone else [node]), *behind.get(position, ())]
    return views_where_read(replace(graph, nodes=nodes))


def _casts(graph: Graph) -> list[_Cast]:
    """Casts of contiguous floating tensors on a GPU, in order, but those of what other casts make.

    What others read, too, is not cast later than it was: its memory may be written again by then.
    """
    position = {node: k for k, node in enumerate(graph.nodes)}
    readers, producers = graph.readers(), graph.producers()
    found: dict[Node, _Cast] = {}
    for node in graph.computes():
        (x, *_), (y, *_) = (*node.operands(), None), node.outputs
        maker = None if x is None else producers.get(root(x))
        if x is None or not _suits(node) or maker in found:
            continue
        read = inf if readers.is_result(y) else min([position[r] for r in readers.through_views(y)], default=inf)
        if maker is None or readers.through_views(root(x)) != [node]:
            read = min(read, position[node] + 1)
        found[node] = _Cast(node, position[node], -1 if maker is None else position[maker], read)
    return list(found.values())


def _suits(node: Compute) -> bool:
    if not is_op(node, "cast") or node.over is not None:
        return False
    (x,), (y,) = node.operands(), node.outputs
    metas = x.meta, y.meta
    plain = all(m.dtype.is_floating_point and not m.dtype.is_storage and m.is_contiguous and m.numel > 0 for m in metas)
    return plain and constant(x) is None and facts_of(x.meta.device).kind == "gpu"


def _groups(casts: list[_Cast]) -> list[list[_Cast]]:
    """Casts of equal dtypes, with those before them as long as they all may run at one place."""
    groups: list[list[_Cast]] = []
    last: dict[object, list[_Cast]] = {}
    for cast in casts:
        (x,), (y,) = cast.node.operands(), cast.node.outputs
        kind = x.meta.dtype, y.meta.dtype, x.meta.device
        group = last.get(kind, [])
        together = [*group, cast]
        if not group or 2 * len(together) > POINTERS or max(c.ready for c in together) >= min(c.read for c in together):
            group = last[kind] = []
            groups.append(group)
        group.append(cast)
    return groups


def _merged(group: list[_Cast]) -> Compute:
    inputs = tuple([value for cast in group for value in cast.node.operands()])
    outputs = tuple([value for cast in group for value in cast.node.outputs])
    node = Compute(op_expr("cast_together"), inputs, (outputs[0].meta.dtype,), (), [value.meta for value in outputs])
    return node.replace(outputs=outputs, source_line=group[0].node.source_line)
