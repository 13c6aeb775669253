"""Exchanges: every rank sends a piece to every rank, of sizes that need not be equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow import _C
from tritonflow.autograd.function import Function, FunctionCtx
from tritonflow.boxing.program import buffer_of
from tritonflow.comm.checks import check_like, check_list, check_tensor, check_written
from tritonflow.comm.groups import GroupLike, members
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, type_name
from tritonflow.execution.transfer import allocate
from tritonflow.framework.meta import contiguous_meta, numel_of
from tritonflow.framework.tensor import Tensor
from tritonflow.wire import verbs
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import this_rank

Counts = tuple[int, ...]


def all_to_all(
    output_tensor_list: list[Tensor], input_tensor_list: Sequence[Tensor], *, ranks: GroupLike = None
) -> list[Tensor]:
    """Write rank i's `input_tensor_list[k]` into rank k's `output_tensor_list[i]`, which have the same shape.

    Args:
        output_tensor_list, input_tensor_list: a tensor for each rank, of any shapes and of one dtype.
        ranks: who takes part, as of `all_reduce`.

    Returns:
        `output_tensor_list`.
    """
    group = members("all_to_all", ranks)
    given = check_list("all_to_all", "input_tensor_list", input_tensor_list, group, same_shape=False)
    check_list("all_to_all", "output_tensor_list", output_tensor_list, group, given[0], written=True, same_shape=False)
    sent, received = (tuple([x.meta.numel for x in xs]) for xs in (given, output_tensor_list))
    _check_own("all_to_all", sent, received, group)
    what = f"{given[0].dtype.name}, for all_to_all"
    came = Exchange.apply(_C.cat([x.flatten() for x in given]), sent, received, group, what)
    for output, piece in zip(output_tensor_list, came.split(list(received))):
        output.copy_(piece.reshape(output.shape))
    return output_tensor_list


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    *,
    ranks: GroupLike = None,
) -> Tensor:
    """Write the rows that each rank sends to this one into `output`, in the order of the ranks.

    Args:
        output, input: of shapes (m, ...) and (n, ...); rows have the same shape and dtype on all ranks.
        output_split_sizes: how many rows come from each rank; equal shares where None.
        input_split_sizes: how many rows go to each rank; equal shares where None. What i sends to j, j expects of i.
        ranks: who takes part, as of `all_reduce`.

    Returns:
        `output`.

    Raises:
        RuntimeError: the sizes are not one for each rank or do not sum up to the rows, or no equal shares are possible.
    """
    name = "all_to_all_single"
    group = members(name, ranks)
    check_tensor(name, "input", input)
    check_written(name, "output", output)
    if not (input.ndim and output.ndim):
        raise InvalidArgumentError(f"{name}(): expected tensors with rows, got {list(input.shape)} and {list(output.shape)}")
    row = input.meta.shape[1:]
    check_like(name, "output", output, input, (output.meta.shape[0], *row))
    n, width = len(group), numel_of(row)
    sent, received = (
        tuple([rows * width for rows in _rows(name, which, sizes, x.meta.shape[0], n)])
        for which, sizes, x in (("input", input_split_sizes, input), ("output", output_split_sizes, output))
    )
    _check_own(name, sent, received, group)
    what = f"rows of {input.dtype.name}{list(row)}, for {name}"
    return output.copy_(Exchange.apply(input.flatten(), sent, received, group, what).reshape(output.shape))


class Exchange(Function):
    """`Exchange.apply(x, sent, received, ranks, what)`: elements of a flat tensor to each rank, for those that come from each.

    Its adjoint sends back. `what` names it in errors and profiles; it is the same text on all ranks.
    """

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, sent: Counts, received: Counts, ranks: Ranks, what: str) -> Tensor:  # type: ignore[override]
        ctx.back = received, sent, ranks, f"backward of {what}"  # type: ignore[attr-defined]
        if len(ranks) == 1:
            return x
        x = x.contiguous()
        result = allocate(contiguous_meta((sum(received),), x.dtype, x.device))
        sizes = ([count * x.dtype.itemsize for count in counts] for counts in (sent, received))
        verbs.exchange(ranks, buffer_of(x), next(sizes), buffer_of(result), next(sizes), what)
        return result

    @staticmethod
    def backward(ctx: FunctionCtx, dy: Tensor) -> Any:  # type: ignore[override]
        return Exchange.apply(dy, *ctx.back), None, None, None, None  # type: ignore[attr-defined]


def _check_own(function: str, sent: Counts, received: Counts, ranks: Ranks) -> None:
    """What this rank sends to itself, it expects. The others find out."""
    me = ranks.index(this_rank().index)
    if sent[me] != received[me]:
        raise InvalidArgumentError(
            f"{function}(): rank {ranks[me]} sends {sent[me]} elements to itself, but expects {received[me]} of itself"
        )


def _rows(function: str, name: str, sizes: Sequence[int] | None, rows: int, ranks: int) -> list[int]:
    """How many rows are each rank's."""
    if not sizes:
        if rows % ranks:
            raise InvalidArgumentError(f"{function}(): {rows} rows of the {name} are no equal shares of {ranks} ranks")
        return [rows // ranks] * ranks
    found = list(sizes)
    for size in found:
        if type(size) is not int:
            raise ArgumentTypeError(f"{function}(): argument '{name}_split_sizes' must be ints, not {type_name(size)}")
    if len(found) != ranks or sum(found) != rows or min(found) < 0:
        raise InvalidArgumentError(f"{function}(): {name}_split_sizes {found} do not divide {rows} rows over {ranks} ranks")
    return found
