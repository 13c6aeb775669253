"""Casts in front of gathers: what is read in a half type only is sent in it.

    %1 = box state0 S(0) -> B            %1 = cast(state0, dtype=bfloat16)
    %2 = cast(%1, dtype=bfloat16)   ->   %2 = box %1 S(0) -> B
    %3 = matmul(input0, %2)              %3 = matmul(input0, %2)

Autocast casts parameters where ops read them, which is behind the gather of `enable_zero` and of `fully_shard`. A gather moves each
element as it is, so the bits stay, and half the bytes are sent. It is done where all readers are casts to one type, of what was
gathered or of views of it; where something is summed on the way it is not.
"""

from __future__ import annotations

from dataclasses import replace

from tritonflow.boxing.routes import route
from tritonflow.boxing.steps import moved_meta
from tritonflow.execution.lazy import infer
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.ir import Boxing, Compute, Graph, Node, Value, View, is_op
from tritonflow.graph.passes.rewrite import Rewriting


def cast_first(graph: Graph) -> Graph:
    """The graph with such casts in front of the boxings."""
    boxings = [node for node in graph.nodes if isinstance(node, Boxing)]
    if not boxings:
        return graph
    casts = _Casts(graph)
    found = {boxing: casts.of(boxing) for boxing in boxings}
    found = {boxing: readers for boxing, readers in found.items() if readers}
    return _rewritten(graph, found) if found else graph


class _Casts:
    """Who reads what was gathered."""

    def __init__(self, graph: Graph) -> None:
        self.readers = graph.readers()
        self.alive = set(graph.alive())

    def of(self, boxing: Boxing) -> list[Compute]:
        """The casts that are all that reads what a boxing gathers, if they cast to one smaller type; else none."""
        (made,) = boxing.outputs
        found = [node for node in self.readers.through_views(made) if node in self.alive]
        casts = [node for node in found if is_op(node, "cast") and not node.over]
        layouts = (boxing.route.source, *[move.target for move in boxing.route.steps])
        sums = any(sbp.is_partial for layout in layouts for sbp in layout.sbp)
        types = {node.outputs[0].meta.dtype for node in casts}
        if sums or len(casts) < len(found) or len(types) != 1 or self.readers.is_result(made):
            return []
        (dtype,) = types
        is_half = dtype.is_floating_point and dtype.itemsize < made.meta.dtype.itemsize and made.meta.dtype.is_floating_point
        return casts if is_half and all(map(_is_plain, casts)) else []


def _is_plain(cast: Compute) -> bool:
    """Whether what a cast gives lies as its operand, or in the order of its elements."""
    (x,), (y,) = cast.operands(), cast.outputs
    return y.meta.is_contiguous or x.meta.stride == y.meta.stride


def _rewritten(graph: Graph, found: dict[Boxing, list[Compute]]) -> Graph:
    new, alive = Rewriting(graph), set(graph.alive())
    halves: dict[Value, Value] = {}  # by what was gathered, and views of it
    begins: list[int] = []  # where what stands for each node begins
    for node in graph.nodes:
        begins.append(len(new.nodes))
        source = node.inputs[0] if node.inputs else None
        if node not in alive:
            continue
        if isinstance(node, Boxing) and node in found:
            new.nodes += _half(node, new.now(next(node.operands())), found[node][0])
            halves[node.outputs[0]] = new.nodes[-1].outputs[0]
        elif source not in halves or source is None:
            new.add(node)
        elif isinstance(node, View):
            new.nodes.append(_view(node, halves[source]))
            halves[node.outputs[0]] = new.nodes[-1].outputs[0]
        else:
            new.same[node.outputs[0]] = _as_cast(new, halves[source], node.outputs[0].meta)
    begins.append(len(new.nodes))
    segments, phases = [segment.moved(begins) for segment in graph.segments], [begins[at] for at in graph.phases]
    return replace(new.finish(), segments=segments, phases=phases)


def _half(boxing: Boxing, shard: Value, cast: Compute) -> list[Node]:
    """The cast of a shard, and its boxing."""
    meta = infer(cast.op, (shard.meta,), cast.attrs, (), None)[0]
    assert meta is not None
    first = Compute(cast.op, (shard,), cast.attrs, (), (meta,), source_line=cast.source_line)
    same = boxing.route
    half = route(same.source, same.target, meta.dtype)
    return [first, boxing.replace(inputs=first.outputs, route=half, outputs=(Value(moved_meta(half, meta)),))]


def _as_cast(new: Rewriting, half: Value, meta: TensorMeta) -> Value:
    """What a cast gave: the view of what was gathered, or a copy of it where that has other strides."""
    if half.meta.stride == meta.stride:
        return half
    new.nodes.append(Compute(op_expr("contiguous_copy"), (half,), (), (), (meta,)))
    return new.nodes[-1].outputs[0]


def _view(view: View, half: Value) -> View:
    """A view of what was gathered, of the half type."""
    meta, dtype = view.meta, half.meta.dtype
    offset = view.offset * dtype.itemsize // meta.dtype.itemsize
    return View(half, TensorMeta.get(meta.shape, meta.stride, dtype, meta.device, half.meta.aligned_at(offset)), offset)
