"""Objects that ranks give each other through `torch.distributed`: pickled, and read again on every rank, which trusts others."""

from __future__ import annotations

import pickle
from typing import Any

import numpy

import tritonflow as flow
from tritonflow.mock_torch.rank_groups import collective, global_rank
from tritonflow.wire.record import Ranks
from tritonflow.wire.verbs import control_gather
from tritonflow.wire.world import this_rank


def tensor_of(data: bytes) -> Any:
    """Bytes as a tensor."""
    return flow.from_numpy(numpy.frombuffer(bytearray(data), numpy.uint8))


def bytes_of(x: Any) -> bytes:
    """The bytes of a tensor."""
    data: bytes = x.numpy().tobytes()
    return data


def _of_all(obj: Any, ranks: Ranks) -> list[Any]:
    """The objects of all ranks, in their order."""
    data = pickle.dumps(obj)
    sizes = _sizes(data, ranks)
    padded = tensor_of(data.ljust(max(sizes), b"\0"))
    found = flow.comm.all_gather([flow.empty_like(padded) for _ in ranks], padded, ranks=ranks)
    return [pickle.loads(bytes_of(each)[:size]) for each, size in zip(found, sizes)]


def _of_one(obj: Any, source: int, ranks: Ranks) -> Any:
    """The object of one rank."""
    data = pickle.dumps(obj) if this_rank().index == source else b""
    size = _sizes(data, ranks)[ranks.index(source)]
    sent = tensor_of(data) if data else flow.empty(size, dtype=flow.uint8)
    return pickle.loads(bytes_of(flow.comm.broadcast(sent, source, ranks=ranks)))


def _sizes(data: bytes, ranks: Ranks) -> list[int]:
    return [int(size) for size in control_gather(ranks, str(len(data)).encode(), "size of an object")]


@collective
def all_gather_object(object_list: Any, obj: Any, group: Any = None) -> None:
    """Every rank gets the objects of all. They are pickled: trust the other ranks."""
    object_list[:] = _of_all(obj, group)


@collective
def gather_object(
    obj: Any, object_gather_list: Any = None, dst: Any = None, group: Any = None, group_dst: Any = None
) -> None:
    """Rank `dst` gets the objects of all."""
    is_target = this_rank().index == global_rank(dst, group_dst, group, 0)
    if is_target != bool(object_gather_list):
        raise ValueError("gather_object(): argument 'object_gather_list' is a list on the rank `dst`, and None on the others")
    found = _of_all(obj, group)
    if is_target:
        object_gather_list[:] = found


@collective
def broadcast_object_list(
    object_list: Any, src: int | None = None, group: Any = None, device: Any = None, group_src: Any = None
) -> None:
    """Every rank's list gets the objects of rank `src`."""
    object_list[:] = _of_one(list(object_list), global_rank(src, group_src, group, 0), group)


@collective
def scatter_object_list(
    scatter_object_output_list: Any, scatter_object_input_list: Any = None, src: int | None = None, group: Any = None,
    group_src: Any = None,
) -> None:  # fmt: skip
    """Each rank gets its object of the list that rank `src` has."""
    source, me, n = global_rank(src, group_src, group, 0), this_rank().index, len(group)
    if me == source and len(scatter_object_input_list or ()) != n:
        raise ValueError(f"scatter_object_list(): expected an object for each of {n} ranks on rank {source}")
    scatter_object_output_list[0] = _of_one(scatter_object_input_list, source, group)[group.index(me)]
