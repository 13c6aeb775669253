"""`torch.distributed.nn.functional`: collectives with gradients, which return new tensors."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.errors import NotYetImplementedError
from tritonflow.mock_torch.rank_collectives import ReduceOp
from tritonflow.mock_torch.rank_groups import collective, global_rank

__all__ = ["all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "reduce_scatter"]


@collective
def all_gather(tensor: Any, group: Any = None) -> tuple[Any, ...]:
    """The tensors of all ranks; the gradient of this rank's is the sum of what all ranks give back for it."""
    return tuple(flow.comm.all_gather([flow.empty_like(tensor) for _ in group], tensor.contiguous(), ranks=group))


@collective
def all_reduce(tensor: Any, op: Any = ReduceOp.SUM, group: Any = None) -> Any:
    """The sum of all ranks' tensors; the gradient is the sum of all ranks' gradients."""
    _is_sum("all_reduce", op)
    return flow.comm.all_reduce(tensor.clone(), ranks=group)


@collective
def broadcast(tensor: Any, src: int, group: Any = None) -> Any:
    """Rank `src`'s tensor; its gradient is the sum of all ranks' gradients."""
    return flow.comm.broadcast(tensor.clone(), global_rank(src, None, group), ranks=group)


@collective
def reduce_scatter(output: Any, input_list: Any, op: Any = ReduceOp.SUM, group: Any = None) -> Any:
    """The k-th rank gets the sum of all ranks' k-th tensors; `output` has its shape and is not written."""
    _is_sum("reduce_scatter", op)
    return flow.comm.reduce_scatter(flow.empty_like(output), list(input_list), ranks=group)


@collective
def all_to_all(output_tensor_list: Any, input_tensor_list: Any, group: Any = None) -> tuple[Any, ...]:
    """The k-th rank gets the k-th tensor of every rank; the outputs' shapes are heeded, and they are not written."""
    outputs = [flow.empty_like(x) for x in output_tensor_list]
    return tuple(flow.comm.all_to_all(outputs, list(input_tensor_list), ranks=group))


@collective
def all_to_all_single(
    output: Any, input: Any, output_split_sizes: Any = None, input_split_sizes: Any = None, group: Any = None
) -> Any:
    """The k-th rank gets the k-th share of every rank's rows; `output` has the result's shape and is not written."""
    sizes = output_split_sizes, input_split_sizes
    return flow.comm.all_to_all_single(flow.empty_like(output), input, *sizes, ranks=group)


def _is_sum(name: str, op: Any) -> None:
    if op != ReduceOp.SUM:
        raise NotYetImplementedError(f"torch.distributed.nn.functional.{name}(op={op!r}): sums alone have gradients here")
