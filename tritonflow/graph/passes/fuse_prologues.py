"""Prologues: casts, and cheap ops of one tensor, that only products read become part of these products' kernels.

    %1 = cast(input0, dtype=float16)
    %2 = cast(w, dtype=float16)
    %3 = fused[linear, relu](%1, %2)          ->    %3 = fused[cast, cast, linear, relu](input0, w)
    return %3                                       return %3

Each tile of a product repeats these ops for what it loads, and so does each product. They are taken where this costs less than a
kernel of their own, which reads and writes once (`_pays`). Ops of a bias belong to the epilogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.execution.eager_local import wants_contiguous
from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.fusion.product import FusedProduct, metas_of, takes_epilogue, takes_prologues
from tritonflow.graph.fusion.prologue import Prologue, prologue_ops
from tritonflow.graph.ir import MATMUL, Compute, Graph, Node, Value, View, root
from tritonflow.graph.ir.cost import flops_of
from tritonflow.graph.passes.rewrite import seen_as, views_where_read
from tritonflow.ops.conv import copies_operand, filter_grad_loads, is_dense

TILE = 128  # rows or columns of a product that share what is loaded of an operand
# LAUNCH is the cost of a further launch, in bytes that are moved in the same time. AGAIN is the cost of repeating the ops for a
# tile, as a part of the bytes that a kernel of its own moves.
# The figures of a CPU are measured: AVX-512, one thread, casts from float32 in front of products of bfloat16 and float16. A
# launch takes 0.3 us, and a repetition as long as the kernel, 0.1 ns an element. For 1024x256x1024 the weight's cast takes 28 us
# by itself, and 230 us in 8 rows of tiles; for 128x512x784 36 and 33 us. What is taken saves launches and memory; steps take as
# long within 2 %.
# The figures of a GPU are not measured: 2 us at 3 TB/s for a launch. For a repetition a cache with four times that bandwidth moves
# the two bytes by which an element is longer before its cast.
LAUNCH = {"cpu": 24 << 10, "gpu": 6 << 20}
AGAIN = {"cpu": 1.0, "gpu": 1 / 12}


class Use(NamedTuple):
    """Where a value is read: it, or a view of it, is this input of a node."""

    node: Node
    position: int
    value: Value


def fuse_prologues(graph: Graph, decisions: list[Decision] | None = None) -> Graph:
    """The graph with such ops in the products that read them; what is decided is noted in `decisions`."""
    uses: dict[Value, list[Use]] = {}
    for node in graph.nodes:
        for position, value in enumerate(() if isinstance(node, View) else node.inputs):
            if value is not None:
                uses.setdefault(root(value), []).append(Use(node, position, value))
    results = {root(value) for value in graph.results()}
    producers = graph.producers()
    prologues: dict[Node, dict[int, Prologue]] = {}
    for node in graph.nodes:
        body = prologue_ops(node)
        if not body or node.outputs[0] in results or node.outputs[0] not in uses:
            continue
        found = [(use, _prologue(use, body)) for use in uses[node.outputs[0]]]
        is_computed = root(next(body[0].operands())) in producers
        if all(prologue is not None for _, prologue in found) and _pays(
            body, is_computed, [use for use, _ in found], decisions
        ):
            for use, prologue in found:
                assert prologue is not None
                prologues.setdefault(use.node, {})[use.position] = prologue
    merged = {node: _loading(node, found) for node, found in prologues.items()}
    return views_where_read(replace(graph, nodes=[merged.get(node, node) for node in graph.nodes]))


def _loading(node: Node, prologues: dict[int, Prologue]) -> Node:
    """A product that does what stands in front of its operands."""
    if not isinstance(node, FusedProduct):
        assert isinstance(node, Compute)
        node = FusedProduct(node, node.outputs, [], node.outputs)
    return node.loading(prologues)


def _product(node: Node) -> Compute | None:
    """The product of a node whose kernel takes prologues."""
    product = node.product if isinstance(node, FusedProduct) else node
    if not takes_epilogue(product) or not takes_prologues(product):
        return None
    convolves = product.op.definition.fusion != MATMUL
    return None if convolves and not is_dense(product.op.name, metas_of(product), product.attrs) else product


def _prologue(use: Use, body: Sequence[Compute]) -> Prologue | None:
    """What a product loads if it does these ops for itself; None where it can not."""
    product = _product(use.node)
    if product is None or use.position >= len(product.inputs):
        return None
    loaded = body[0].inputs[0]
    assert loaded is not None
    value = seen_as(use.value, body[-1].outputs[0], loaded)
    contiguous = wants_contiguous(product.op, len(product.inputs))[use.position]
    return None if value is None or (contiguous and not value.meta.is_contiguous) else Prologue(body, value)


def _pays(body: Sequence[Compute], is_computed: bool, uses: Sequence[Use], decisions: list[Decision] | None) -> bool:
    """Whether doing the ops wherever tiles load costs less than once for all.

    Args:
        is_computed: whether a node makes what they read; several products would hold that for later.
    """
    made, loaded = body[-1].outputs[0].meta, body[0].inputs[0]
    assert loaded is not None
    if len(uses) > 1 and is_computed:
        return False
    kind, nbytes = facts_of(made.device).kind, made.nbytes + loaded.meta.dtype.itemsize * made.numel
    again, alone = AGAIN[kind] * nbytes * sum(map(_times, uses)), nbytes + LAUNCH[kind]
    if decisions is not None:
        reason = f"done for each tile it takes as long as moving {again / 1e3:.3g} kB, by itself as {alone / 1e3:.3g} kB"
        products = [product for product in map(_product, (use.node for use in uses)) if product is not None]
        decisions.append(Decision(body, products, "in front of", reason, settled=again <= alone))
    return again <= alone


def _times(use: Use) -> float:
    """How often a product loads each element of an operand: for every tile of the other's; of a bias, for every row."""
    product = _product(use.node)
    assert product is not None
    if use.position == 2:
        return product.outputs[0].meta.numel / use.value.meta.numel
    convolves = product.op.definition.fusion in ("conv", "conv_filter")
    if convolves and copies_operand(product.op.name, metas_of(product), product.attrs, use.position):
        return 1
    if product.op.definition.fusion == "conv_filter":
        return filter_grad_loads(metas_of(product), product.attrs, TILE)[use.position]
    return -(-flops_of(product) // (2 * TILE * max(use.value.meta.numel, 1)))
