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

FUSIONS = (decompose, fuse_attention, fuse_pointwise, fuse_products, fuse_prologues, fuse_reductions)  # they note decisions

# Above each pass: why it stands there. Then: what is true behind it.
PASSES = (
    # Cleaning.
    # Segments are positions in the captured order, so this is first. Backward of marked calls reads second computations.
    checkpoint,
    # No value is ever overwritten in a graph, so a copy of a contiguous value is that value.
    remove_copies,
    # Before simplify, which asks for constants. Pointwise ops on constants are constants.
    fold_constants,
    # Before merge_equal, as neutral ops make equal values look different. There is no x * 1, and no cast there and back.
    simplify,
    # Operands that are equal are one value by now. What is computed twice from the same values is computed once.
    merge_equal,
    # Copies between a relu and its gradient are gone. A relu in front of max pooling is masked in the pooled image.
    mask_before_pooling,
    # The passes above leave nodes without readers. Each value has a reader or is a result, so readers can be counted.
    remove_dead_code,
    # Rewriting.
    # Before groups are formed, as the simpler ops join them. A composite op is whole only where these would not fuse.
    decompose,
    # While scale, mask and softmax are single ops. Attention is one op forward, and one backward.
    fuse_attention,
    # Behind attention, which writes any layout. Results are made in the layout of their copy, or inside of their cat.
    choose_layouts,
    # On single ops, so that second computations fuse like others. Late readers of large graphs read second computations.
    recompute,
    # Fusing.
    # Lets ops draw random numbers where they use them (assign_counters). Groups of pointwise and row ops are single nodes.
    fuse_pointwise,
    # Takes whole groups. Products have their epilogues.
    fuse_products,
    # Adds to products that may have epilogues. Products have their prologues.
    fuse_prologues,
    # Takes groups that no product has taken. Reductions compute what they reduce.
    fuse_reductions,
    # Ending.
    # Fusions leave nodes without readers. Every node is run.
    remove_dead_code,
    # Plans memory for the very nodes that will run, so this is last. The nodes stand in the better of two orders.
    order,
)


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
