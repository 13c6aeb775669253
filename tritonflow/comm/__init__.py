"""`flow.comm`: collectives over local tensors, one on each rank. Names and arguments are OneFlow's.

All ranks call the same functions in the same order, or those ranks that the argument `ranks` names. Lists of tensors are in the
ascending order of these ranks, and `src` and `dst` are numbers in the world. A sum is a kernel of ours, which adds in the order of
the ranks, in float32 for half types: the result has the same bits on every rank, whatever the wire.

Gradients: what a function writes or returns is a differentiable function of the tensors of all ranks. Its backward is a collective,
too. So a tensor that is given requires grad on all ranks or on none, and all ranks call `backward()`. Where a rank gets no numbers
(`reduce` and `gather`, on ranks besides `dst`), the function returns tensors without elements; backward of their sum takes part.
`send` and `recv` are not recorded.
"""

from tritonflow.comm.collectives import (
    all_gather,
    all_gather_into_tensor,
    all_reduce,
    barrier,
    broadcast,
    gather,
    reduce,
    reduce_scatter,
    reduce_scatter_tensor,
    scatter,
)
from tritonflow.comm.distribute import (
    distribute_add,
    distribute_clone,
    distribute_concat,
    distribute_split,
    select_top_n,
)
from tritonflow.comm.exchange import all_to_all, all_to_all_single
from tritonflow.comm.messages import recv, send

__all__ = [
    "all_gather", "all_gather_into_tensor", "all_reduce", "all_to_all", "all_to_all_single", "barrier", "broadcast",
    "distribute_add", "distribute_clone", "distribute_concat", "distribute_split", "gather", "recv", "reduce", "reduce_scatter",
    "reduce_scatter_tensor", "scatter", "select_top_n", "send",
]  # fmt: skip
