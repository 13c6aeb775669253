"""Collectives of some ranks: what they give has one layout, what they get another, and boxing goes from one to the other.

Source: https://oneflow.readthedocs.io/en/master/comm.html
"""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow import _C
from tritonflow.boxing.pieces import Layout
from tritonflow.comm.checks import check_like, check_list, check_rank, check_tensor, check_written
from tritonflow.comm.groups import GroupLike, members
from tritonflow.comm.movement import Movement, alone, copies, pieces, summands
from tritonflow.framework.tensor import Tensor
from tritonflow.vm.machine import machine
from tritonflow.wire.record import Ranks
from tritonflow.wire.verbs import control_gather
from tritonflow.wire.world import this_rank


def all_reduce(tensor: Tensor, *, ranks: GroupLike = None) -> Tensor:
    """Replace the tensor of every rank by the sum of all ranks' tensors, which have the same shape and dtype.

    Args:
        tensor: written in place; of any numeric dtype.
        ranks: who takes part, in any order: numbers in the world, a `flow.distributed.new_group`, or a mesh with one dimension.
            All ranks where None. The others do not call it.

    Returns:
        `tensor`.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([1.0, 2.0])
        >>> flow.comm.all_reduce(x)  # in a world of one rank
        tensor([1., 2.])
    """
    group = members("all_reduce", ranks)
    check_written("all_reduce", "tensor", tensor)
    shape, type = _facts(tensor)
    return tensor.copy_(Movement.apply(tensor, summands(shape, type, group), copies(shape, type, group), "all_reduce"))


def reduce(tensor: Tensor, dst: int, *, ranks: GroupLike = None) -> Tensor:
    """Replace the tensor of rank `dst` by the sum of all ranks' tensors; the others stay as they are.

    `dst` is a number in the world, here and in other functions.

    Returns:
        `tensor` on `dst`, elsewhere a tensor without elements.
    """
    group = members("reduce", ranks)
    check_rank("reduce", "dst", dst, group)
    on_dst = this_rank().index == dst
    (check_written if on_dst else check_tensor)("reduce", "tensor", tensor)
    shape, type = _facts(tensor)
    total = Movement.apply(tensor, summands(shape, type, group), alone(shape, type, dst), "reduce")
    return tensor.copy_(total) if on_dst else total


def broadcast(tensor: Tensor, src: int, *, ranks: GroupLike = None) -> Tensor:
    """Replace the tensor of every rank by that of rank `src`; all have the same shape and dtype.

    Returns:
        `tensor`.
    """
    group = members("broadcast", ranks)
    check_rank("broadcast", "src", src, group)
    check_written("broadcast", "tensor", tensor)
    shape, type = _facts(tensor)
    given = tensor if this_rank().index == src else _nothing_of(tensor)
    return tensor.copy_(Movement.apply(given, alone(shape, type, src), copies(shape, type, group), "broadcast"))


def all_gather(tensor_list: list[Tensor], tensor: Tensor, *, ranks: GroupLike = None) -> list[Tensor]:
    """Write the k-th rank's `tensor` into `tensor_list[k]`, on every rank.

    Returns:
        `tensor_list`.
    """
    group = members("all_gather", ranks)
    check_tensor("all_gather", "tensor", tensor)
    check_list("all_gather", "tensor_list", tensor_list, group, tensor, written=True)
    rows, type = _rows(group, tensor), tensor.device.type
    gathered = Movement.apply(tensor.unsqueeze(0), pieces(rows, type, group), copies(rows, type, group), "all_gather")
    return _fill(tensor_list, gathered)


def all_gather_into_tensor(output_tensor: Tensor, input_tensor: Tensor, *, ranks: GroupLike = None) -> Tensor:
    """Write the input tensors of all ranks, one behind the other, into the output of every rank.

    Args:
        output_tensor: of shape (n * d0, ...) or (n, d0, ...), over n ranks.
        input_tensor: of shape (d0, ...), the same on all ranks.

    Returns:
        `output_tensor`.
    """
    name = "all_gather_into_tensor"
    group = members(name, ranks)
    check_tensor(name, "input_tensor", input_tensor)
    check_written(name, "output_tensor", output_tensor)
    rows, type = _rows(group, input_tensor), input_tensor.device.type
    check_like(name, "output_tensor", output_tensor, input_tensor, _one_of(rows, output_tensor))
    gathered = Movement.apply(input_tensor.unsqueeze(0), pieces(rows, type, group), copies(rows, type, group), name)
    return output_tensor.copy_(gathered.reshape(output_tensor.shape))


def gather(
    tensor: Tensor, gather_list: list[Tensor] | None = None, dst: int = 0, *, ranks: GroupLike = None
) -> list[Tensor]:
    """Write the k-th rank's `tensor` into `gather_list[k]` of rank `dst`.

    Args:
        tensor: of the same shape and dtype on all ranks.
        gather_list: needed on `dst` only; new tensors where it is None.
        dst: the rank that gets them.
        ranks: who takes part, as of `all_reduce`.

    Returns:
        The list on `dst`, elsewhere one tensor without elements for each rank.
    """
    group = members("gather", ranks)
    check_rank("gather", "dst", dst, group)
    check_tensor("gather", "tensor", tensor)
    on_dst = this_rank().index == dst
    if on_dst and gather_list is not None:
        check_list("gather", "gather_list", gather_list, group, tensor, written=True)
    rows, type = _rows(group, tensor), tensor.device.type
    gathered = Movement.apply(tensor.unsqueeze(0), pieces(rows, type, group), alone(rows, type, dst), "gather")
    if not on_dst:
        return [gathered] * rows[0]
    return list(gathered.unbind(0)) if gather_list is None else _fill(gather_list, gathered)


def scatter(
    tensor: Tensor, scatter_list: Sequence[Tensor] | None = None, src: int = 0, *, ranks: GroupLike = None
) -> Tensor:
    """Write `scatter_list[k]` of rank `src` into the k-th rank's `tensor`.

    Args:
        tensor: written in place, of the same shape and dtype on all ranks.
        scatter_list: a tensor for each rank; heeded on `src` only.
        src: the rank that has them.
        ranks: who takes part, as of `all_reduce`.

    Returns:
        `tensor`.
    """
    group = members("scatter", ranks)
    check_rank("scatter", "src", src, group)
    check_written("scatter", "tensor", tensor)
    rows, type = _rows(group, tensor), tensor.device.type
    given = _nothing_of(tensor)
    if this_rank().index == src:
        given = _C.stack(check_list("scatter", "scatter_list", scatter_list, group, tensor))
    return tensor.copy_(_piece(given, alone(rows, type, src), pieces(rows, type, group), "scatter"))


def reduce_scatter(output: Tensor, input_list: Sequence[Tensor], *, ranks: GroupLike = None) -> Tensor:
    """Write the sum of all ranks' `input_list[k]` into the k-th rank's `output`.

    Returns:
        `output`.
    """
    group = members("reduce_scatter", ranks)
    check_written("reduce_scatter", "output", output)
    given = _C.stack(check_list("reduce_scatter", "input_list", input_list, group, output))
    shape, type = _facts(given)
    return output.copy_(_piece(given, summands(shape, type, group), pieces(shape, type, group), "reduce_scatter"))


def reduce_scatter_tensor(output_tensor: Tensor, input_tensor: Tensor, *, ranks: GroupLike = None) -> Tensor:
    """Write piece k of the sum of all ranks' inputs into the k-th rank's output.

    Args:
        output_tensor: of shape (d0, ...), the same on all ranks.
        input_tensor: of shape (n * d0, ...) or (n, d0, ...), over n ranks.

    Returns:
        `output_tensor`.
    """
    name = "reduce_scatter_tensor"
    group = members(name, ranks)
    check_tensor(name, "input_tensor", input_tensor)
    check_written(name, "output_tensor", output_tensor)
    rows, type = _rows(group, output_tensor), output_tensor.device.type
    check_like(name, "input_tensor", input_tensor, output_tensor, _one_of(rows, input_tensor))
    summed = _piece(input_tensor.reshape(rows), summands(rows, type, group), pieces(rows, type, group), name)
    return output_tensor.copy_(summed)


def barrier(*, ranks: GroupLike = None) -> None:
    """Wait until every rank has come here, and what it issued before is done."""
    group = members("barrier", ranks)
    machine.sync()
    control_gather(group, b"", "barrier")


def _facts(x: Tensor) -> tuple[tuple[int, ...], str]:
    return x.meta.shape, x.device.type


def _rows(group: Ranks, tensor: Tensor) -> tuple[int, ...]:
    """The shape of a tensor like this one for each rank, stacked."""
    return (len(group), *tensor.meta.shape)


def _one_of(rows: tuple[int, ...], x: Tensor) -> tuple[int, ...]:
    """The shape that a tensor for all ranks should have: stacked or one behind the other, whichever x is nearer to."""
    return rows if x.ndim == len(rows) or len(rows) == 1 else (rows[0] * rows[1], *rows[2:])


def _piece(x: Tensor, source: Layout, target: Layout, what: str) -> Tensor:
    """The one row that this rank gets."""
    row: Tensor = Movement.apply(x, source, target, what).squeeze(0)
    return row


def _nothing_of(tensor: Tensor) -> Tensor:
    """What a rank gives that has no part of the source: no element of `tensor`, but its history."""
    nothing: Tensor = tensor.flatten()[:0]
    return nothing


def _fill(tensors: list[Tensor], rows: Tensor) -> list[Tensor]:
    for tensor, row in zip(tensors, rows.unbind(0)):
        tensor.copy_(row)
    return tensors
