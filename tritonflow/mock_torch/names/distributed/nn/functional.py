"""`torch.distributed.nn.functional`: collectives with gradients, which return new tensors."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.errors import NotYetImplementedError
from tritonflow.mock_torch.names import distributed
from tritonflow.mock_torch.rank_collectives import is_alone
from tritonflow.wire.world import this_rank

__all__ = ["all_gather", "all_reduce", "broadcast", "reduce_scatter"]


def all_gather(tensor: Any, group: Any = None) -> tuple[Any, ...]:
    """The tensors of all ranks; the gradient of this rank's is the sum of what all ranks give back for it."""
    distributed._is_world(group)
    if is_alone():
        return (tensor.clone(),)
    found = [flow.empty_like(tensor) for _ in range(this_rank().world_size)]
    return tuple(flow.comm.all_gather(found, tensor.contiguous()))


def all_reduce(tensor: Any, op: Any = distributed.ReduceOp.SUM, group: Any = None) -> Any:
    """The sum of all ranks' tensors; the gradient is the sum of all ranks' gradients."""
    distributed._is_world(group)
    _is_sum("all_reduce", op)
    return tensor.clone() if is_alone() else flow.comm.all_reduce(tensor.clone())


def broadcast(tensor: Any, src: int, group: Any = None) -> Any:
    """Rank `src`'s tensor; its gradient is the sum of all ranks' gradients."""
    distributed._is_world(group)
    return tensor.clone() if is_alone() else flow.comm.broadcast(tensor.clone(), distributed._rank(src, None))


def reduce_scatter(output: Any, input_list: Any, op: Any = distributed.ReduceOp.SUM, group: Any = None) -> Any:
    """Rank k gets the sum of all ranks' k-th tensors; `output` has its shape and is not written."""
    distributed._is_world(group)
    _is_sum("reduce_scatter", op)
    return input_list[0].clone() if is_alone() else flow.comm.reduce_scatter(flow.empty_like(output), list(input_list))


def _is_sum(name: str, op: Any) -> None:
    if op != distributed.ReduceOp.SUM:
        raise NotYetImplementedError(f"torch.distributed.nn.functional.{name}(op={op!r}): sums alone have gradients here")
