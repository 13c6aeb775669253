"""Attention: the ops that spell it out become one op, forward and backward, whose kernels store no scores in memory.

    %1 = matmul(q, k, transpose_b=True)
    %2 = scalar_mul(%1, other=0.125)
    %3 = masked_fill(%2, mask, value=-inf)    %1 = logical_not(mask)
    %4 = softmax(%3, dim=3)                   %2, %3 = scaled_dot_product_attention(q, k, v, %1, scale=0.125)
    %5 = matmul(%4, v)                  ->    %4, %5, %6 = attention_grad(%7, q, k, v, %2, %3, %1, scale=0.125)
    %8 = softmax_grad(%6, %4, dim=3)
    ...

With dropout, `random_reserve` takes the position of that op in the stream of random numbers; `assign_counters` leaves it alone. The
kernels draw from there, forward and backward, so no mask of the scores' size is stored.

A row whose keys are all masked has what the ops give it: NaN with a mask of -inf, equal weights with one of -1e9. Half floats are
rounded less often. `fusion/attention.py` says what is matched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf, nan
from typing import Any

from tritonflow.dtypes import float64
from tritonflow.execution.eager_local import make_plan
from tritonflow.execution.lazy import classes
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.fusion.attention import Attention, Finder, Matrix, MatrixProduct, Scores, swapped
from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.fusion.group import DRAWN_TOGETHER
from tritonflow.graph.ir import Compute, Graph, Node, Value, View
from tritonflow.graph.passes.dead_code import remove_dead_code
from tritonflow.graph.passes.merge_equal import merge_equal
from tritonflow.graph.passes.rewrite import replaced
from tritonflow.ops.attention import WHOLE, widest_head
from tritonflow.ops.elementwise import broadcast_stride

KEYS = 128  # from so many keys on the kernels pay
MEMORY = 16 << 20  # so many bytes of scores pay with fewer keys


def fuse_attention(graph: Graph, decisions: list[Decision] | None = None) -> Graph:
    """The graph with attention as one op, and its gradients as another; what is left as it is is noted in `decisions`."""
    finder = Finder(graph)
    found = [finder.find(node) for node in graph.nodes]
    spelled = [attention for attention in found if attention is not None]
    chosen = [attention for attention in spelled if takes(attention) and pays(attention)]
    if decisions is not None:
        for a in spelled:
            if a not in chosen:
                reason = "as attention this would be slower" if takes(a) else "attention has no kernel for these operands"
                decisions.append(Decision([a.out], [a.product], "behind", reason))
    return _Rewriting(graph, chosen).run() if chosen else graph


def takes(attention: Attention) -> bool:
    """Whether the kernels take these operands."""
    query, key, value = (x.meta for x in (attention.query, attention.key, attention.value))
    out = attention.out.outputs[0].meta
    if not (query.dtype is key.dtype is value.dtype is out.dtype) or (out.dtype is float64 and attention.scores.masks):
        return False  # float64 and bool masks: Triton 3.6 does not compile these products for GPUs
    if attention.dropout is not None and not _draws_alike(attention.dropout, out):
        return False
    return out.ndim <= 4 and all(0 < x.shape[-1] <= widest_head(out.dtype) for x in (query, value))


def _draws_alike(dropout: Compute, out: TensorMeta) -> bool:
    """Whether the kernels drop the weights that a dropout drops. One that drops all makes 0 of NaN, too, which they do not."""
    (dropped, _), (rate, _) = dropout.operands(), dropout.dynamic
    same = (dropped.meta.dtype is float64) == (out.dtype is float64)
    return same and not isinstance(rate, RuntimeScalar) and rate < 1


def pays(attention: Attention) -> bool:
    """Whether the kernels are as fast as the ops, or the scores so many that memory matters more.

    The forward takes 0.9 to 1.1 of the ops' time with 128 keys, 0.9 with 256 (one thread, 24 to 32 heads of 64). With the backward,
    which computes the scores again, it is 1.2 and 1.0; behind a causal mask of -inf, whose tiles are left out, 0.8 to 1.0 and 0.7.
    Dropout changes that by 0.1 at most, but where rows do not begin at a counter of random numbers: 1.3, causal 0.9.
    """
    scores = attention.product.outputs[0].meta
    if scores.nbytes >= MEMORY:
        return True
    rows, keys = scores.shape[-2:]
    if attention.dropout is not None and keys % DRAWN_TOGETHER:
        return False
    if attention.backward is None or (attention.scores.masks and attention.scores.fill == -inf):
        return rows >= KEYS and keys >= KEYS
    return rows >= 2 * KEYS and keys >= 2 * KEYS and scores.numel >= WHOLE * rows * keys


class _Rewriting:
    def __init__(self, graph: Graph, chosen: Iterable[Attention]) -> None:
        self.graph = graph
        self.chosen = chosen
        self.inserted: dict[Node, list[Node]] = {}  # nodes that come before a node
        self.same: dict[Value, Value] = {}

    def run(self) -> Graph:
        for attention in self.chosen:
            self.fuse(attention)
        nodes = [new for node in self.graph.nodes for new in (*self.inserted.get(node, ()), node)]
        return remove_dead_code(merge_equal(replaced(replace(self.graph, nodes=nodes), self.same)))

    def fuse(self, attention: Attention) -> None:
        """Put the ops in the graph, and note what their results stand for."""
        a, old = attention, attention.out.outputs[0]
        nodes = _Nodes(self.inserted.setdefault(a.out, []), a.out)
        batch, sizes = old.meta.shape[:-2], (a.query.meta.shape[-2], a.key.meta.shape[-2])
        operands = [nodes.planes(x, batch) for x in (a.query, a.key, a.value)]
        mask = nodes.mask(a.scores)
        if mask is not None:
            mask = nodes.planes(Matrix(mask), batch, sizes)
        drawn, numbers = self.draw(a)
        scalars = (a.scores.scale, a.scores.fill)
        given = ([*operands, mask, drawn], (False,), (*scalars, nan, *numbers))
        out, statistics = nodes.compute("scaled_dot_product_attention", *given)
        self.same[old] = nodes.seen(out, old.meta)
        if a.grad is None or a.backward is None:
            return
        nodes = _Nodes(self.inserted.setdefault(a.backward, []), a.gradients[-1].node)
        inputs = [nodes.planes(a.grad, batch), *operands, out, statistics, mask, drawn]
        results = nodes.compute("attention_grad", inputs, (False,), (*scalars, *numbers))
        for result, product in zip(results, a.gradients):
            self.deliver(nodes, result, product)

    def draw(self, attention: Attention) -> tuple[Value | None, tuple[float, ...]]:
        """The state from which dropout's numbers are drawn, and (rate, factor, first counter)."""
        dropout = attention.dropout
        if dropout is None:
            return None, (0.0, 1.0, 0)
        nodes, old = _Nodes(self.inserted.setdefault(dropout, []), dropout), dropout.outputs[-1]
        drawn, self.same[old] = nodes.compute("random_reserve", [dropout.inputs[1]], (dropout.outputs[0].meta.numel,))
        return drawn, (*dropout.dynamic, 0)

    def deliver(self, nodes: _Nodes, result: Value, product: MatrixProduct) -> None:
        """Let a gradient stand for a product, which may be its transpose."""
        old = product.node.outputs[0]
        if product.flipped:
            turned = nodes.seen(result, swapped(swapped(old.meta).contiguous()))
            result = nodes.compute("contiguous_copy", [turned])[0]
        self.same[old] = nodes.seen(result, old.meta)


class _Nodes:
    """Writes nodes in front of another, which stand for ops of its line of the program."""

    def __init__(self, nodes: list[Node], node: Compute) -> None:
        self.nodes = nodes
        self.source_line = node.source_line

    def compute(
        self, name: str, inputs: Sequence[Value | None], attrs: Any = (), dynamic: Any = ()
    ) -> tuple[Value, ...]:
        """The results of an op."""
        op, given = op_expr(name), tuple([None if value is None else value.meta for value in inputs])
        metas = make_plan(op, given, attrs, classes(dynamic)).outputs
        node = Compute(op, tuple(inputs), attrs, dynamic, metas, source_line=self.source_line)
        self.nodes.append(node)
        return node.outputs

    def seen(self, value: Value, meta: TensorMeta) -> Value:
        """A value with another meta over the same memory."""
        if value.meta is meta:
            return value
        view = View(value, meta, 0)
        self.nodes.append(view)
        return view.outputs[0]

    def planes(self, x: Matrix, batch: Shape, sizes: Shape = ()) -> Value:
        """A matrix as (batch, heads, rows, columns), broadcast."""
        shape = (*(1,) * (2 - len(batch)), *batch, *(sizes or x.meta.shape[-2:]))
        stride = broadcast_stride(x.meta, shape)
        return self.seen(x.value, TensorMeta.get(shape, stride, x.meta.dtype, x.meta.device, x.meta.aligned))

    def mask(self, scores: Scores) -> Value | None:
        """What is added to scores, or the mask of those that count."""
        masks = [value if keeps else self.compute("logical_not", [value])[0] for value, keeps in scores.masks]
        while len(masks) > 1:
            masks.append(self.compute("logical_and", [masks.pop(), masks.pop()])[0])
        return masks[0] if masks else scores.addend
