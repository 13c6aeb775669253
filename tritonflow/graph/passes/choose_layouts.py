"""Layouts: a value that is only copied into another layout, or into a part of another value, is made there.

    %1, %2 = scaled_dot_product_attention(q, k, v)      %1, %2 = scaled_dot_product_attention(q, k, v)   # %1 permuted in memory
    %3 = view %1   # permuted                     ->
    %4 = contiguous_copy(%3)                            %4 = view %1
    return %4                                           return %4

    %1, %2, %3 = attention_grad(...)                    %1, %2, %3 = attention_grad(...)
    %4 = cat(%1, %2, %3, dim=0)                   ->    %4 = join(%1, %2, %3)   # they are parts of its memory
    return %4                                           return %4

Ops with `fusion: any_layout` are told the layouts of their results; pointwise ones make rows with gaps between them; others make
contiguous ones, which may be parts too. Other readers of such a value must take it with any strides. A join copies the parts that
nothing makes there. `plan/memory.py` puts the inputs of a join into the join's memory.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from tritonflow.execution.eager_local import make_plan, wants_contiguous
from tritonflow.execution.lazy import classes
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.framework.size_questions import decided
from tritonflow.graph.fusion.group import is_pointwise, lies_in_order
from tritonflow.graph.ir import ANY_LAYOUT, COPIES, PLACED, Compute, Graph, Join, Node, Value, View
from tritonflow.graph.passes.rewrite import replaced, views_where_read


def choose_layouts(graph: Graph) -> Graph:
    """The graph without such copies."""
    return _Layouts(graph).run()


class _Layouts:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.results = set(graph.results())
        self.readers = graph.readers()
        self.producers = graph.producers()
        self.same: dict[Value, Value] = {}
        self.made: dict[Node, Node] = {}  # by the node that it replaces
        self.copies: dict[Node, list[Node]] = {}  # by the node in front of which they are made
        self.laid: dict[Value, Value] = {}  # by the value: the one that is made in its place, in another layout

    def run(self) -> Graph:
        for node in self.graph.computes():
            if node.op.name in COPIES:
                self.spare_copy(node)
        for node in self.graph.computes():
            if node.op.name == "cat" and node not in self.made:
                self.join(node, node.outputs[0].meta)
        for maker in dict.fromkeys(map(self.producers.__getitem__, self.laid)):
            self.made[maker] = maker.replace(outputs=tuple([self.laid.get(value, value) for value in maker.outputs]))
        nodes = [each for node in self.graph.nodes for each in (*self.copies.get(node, ()), self.made.get(node, node))]
        return views_where_read(replaced(replace(self.graph, nodes=nodes), self.same | self.laid))

    def spare_copy(self, node: Compute) -> None:
        """Make what is copied, permuted, as the copy would lie."""
        (view,) = node.operands()
        value = _viewed(view)
        maker = self.producers.get(value)
        order = _permutation(view, value)
        if order is None or not isinstance(maker, Compute):
            return
        copied = node.outputs[0].meta
        strides = [0] * len(order)
        for dim, step in zip(order, copied.stride):
            strides[dim] = step
        meta = _meta(value.meta, tuple(strides), value.meta.aligned)
        made = None
        if maker.op.name == "cat" and self.is_only_seen_as(value, view, node) and self.readers.of(value) == [view.definition]:
            made = self.join(maker, meta)
        elif self.can_lay_out(value, meta, view, node):
            made = self.laid_out(value, meta)
        if made is not None:
            self.put(node, View(made, copied, 0))

    def put(self, node: Compute, other: Node) -> None:
        """Let another node stand for one with a single result."""
        self.made[node] = other
        self.same[node.outputs[0]] = other.outputs[0]

    def join(self, node: Compute, meta: TensorMeta) -> Value | None:
        """What a cat gives, of this meta and made in its parts; None, and nothing done, if all of them have to be copied."""
        dim, sizes = node.attrs
        offsets = [start * meta.stride[dim] * meta.dtype.itemsize for start in accumulate((0, *sizes[:-1]))]
        parts, wanted = list(node.operands()), dict[Value, tuple[Value, TensorMeta]]()
        for part, offset in zip(parts, offsets):
            value, aligned = _viewed(part), meta.aligned_at(offset)
            strides = _like(part.meta, value.meta, meta.stride)
            if strides is not None and parts.count(part) == 1:
                own = _meta(value.meta, strides, aligned)
                if self.can_lay_out(value, own, part, node):
                    wanted[part] = value, own
        if len({value for value, _ in wanted.values()}) < max(len(wanted), 1):
            return None
        made = []
        for part, offset in zip(parts, offsets):
            aligned = meta.aligned_at(offset)
            made.append(self.laid_out(*wanted[part]) if part in wanted else self.copied(node, part, meta.stride, aligned))
        joined = Join(made, meta, offsets, node.source_line)
        self.put(node, joined)
        return joined.outputs[0]

    def copied(self, node: Compute, part: Value, strides: Shape, aligned: bool) -> Value:
        """A copy of a part, with these strides, that is made before a node."""
        copy = Compute(op_expr("contiguous_copy"), (part,), (), (), [_meta(part.meta.contiguous(), strides, aligned)])
        self.copies.setdefault(node, []).append(copy)
        return copy.outputs[0]

    def laid_out(self, value: Value, meta: TensorMeta) -> Value:
        """A value with this meta, in place of one with another."""
        if meta is value.meta:
            return value
        made = self.laid[value] = Value(meta)
        return made

    def can_lay_out(self, value: Value, meta: TensorMeta, seen: Value, last: Node) -> bool:
        """Whether a value can be made with this meta, `seen` being a view of it, or itself, that `last` reads."""
        maker = self.producers.get(value)
        if not isinstance(maker, Compute) or value not in maker.outputs[: maker.results] or maker.over is not None:
            return False
        if value in self.laid:
            return False
        if value in self.results or meta is value.meta:
            return meta is value.meta
        if not self.is_only_seen_as(value, seen, last):
            return False
        others = (r for r in self.readers.of(value) if r is not last and not isinstance(r, View))
        return makes(maker, meta) and all(takes(reader, value, meta) for reader in others)

    def is_only_seen_as(self, value: Value, view: Value, reader: Node) -> bool:
        """Whether a value has one view at most, which one node alone reads."""
        views = [node for node in self.readers.of(value) if isinstance(node, View)]
        if view is value:
            return not views
        return [node.outputs[0] for node in views] == [view] and self.readers.of(view) == [reader] and view not in self.results


def _viewed(value: Value) -> Value:
    """What a value is all of, in another shape or order; itself if it is no view."""
    view = value.definition
    if isinstance(view, View) and view.offset == 0 and view.meta.numel == view.base.meta.numel:
        return view.base
    return value


def _permutation(view: Value, value: Value) -> list[int] | None:
    """Which dimension of a contiguous value each one of a view is; None if it is no permutation of the dimensions."""
    if view is value or not value.meta.is_contiguous or view.meta.ndim != value.meta.ndim:
        return None
    ours = {dim: k for k, dim in enumerate(zip(value.meta.shape, value.meta.stride))}
    found = [ours.get(dim) for dim in zip(view.meta.shape, view.meta.stride)]
    if None in found or len(set(found)) < value.meta.ndim:
        return None
    return found  # type: ignore[return-value]


def _like(view: TensorMeta, value: TensorMeta, strides: Shape) -> Shape | None:
    """Strides for a view as strides for what it is all of; None unless they differ in nothing but dimensions of 1."""
    real = [(n, step) for n, step in zip(view.shape, view.stride) if n > 1]
    if real != [(n, step) for n, step in zip(value.shape, value.stride) if n > 1]:
        return None
    steps = iter([step for n, step in zip(view.shape, strides) if n > 1])
    return tuple([next(steps) if n > 1 else 1 for n in value.shape])


def _meta(like: TensorMeta, strides: Shape, aligned: bool) -> TensorMeta:
    """The meta with other strides: the contiguous one itself where they are no others."""
    meta = TensorMeta.get(like.shape, strides, like.dtype, like.device, aligned)
    return like if meta.is_contiguous and aligned == like.aligned else meta


def makes(maker: Compute, meta: TensorMeta) -> bool:
    """Whether an op can make its result with these strides; those of pointwise ops lie in their order, that they fuse."""
    if maker.op.definition.fusion == ANY_LAYOUT:
        return True
    placed = maker.op.definition.kind == "pointwise" or maker.op.name in PLACED
    return placed and is_pointwise(maker) and lies_in_order(meta)


def takes(reader: Node, value: Value, meta: TensorMeta) -> bool:
    """Whether an op gives the same results if an operand has other strides."""
    if not isinstance(reader, Compute) or reader.written or reader.over is not None:
        return False
    wanted = wants_contiguous(reader.op, len(reader.inputs))
    if any(v is value and contiguous for v, contiguous in zip(reader.inputs, wanted)):
        return False
    metas = tuple([None if v is None else meta if v is value else v.meta for v in reader.inputs])

    def gives_the_same() -> bool:
        plan = make_plan(reader.op, metas, reader.attrs, classes(reader.dynamic))
        return [v.contiguous() for v in plan.outputs] == [v.meta.contiguous() for v in reader.outputs]

    question = takes, reader.op, reader.attrs, metas, tuple([v.meta for v in reader.outputs])
    sizes = [reader.attrs, *[(m.shape, m.stride) for m in metas if m is not None]]
    return bool(decided(question, sizes, gives_the_same, by_questions=True))
