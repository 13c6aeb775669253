"""Passes: functions from graph to graph, one a file, in the order in which `optimize` runs them."""

from collections.abc import Callable, Collection

from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.ir import Graph
from tritonflow.graph.passes.checkpoint import checkpoint
from tritonflow.graph.passes.choose_layouts import choose_layouts
from tritonflow.graph.passes.dead_code import remove_dead_code
from tritonflow.graph.passes.decompose import decompose
from tritonflow.graph.passes.fold_constants import fold_constants
from tritonflow.graph.passes.fuse_attention import fuse_attention
from tritonflow.graph.passes.fuse_pointwise import fuse_pointwise
from tritonflow.graph.passes.fuse_products import fuse_products
from tritonflow.graph.passes.fuse_prologues import fuse_prologues
from tritonflow.graph.passes.fuse_reductions import fuse_reductions
from tritonflow.graph.passes.mask_before_pooling import mask_before_pooling
from tritonflow.graph.passes.merge_equal import merge_equal
from tritonflow.graph.passes.order import order
from tritonflow.graph.passes.recompute import recompute
from tritonflow.graph.passes.remove_copies import remove_copies
from tritonflow.graph.passes.simplify import simplify

FUSIONS = (decompose, fuse_attention, fuse_pointwise, fuse_products, fuse_prologues, fuse_reductions)
PASSES = (
    checkpoint, remove_copies, fold_constants, simplify, merge_equal, mask_before_pooling, remove_dead_code, decompose,
    fuse_attention, choose_layouts, recompute, fuse_pointwise, fuse_products, fuse_prologues, fuse_reductions, remove_dead_code,
    order,
)  # fmt: skip


def optimize(
    graph: Graph,
    observe: Callable[[str, Graph], None] | None = None,
    without: Collection[str] = (),
    decisions: list[Decision] | None = None,
) -> Graph:
    """The graph behind every pass but those whose names are in `without`.

    Args:
        observe: is shown each pass's name and result.
        decisions: gets what the fusions decide.
    """
    for run in PASSES:
        if run.__name__ in without:
            continue
        graph = run(graph, decisions) if run in FUSIONS else run(graph)  # type: ignore[operator]
        if observe is not None:
            observe(run.__name__, graph)
    return graph
