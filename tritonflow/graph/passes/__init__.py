"""Passes: functions from graph to graph, one a file, in the order in which `optimize` runs them."""

from tritonflow.graph.ir import Graph
from tritonflow.graph.passes.dead_code import remove_dead_code
from tritonflow.graph.passes.fuse_pointwise import fuse_pointwise

PASSES = (remove_dead_code, fuse_pointwise)


def optimize(graph: Graph) -> Graph:
    """The graph behind every pass."""
    for run in PASSES:
        graph = run(graph)
    return graph
