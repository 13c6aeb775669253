"""Sums of which ranks read their parts only: each rank gets its part, and no more.

    %1 = box %0 P -> B for cast             %1 = box %0 P -> S(0) for cast
    %2 = cast(%1, dtype=float32)      ->    %2 = cast(%1, dtype=float32)
    %3 = box %2 B -> S(0)                   ...
    ...

Under autocast the gradient of a parameter is a share of a sum in the half type. A cast rounds, or reads what was rounded, so it
needs the sum; the part of `enable_zero` is cut from what it gives. Each element is added, rounded and cast as before, so the bits
stay, and half the bytes are sent. It is done through casts, and additions of the gradients of a parameter that is used several
times, where nobody else reads what they give.
"""

from __future__ import annotations

from tritonflow.boxing.routes import route
from tritonflow.boxing.steps import moved_meta
from tritonflow.execution.lazy import classes, infer
from tritonflow.execution.op_expr import op_expr
from tritonflow.graph.ir import Boxing, Compute, Graph, Node, Value, is_op
from tritonflow.graph.ranks.arranged import Arranged

ELEMENTWISE = ("cast", "add")


def cut_first(graph: Graph) -> Graph:
    """The graph with such sums in parts."""
    cuts = [node for node in graph.nodes if isinstance(node, Boxing) and _is_cut(node)]
    if not cuts:
        return graph
    sums = _Sums(graph)
    found = {cut: nodes for cut in cuts if (nodes := sums.cut_by(cut))}
    return _rewritten(graph, found) if found else graph


def _is_cut(boxing: Boxing) -> bool:
    """Whether a rank takes its part of what all ranks have."""
    source, target = boxing.route.source.plain(), boxing.route.target.plain()
    is_whole = all(sbp.is_broadcast for sbp in source.sbp)
    return is_whole and source.placement is target.placement and not target.partial_ops() and not boxing.route.total_bytes


class _Sums:
    """Who makes, and who reads."""

    def __init__(self, graph: Graph) -> None:
        self.makers, self.readers = graph.producers(), graph.readers()
        self.alive = set(graph.alive())

    def cut_by(self, cut: Boxing) -> list[Node]:
        """The nodes from sums over ranks to a cut, which all work on a part as well; none if one does not, or others read it."""
        found: dict[Node, None] = {}
        waiting: list[tuple[Value, Node]] = [(next(cut.operands()), cut)]
        while waiting:
            value, reader = waiting.pop()
            node = self.makers.get(value)
            if self.readers.is_result(value) or any(each is not reader for each in self.readers.of(value) if each in self.alive):
                return []
            if isinstance(node, Boxing) and _sums_to(node, cut):
                found[node] = None
            elif is_op(node, *ELEMENTWISE) and _is_plain(node):
                found[node] = None
                waiting += [(operand, node) for operand in node.operands()]
            else:
                return []
        return list(found)


def _sums_to(boxing: Boxing, cut: Boxing) -> bool:
    """Whether it gives every rank the sums of which a cut takes parts."""
    return bool(boxing.route.source.partial_ops()) and boxing.route.target == cut.route.source


def _is_plain(node: Compute) -> bool:
    """Whether each element of what an op gives is made of those at the same position of its operands."""
    (made,) = node.outputs
    same = all(x.meta.shape == made.meta.shape and x.meta.is_contiguous for x in node.operands())
    return same and made.meta.is_contiguous and node.over is None


def _rewritten(graph: Graph, found: dict[Boxing, list[Node]]) -> Graph:
    new, alive = Arranged(graph), set(graph.alive())
    cut_of = {node: cut for cut, nodes in found.items() for node in nodes}
    for node in graph.nodes:
        new.begin()
        if node not in alive:
            continue
        if isinstance(node, Boxing) and node in found:
            (part,), (made,) = node.operands(), node.outputs
            new.same[made] = _laid_out(new, new.now(part), made)
        elif node in cut_of:
            of_part = _on_part(node, cut_of[node], [new.now(value) for value in node.operands()])
            new.nodes.append(of_part)
            new.same[node.outputs[0]] = of_part.outputs[0]
        else:
            new.add(node)
    return new.finish()


def _on_part(node: Node, cut: Boxing, operands: list[Value]) -> Node:
    """What a node does on the part that a cut takes."""
    if isinstance(node, Boxing):
        (shard,) = operands
        to_part = route(node.route.source, cut.route.target, node.route.dtype)
        return node.replace(inputs=(shard,), route=to_part, outputs=(Value(moved_meta(to_part, shard.meta)),))
    assert isinstance(node, Compute)
    metas = infer(node.op, tuple([x.meta for x in operands]), node.attrs, classes(node.dynamic), None)
    assert metas[0] is not None
    return Compute(node.op, tuple(operands), node.attrs, node.dynamic, (metas[0],), source_line=node.source_line)


def _laid_out(new: Arranged, part: Value, made: Value) -> Value:
    """A part as the cut would have given it: a copy where that has other strides."""
    if part.meta.stride == made.meta.stride:
        return part
    new.nodes.append(Compute(op_expr("contiguous_copy"), (part,), (), (), (made.meta,)))
    return new.nodes[-1].outputs[0]
