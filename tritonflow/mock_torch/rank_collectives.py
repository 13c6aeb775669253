"""What `torch.distributed` does with tensors and objects of all ranks, made of `flow.comm`. One rank alone needs no messages."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import tritonflow as flow
from tritonflow.errors import InvalidArgumentError, NotYetImplementedError
from tritonflow.wire.verbs import control_gather
from tritonflow.wire.world import this_rank

_FOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "product": flow.mul, "min": flow.minimum, "max": flow.maximum,
    "band": flow.bitwise_and, "bor": flow.bitwise_or, "bxor": flow.bitwise_xor,
}  # fmt: skip


def is_alone() -> bool:
    """Whether there is one rank."""
    return this_rank().world_size == 1


@flow.no_grad()
def reduce_over_ranks(tensor: Any, op: str) -> None:
    """Every rank's tensor becomes the sum, mean, product, minimum ... of all; folds take the ranks in order.

    Raises:
        NotYetImplementedError: another reduction.
    """
    if op not in ("sum", "avg", *_FOLDS):
        raise NotYetImplementedError(f"torch.distributed: the reduction {op!r}; help: sum, avg, {', '.join(_FOLDS)}")
    if op == "avg" and not (tensor.is_floating_point() or tensor.is_complex()):
        raise InvalidArgumentError(f"torch.distributed: the mean of tensors of {tensor.dtype}; help: cast to a floating dtype")
    if is_alone():
        return
    if op in _FOLDS:
        tensor.copy_(functools.reduce(_FOLDS[op], tensors_of_ranks(tensor)))
        return
    flow.comm.all_reduce(tensor)
    if op == "avg":
        tensor.div_(this_rank().world_size)


@flow.no_grad()
def tensors_of_ranks(tensor: Any) -> list[Any]:
    """The tensors of all ranks, in their order."""
    found = [flow.empty_like(tensor) for _ in range(this_rank().world_size)]
    if is_alone():
        found[0].copy_(tensor)
        return found
    return list(flow.comm.all_gather(found, tensor.contiguous()))


def objects_of_ranks(obj: Any) -> list[Any]:
    """The objects of all ranks, in their order; each is pickled, and read again on every rank."""
    data = pickle.dumps(obj)
    if is_alone():
        return [pickle.loads(data)]
    everyone = tuple(range(this_rank().world_size))
    sizes = [int(size) for size in control_gather(everyone, str(len(data)).encode(), "size of an object")]
    padded = flow.tensor(list(data.ljust(max(sizes), b"\0")), dtype=flow.uint8)
    return [pickle.loads(bytes(each[:size].tolist())) for each, size in zip(tensors_of_ranks(padded), sizes)]


@flow.no_grad()
def exchange_rows(output: Any, input: Any, output_sizes: Sequence[int] | None, input_sizes: Sequence[int] | None) -> None:
    """Write the rows that each rank sends to this one, in the order of ranks, into `output`.

    Args:
        output_sizes, input_sizes: rows from and to each rank; equal shares where they are None.

    Raises:
        InvalidArgumentError: the sizes do not sum up to the rows, or no equal shares are possible.
    """
    ranks = this_rank().world_size
    mine = _sizes("input", input, input_sizes, ranks)
    theirs = _sizes("output", output, output_sizes, ranks)
    if len({*mine, *theirs}) > 1:
        raise NotYetImplementedError("all_to_all_single(): shares of different sizes; help: pad them to one size")
    if is_alone():
        output.copy_(input)
    else:
        flow.comm.all_to_all(list(output.split(theirs[0])), [each.contiguous() for each in input.split(mine[0])])


def _sizes(name: str, x: Any, sizes: Sequence[int] | None, ranks: int) -> list[int]:
    rows = x.shape[0]
    if sizes:
        if len(sizes) != ranks or sum(sizes) != rows:
            text = f"{name}_split_sizes {list(sizes)} do not divide {rows} rows over {ranks} ranks"
            raise InvalidArgumentError(f"all_to_all_single(): {text}")
        return list(sizes)
    if rows % ranks:
        raise InvalidArgumentError(f"all_to_all_single(): {rows} rows of the {name} are no equal shares of {ranks} ranks")
    return [rows // ranks] * ranks
