"""Collectives of all ranks: what they give has one layout, what they get another, and boxing goes from one to the other.

Source: https://oneflow.readthedocs.io/en/master/comm.html
"""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow import _C
from tritonflow.boxing.pieces import Layout
from tritonflow.comm.checks import check_like, check_list, check_rank, check_tensor, check_written
from tritonflow.comm.movement import Movement, alone, copies, pieces, summands
from tritonflow.framework.tensor import Tensor
from tritonflow.vm.machine import machine
from tritonflow.wire.verbs import control_gather
from tritonflow.wire.world import this_rank


def all_reduce(tensor: Tensor) -> Tensor:
    """Replace the tensor of every rank by the sum of all ranks' tensors, which have the same shape and dtype.

    Args:
        tensor: written in place; of any numeric dtype.

    Returns:
        `tensor`.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([1.0, 2.0])
        >>> flow.comm.all_reduce(x)  # in a world of one rank
        tensor([1., 2.])
    """
    check_written("all_reduce", "tensor", tensor)
    shape, type = _facts(tensor)
    return tensor.copy_(Movement.apply(tensor, summands(shape, type), copies(shape, type), "all_reduce"))


def reduce(tensor: Tensor, dst: int) -> Tensor:
    """Replace the tensor of rank `dst` by the sum of all ranks' tensors; the others stay as they are.

    Returns:
        `tensor` on `dst`, elsewhere a tensor without elements.
    """
    check_rank("reduce", "dst", dst)
    on_dst = this_rank().index == dst
    (check_written if on_dst else check_tensor)("reduce", "tensor", tensor)
    shape, type = _facts(tensor)
    total = Movement.apply(tensor, summands(shape, type), alone(shape, type, dst), "reduce")
    return tensor.copy_(total) if on_dst else total


def broadcast(tensor: Tensor, src: int) -> Tensor:
    """Replace the tensor of every rank by that of rank `src`; all have the same shape and dtype.

    Returns:
        `tensor`.
    """
    check_rank("broadcast", "src", src)
    check_written("broadcast", "tensor", tensor)
    shape, type = _facts(tensor)
    given = tensor if this_rank().index == src else _nothing_of(tensor)
    return tensor.copy_(Movement.apply(given, alone(shape, type, src), copies(shape, type), "broadcast"))


def all_gather(tensor_list: list[Tensor], tensor: Tensor) -> list[Tensor]:
    """Write rank k's `tensor` into `tensor_list[k]`, on every rank.

    Returns:
        `tensor_list`.
    """
    check_tensor("all_gather", "tensor", tensor)
    check_list("all_gather", "tensor_list", tensor_list, tensor, written=True)
    rows, type = _rows(tensor.shape), tensor.device.type
    return _fill(tensor_list, Movement.apply(tensor.unsqueeze(0), pieces(rows, type), copies(rows, type), "all_gather"))


def all_gather_into_tensor(output_tensor: Tensor, input_tensor: Tensor) -> Tensor:
    """Write the input tensors of all ranks, one behind the other, into the output of every rank.

    Args:
        output_tensor: of shape (n * d0, ...) or (n, d0, ...), over n ranks.
        input_tensor: of shape (d0, ...), the same on all ranks.

    Returns:
        `output_tensor`.
    """
    name = "all_gather_into_tensor"
    check_tensor(name, "input_tensor", input_tensor)
    check_written(name, "output_tensor", output_tensor)
    rows, type = _rows(input_tensor.shape), input_tensor.device.type
    check_like(name, "output_tensor", output_tensor, input_tensor, _one_of(rows, output_tensor))
    gathered = Movement.apply(input_tensor.unsqueeze(0), pieces(rows, type), copies(rows, type), name)
    return output_tensor.copy_(gathered.reshape(output_tensor.shape))


def gather(tensor: Tensor, gather_list: list[Tensor] | None = None, dst: int = 0) -> list[Tensor]:
    """Write rank k's `tensor` into `gather_list[k]` of rank `dst`.

    Args:
        tensor: of the same shape and dtype on all ranks.
        gather_list: needed on `dst` only; new tensors where it is None.
        dst: the rank that gets them.

    Returns:
        The list on `dst`, elsewhere one tensor without elements for each rank.
    """
    check_rank("gather", "dst", dst)
    check_tensor("gather", "tensor", tensor)
    on_dst = this_rank().index == dst
    if on_dst and gather_list is not None:
        check_list("gather", "gather_list", gather_list, tensor, written=True)
    rows, type = _rows(tensor.shape), tensor.device.type
    gathered = Movement.apply(tensor.unsqueeze(0), pieces(rows, type), alone(rows, type, dst), "gather")
    if not on_dst:
        return [gathered] * rows[0]
    return list(gathered.unbind(0)) if gather_list is None else _fill(gather_list, gathered)


def scatter(tensor: Tensor, scatter_list: Sequence[Tensor] | None = None, src: int = 0) -> Tensor:
    """Write `scatter_list[k]` of rank `src` into rank k's `tensor`.

    Args:
        tensor: written in place, of the same shape and dtype on all ranks.
        scatter_list: a tensor for each rank; heeded on `src` only.
        src: the rank that has them.

    Returns:
        `tensor`.
    """
    check_rank("scatter", "src", src)
    check_written("scatter", "tensor", tensor)
    rows, type = _rows(tensor.shape), tensor.device.type
    given = _nothing_of(tensor)
    if this_rank().index == src:
        given = _C.stack(check_list("scatter", "scatter_list", scatter_list, tensor))
    return tensor.copy_(_piece(given, alone(rows, type, src), pieces(rows, type), "scatter"))


def reduce_scatter(output: Tensor, input_list: Sequence[Tensor]) -> Tensor:
    """Write the sum of all ranks' `input_list[k]` into rank k's `output`.

    Returns:
        `output`.
    """
    check_written("reduce_scatter", "output", output)
    given = _C.stack(check_list("reduce_scatter", "input_list", input_list, output))
    shape, type = _facts(given)
    return output.copy_(_piece(given, summands(shape, type), pieces(shape, type), "reduce_scatter"))


def reduce_scatter_tensor(output_tensor: Tensor, input_tensor: Tensor) -> Tensor:
    """Write piece k of the sum of all ranks' inputs into rank k's output.

    Args:
        output_tensor: of shape (d0, ...), the same on all ranks.
        input_tensor: of shape (n * d0, ...) or (n, d0, ...), over n ranks.

    Returns:
        `output_tensor`.
    """
    name = "reduce_scatter_tensor"
    check_tensor(name, "input_tensor", input_tensor)
    check_written(name, "output_tensor", output_tensor)
    rows, type = _rows(output_tensor.shape), output_tensor.device.type
    check_like(name, "input_tensor", input_tensor, output_tensor, _one_of(rows, input_tensor))
    return output_tensor.copy_(_piece(input_tensor.reshape(rows), summands(rows, type), pieces(rows, type), name))


def all_to_all(output_tensor_list: list[Tensor], input_tensor_list: Sequence[Tensor]) -> list[Tensor]:
    """Write rank i's `input_tensor_list[k]` into rank k's `output_tensor_list[i]`.

    Returns:
        `output_tensor_list`.
    """
    given = check_list("all_to_all", "input_tensor_list", input_tensor_list)
    check_list("all_to_all", "output_tensor_list", output_tensor_list, given[0], written=True)
    rows = _rows(given[0].shape)
    table, type = _rows(rows), given[0].device.type  # a row for each sender, a column for each receiver
    column = Movement.apply(_C.stack(given).unsqueeze(0), pieces(table, type, 0), pieces(table, type, 1), "all_to_all")
    return _fill(output_tensor_list, column.squeeze(1))


def barrier() -> None:
    """Wait until every rank has come here, and what it issued before is done."""
    machine.sync()
    control_gather(tuple(range(this_rank().world_size)), b"", "barrier")


def _facts(x: Tensor) -> tuple[tuple[int, ...], str]:
    return x.meta.shape, x.device.type


def _rows(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a tensor of this shape for each rank, stacked."""
    return (this_rank().world_size, *shape)


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
