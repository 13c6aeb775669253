"""What the ranks of a world tell each other about local tensors that are to become one, and the errors where these do not fit."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

from tritonflow.dtypes import DType, from_name
from tritonflow.errors import PlacementError
from tritonflow.framework.meta import Shape
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import NdSbp
from tritonflow.framework.shards import box_of, box_shape
from tritonflow.thread_state import thread_state
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import this_rank


class RankMeta(NamedTuple):
    """Shape and dtype of a rank's local tensor."""

    shape: Shape
    dtype: DType


def logical_meta(own: RankMeta, placement: Placement, sbp: NdSbp, check_meta: bool) -> tuple[Shape, DType]:
    """Shape and dtype of the whole tensor, of which each rank of the placement has a shard.

    Without a check, all ranks are taken to have what this rank has. Where the placement has not all of its callers, they are
    asked in any case: those outside of it cannot know.

    Raises:
        PlacementError: the shards do not fit, the ranks want different placements or sbp, or this one is outside of a mesh.
    """
    placement.require_caller()
    callers = placement.callers
    if len(callers) == 1 or not check_meta and placement.size == len(callers):
        found = dict.fromkeys(placement.order, own)
    else:
        told = ask((tuple(own.shape), own.dtype.name, repr(placement), repr(sbp)), "to_global", callers)
        _require_same_request({rank: answer[2:] for rank, answer in told.items()})
        found = {rank: RankMeta(told[rank][0], from_name(told[rank][1])) for rank in placement.order}
    _require_same_dtype(found)
    shape = _joined_shape(found, placement, sbp)
    _require_shards(found, placement, sbp, shape)
    return shape, own.dtype if len(callers) == 1 else found[placement.order[0]].dtype


def ask_all(value: Any, what: str) -> list[Any]:
    """A value of every rank of the world, plain data, in the order of ranks. Every rank calls this."""
    return list(ask(value, what, tuple(range(this_rank().world_size))).values())


def ask(value: Any, what: str, ranks: Ranks) -> dict[int, Any]:
    """A value of each of some ranks, plain data, by rank. All of them call this."""
    if ranks == (this_rank().index,):
        return {ranks[0]: value}
    if thread_state.observer.is_capturing:
        return thread_state.observer.over_ranks.answer(value, what, ranks)
    from tritonflow.wire import verbs  # programs on one rank need no wire

    answers = verbs.control_gather(ranks, pickle.dumps(value), what)
    return {rank: pickle.loads(answer) for rank, answer in zip(ranks, answers)}


def require_same(wanted: tuple[Placement, NdSbp], what: str) -> None:
    """Compare over the callers of a placement what they ask for.

    Raises:
        PlacementError: it is not the same.
    """
    _require_same_request(ask((repr(wanted[0]), repr(wanted[1])), what, wanted[0].callers))


def _require_same_request(requests: Mapping[int, tuple[str, str]]) -> None:
    first = min(requests)
    for k, name in enumerate(("placement", "sbp")):
        for rank, request in requests.items():
            if request[k] != requests[first][k]:
                raise PlacementError(
                    f"to_global(): {'Inconsistent parallel description: ' if k == 0 else ''}Each rank must have the same input"
                    f" {name}, but rank {first} has {requests[first][k]} and rank {rank} has {request[k]}"
                )


def _require_same_dtype(found: Mapping[int, RankMeta]) -> None:
    first = next(iter(found))
    for rank, meta in found.items():
        if meta.dtype is not found[first].dtype:
            raise PlacementError(
                "to_global(): Expected all tensors on each rank to be the same dtype, but found at least two dtypes,"
                f" {found[first].dtype.name}(rank {first}) and {meta.dtype.name}(rank {rank})!"
            )


def _joined_shape(found: Mapping[int, RankMeta], placement: Placement, sbp: NdSbp) -> Shape:
    """The sizes of the whole: along a dimension that is split, the sum over the ranks that have its pieces."""
    first = placement.order[0]
    for rank, meta in found.items():
        if len(meta.shape) != len(found[first].shape):
            raise PlacementError(
                "to_global(): Expected tensors with the same number of dimensions on each rank,"
                f" but found {list(found[first].shape)}(rank {first}) and {list(meta.shape)}(rank {rank})!"
            )
    shape = list(found[first].shape)
    for dim in {one.dim for one in sbp if one.dim is not None}:
        ranges = [range(n) if one.dim == dim else range(1) for one, n in zip(sbp, placement.shape)]
        shape[dim] = sum(found[int(placement.ranks[c])].shape[dim] for c in product(*ranges))
    return tuple(shape)


def _require_shards(found: Mapping[int, RankMeta], placement: Placement, sbp: NdSbp, shape: Shape) -> None:
    """Every rank has the piece that a balanced split gives it."""
    first = placement.order[0]
    split = sorted({one.dim for one in sbp if one.dim is not None})
    for rank, coordinate in zip(placement.order, placement.coordinates()):
        came, expected = found[rank].shape, box_shape(box_of(shape, placement.shape, sbp, coordinate))
        if came == expected:
            continue
        if not split:
            raise PlacementError(
                "to_global(): Expected same shape on each rank, but found at least two shapes,"
                f" {list(found[first].shape)}(rank {first}) and {list(came)}(rank {rank})!"
            )
        wrong = next(dim for dim, (a, b) in enumerate(zip(came, expected)) if a != b)
        if wrong in split:
            raise PlacementError(
                f"to_global(): Sizes of tensors in dimension {wrong} must be same or match balanced split distribution. See"
                " https://github.com/Oneflow-Inc/oneflow/blob/master/oneflow/core/common/balanced_splitter.h for details of"
                f" balanced split. Rank {rank} has {came[wrong]} of {shape[wrong]} elements, expected {expected[wrong]}"
            )
        raise PlacementError(
            f"to_global(): Sizes of tensors must match except in dimension {', '.join(map(str, split))}."
            f" Expected size {expected[wrong]} but got size {came[wrong]} for tensor on rank {rank}!"
        )
