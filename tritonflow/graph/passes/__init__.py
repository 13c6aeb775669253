"""Passes: functions from graph to graph, one a file, in the order in which `optimize` runs them."""

from collections.abc import Callable, Collection
from inspect import signature

from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.ir import Graph
from tritonflow.graph.passes.cast_in_losses import cast_in_losses
from tritonflow.graph.passes.cast_together import cast_together
from tritonflow.graph.passes.cat_last import cat_last
from tritonflow.graph.passes.checkpoint import checkpoint
from tritonflow.graph.passes.choose_layouts import choose_layouts
from tritonflow.graph.passes.dead_code import remove_dead_code
from tritonflow.graph.passes.decompose import decompose
from tritonflow.graph.passes.emit import emit
from tritonflow.graph.passes.fold_constants import fold_constants
from tritonflow.graph.passes.fold_states import fold_states
from tritonflow.graph.passes.fuse_attention import fuse_attention
from tritonflow.graph.passes.fuse_pointwise import fuse_pointwise
from tritonflow.graph.passes.fuse_products import fuse_products
from tritonflow.graph.passes.fuse_prologues import fuse_prologues
from tritonflow.graph.passes.fuse_reductions import fuse_reductions
from tritonflow.graph.passes.keep_channels_last import keep_channels_last
from tritonflow.graph.passes.mask_before_pooling import mask_before_pooling
from tritonflow.graph.passes.merge_equal import merge_equal
from tritonflow.graph.passes.order import order
from tritonflow.graph.passes.pad_rows import pad_rows
from tritonflow.graph.passes.recompute import recompute
from tritonflow.graph.passes.remove_copies import remove_copies
from tritonflow.graph.passes.simplify import simplify
from tritonflow.graph.passes.sum_embeddings import sum_embeddings
from tritonflow.graph.passes.sum_in_products import sum_in_products

# Above each pass: why it stands there, and what is true behind it.
PASSES = (
    # ---- Cleaning: the same values with fewer ops.
    # It is first, because its segments are positions in the captured order.
    # Behind it, backward of marked calls reads second computations.
    checkpoint,
    # It comes when what runs again in the backward is decided, for which a boxing is one node.
    # Behind it, what moves between ranks are ops on shards, and starts and dones of collectives.
    emit,
    # It needs nothing, as no value is ever overwritten in a graph.
    # Behind it, a copy of a contiguous value is that value.
    remove_copies,
    # It comes before simplify, which asks which operands are constants.
    # Behind it, pointwise ops on constants are constants.
    fold_constants,
    # It comes before merge_equal, as neutral ops make equal values look different.
    # Behind it, there is no x * 1, and no cast to a wider dtype and back.
    simplify,
    # It comes when operands that are equal are the same value.
    # Behind it, what is computed twice from the same values is computed once.
    merge_equal,
    # It comes when copies between a relu and its gradient are gone.
    # Behind it, a relu in front of max pooling is masked in the pooled image.
    mask_before_pooling,
    # It comes when equal casts are one.
    # Behind it, cross entropy reads logits of a half type, and casts to float32 that only it read have no reader.
    cast_in_losses,
    # It comes because the passes above leave nodes without readers.
    # Behind it, each value has a reader or is a result, so readers can be counted.
    remove_dead_code,
    # ---- Rewriting: other ops for the same results.
    # It comes before batch norms are decomposed, as they then reduce and compute on channels as columns.
    # Behind it, images between a GPU's convolutions are channels-last.
    keep_channels_last,
    # It comes before groups are formed, because its simpler ops join them.
    # Behind it, a composite op is whole only where these would not fuse.
    decompose,
    # It comes while scale, mask and softmax are single ops.
    # Behind it, attention is one op forward and one backward.
    fuse_attention,
    # It comes when composite ops are simple ones, and before cats find their places.
    # Behind it, no pointwise op alone reads a cat that had to be copied.
    cat_last,
    # It comes after attention, which can write any layout.
    # Behind it, results are made in the layout of their copy, or inside of their cat.
    choose_layouts,
    # It comes while losses and products are single ops, as pointwise ones that they would take read rows without gaps.
    # Behind it, rows of logits on a GPU begin where 16 bytes are loaded at a time.
    pad_rows,
    # It comes while sums are single ops, as groups would take them.
    # Behind it, lookups of tokens and positions that are only added are one op.
    sum_embeddings,
    # It comes while sums are single ops, as reductions take what stands before them.
    # Behind it, gradients of linear layers' parameters on a GPU are one op.
    sum_in_products,
    # It comes while ops are single, so that second computations are fused like others.
    # Behind it, late readers of large graphs read second computations.
    recompute,
    # It comes when composite ops are simple ones, and before anything is fused.
    # Behind it, what is computed of states alone is fused with nothing that reads inputs.
    fold_states,
    # ---- Fusing: fewer kernels.
    # It is the first that makes groups. It lets ops draw random numbers where they use them (assign_counters).
    # Behind it, groups of pointwise ops and row ops are single nodes.
    fuse_pointwise,
    # It takes whole groups, so it comes after fuse_pointwise.
    # Behind it, products have their epilogues.
    fuse_products,
    # It adds to a product that may have an epilogue already.
    # Behind it, products have their prologues.
    fuse_prologues,
    # It takes groups that no product has taken.
    # Behind it, reductions compute what they reduce.
    fuse_reductions,
    # It takes casts that no other kernel has taken.
    # Behind it, casts of weights on a GPU are few launches.
    cast_together,
    # ---- Ending.
    # It comes because fusions leave nodes without readers.
    # Behind it, every node is run.
    remove_dead_code,
    # It is last, because it plans memory for the very nodes that will run.
    # Behind it, the nodes stand in the better of two orders.
    order,
)

_NEEDED = (emit,)  # without it nothing would run
_NOTING = frozenset(run for run in PASSES if "decisions" in signature(run).parameters)  # what they decide


def optimize(
    graph: Graph,
    observe: Callable[[str, Graph], None] | None = None,
    without: Collection[str] = (),
    decisions: list[Decision] | None = None,
) -> Graph:
    """The graph behind every pass but those whose names are in `without`.

    Args:
        observe: is shown each pass's name and result.
        decisions: gets what passes decide, those with a parameter `decisions`.
    """
    for run in PASSES:
        if run.__name__ in without and run not in _NEEDED:
            continue
        graph = run(graph, decisions) if run in _NOTING else run(graph)  # type: ignore[operator, call-arg]
        if observe is not None:
            observe(run.__name__, graph)
    return graph
