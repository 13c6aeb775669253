"""Collectives of `torch.distributed` over the ranks of a group, made of `flow.comm`. Their signatures are torch's."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import tritonflow as flow
from tritonflow.errors import InvalidArgumentError, NotYetImplementedError
from tritonflow.mock_torch.rank_groups import collective, global_rank
from tritonflow.mock_torch.rank_work import Work
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import this_rank


class ReduceOp(str, Enum):
    """What a reduction computes."""

    SUM, AVG, PRODUCT, MIN, MAX = "sum", "avg", "product", "min", "max"
    BAND, BOR, BXOR, PREMUL_SUM = "band", "bor", "bxor", "premul_sum"


ReduceOp.RedOpType = ReduceOp  # type: ignore[attr-defined]  # torch's name of the kind of `ReduceOp.SUM`
reduce_op = ReduceOp

_FOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "product": flow.mul, "min": flow.minimum, "max": flow.maximum,
    "band": flow.bitwise_and, "bor": flow.bitwise_or, "bxor": flow.bitwise_xor,
}  # fmt: skip


def _check_reduction(op: str, x: Any) -> None:
    """Raise for what no reduction of ours computes."""
    if op not in ("sum", "avg", *_FOLDS):
        raise NotYetImplementedError(f"torch.distributed: the reduction {str.__str__(op)!r}; help: sum, avg, {', '.join(_FOLDS)}")
    if op == "avg" and not (x.is_floating_point() or x.is_complex()):
        raise InvalidArgumentError(f"torch.distributed: the mean of tensors of {x.dtype}; help: cast to a floating dtype")


def _wide(x: Any) -> Any:
    """A tensor of a half type in float32, in which means and products are computed."""
    return x.float() if x.is_floating_point() and x.dtype.itemsize < 4 else x


@flow.no_grad()
def _reduced(x: Any, op: str, ranks: Ranks) -> Any:
    """A new tensor: the sum, mean, product, minimum ... of all; folds take the ranks in order."""
    if op in _FOLDS:
        wide = _wide(x.contiguous())
        return _folded(flow.comm.all_gather([flow.empty_like(wide) for _ in ranks], wide, ranks=ranks), op)
    total = flow.comm.all_reduce(_wide(x).clone() if op == "avg" else x.clone(), ranks=ranks)
    return total.div_(len(ranks)) if op == "avg" else total


def _folded(tensors: Sequence[Any], op: str) -> Any:
    return functools.reduce(_FOLDS[op], tensors)


def _done(async_op: bool, *tensors: Any) -> Work | None:
    return Work(tensors) if async_op else None


@collective
@flow.no_grad()
def all_reduce(tensor: Any, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False) -> Work | None:
    """Every rank's tensor becomes the sum, mean, product, minimum or maximum of all, or what their bits have in common."""
    _check_reduction(op, tensor)
    tensor.copy_(_reduced(tensor, op, group))
    return _done(async_op, tensor)


@collective
@flow.no_grad()
def all_reduce_coalesced(tensors: Any, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False) -> Work | None:
    """`all_reduce` of each tensor."""
    for tensor in tensors:
        _check_reduction(op, tensor)
        tensor.copy_(_reduced(tensor, op, group))
    return _done(async_op, *tensors)


@collective
@flow.no_grad()
def reduce(
    tensor: Any, dst: int | None = None, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False, group_dst: Any = None
) -> Work | None:
    """The tensor of rank `dst` becomes the sum of all; those of other ranks stay what they are."""
    target = global_rank(dst, group_dst, group)
    _check_reduction(op, tensor)
    if op == ReduceOp.SUM:
        flow.comm.reduce(tensor, target, ranks=group)
    else:
        result = _reduced(tensor, op, group)
        if this_rank().index == target:
            tensor.copy_(result)
    return _done(async_op, tensor)


@collective
@flow.no_grad()
def broadcast(
    tensor: Any, src: int | None = None, group: Any = None, async_op: bool = False, group_src: int | None = None
) -> Work | None:
    """Every rank's tensor becomes that of rank `src`."""
    flow.comm.broadcast(tensor, global_rank(src, group_src, group), ranks=group)
    return _done(async_op, tensor)


@collective
@flow.no_grad()
def all_gather(tensor_list: Any, tensor: Any, group: Any = None, async_op: bool = False) -> Work | None:
    """Every rank gets the tensors of all."""
    flow.comm.all_gather(tensor_list, tensor, ranks=group)
    return _done(async_op, *tensor_list)


@collective
@flow.no_grad()
def all_gather_into_tensor(output_tensor: Any, input_tensor: Any, group: Any = None, async_op: bool = False) -> Work | None:
    """Every rank gets the tensors of all, one behind the other."""
    flow.comm.all_gather_into_tensor(output_tensor, input_tensor, ranks=group)
    return _done(async_op, output_tensor)


@collective
@flow.no_grad()
def gather(
    tensor: Any, gather_list: Any = None, dst: int | None = None, group: Any = None, async_op: bool = False, group_dst: Any = None
) -> Work | None:
    """Rank `dst` gets the tensors of all."""
    target = global_rank(dst, group_dst, group, 0)
    _check_list_is_on("gather", "gather_list", "dst", gather_list, target)
    flow.comm.gather(tensor, gather_list or None, target, ranks=group)
    return _done(async_op, *(gather_list or (tensor,)))


@collective
@flow.no_grad()
def scatter(
    tensor: Any, scatter_list: Any = None, src: int | None = None, group: Any = None, async_op: bool = False, group_src: Any = None
) -> Work | None:
    """Each rank gets its tensor of the list that rank `src` has."""
    source = global_rank(src, group_src, group, 0)
    _check_list_is_on("scatter", "scatter_list", "src", scatter_list, source)
    flow.comm.scatter(tensor, scatter_list or None, source, ranks=group)
    return _done(async_op, tensor)


def _check_list_is_on(function: str, name: str, which: str, tensors: Any, rank: int) -> None:
    if (this_rank().index == rank) != bool(tensors):
        raise ValueError(
            f"{function}(): argument '{name}' is a list of tensors on the rank `{which}`, and None on the others"
        )


@collective
@flow.no_grad()
def reduce_scatter(
    output: Any, input_list: Any, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work | None:
    """The k-th rank gets the sum of all ranks' k-th tensors, or another reduction of them."""
    _reduce_pieces(output, list(input_list), op, group)
    return _done(async_op, output)


@collective
@flow.no_grad()
def reduce_scatter_tensor(
    output: Any, input: Any, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work | None:
    """The k-th rank gets the k-th piece of the sum of all ranks' inputs, or of another reduction of them."""
    _reduce_pieces(output, list(input.reshape(len(group), *output.shape).unbind(0)), op, group)
    return _done(async_op, output)


def _reduce_pieces(output: Any, pieces: list[Any], op: str, ranks: Ranks) -> None:
    """Write the reduction of all ranks' k-th piece on the k-th rank."""
    _check_reduction(op, output)
    if op == ReduceOp.SUM:
        flow.comm.reduce_scatter(output, pieces, ranks=ranks)
    elif op == ReduceOp.AVG:
        total = flow.comm.reduce_scatter(flow.empty_like(_wide(output)), [_wide(x) for x in pieces], ranks=ranks)
        output.copy_(total.div_(len(ranks)))
    else:
        wide = [_wide(x.contiguous()) for x in pieces]
        output.copy_(_folded(flow.comm.all_to_all([flow.empty_like(x) for x in wide], wide, ranks=ranks), op))


@collective
@flow.no_grad()
def all_to_all(output_tensor_list: Any, input_tensor_list: Any, group: Any = None, async_op: bool = False) -> Work | None:
    """The k-th rank gets the k-th tensor of every rank; tensors may have shapes of their own."""
    flow.comm.all_to_all(output_tensor_list, input_tensor_list, ranks=group)
    return _done(async_op, *output_tensor_list)


@collective
@flow.no_grad()
def all_to_all_single(
    output: Any, input: Any, output_split_sizes: Any = None, input_split_sizes: Any = None, group: Any = None,
    async_op: bool = False,
) -> Work | None:  # fmt: skip
    """The k-th rank gets the k-th share of every rank's rows: equal shares, or of the sizes that are given."""
    flow.comm.all_to_all_single(output, input, output_split_sizes, input_split_sizes, ranks=group)
    return _done(async_op, output)


@collective
def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None, timeout: Any = None) -> Work | None:
    """Wait for all ranks, also with `async_op`. `TRITONFLOW_COMM_TIMEOUT` counts, not `timeout`."""
    flow.comm.barrier(ranks=group)
    return _done(async_op)


@collective
def monitored_barrier(group: Any = None, timeout: Any = None, wait_all_ranks: bool = False) -> None:
    """Wait for all ranks. An error names those that have not come within `TRITONFLOW_COMM_TIMEOUT`, whatever `timeout` is."""
    flow.comm.barrier(ranks=group)
