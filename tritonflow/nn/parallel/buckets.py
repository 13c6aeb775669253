"""Buckets: tensors of one dtype and device that go over the wire as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tritonflow import _C
from tritonflow.comm.movement import alone, copies, moved, summands
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import this_rank


def buckets_of(tensors: Iterable[Tensor], max_bytes: float, max_tensors: float) -> list[list[Tensor]]:
    """The tensors in their order, in buckets within both limits. A tensor that is larger has a bucket of its own."""
    found: list[list[Tensor]] = []
    open_buckets: dict[tuple[DType, Device], tuple[list[Tensor], int]] = {}
    for x in tensors:
        kind, nbytes = (x.meta.dtype, x.meta.device), x.meta.numel * x.meta.dtype.itemsize
        bucket, size = open_buckets.get(kind, ([], 0))
        if not bucket or size + nbytes > max_bytes or len(bucket) >= max_tensors:
            bucket, size = [], 0
            found.append(bucket)
        bucket.append(x)
        open_buckets[kind] = bucket, size + nbytes
    return found


def mean_over(ranks: Ranks, flat: Tensor, divisor: int, what: str) -> Tensor:
    """The sums over some ranks of `flat / divisor`, added in the order of the ranks; a new tensor."""
    shape, type = flat.meta.shape, flat.device.type
    return moved(_C.mul(flat, 1 / divisor), summands(shape, type, ranks), copies(shape, type, ranks), what)


def take_from(source: int, ranks: Ranks, tensors: Sequence[Tensor], what: str, renew: bool = False) -> None:
    """Write the tensors of one rank over those of the others.

    Args:
        source: the rank that has them.
        ranks: it and the others.
        tensors: of one dtype and device.
        what: they are, for errors.
        renew: give them memory of their own in place of writing: what they had stays for who reads it.
    """
    with no_grad():
        flat = joined(tensors)
        shape, type = flat.meta.shape, flat.device.type
        is_source = this_rank().index == source
        came = moved(flat if is_source else flat[:0], alone(shape, type, source), copies(shape, type, ranks), what)
        if not is_source:
            for x, piece in zip(tensors, split_like(tensors, came)):
                if renew:
                    x.data = piece.clone()  # type: ignore[misc]
                else:
                    x.copy_(piece)


def joined(tensors: Sequence[Tensor]) -> Any:
    """The elements of all, one behind the other."""
    return _C.cat([x.reshape(-1) for x in tensors])


def split_like(tensors: Sequence[Tensor], flat: Tensor) -> list[Tensor]:
    """Pieces of a joined tensor, in the shapes of those that it was joined from."""
    pieces = flat.split([x.meta.numel for x in tensors])
    return [piece.view(x.meta.shape) for piece, x in zip(pieces, tensors)]
